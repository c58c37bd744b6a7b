//! The target of made-up bytes: a message of a stream, decoded as every consumer does it. `cargo xtask
//! inputs` runs for hours, the test below for a second.

use bytes::Bytes;
use serde_json::Value;
use tiffin_events::{
    Envelope, Event, catalogue, delivery::DeliveryEvent, driver::DriverEvent,
    inquiry::InquiryEvent, item::ItemEvent, notification::NotificationEvent,
    operation::OperationEvent, order::OrderEvent, payment::PaymentEvent, position::PositionEvent,
    restaurant::RestaurantEvent, review::ReviewEvent, suggestion::SuggestionEvent, user::UserEvent,
};

use crate::consume::received::{Received, StoredMessage};

/// Any bytes as a stored message.
///
/// # Panics
/// A promise that does not hold.
pub fn envelope(input: &[u8]) {
    let stored = StoredMessage {
        subject: "tiffin.order.01930000-0000-7000-8000-000000000030.placed".into(),
        stream_sequence: 1,
        stored_at: time::OffsetDateTime::UNIX_EPOCH,
        body: Bytes::copy_from_slice(input),
        import: None,
        attempts: 1,
        is_correction: false,
    };
    let _ = stored.aggregate();
    let sequence = stored.aggregate_and_sequence();
    match stored.read() {
        Ok(received) => check_received(&received.into_sealed(), sequence),
        Err(error) => assert!(error.to_string().starts_with("malformed"), "{error:?}"),
    }
}

fn check_received(received: &Received, sequence: Option<(uuid::Uuid, i64)>) {
    let envelope = &received.envelope;
    if let Some(sequence) = sequence {
        let read = (envelope.subject, envelope.sequence);
        assert_eq!(sequence, read, "the quick way and the long one differ");
    }
    let text = serde_json::to_vec(envelope).unwrap_or_default();
    let again: Result<Envelope, _> = serde_json::from_slice(&text);
    // What is written is read again; a payload of too large numbers is kept, and no value.
    if let (Ok(again), Ok(data)) = (again, serde_json::from_str::<Value>(envelope.data.get())) {
        assert_eq!((&again.kind, again.time), (&envelope.kind, envelope.time));
        assert_eq!(again.data, data);
        for entry in catalogue::entries() {
            if entry.kind == envelope.kind {
                check_round_trip(entry.round_trip, &data);
            }
        }
    }
    check_decoded::<UserEvent>(received);
    check_decoded::<InquiryEvent>(received);
    check_decoded::<RestaurantEvent>(received);
    check_decoded::<ItemEvent>(received);
    check_decoded::<ReviewEvent>(received);
    check_decoded::<OrderEvent>(received);
    check_decoded::<PaymentEvent>(received);
    check_decoded::<DeliveryEvent>(received);
    check_decoded::<SuggestionEvent>(received);
    check_decoded::<DriverEvent>(received);
    check_decoded::<PositionEvent>(received);
    check_decoded::<NotificationEvent>(received);
    check_decoded::<OperationEvent>(received);
}

/// A payload that is read and written is read and written the same again: a rebuilt table is what it
/// was.
fn check_round_trip(round_trip: fn(&Value) -> Option<Value>, data: &Value) {
    if let Some(written) = round_trip(data) {
        assert_eq!(round_trip(&written).as_ref(), Some(&written));
    }
}

fn check_decoded<E: Event>(received: &Received) {
    let Ok(Some(event)) = received.decode::<E>() else {
        return;
    };
    assert_eq!(event.kind(), received.envelope.kind);
    assert!(event.kind().contains(event.name()));
    assert!(
        event.data().is_ok(),
        "{} is read, not written",
        event.kind()
    );
}

#[cfg(test)]
mod tests {
    use tiffin_testkit::inputs;

    #[test]
    fn any_bytes_of_a_stream_are_an_event_or_malformed() {
        inputs::try_all("envelope", super::envelope);
    }
}
