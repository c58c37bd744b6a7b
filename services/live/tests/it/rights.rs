//! A right that was taken away, at every step of using it.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use serde_json::json;
use tiffin_bus::Broker;
use tiffin_events::{
    DeliveryId, Role, audience,
    live::{ClientFrame, ServerFrame},
    subject,
};
use tiffin_testkit::{LiveClient, TestNats};
use time::Duration;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::watch,
};
use uuid::Uuid;

use crate::fixture::{Fixture, lat, position, refusal, silence, user};

const CUSTOMER: u128 = 1;
const FORMER: u128 = 2;
const NEW: u128 = 3;

fn delivery(n: u128) -> DeliveryId {
    DeliveryId(Uuid::from_u128(n))
}

async fn ask(client: &mut LiveClient, topic: &str) {
    let topic = topic.to_owned();
    client
        .send(&ClientFrame::Watch { topic, after: None })
        .await;
}

/// A proxy before the broker that can hold its answers.
struct HoldingProxy {
    address: String,
    is_open: watch::Sender<bool>,
    /// The number of bytes that are held.
    held: Arc<AtomicUsize>,
}

impl HoldingProxy {
    async fn to(server: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let (is_open, gate) = watch::channel(true);
        let held = Arc::new(AtomicUsize::new(0));
        let (server, count) = (server.to_owned(), Arc::clone(&held));
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let server = TcpStream::connect(&server).await.unwrap();
                let (mut from_server, mut to_server) = server.into_split();
                let (mut from_client, mut to_client) = client.into_split();
                let (mut gate, count) = (gate.clone(), Arc::clone(&count));
                tokio::spawn(async move {
                    tokio::io::copy(&mut from_client, &mut to_server).await.ok();
                });
                tokio::spawn(async move {
                    let mut bytes = vec![0; 64 * 1024];
                    while let Ok(read) = from_server.read(&mut bytes).await {
                        if read == 0 {
                            return;
                        }
                        count.fetch_add(read, Ordering::SeqCst);
                        if gate.wait_for(|is_open| *is_open).await.is_err() {
                            return;
                        }
                        count.fetch_sub(read, Ordering::SeqCst);
                        to_client.write_all(&bytes[..read]).await.unwrap();
                    }
                });
            }
        });
        Self {
            address,
            is_open,
            held,
        }
    }

    /// Waits until an answer of the broker is held.
    async fn until_held(&self) {
        while self.held.load(Ordering::SeqCst) == 0 {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
    }
}

/// A fixture whose bridge looks things up through a proxy that can hold answers.
async fn fixture_with_slow_lookups() -> (Fixture, HoldingProxy) {
    let nats = TestNats::start().await;
    let url: url::Url = nats.url().parse().unwrap();
    let server = format!("{}:{}", url.host_str().unwrap(), url.port().unwrap());
    let proxy = HoldingProxy::to(&server).await;
    let url = nats.url().replace(&server, &proxy.address);
    let lookups = Broker::connect(&url, "lookups").await.unwrap().client;
    (Fixture::with_lookup_client(nats, lookups).await, proxy)
}

#[tokio::test]
async fn a_driver_who_lost_the_delivery_while_it_is_looked_up_is_refused() {
    let (fixture, proxy) = fixture_with_slow_lookups().await;
    let id = delivery(7);
    let topic = format!("delivery:{id}");
    let (former, new) = ([user(CUSTOMER), user(FORMER)], [user(CUSTOMER), user(NEW)]);
    fixture.set_delivery(id, &former, true).await;
    // With a watcher the topic exists already; without one the driver's question makes it.
    for is_watched in [false, true] {
        let mut customer = fixture.connect(user(CUSTOMER)).await;
        if is_watched {
            customer.watch(&topic).await;
        }
        fixture.set_delivery(id, &former, true).await;
        let mut driver = fixture.connect(user(FORMER)).await;
        proxy.is_open.send_replace(false);
        ask(&mut driver, &topic).await;
        // The broker has answered that it is theirs, and the bridge has yet to hear it.
        proxy.until_held().await;
        fixture.set_delivery(id, &new, true).await;
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        proxy.is_open.send_replace(true);
        assert_eq!(refusal(&mut driver).await.0, topic, "{is_watched}");
        fixture.position(id, 6.9).await;
        silence(&mut driver).await;
        if is_watched {
            assert_eq!(lat(&mut customer).await, 6.9);
        }
    }
}

