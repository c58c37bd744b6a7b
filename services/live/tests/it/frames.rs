use std::time::Duration;

use tiffin_events::live::{ClientFrame, ServerFrame};
use tiffin_live::Limits;
use tiffin_testkit::LiveClient;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};
use uuid::Uuid;

use crate::fixture::{Fixture, error, refusal, silence, user};

/// Enough that limits other than that of frames a second are met.
fn patient() -> Limits {
    Limits {
        frames_a_second: 1_000,
        ..Limits::default()
    }
}

#[tokio::test]
async fn rubbish_is_answered_and_goes_on_until_it_is_too_much() {
    let fixture = Fixture::with(patient()).await;
    let (mut client, mut neighbour) = (
        fixture.connect(user(1)).await,
        fixture.connect(user(2)).await,
    );
    let rubbish = [
        "{",
        "null",
        "[]",
        r#"{"type":"dance"}"#,
        r#"{"type":"watch"}"#,
        "\u{0}\u{7f}",
    ];
    for text in rubbish {
        client.send_text(text).await;
        assert!(!error(&mut client).await.is_empty());
    }
    client.watch("me").await;
    for _ in 0..5 {
        client.send_text("{").await;
    }
    assert_eq!(client.closed().await.code, Some(1008));
    neighbour.watch("me").await;
}

#[tokio::test]
async fn bytes_that_are_no_frames_end_the_socket_alone() {
    let fixture = Fixture::new().await;
    let mut neighbour = fixture.connect(user(2)).await;
    neighbour.watch("me").await;
    let address = fixture.bridge.app.url.replacen("http://", "", 1);
    let hello = format!(
        "GET /live HTTP/1.1\r\nHost: {address}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    );
    // A reserved bit, no mask, a control frame that is too long, a message that is too large.
    let large = [&[0x81, 0xff][..], &(1_u64 << 40).to_be_bytes(), &[0; 4]].concat();
    let cases: [(&[u8], u16); 4] = [
        (&[0xf1, 0x80, 0, 0, 0, 0], 1002),
        (&[0x81, 0x01, b'x'], 1002),
        (&[0x89, 0xfe, 0x01, 0x00, 0, 0, 0, 0], 1002),
        (&large, 1009),
    ];
    for (bytes, code) in cases {
        let mut stream = TcpStream::connect(&address).await.unwrap();
        stream.write_all(hello.as_bytes()).await.unwrap();
        stream.write_all(bytes).await.unwrap();
        let mut answer = Vec::new();
        let read = tokio::time::timeout(Duration::from_secs(5), stream.read_to_end(&mut answer));
        read.await.unwrap().unwrap();
        let head = answer
            .windows(4)
            .position(|four| four == b"\r\n\r\n")
            .unwrap();
        let close = &answer[head + 4..];
        assert_eq!((close[0], &close[2..4]), (0x88, &code.to_be_bytes()[..]));
    }
    neighbour.watch("me").await;
}

#[tokio::test]
async fn a_message_may_have_64_kib_and_no_more() {
    let fixture = Fixture::new().await;
    let mut client = fixture.connect(user(1)).await;
    let topic = "x".repeat(64 * 1024 - 40);
    client
        .send(&ClientFrame::Watch { topic, after: None })
        .await;
    refusal(&mut client).await;
    client.send_text(&" ".repeat(64 * 1024 + 1)).await;
    assert_eq!(client.closed().await.code, Some(1009));
}

#[tokio::test]
async fn a_client_that_sends_too_fast_gets_errors_and_is_closed() {
    let fixture = Fixture::new().await;
    let mut client = fixture.connect(user(1)).await;
    for _ in 0..25 {
        client.send_text(r#"{"type":"unwatch","topic":"me"}"#).await;
    }
    assert_eq!(
        error(&mut client).await,
        "Too many frames. Please slow down."
    );
    for _ in 0..20 {
        client.send_text(r#"{"type":"unwatch","topic":"me"}"#).await;
    }
    assert_eq!(client.closed().await.code, Some(1008));
}

#[tokio::test]
async fn a_socket_watches_so_many_topics_and_no_more() {
    let fixture = Fixture::with(patient()).await;
    let mut client = fixture.connect(user(1)).await;
    for n in 0..3 {
        fixture
            .set_order(Uuid::from_u128(n).into(), &[user(1)])
            .await;
    }
    let limits = Limits {
        watches: 2,
        ..patient()
    };
    let fixture = Fixture::on(fixture.nats, limits).await;
    client = {
        drop(client);
        fixture.connect(user(1)).await
    };
    for n in 0..2 {
        client.watch(&format!("order:{}", Uuid::from_u128(n))).await;
    }
    let topic = format!("order:{}", Uuid::from_u128(2));
    client
        .send(&ClientFrame::Watch {
            topic: topic.clone(),
            after: None,
        })
        .await;
    assert_eq!(
        refusal(&mut client).await,
        (topic, "Too many topics.".to_owned())
    );
    let left = format!("order:{}", Uuid::from_u128(0));
    client.send(&ClientFrame::Unwatch { topic: left }).await;
    client.watch(&format!("order:{}", Uuid::from_u128(2))).await;
}

#[tokio::test]
async fn a_socket_is_pinged_and_closed_once_it_is_silent() {
    let limits = Limits {
        ping_interval: Duration::from_millis(300),
        silence_timeout: Duration::from_millis(1_500),
        ..Limits::default()
    };
    let fixture = Fixture::with(limits).await;
    // This one answers pings whenever it is read from, that one is left alone.
    let mut lively = fixture.connect(user(1)).await;
    let mut silent = fixture.connect(user(2)).await;
    assert!(lively.next_within(Duration::from_secs(3)).await.is_none());
    lively.watch("me").await;
    let closed = silent.closed().await;
    assert_eq!(closed.code, Some(1001));
}

#[tokio::test]
async fn frames_that_are_not_known_yet_do_no_harm() {
    let fixture = Fixture::new().await;
    let mut client = fixture.connect(user(1)).await;
    client
        .send_text(r#"{"type":"watch","topic":"me","after":3,"colour":"red"}"#)
        .await;
    assert_eq!(
        client.next().await,
        ServerFrame::Watching {
            topic: "me".to_owned()
        }
    );
    client.send_text(r#"{"type":"auth","token":"again"}"#).await;
    assert_eq!(error(&mut client).await, "You are logged in already.");
    silence(&mut client).await;
    drop(client);
    let _ = LiveClient::open(&fixture.bridge.app.live_url()).await;
}
