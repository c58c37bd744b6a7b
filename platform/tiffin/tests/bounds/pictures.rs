use std::{
    io::Cursor,
    time::{Duration, Instant},
};

use futures_util::future::join_all;
use image::{ImageBuffer, ImageFormat, Rgb, Rgba};
use reqwest::{RequestBuilder, StatusCode};
use tokio::{io::AsyncWriteExt, net::TcpStream};

use crate::process::Process;

const KEY: &str = "anybody";
/// Uploads that never end.
const HOSTILE: usize = 2_000;
/// The body of each of them in KiB: few enough for all to be held, and as much as a picture may have.
const SENT: [usize; 2] = [24, 4_096];
/// The most memory that they may cost together, in MiB.
const MAX_MIB_FOR_UPLOADS: u64 = 200;
/// The most memory that large pictures may cost, in MiB: one that is taken in beside one that is drawn.
const MAX_MIB_FOR_PICTURES: u64 = 900;
/// Requests for each of the large pictures.
const ASKED: usize = 4;

/// Each request comes from another network: ten uploads an hour are one network's.
fn network(nth: usize) -> String {
    format!("10.{}.{}.1", nth / 256, nth % 256)
}

fn upload(process: &Process, nth: usize, name: &str, bytes: Vec<u8>) -> RequestBuilder {
    let url = process.url(&format!("/storage/v1/object/images/{name}"));
    let call = process.client.post(url).header("apikey", KEY);
    call.header("x-forwarded-for", network(nth)).body(bytes)
}

fn small() -> Vec<u8> {
    let image = ImageBuffer::from_pixel(64, 64, Rgb([200_u8, 90, 20]));
    encoded(&image.into(), ImageFormat::Jpeg)
}

