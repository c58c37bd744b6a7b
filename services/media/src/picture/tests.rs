use super::*;

fn picture(format: Format, width: u32, height: u32) -> Picture {
    Picture {
        id: Uuid::nil(),
        name: "1-a.jpg".to_owned(),
        owner: None,
        format,
        width,
        height,
        size: 1,
        etag: "abc".to_owned(),
        cache: CACHE_SECONDS,
        uploaded_at: OffsetDateTime::UNIX_EPOCH,
    }
}

#[test]
fn what_is_served_depends_on_what_is_there_and_what_is_asked_for() {
    use Format::{Gif, Jpeg, Png, WebP};
    for (kept, (width, height), asked, takes_webp, served) in [
        (Jpeg, (1000, 500), None, false, None),
        (Jpeg, (1000, 500), None, true, Some((1000, 500, WebP))),
        (Jpeg, (1000, 500), Some(100), false, Some((128, 64, Jpeg))),
        (Png, (1000, 500), Some(100), true, Some((128, 64, WebP))),
        (Png, (1000, 500), Some(1000), false, None),
        (Png, (100, 50), Some(4000), false, None),
        (WebP, (1000, 500), None, true, None),
        (WebP, (1000, 500), Some(64), false, Some((64, 32, WebP))),
        (Gif, (1000, 500), None, true, None),
        (Gif, (1000, 500), Some(64), true, Some((64, 32, WebP))),
        (Gif, (1000, 500), Some(64), false, Some((64, 32, Png))),
        // Too long for WebP, and so thin that it would vanish.
        (Jpeg, (100, 20_000), None, true, None),
        (Jpeg, (20_000, 10), Some(64), false, Some((64, 1, Jpeg))),
    ] {
        let picture = picture(kept, width, height);
        let rendition = picture.rendition(asked, takes_webp);
        assert_eq!(
            rendition.map(|rendition| (rendition.width, rendition.height, rendition.format)),
            served,
            "{kept:?} {width}x{height} asked for {asked:?}, WebP {takes_webp}"
        );
    }
}

#[test]
fn each_rendition_has_its_own_etag() {
    let picture = picture(Format::Jpeg, 1000, 500);
    assert_eq!(picture.etag(None), "\"abc\"");
    assert_eq!(
        picture.etag(picture.rendition(Some(60), true)),
        "\"abc-64.webp\""
    );
}

#[test]
fn a_name_is_any_words_but_no_path() {
    for (name, good) in [
        ("1763715600000kottu.jpg", true),
        ("1763715600000 කොත්තු (1).jpg", true),
        ("", false),
        ("a/b.jpg", false),
        ("..\\b.jpg", false),
        ("a\nb.jpg", false),
        (&*"x".repeat(256), false),
    ] {
        assert_eq!(check_name(name).is_ok(), good, "{name:?}");
    }
}

#[test]
fn a_picture_is_known_by_its_address_on_any_host() {
    for (url, name) in [
        ("/storage/v1/object/public/images/1-a.jpg", Some("1-a.jpg")),
        (
            "https://media.example/storage/v1/object/public/images/1%20a.jpg?width=64#x",
            Some("1 a.jpg"),
        ),
        ("/storage/v1/object/public/images/", None),
        ("/storage/v1/object/public/images/a%2Fb", None),
        ("https://elsewhere.example/a.jpg", None),
    ] {
        assert_eq!(name_in(url).as_deref(), name, "{url}");
    }
}
