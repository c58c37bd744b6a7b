//! Sockets that do not take what they are sent.

use std::{collections::HashMap, time::Duration};

use futures_util::{FutureExt, SinkExt, StreamExt};
use serde_json::json;
use socket2::{Domain, Socket, Type};
use tiffin_chassis::telemetry;
use tiffin_events::{DeliveryId, OrderId, Role, live::ClientFrame, live::ServerFrame, subject};
use tiffin_live::Limits;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};
use tokio_tungstenite::{WebSocketStream, client_async, tungstenite::Message};
use uuid::Uuid;

use crate::fixture::{Fixture, envelope, lat, seq, user};

/// A socket with a tiny kernel buffer that reads only on demand.
async fn stalled(fixture: &Fixture, topics: &[String]) -> WebSocketStream<TcpStream> {
    stalled_as(fixture, Role::Customer, topics).await
}

async fn stalled_as(
    fixture: &Fixture,
    role: Role,
    topics: &[String],
) -> WebSocketStream<TcpStream> {
    let address: std::net::SocketAddr = fixture
        .bridge
        .app
        .url
        .replacen("http://", "", 1)
        .parse()
        .unwrap();
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
    socket.set_recv_buffer_size(4096).unwrap();
    socket.connect(&address.into()).unwrap();
    socket.set_nonblocking(true).unwrap();
    let stream = TcpStream::from_std(socket.into()).unwrap();
    let (mut client, _) = client_async(fixture.bridge.app.live_url(), stream)
        .await
        .unwrap();
    let token = fixture.token(user(1), role);
    let auth = ClientFrame::Auth { token };
    client
        .send(Message::text(json!(auth).to_string()))
        .await
        .unwrap();
    client.next().await.unwrap().unwrap();
    for topic in topics {
        let watch = ClientFrame::Watch {
            topic: topic.clone(),
            after: None,
        };
        client
            .send(Message::text(json!(watch).to_string()))
            .await
            .unwrap();
        client.next().await.unwrap().unwrap();
    }
    client
}

fn small() -> Limits {
    Limits {
        send_buffer: 4096,
        ..Limits::default()
    }
}

#[tokio::test]
async fn a_slow_socket_gets_the_newest_position_and_every_status() {
    let fixture = Fixture::with(small()).await;
    let (delivery, order) = (DeliveryId(Uuid::from_u128(7)), OrderId(Uuid::from_u128(5)));
    fixture.set_delivery(delivery, &[user(1)], true).await;
    fixture.set_order(order, &[user(1)]).await;
    let topics = [format!("delivery:{delivery}"), format!("order:{order}")];
    let mut slow = stalled(&fixture, &topics).await;
    let mut quick = fixture.connect(user(1)).await;
    for topic in &topics {
        quick.watch(topic).await;
    }
    let publish = async {
        let mut places = Vec::new();
        for n in 0..2_000 {
            fixture.position(delivery, f64::from(n) / 100.0).await;
            if n % 200 == 0 {
                places.push(fixture.order_event(order, "preparing").await);
            }
        }
        places
    };
    // The others are not held up: everything arrives there while the slow one reads nothing.
    let mut taken = ReceivedFrames::default();
    let take = async {
        while !taken.is_whole() {
            taken.frame(quick.next().await);
        }
    };
    let (places, ()) = tokio::join!(publish, take);
    assert_eq!(taken.statuses, places);

    let mut taken = ReceivedFrames::default();
    while !taken.is_whole() {
        let message = tokio::time::timeout(Duration::from_secs(5), slow.next()).await;
        let message = message.unwrap().unwrap().unwrap();
        taken.frame(serde_json::from_str(message.to_text().unwrap()).unwrap());
    }
    assert_eq!(taken.statuses, places);
    assert!(taken.positions < 2_000, "nothing was left out");
}

/// The part of 2,000 positions and ten statuses that one socket got.
#[derive(Default)]
struct ReceivedFrames {
    positions: usize,
    last: f64,
    statuses: Vec<u64>,
}

impl ReceivedFrames {
    /// Takes the next frame. A newer position may come before a status that was there earlier: it
    /// took the place of an older one that waited.
    fn frame(&mut self, frame: ServerFrame) {
        match frame {
            ServerFrame::Position { lat, .. } => {
                assert!(
                    lat > self.last || self.positions == 0,
                    "{lat} after {}",
                    self.last
                );
                (self.positions, self.last) = (self.positions + 1, lat);
            }
            ServerFrame::Event { seq, .. } => self.statuses.extend(seq),
            other => panic!("{other:?}"),
        }
    }

    fn is_whole(&self) -> bool {
        self.statuses.len() >= 10 && self.last >= 19.99
    }
}

#[tokio::test]
async fn a_socket_that_takes_no_statuses_is_closed() {
    let limits = Limits {
        statuses: 8,
        ..small()
    };
    let fixture = Fixture::with(limits).await;
    let order = OrderId(Uuid::from_u128(5));
    fixture.set_order(order, &[user(1)]).await;
    let topic = format!("order:{order}");
    let mut slow = stalled(&fixture, std::slice::from_ref(&topic)).await;
    let mut quick = fixture.connect(user(1)).await;
    quick.watch(&topic).await;
    let data = json!({"text": "x".repeat(10_000)});
    let body = envelope("tiffin.order.confirmed.v1", order.0, &data);
    let event = subject::event("order", order.0, "confirmed");
    for _ in 0..40 {
        let place = fixture.store(&event, &body).await;
        assert_eq!(seq(&mut quick).await, place);
    }
    let closed = loop {
        match slow.next().await.unwrap() {
            Ok(Message::Close(frame)) => break frame.unwrap(),
            Ok(_) => {}
            // It was let go before it had read the goodbye.
            Err(_) => return,
        }
    };
    assert_eq!(u16::from(closed.code), 1013);
}