fn encoded(image: &image::DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

/// Begins an upload of 5 MiB and sends a part of it. The connection where it was not refused meanwhile.
async fn begin(process: &Process, nth: usize, part: &[u8]) -> Option<TcpStream> {
    let mut stream = TcpStream::connect(process.address).await.ok()?;
    let head = format!(
        "POST /storage/v1/object/images/{}-{nth}.jpg HTTP/1.1\r\nHost: food.example\r\napikey: {KEY}\r\n\
         x-forwarded-for: {}\r\nContent-Length: 5242880\r\n\r\n",
        part.len(),
        network(nth)
    );
    stream.write_all(head.as_bytes()).await.ok()?;
    // Where nothing more is taken the connection just stays.
    let sent = tokio::time::timeout(Duration::from_secs(2), stream.write_all(part)).await;
    sent.map_or(true, |sent| sent.is_ok()).then_some(stream)
}

#[tokio::test]
async fn two_thousand_uploads_that_never_end_cost_at_most_200_mib() {
    let process = Process::media(KEY).await;
    let warm = upload(&process, 9_000, "warm.jpg", small()).send().await;
    assert_eq!(warm.unwrap().status(), 200);
    https_only(&process).await;
    let before = process.memory();
    process.reset_peak();
    for (round, kib) in SENT.into_iter().enumerate() {
        let part = vec![0xff; kib * 1024];
        let mut uploads = Vec::new();
        for first in (0..HOSTILE).step_by(250) {
            let tries = (first..first + 250).map(|nth| begin(&process, nth, &part));
            uploads.extend(join_all(tries).await.into_iter().flatten());
        }
        let open = process.files();
        let beside = upload(&process, 9_001 + round, &format!("b{round}.jpg"), small());
        let beside = beside.send().await.unwrap().status();
        // An answer at once, though there may be no room.
        assert!(matches!(beside.as_u16(), 200 | 503), "{beside}");
        let cost = process.peak().saturating_sub(before);
        eprintln!("{HOSTILE} uploads of {kib} KiB: {open} files open, {cost} MiB above {before}");
        assert!(cost <= MAX_MIB_FOR_UPLOADS, "{cost} MiB");
        drop(uploads);
        let began = Instant::now();
        let name = |tries: usize| format!("a{round}-{tries}.jpg");
        for tries in 0.. {
            let after = upload(&process, 9_100 + tries, &name(tries), small())
                .send()
                .await;
            if after.unwrap().status() == 200 {
                break;
            }
            assert!(
                began.elapsed() < Duration::from_secs(30),
                "no room is given back"
            );
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    }
}

/// The proxy names the visitor's protocol, and those who came by https get the header that keeps them
/// there.
async fn https_only(process: &Process) {
    for (protocol, expected) in [
        ("https", Some("max-age=63072000; includeSubDomains")),
        ("http", None),
    ] {
        for path in ["/healthz", "/storage/v1/object/public/images/none.jpg"] {
            let call = process.client.get(process.url(path));
            let answer = call
                .header("x-forwarded-proto", protocol)
                .send()
                .await
                .unwrap();
            let header = answer.headers().get("strict-transport-security");
            assert_eq!(
                header.map(|value| value.to_str().unwrap()),
                expected,
                "{protocol} {path}"
            );
        }
    }
}

/// 40 megapixels of a photograph, in less than 5 MiB.
fn photograph() -> Vec<u8> {
    let image = ImageBuffer::from_fn(8_000, 5_000, |x, y| {
        let shade = |of: u32| u8::try_from(of % 256).unwrap();
        Rgb([shade(x / 32), shade(y / 32), shade((x + y) / 64)])
    });
    encoded(&image.into(), ImageFormat::Jpeg)
}

/// 40 megapixels of the most bits that a picture may have.
fn deep() -> Vec<u8> {
    let image = ImageBuffer::from_pixel(8_000, 5_000, Rgba([60_000_u16, 30_000, 10_000, 50_000]));
    encoded(&image.into(), ImageFormat::Png)
}

/// Asks for a picture as a browser does until it comes: one that takes too long on a busy machine is drawn
/// all the same.
async fn shown(process: &Process, name: &str) {
    let began = Instant::now();
    loop {
        let url = process.url(&format!("/storage/v1/object/public/images/{name}"));
        let call = process.client.get(url).header("accept", "image/webp,*/*");
        if let Ok(answer) = call.send().await
            && answer.status() == StatusCode::OK
        {
            assert_eq!(answer.headers()["content-type"], "image/webp");
            return;
        }
        assert!(
            began.elapsed() < Duration::from_mins(10),
            "{name} is not drawn"
        );
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

#[tokio::test]
async fn large_pictures_are_drawn_once_beside_small_uploads_in_bounded_memory() {
    let process = Process::media(KEY).await;
    let (photograph, deep) = tokio::task::spawn_blocking(|| (photograph(), deep()))
        .await
        .unwrap();
    let before = process.memory();
    process.reset_peak();
    let names = ["1.jpg", "2.jpg", "3.jpg"];
    for (nth, name) in names.into_iter().enumerate() {
        let taken = upload(&process, nth, name, photograph.clone()).send().await;
        assert_eq!(taken.unwrap().status(), 200, "{name}");
    }
    let taken_in = process.peak().saturating_sub(before);
    process.reset_peak();
    let asked = names
        .iter()
        .flat_map(|name| (0..ASKED).map(|_| shown(&process, name)));
    let small_ones = async {
        for nth in 0..5 {
            let beside = upload(&process, 100 + nth, &format!("s{nth}.jpg"), small());
            assert_eq!(beside.send().await.unwrap().status(), 200);
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
        // The largest that there is, at the same time.
        let taken = upload(&process, 200, "deep.png", deep)
            .send()
            .await
            .unwrap();
        assert_eq!(taken.status(), 200);
    };
    tokio::join!(join_all(asked), small_ones);
    let drawn = process.metric("media_renditions_drawn_total").await;
    assert!(
        (drawn - 3.0).abs() < f64::EPSILON,
        "{drawn} drawn for {} requests",
        3 * ASKED
    );
    let both = process.peak().saturating_sub(before);
    process.reset_peak();
    shown(&process, "deep.png").await;
    let deep = process.peak().saturating_sub(before);
    eprintln!(
        "40 megapixels taken in: {taken_in} MiB; drawn beside a deep one: {both} MiB; a deep one drawn: {deep} MiB"
    );
    assert!(both.max(taken_in).max(deep) <= MAX_MIB_FOR_PICTURES);
}
