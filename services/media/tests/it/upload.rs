#![expect(
    clippy::unwrap_used,
    reason = "a failure in here is the failure of the test that called"
)]

use image::{ImageFormat, ImageReader, LumaA};
use reqwest::Method;
use serde_json::Value;
use tiffin_chassis::Env;
use tiffin_testkit::token;
use time::Duration;

use crate::fixture::{
    Fixture, KEY, OTHER, OWNER, encoded, header, jpeg, object, photo, problem, public,
};

#[tokio::test]
async fn a_picture_is_taken_in_and_shown_to_anybody() {
    let fixture = Fixture::new().await;
    let call = fixture
        .call(Method::POST, &object("1-kottu.jpg"))
        .bearer_auth(fixture.token(OWNER))
        .header("cache-control", "max-age=60")
        .header("x-upsert", "false")
        .body(jpeg(40, 20));
    let response = call.send().await.unwrap();
    assert_eq!(response.status(), 200);
    let answer: Value = response.json().await.unwrap();
    assert_eq!(answer["Key"], "images/1-kottu.jpg");
    assert_eq!(answer["Id"].as_str().unwrap().len(), 36);

    for path in [public("1-kottu.jpg"), object("1-kottu.jpg")] {
        let shown = fixture.get(&path, &[]).await;
        assert_eq!(shown.status(), 200);
        assert_eq!(header(&shown, "content-type"), "image/jpeg");
        assert_eq!(header(&shown, "cache-control"), "public, max-age=60");
        assert_eq!(header(&shown, "x-content-type-options"), "nosniff");
        assert_eq!(header(&shown, "content-disposition"), "inline");
        assert!(header(&shown, "content-security-policy").contains("sandbox"));
        let image = image::load_from_memory(&shown.bytes().await.unwrap()).unwrap();
        assert_eq!((image.width(), image.height()), (40, 20));
    }
}

#[tokio::test]
async fn the_anonymous_key_is_enough_and_nothing_is_not() {
    let fixture = Fixture::new().await;
    let upload = |name: &str| fixture.call(Method::POST, &object(name)).body(jpeg(8, 8));
    let refused = upload("1-a.jpg").send().await.unwrap();
    assert_eq!(problem(refused, 401).await, "Please login first.");
    let wrong = upload("1-a.jpg").header("apikey", "wrong").send().await;
    problem(wrong.unwrap(), 401).await;
    let bearer = upload("1-a.jpg").bearer_auth(KEY).send().await.unwrap();
    assert_eq!(bearer.status(), 200);
    let both = upload("1-b.jpg").bearer_auth(KEY).header("apikey", KEY);
    assert_eq!(both.send().await.unwrap().status(), 200);
    let session = upload("1-c.jpg").header("apikey", KEY);
    let session = session.bearer_auth(
        token(&fixture.clock, OWNER, tiffin_events::Role::Customer)
            .expired()
            .sign(),
    );
    problem(session.send().await.unwrap(), 401).await;

    let closed = Fixture::with(Env::default()).await;
    problem(
        closed
            .upload_with_anonymous_key("1-a.jpg", jpeg(8, 8))
            .await,
        401,
    )
    .await;
}

#[tokio::test]
async fn a_name_is_taken_once() {
    let fixture = Fixture::new().await;
    let (first, second) = tokio::join!(
        fixture.upload(OWNER, "1-a.jpg", jpeg(300, 300)),
        fixture.upload(OTHER, "1-a.jpg", jpeg(300, 300)),
    );
    let mut statuses = [first.status().as_u16(), second.status().as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409]);
    let call = fixture.call(Method::POST, &object("1-a.jpg"));
    let call = call
        .bearer_auth(fixture.token(OWNER))
        .header("x-upsert", "true");
    let third = call.body(jpeg(8, 8)).send().await.unwrap();
    assert_eq!(problem(third, 409).await, "The resource already exists");
    assert_eq!(fixture.files(), 1);
}

#[tokio::test]
async fn only_pictures_of_a_sane_size_are_taken() {
    let fixture = Fixture::new().await;
    let whole = jpeg(400, 400);
    let half = whole[..whole.len() / 3].to_vec();
    let vast = encoded(
        &image::GrayImage::new(6_400, 6_400).into(),
        ImageFormat::Png,
    );
    assert!(vast.len() < 1024 * 1024, "it is small until it is unpacked");
    for (name, bytes, status) in [
        (
            "a.svg",
            b"<svg xmlns='http://www.w3.org/2000/svg'/>".to_vec(),
            415,
        ),
        ("a.jpg", b"<html><script>alert(1)</script>".to_vec(), 415),
        ("a.png", Vec::new(), 422),
        ("a.gif", b"GIF89a".to_vec(), 422),
        (
            "b.png",
            encoded(&photo(90, 90), ImageFormat::Png)[..300].to_vec(),
            422,
        ),
        ("a.bin", vec![0; 5 * 1024 * 1024 + 1], 413),
        ("b.bin", vec![0; 12 * 1024 * 1024], 413),
        ("vast.png", vast, 413),
        ("vast.gif", two_vast_frames(), 413),
        ("a%2Fb.jpg", jpeg(8, 8), 422),
        ("a%0Ab.jpg", jpeg(8, 8), 422),
    ] {
        let refused = fixture.upload(OWNER, name, bytes).await;
        let said = problem(refused, status).await;
        assert!(!said.is_empty());
    }
    // Of a photograph whose end is missing, some decoders show what there is.
    let cut = fixture.upload(OWNER, "cut.jpg", half).await.status();
    assert!(cut == 422 || cut == 200, "{cut}");
}

