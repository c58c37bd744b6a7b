use tiffin_events::{
    Event, UserId, delivery::DeliveryEvent, notification::NotificationTopic, order::OrderEvent,
    payment::PaymentEvent, suggestion::SuggestionEvent,
};
use tiffin_testkit::sample;
use uuid::Uuid;

use super::{Draft, of_delivery, of_order, of_payment, of_suggestion};

const CUSTOMER: UserId = UserId(Uuid::from_u128(0x0193_0000_0000_7000_8000_0000_0000_0001));
const OWNER: UserId = UserId(Uuid::from_u128(0x0193_0000_0000_7000_8000_0000_0000_0002));
const DRIVER: UserId = UserId(Uuid::from_u128(0x0193_0000_0000_7000_8000_0000_0000_0003));
const OTHER_DRIVER: UserId = UserId(Uuid::from_u128(0x0193_0000_0000_7000_8000_0000_0000_0004));

fn drafts(kind: &str) -> Vec<Draft> {
    let envelope = sample(kind);
    let order = OrderEvent::decode(&envelope.kind, &envelope.data).unwrap();
    let delivery = DeliveryEvent::decode(&envelope.kind, &envelope.data).unwrap();
    let suggestion = SuggestionEvent::decode(&envelope.kind, &envelope.data).unwrap();
    let payment = PaymentEvent::decode(&envelope.kind, &envelope.data).unwrap();
    order
        .iter()
        .flat_map(of_order)
        .chain(delivery.iter().flat_map(of_delivery))
        .chain(suggestion.iter().flat_map(of_suggestion))
        .chain(payment.iter().flat_map(of_payment))
        .collect()
}

#[test]
fn the_customer_reads_why_an_order_was_cancelled_and_others_that_it_was() {
    let mut envelope = sample("tiffin.order.cancelled.v1");
    let mut texts = |by: &str, reason: &str| -> Vec<_> {
        envelope.data["by"] = by.into();
        envelope.data["reason"] = reason.into();
        let event = OrderEvent::decode(&envelope.kind, &envelope.data).unwrap();
        let drafts = event.iter().flat_map(of_order);
        drafts.map(|draft| draft.text).collect()
    };
    let others = "Order ORD-7K3M9QX2 was cancelled.";
    for (reason, why) in [
        ("sold_out", ": the restaurant has run out of the dish."),
        ("closing_early", ": the restaurant closes early today."),
        ("too_busy", ": the restaurant has too many orders."),
        (
            "out_of_reach",
            ": the restaurant can't deliver to your address.",
        ),
        ("customer_asked", ", as you asked."),
        ("other", "."),
    ] {
        let said = format!(
            "Your order ORD-7K3M9QX2 was cancelled{why} If you paid for it, the money goes back to you."
        );
        for by in ["restaurant", "administrator"] {
            assert_eq!(texts(by, reason), [said.as_str(), others, others]);
        }
    }
}

#[test]
fn a_refund_from_two_payments_is_read_once() {
    let mut envelope = sample("tiffin.payment.refund_issued.v1");
    let mut texts = |part: i32| -> Vec<_> {
        envelope.data["part"] = part.into();
        envelope.data["parts"] = 2.into();
        let event = PaymentEvent::decode(&envelope.kind, &envelope.data).unwrap();
        let drafts = event.iter().flat_map(of_payment);
        drafts.map(|draft| draft.text).collect()
    };
    let said = "For your order ORD-7K3M9QX2, Rs. 300.00 is refunded: a dish was missing. \
                The money comes back the way you paid.";
    assert_eq!(texts(1), [said]);
    assert!(texts(2).is_empty());
}

#[test]
fn an_order_without_an_answer_is_refused_in_words_for_each_side() {
    let mut envelope = sample("tiffin.order.cancelled.v1");
    envelope.data["answerBy"] = "2026-11-21T09:10:00Z".into();
    envelope.data["driverId"] = serde_json::Value::Null;
    let event = OrderEvent::decode(&envelope.kind, &envelope.data).unwrap();
    let drafts = event.iter().flat_map(of_order);
    let texts: Vec<_> = drafts.map(|draft| (draft.user, draft.text)).collect();
    let to_customer = "Your order ORD-7K3M9QX2 was refused: the restaurant did not answer in time. \
                       If you paid for it, the money goes back to you.";
    let to_owner =
        "Order ORD-7K3M9QX2 was refused automatically because it was not answered in time.";
    assert_eq!(
        texts,
        [
            (CUSTOMER, to_customer.to_owned()),
            (OWNER, to_owner.to_owned())
        ]
    );
}

