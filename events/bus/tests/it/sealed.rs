//! Personal fields on their way: sealed in the stream, plain for a handler, erased once the key is destroyed.

use std::sync::{Arc, Mutex};

use futures_util::future::BoxFuture;
use sqlx::PgConnection;
use tiffin_bus::{
    Consumer, Failure, Handler, Received,
    seal::{KeyResponder, Keys},
};
use tiffin_events::{
    Clock, Envelope, Stream, UserId,
    order::{OrderEvent, OrderPlacedV1},
    personal::Sealed,
    subject,
};
use tiffin_testkit::{TestKeys, sample};
use tokio_util::sync::CancellationToken;

use crate::{
    bench::{Bench, eventually},
    consumer::dead_letters,
};

/// Keeps the orders that it gets.
#[derive(Clone, Default)]
struct Orders(Arc<Mutex<Vec<OrderPlacedV1>>>);

impl Orders {
    fn all(&self) -> Vec<OrderPlacedV1> {
        self.0.lock().unwrap().clone()
    }
}

impl Handler for Orders {
    fn handle<'a>(
        &'a self,
        _tx: &'a mut PgConnection,
        events: &'a [Received],
    ) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async move {
            for event in events {
                if let Some(OrderEvent::Placed(order)) = event.decode()? {
                    self.0.lock().unwrap().push(order);
                }
            }
            Ok(())
        })
    }
}

/// A placed order's event, of a new order.
fn placed() -> Envelope {
    let id = Clock::system().new_id();
    Envelope {
        id: Clock::system().new_id(),
        subject: id,
        sequence: 1,
        ..sample("tiffin.order.placed.v1")
    }
}

fn customer(event: &Envelope) -> UserId {
    serde_json::from_value(event.data["customerId"].clone()).unwrap()
}

async fn publish(bench: &Bench, event: &Envelope) -> String {
    let body = serde_json::to_string(event).unwrap();
    let subject = subject::event("order", event.subject, "placed");
    bench.publish(subject, body.clone().into_bytes()).await;
    body
}

fn consume(bench: &Bench, orders: &Orders) {
    let (pool, clock) = (bench.pool().clone(), bench.clock.clone());
    let handler = orders.clone();
    bench.consume_as(Consumer::new("bench", Stream::Orders, pool, clock, handler));
}

#[tokio::test]
async fn a_handler_gets_sealed_fields_plain_once_the_keeper_of_keys_answers() {
    let mut bench = Bench::new().await;
    let asked = Keys::new(bench.broker.client.clone());
    bench.broker = bench.broker.clone().with_keys(asked);
    let (table, orders) = (TestKeys::default(), Orders::default());
    let keys = Keys::new(table.clone());
    let plain = placed();
    let address = plain.data["address"].as_str().unwrap().to_owned();
    let mut sealed = plain.clone();
    keys.seal(&mut sealed).await.unwrap();
    let body = publish(&bench, &sealed).await;
    assert!(!body.contains(&address), "{body}");
    assert_eq!(sealed.data["totalAmount"], plain.data["totalAmount"]);
    consume(&bench, &orders);
    // Events that need no key, such as earlier ones, do not wait.
    let before = placed();
    publish(&bench, &before).await;
    let stop = CancellationToken::new();
    let responder = KeyResponder::new(bench.broker.clone(), table);
    let answering = tokio::spawn(responder.run(stop.clone()));
    eventually("both took effect", async || orders.all().len() == 2).await;
    for order in orders.all() {
        assert_eq!(order.address, address);
    }
    stop.cancel();
    answering.await.unwrap();
    bench.end().await;
}

#[tokio::test]
async fn without_its_key_a_persons_event_reads_as_erased_and_others_do_not() {
    let mut bench = Bench::new().await;
    let (table, orders) = (TestKeys::default(), Orders::default());
    let keys = Keys::new(table.clone());
    bench.broker = bench.broker.clone().with_keys(keys.clone());
    let (mut closed, mut other) = (placed(), placed());
    other.data["customerId"] = serde_json::to_value(Clock::system().new_id()).unwrap();
    let address = closed.data["address"].clone();
    let person = customer(&closed);
    for event in [&mut closed, &mut other] {
        keys.seal(event).await.unwrap();
    }
    table.destroy(person);
    keys.forget(person);
    // What is written about a closed account is erased at once.
    let mut late = placed();
    keys.seal(&mut late).await.unwrap();
    for event in [&closed, &other, &late] {
        publish(&bench, event).await;
    }
    consume(&bench, &orders);
    eventually("all took effect", async || orders.all().len() == 3).await;
    let (of_closed, of_other): (Vec<_>, Vec<_>) = orders
        .all()
        .into_iter()
        .partition(|order| order.order.customer_id == person);
    assert_eq!((of_closed.len(), of_other.len()), (2, 1));
    for order in of_closed {
        assert_eq!(order.address, "");
        assert_ne!(order.total_amount, tiffin_events::Money::default());
    }
    assert_eq!(address, of_other[0].address.as_str());
    bench.end().await;
}

#[tokio::test]
async fn a_part_of_another_event_becomes_a_dead_letter() {
    let mut bench = Bench::new().await;
    let keys = Keys::new(TestKeys::default());
    bench.broker = bench.broker.clone().with_keys(keys.clone());
    let (mut one, mut other) = (placed(), placed());
    for event in [&mut one, &mut other] {
        keys.seal(event).await.unwrap();
    }
    let Sealed(parts) = one.sealed.clone();
    other.sealed = Sealed(parts);
    publish(&bench, &other).await;
    let orders = Orders::default();
    consume(&bench, &orders);
    let letters = dead_letters(&bench, 1).await;
    assert!(letters[0].reason.contains("another event"), "{letters:?}");
    publish(&bench, &one).await;
    eventually("the other order took effect", async || {
        orders.all().len() == 1
    })
    .await;
    bench.end().await;
}
