use async_nats::HeaderMap;
use serde_json::json;
use tiffin_events::{IMPORT_HEADER, OrderId, subject};
use uuid::Uuid;

use crate::fixture::{Fixture, envelope, seq, silence, user};

/// Stores an event of an order as an operator's import does.
async fn import(fixture: &Fixture, id: OrderId) {
    let mut headers = HeaderMap::new();
    headers.insert(IMPORT_HEADER, Uuid::from_u128(9).to_string());
    let event = envelope("tiffin.order.confirmed.v1", id.0, &json!({}));
    let stored = fixture.nats.broker.jetstream.publish_with_headers(
        subject::event("order", id.0, "confirmed"),
        headers,
        event.to_string().into(),
    );
    stored.await.unwrap().await.unwrap();
}

#[tokio::test]
async fn imported_events_are_sent_neither_at_once_nor_on_resume() {
    let fixture = Fixture::new().await;
    let (id, customer) = (OrderId(Uuid::from_u128(5)), user(1));
    fixture.set_order(id, &[customer]).await;
    let topic = format!("order:{id}");
    let mut watching = fixture.connect(customer).await;
    watching.watch(&topic).await;
    let first = fixture.order_event(id, "placed").await;
    import(&fixture, id).await;
    let last = fixture.order_event(id, "preparing").await;
    let mut resuming = fixture.connect(customer).await;
    resuming.watch_after(&topic, Some(first)).await;
    assert_eq!(seq(&mut watching).await, first);
    assert_eq!(seq(&mut watching).await, last);
    assert_eq!(seq(&mut resuming).await, last);
    silence(&mut watching).await;
    silence(&mut resuming).await;
}