#[tokio::test]
async fn a_driver_who_lost_the_delivery_sees_nothing_of_it_wherever_their_watch_was() {
    let fixture = Fixture::new().await;
    for round in 0..40_u64 {
        let id = delivery(100 + u128::from(round));
        let topic = format!("delivery:{id}");
        let (former, new) = ([user(CUSTOMER), user(FORMER)], [user(CUSTOMER), user(NEW)]);
        fixture.set_delivery(id, &former, true).await;
        let mut driver = fixture.connect(user(FORMER)).await;
        ask(&mut driver, &topic).await;
        // From before the question is read to long after its answer.
        tokio::time::sleep(std::time::Duration::from_micros(round * 100)).await;
        fixture.set_delivery(id, &new, true).await;
        let refused = driver
            .until(|frame| {
                matches!(
                    frame,
                    ServerFrame::Error { .. } | ServerFrame::Refused { .. }
                )
            })
            .await;
        fixture.position(id, 6.9).await;
        assert!(
            driver
                .next_within(std::time::Duration::from_millis(20))
                .await
                .is_none(),
            "round {round}: {refused:?}"
        );
    }
}

#[tokio::test]
async fn the_new_driver_sees_no_position_of_the_former_one() {
    let fixture = Fixture::new().await;
    for (n, is_watched) in [(7, true), (8, false)] {
        let id = delivery(n);
        let topic = format!("delivery:{id}");
        fixture
            .set_delivery(id, &[user(CUSTOMER), user(FORMER)], true)
            .await;
        let mut customer = fixture.connect(user(CUSTOMER)).await;
        if is_watched {
            customer.watch(&topic).await;
        }
        fixture.position_of(user(FORMER), id, 6.1).await;
        if is_watched {
            assert_eq!(lat(&mut customer).await, 6.1);
        }
        fixture
            .set_delivery(id, &[user(CUSTOMER), user(NEW)], true)
            .await;
        let mut driver = fixture.connect(user(NEW)).await;
        driver.watch(&topic).await;
        silence(&mut driver).await;
        // One that was on its way when the delivery was taken from them.
        fixture.position_of(user(FORMER), id, 6.2).await;
        silence(&mut driver).await;
        fixture.position_of(user(NEW), id, 6.3).await;
        assert_eq!(lat(&mut driver).await, 6.3);
    }
}

#[tokio::test]
async fn the_clock_of_the_former_driver_does_not_hold_up_the_new_one() {
    let fixture = Fixture::new().await;
    let id = delivery(7);
    fixture
        .set_delivery(id, &[user(CUSTOMER), user(FORMER)], true)
        .await;
    fixture.set_deliveries(user(FORMER), &[id]).await;
    let mut customer = fixture.connect(user(CUSTOMER)).await;
    customer.watch(&format!("delivery:{id}")).await;
    let mut former = fixture.connect_as(user(FORMER), Role::Delivery).await;
    let now = fixture.clock.now();
    let ahead = position(6.1, now + Duration::seconds(50));
    former.send(&ClientFrame::Position(ahead)).await;
    assert_eq!(lat(&mut customer).await, 6.1);

    fixture
        .set_delivery(id, &[user(CUSTOMER), user(NEW)], true)
        .await;
    fixture.set_deliveries(user(NEW), &[id]).await;
    let mut new = fixture.connect_as(user(NEW), Role::Delivery).await;
    new.send(&ClientFrame::Position(position(6.2, now))).await;
    assert_eq!(lat(&mut customer).await, 6.2);
}

#[tokio::test]
async fn an_older_entry_that_comes_late_takes_no_right_and_gives_none() {
    let fixture = Fixture::new().await;
    let id = delivery(7);
    let topic = format!("delivery:{id}");
    let former = fixture.entry_of(id, &[user(CUSTOMER), user(FORMER)], true);
    fixture
        .set_delivery(id, &[user(CUSTOMER), user(NEW)], true)
        .await;
    let mut new = fixture.connect(user(NEW)).await;
    new.watch(&topic).await;
    let key = subject::audience(&audience::delivery_key(id));
    // The bucket's last one says who was the driver once.
    fixture.store(&key, &json!(former)).await;
    let mut driver = fixture.connect(user(FORMER)).await;
    ask(&mut driver, &topic).await;
    assert_eq!(refusal(&mut driver).await.0, topic);
    fixture.position_of(user(NEW), id, 6.3).await;
    assert_eq!(lat(&mut new).await, 6.3);
    silence(&mut driver).await;
}