#[test]
fn a_first_reminder_is_the_owners_alone() {
    let mut envelope = sample("tiffin.order.reminded.v1");
    envelope.data["isLast"] = false.into();
    let event = OrderEvent::decode(&envelope.kind, &envelope.data).unwrap();
    let drafts = event.iter().flat_map(of_order);
    let topics: Vec<_> = drafts.map(|draft| (draft.user, draft.topic)).collect();
    assert_eq!(topics, [(OWNER, NotificationTopic::OrderWaiting)]);
}

#[test]
fn a_cancellation_without_a_side_reads_as_before() {
    let texts = drafts("tiffin.order.cancelled.v1").into_iter();
    let texts: Vec<_> = texts.map(|draft| draft.text).collect();
    assert_eq!(texts, ["Order ORD-7K3M9QX2 was cancelled."; 3]);
}

#[test]
fn everyone_is_notified_of_what_concerns_them_and_of_nothing_else() {
    use NotificationTopic::{
        DeliveryAssigned, DeliveryDeclined, DeliveryDelivered, DeliveryOnTheWay, OrderCancelled,
        OrderConfirmed, OrderPlaced, OrderRefunded, OrderWaitingContact, OrderWaitingLong,
    };
    for (kind, expected) in [
        ("tiffin.order.placed.v1", vec![(OWNER, OrderPlaced)]),
        ("tiffin.order.approved.v1", vec![]),
        (
            "tiffin.order.confirmed.v1",
            vec![(CUSTOMER, OrderConfirmed)],
        ),
        ("tiffin.order.preparing.v1", vec![]),
        ("tiffin.order.dispatched.v1", vec![]),
        ("tiffin.order.delivered.v1", vec![]),
        ("tiffin.order.reopened.v1", vec![]),
        ("tiffin.order.deleted.v1", vec![]),
        (
            "tiffin.order.reminded.v1",
            vec![(OWNER, OrderWaitingLong), (OWNER, OrderWaitingContact)],
        ),
        (
            "tiffin.order.cancelled.v1",
            vec![
                (CUSTOMER, OrderCancelled),
                (OWNER, OrderCancelled),
                (DRIVER, OrderCancelled),
            ],
        ),
        (
            "tiffin.delivery.created.v1",
            vec![(DRIVER, DeliveryAssigned)],
        ),
        ("tiffin.delivery.picked_up.v1", vec![]),
        (
            "tiffin.delivery.on_the_way.v1",
            vec![(CUSTOMER, DeliveryOnTheWay)],
        ),
        (
            "tiffin.delivery.delivered.v1",
            vec![(CUSTOMER, DeliveryDelivered), (OWNER, DeliveryDelivered)],
        ),
        (
            "tiffin.delivery.reassigned.v1",
            vec![(OTHER_DRIVER, DeliveryAssigned), (DRIVER, DeliveryAssigned)],
        ),
        (
            "tiffin.order.cancel_refused.v1",
            vec![
                (CUSTOMER, DeliveryOnTheWay),
                (OWNER, DeliveryOnTheWay),
                (DRIVER, DeliveryOnTheWay),
            ],
        ),
        ("tiffin.delivery.cancelled.v1", vec![]),
        ("tiffin.payment.captured.v1", vec![]),
        ("tiffin.payment.declined.v1", vec![]),
        ("tiffin.payment.refunded.v1", vec![]),
        (
            "tiffin.payment.refund_issued.v1",
            vec![(CUSTOMER, OrderRefunded)],
        ),
        ("tiffin.delivery.eta_changed.v1", vec![]),
        ("tiffin.delivery.cancel_refused.v1", vec![]),
        ("tiffin.suggestion.made.v1", vec![]),
        ("tiffin.suggestion.picked.v1", vec![]),
        (
            "tiffin.suggestion.declined.v1",
            vec![(OWNER, DeliveryDeclined)],
        ),
    ] {
        let readers: Vec<_> = drafts(kind)
            .into_iter()
            .map(|draft| (draft.user, draft.topic))
            .collect();
        assert_eq!(readers, expected, "{kind}");
    }
}