#[tokio::test]
async fn a_closed_socket_disturbs_no_other() {
    let fixture = Fixture::new().await;
    let delivery = DeliveryId(Uuid::from_u128(7));
    fixture.set_delivery(delivery, &[user(1)], true).await;
    let topic = format!("delivery:{delivery}");
    let mut quick = fixture.connect(user(1)).await;
    quick.watch(&topic).await;
    for n in 0..20 {
        let mut other = stalled(&fixture, std::slice::from_ref(&topic))
            .await
            .into_inner();
        // Half a frame, then nothing or a reset.
        other.write_all(&[0x81, 0xfe, 0x01]).await.unwrap();
        if n % 2 == 0 {
            socket2::SockRef::from(&other)
                .set_linger(Some(Duration::ZERO))
                .unwrap();
        } else {
            let _ = other.read(&mut [0; 16]).now_or_never();
        }
        drop(other);
        fixture.position(delivery, f64::from(n)).await;
        assert_eq!(lat(&mut quick).await, f64::from(n));
    }
}

#[tokio::test]
async fn a_socket_that_talks_but_never_reads_is_closed() {
    let limits = Limits {
        stall_timeout: Duration::from_millis(600),
        close_timeout: Duration::from_secs(30),
        ..small()
    };
    let counted = telemetry::metrics();
    let fixture = Fixture::with(limits).await;
    let delivery = DeliveryId(Uuid::from_u128(7));
    fixture.set_delivery(delivery, &[user(1)], true).await;
    let topic = format!("delivery:{delivery}");
    let mut slow = stalled(&fixture, std::slice::from_ref(&topic)).await;
    // Positions never fill a queue: only the newest waits.
    for n in 0..2_000 {
        fixture.position(delivery, f64::from(n) / 100.0).await;
    }
    // It is stalled once the kernel has taken the last byte that it finds room for: now and then it
    // makes some.
    let talk = async {
        while !counted
            .render()
            .contains("live_closed_total{reason=\"stalled\"}")
        {
            let ping = Message::Ping(Vec::new().into());
            slow.send(ping).await.unwrap();
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    };
    let closed = tokio::time::timeout(limits.silence_timeout / 2, talk).await;
    assert!(closed.is_ok(), "it is still there");
    let goodbye = loop {
        if let Message::Close(frame) = slow.next().await.unwrap().unwrap() {
            break frame.unwrap();
        }
    };
    assert_eq!(u16::from(goodbye.code), 1013);
}

#[tokio::test]
async fn a_slow_administrator_gets_the_newest_position_of_every_delivery() {
    let fixture = Fixture::with(small()).await;
    let mut slow = stalled_as(&fixture, Role::Admin, &["deliveries".to_owned()]).await;
    let deliveries: Vec<_> = (100..150).map(|n| DeliveryId(Uuid::from_u128(n))).collect();
    for round in 0..40 {
        for delivery in &deliveries {
            fixture.position(*delivery, f64::from(round)).await;
        }
    }
    let (mut newest, mut frames) = (HashMap::new(), 0);
    while newest.len() < deliveries.len() || newest.values().any(|lat| *lat < 39.0) {
        let message = tokio::time::timeout(Duration::from_secs(5), slow.next()).await;
        let ServerFrame::Position {
            topic,
            delivery_id,
            lat,
            ..
        } = serde_json::from_str(message.unwrap().unwrap().unwrap().to_text().unwrap()).unwrap()
        else {
            panic!("a position");
        };
        assert_eq!(topic, format!("delivery:{delivery_id}"));
        let before = newest.insert(delivery_id, lat);
        assert!(before.is_none_or(|before| lat > before));
        frames += 1;
    }
    assert!(frames < 2_000, "nothing was left out");
}

#[tokio::test]
async fn a_slow_operator_misses_no_event_of_a_replay_but_positions() {
    let fixture = Fixture::with(small()).await;
    let (replay, order) = (Uuid::from_u128(4), Uuid::from_u128(5));
    let topic = format!("replay:{replay}");
    let mut slow = stalled_as(&fixture, Role::Operator, std::slice::from_ref(&topic)).await;
    let delivery = subject::position(DeliveryId(Uuid::from_u128(7)));
    let placed = subject::event("order", order, "placed");
    for n in 0..2_000 {
        let (stream, subject) = if n % 100 == 0 {
            ("ORDERS", &placed)
        } else {
            ("POSITIONS", &delivery)
        };
        let event = envelope("tiffin.order.placed.v1", order, &json!({}));
        let frame = json!({"type": "event", "topic": topic, "stream": stream, "seq": n,
            "subject": subject, "event": event});
        fixture.show(replay, &frame).await;
    }
    let progress = json!({"type": "progress", "topic": topic, "state": "done", "total": 2_000,
        "handled": 2_000, "skipped": 0, "failed": 0});
    fixture.show(replay, &progress).await;
    let (mut orders, mut positions) = (Vec::new(), 0);
    loop {
        let message = tokio::time::timeout(Duration::from_secs(5), slow.next()).await;
        match serde_json::from_str(message.unwrap().unwrap().unwrap().to_text().unwrap()).unwrap() {
            ServerFrame::Event { seq, stream, .. } if stream.as_deref() == Some("ORDERS") => {
                orders.extend(seq);
            }
            ServerFrame::Event { .. } => positions += 1,
            ServerFrame::Progress { .. } => break,
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(orders, (0..2_000).step_by(100).collect::<Vec<u64>>());
    assert!(positions < 1_980, "nothing was left out");
}
