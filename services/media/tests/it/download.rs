use image::ImageFormat;
use reqwest::Method;

use crate::fixture::{Fixture, OWNER, encoded, header, jpeg, photo, problem, public};

#[tokio::test]
async fn a_width_is_rounded_up_drawn_once_and_never_enlarges() {
    let fixture = Fixture::new().await;
    fixture.upload(OWNER, "1-a.jpg", jpeg(400, 200)).await;
    for (asked, (width, height), files) in [
        (100, (128, 64), 2),
        (128, (128, 64), 2),
        (60, (64, 32), 3),
        (400, (400, 200), 3),
        (4096, (400, 200), 3),
    ] {
        let path = format!("{}?width={asked}", public("1-a.jpg"));
        let shown = fixture.get(&path, &[]).await;
        assert_eq!(header(&shown, "content-type"), "image/jpeg");
        let image = image::load_from_memory(&shown.bytes().await.unwrap()).unwrap();
        assert_eq!((image.width(), image.height()), (width, height), "{asked}");
        assert_eq!(fixture.files(), files, "{asked}");
    }
    for asked in ["0", "4097", "-1", "wide"] {
        let path = format!("{}?width={asked}", public("1-a.jpg"));
        problem(fixture.get(&path, &[]).await, 422).await;
    }
}

#[tokio::test]
async fn webp_is_sent_to_those_who_take_it() {
    let fixture = Fixture::new().await;
    fixture.upload(OWNER, "1-a.jpg", jpeg(400, 200)).await;
    let plain = fixture.get(&public("1-a.jpg"), &[("accept", "*/*")]).await;
    let browser = [("accept", "image/avif,image/webp,*/*;q=0.8")];
    let small = fixture.get(&public("1-a.jpg"), &browser).await;
    assert_eq!(header(&small, "content-type"), "image/webp");
    assert_eq!(header(&small, "vary"), "Accept");
    assert_ne!(header(&small, "etag"), header(&plain, "etag"));
    let (small, plain) = (small.bytes().await.unwrap(), plain.bytes().await.unwrap());
    assert!(small.len() < plain.len(), "{} {}", small.len(), plain.len());
    let image = image::load_from_memory_with_format(&small, ImageFormat::WebP).unwrap();
    assert_eq!((image.width(), image.height()), (400, 200));
}

#[tokio::test]
async fn a_gif_keeps_moving_unless_it_is_resized() {
    let fixture = Fixture::new().await;
    let gif = encoded(&photo(200, 100), ImageFormat::Gif);
    fixture.upload(OWNER, "1-a.gif", gif).await;
    for (query, accept, kind) in [
        ("", "image/webp", "image/gif"),
        ("?width=64", "image/webp", "image/webp"),
        ("?width=64", "*/*", "image/png"),
    ] {
        let path = public("1-a.gif") + query;
        let shown = fixture.get(&path, &[("accept", accept)]).await;
        assert_eq!(header(&shown, "content-type"), kind, "{query} {accept}");
    }
}

#[tokio::test]
async fn what_a_browser_holds_is_not_sent_again() {
    let fixture = Fixture::new().await;
    fixture.upload(OWNER, "1-a.jpg", jpeg(400, 200)).await;
    let path = public("1-a.jpg") + "?width=64";
    let first = fixture.get(&path, &[]).await;
    let etag = header(&first, "etag").to_owned();
    let again = fixture.get(&path, &[("if-none-match", &etag)]).await;
    assert_eq!(again.status(), 304);
    assert_eq!(header(&again, "etag"), etag);
    assert_eq!(header(&again, "cache-control"), "public, max-age=3600");
    let other = fixture
        .get(&public("1-a.jpg"), &[("if-none-match", &etag)])
        .await;
    assert_eq!(other.status(), 200);
    let head = fixture.call(Method::HEAD, &path).send().await.unwrap();
    assert_eq!(
        (head.status().as_u16(), header(&head, "etag")),
        (200, &*etag)
    );
}

#[tokio::test]
async fn a_picture_is_saved_under_a_harmless_name() {
    let fixture = Fixture::new().await;
    fixture
        .upload(OWNER, "1%22-%E0%B6%9A%20(1).jpg", jpeg(8, 8))
        .await;
    let path = public("1%22-%E0%B6%9A%20(1).jpg");
    for (query, disposition) in [
        ("", "inline"),
        (
            "?download=",
            "attachment; filename*=UTF-8''1%22-%E0%B6%9A%20%281%29.jpg",
        ),
        (
            "?download=a%22%0D%0Ax:y.html",
            "attachment; filename*=UTF-8''a%22%0D%0Ax%3Ay.html",
        ),
    ] {
        let shown = fixture.get(&format!("{path}{query}"), &[]).await;
        assert_eq!(
            header(&shown, "content-disposition"),
            disposition,
            "{query}"
        );
    }
}

#[tokio::test]
async fn what_is_not_there_is_404() {
    let fixture = Fixture::new().await;
    for name in ["1-a.jpg", "..%2F..%2Fetc%2Fpasswd", "%00", "whole"] {
        let answer = fixture.get(&public(name), &[]).await;
        problem(answer, 404).await;
    }
}

#[tokio::test]
async fn a_rendition_is_kept_though_the_asker_has_left() {
    let fixture = Fixture::new().await;
    fixture.upload(OWNER, "1-a.jpg", jpeg(1_600, 1_600)).await;
    let path = public("1-a.jpg");
    // On a busy machine the asker may leave before the question arrives: the next one stays longer.
    for patience in (1..20).map(|nth| std::time::Duration::from_millis(30 * nth)) {
        let ask = fixture.get(&path, &[("accept", "image/webp")]);
        let left = tokio::time::timeout(patience, ask).await;
        assert!(left.is_err(), "it was drawn before the asker could leave");
        for _ in 0..60 {
            if fixture.files() == 2 {
                return;
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
    }
    panic!("the rendition was not kept");
}

#[tokio::test]
async fn webp_is_at_most_2048_wide() {
    let fixture = Fixture::new().await;
    fixture.upload(OWNER, "1-a.jpg", jpeg(2_400, 24)).await;
    let path = public("1-a.jpg");
    let small = fixture.get(&path, &[("accept", "image/webp")]).await;
    let small = small.bytes().await.unwrap();
    let image = image::load_from_memory_with_format(&small, ImageFormat::WebP).unwrap();
    assert_eq!((image.width(), image.height()), (2_048, 20));
}