/// Each frame is allowed, both together are not.
fn two_vast_frames() -> Vec<u8> {
    let mut encoder = gif::Encoder::new(Vec::new(), 5_000, 5_000, &[0, 0, 0, 9, 9, 9]).unwrap();
    let frame = gif::Frame {
        width: 5_000,
        height: 5_000,
        buffer: vec![0; 25_000_000].into(),
        ..gif::Frame::default()
    };
    encoder.write_frame(&frame).unwrap();
    encoder.write_frame(&frame).unwrap();
    encoder.into_inner().unwrap()
}

#[tokio::test]
async fn a_photograph_is_upright_and_without_metadata() {
    let fixture = Fixture::new().await;
    let plain = jpeg(40, 20);
    // Exif with one entry, the orientation 6: turn it clockwise by a quarter.
    let mut exif =
        b"Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0".to_vec();
    exif.extend_from_slice(b"6.9271 N 79.8424 E");
    let length = u16::try_from(exif.len() + 2).unwrap().to_be_bytes();
    let tagged = [&plain[..2], b"\xff\xe1", &length, &exif, &plain[2..]].concat();
    assert_eq!(fixture.upload(OWNER, "1-a.jpg", tagged).await.status(), 200);
    let shown = fixture
        .get(&public("1-a.jpg"), &[])
        .await
        .bytes()
        .await
        .unwrap();
    let image = image::load_from_memory(&shown).unwrap();
    assert_eq!((image.width(), image.height()), (20, 40));
    assert!(
        !shown
            .windows(6)
            .any(|part| part == b"6.9271" || part == b"Exif\0\0")
    );
}

#[tokio::test]
async fn transparency_and_shades_of_grey_survive() {
    let fixture = Fixture::new().await;
    let image = image::ImageBuffer::from_pixel(300, 300, LumaA([90_u8, 128]));
    let bytes = encoded(&image.into(), ImageFormat::Png);
    assert_eq!(fixture.upload(OWNER, "1-a.png", bytes).await.status(), 200);
    for (path, accept, format) in [
        (public("1-a.png"), "*/*", ImageFormat::Png),
        (public("1-a.png"), "image/webp", ImageFormat::WebP),
        (public("1-a.png") + "?width=64", "*/*", ImageFormat::Png),
        (
            public("1-a.png") + "?width=64",
            "image/webp",
            ImageFormat::WebP,
        ),
    ] {
        let shown = fixture
            .get(&path, &[("accept", accept)])
            .await
            .bytes()
            .await
            .unwrap();
        let mut reader = ImageReader::new(std::io::Cursor::new(&shown));
        reader.set_format(format);
        let pixel = reader.decode().unwrap().to_rgba8().get_pixel(5, 5).0;
        assert!(
            pixel[0].abs_diff(90) < 4 && pixel[3].abs_diff(128) < 4,
            "{path}: {pixel:?}"
        );
    }
}

#[tokio::test]
async fn ten_pictures_an_hour_need_no_account() {
    let fixture = Fixture::new().await;
    for n in 0..10 {
        let taken = fixture
            .upload_with_anonymous_key(&format!("{n}.jpg"), jpeg(8, 8))
            .await;
        assert_eq!(taken.status(), 200);
    }
    let refused = fixture
        .upload_with_anonymous_key("10.jpg", jpeg(8, 8))
        .await;
    assert_eq!(header(&refused, "retry-after"), "3600");
    problem(refused, 429).await;
    let account = fixture.upload(OWNER, "10.jpg", jpeg(8, 8)).await;
    assert_eq!(account.status(), 200);
    fixture.clock.advance(Duration::HOUR);
    let later = fixture
        .upload_with_anonymous_key("11.jpg", jpeg(8, 8))
        .await;
    assert_eq!(later.status(), 200);
}

#[tokio::test]
async fn a_used_up_quota_is_answered_before_the_body_is_sent() {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    let fixture = Fixture::new().await;
    for n in 0..10 {
        let taken = fixture
            .upload_with_anonymous_key(&format!("{n}.jpg"), jpeg(8, 8))
            .await;
        assert_eq!(taken.status(), 200);
    }
    let address = fixture.app.url.trim_start_matches("http://").to_owned();
    let mut stream = tokio::net::TcpStream::connect(&address).await.unwrap();
    let head = format!(
        "POST {} HTTP/1.1\r\nHost: {address}\r\napikey: {KEY}\r\nContent-Length: 5242880\r\n\r\n",
        object("more.jpg")
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut answer = [0; 12];
    stream.read_exact(&mut answer).await.unwrap();
    assert_eq!(&answer, b"HTTP/1.1 429");
}
