//! The notifications that an order's or a delivery's event causes: their readers and texts. Texts name no
//! person, because events carry them.

use tiffin_events::{
    DeliveryId, OrderId, UserId,
    delivery::{DeliveryEvent, DeliveryRefV1},
    notification::NotificationTopic,
    order::{OrderEvent, OrderRefV1, OrderStatus},
    suggestion::SuggestionEvent,
};

use time::Duration;

use crate::text::{self, Text};

/// One notification for one reader.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    pub user: UserId,
    pub topic: NotificationTopic,
    pub text: String,
    pub order_id: OrderId,
    pub order_code: String,
    pub delivery_id: Option<DeliveryId>,
    /// The time in which it is one notification with the same ones of its ticket's other orders; `None` if it is one by
    /// itself. The times of the events count, so that a replay and a late event have the same result.
    pub window: Option<Duration>,
}

/// For most news: a restaurant that takes a ticket order by order tells its customer once.
pub const USUAL: Duration = Duration::minutes(10);
/// For news that may come again soon and is sent each time, as of another driver: the events of one call.
const ONE_CALL: Duration = Duration::seconds(10);

/// The notifications that an order's event causes.
pub fn of_order(event: &OrderEvent) -> Vec<Draft> {
    match event {
        OrderEvent::Placed(placed) => {
            let text =
                text::new_order(&placed.order.order_code, placed.quantity, &placed.item_name);
            vec![about_order(
                &placed.order,
                placed.order.owner_id,
                NotificationTopic::OrderPlaced,
                text,
            )]
        }
        OrderEvent::Confirmed(confirmed) => {
            let order = &confirmed.order;
            vec![about_order(
                order,
                order.customer_id,
                NotificationTopic::OrderConfirmed,
                text::CONFIRMED.about(&order.order_code),
            )]
        }
        OrderEvent::Cancelled(cancelled) => {
            let order = &cancelled.order;
            let (to_others, text) = match cancelled.answer_by {
                Some(_) => (text::UNANSWERED_TO_OWNER, text::UNANSWERED),
                None => (
                    text::CANCELLED,
                    text::cancelled(cancelled.by, cancelled.reason),
                ),
            };
            let said = to_others.about(&order.order_code);
            let mut drafts = of_cancelling(order, NotificationTopic::OrderCancelled, &said);
            for draft in drafts.iter_mut().filter(|it| it.user == order.customer_id) {
                draft.text = text.about(&order.order_code);
            }
            drafts
        }
        OrderEvent::Reminded(reminded) => of_reminder(&reminded.order, reminded.is_last),
        OrderEvent::CancelRefused(refused) => {
            let text = text::NOT_CANCELLED.about(&refused.order.order_code);
            let topic = if refused.to == OrderStatus::Delivered {
                NotificationTopic::DeliveryDelivered
            } else {
                NotificationTopic::DeliveryOnTheWay
            };
            let drafts = of_cancelling(&refused.order, topic, &text).into_iter();
            // Each one corrects an earlier notification of one order, so none may be left out.
            let alone = |draft| Draft {
                window: None,
                ..draft
            };
            drafts.map(alone).collect()
        }
        _ => Vec::new(),
    }
}

/// The owner is reminded of an order that waits. The last reminder goes to the second contact, too.
fn of_reminder(order: &OrderRefV1, is_last: bool) -> Vec<Draft> {
    use NotificationTopic::{OrderWaiting, OrderWaitingContact, OrderWaitingLong};
    let draft = |topic, text: Text| {
        about_order(order, order.owner_id, topic, text.about(&order.order_code))
    };
    if is_last {
        vec![
            draft(OrderWaitingLong, text::WAITING_LONG),
            draft(OrderWaitingContact, text::WAITING_CONTACT),
        ]
    } else {
        vec![draft(OrderWaiting, text::WAITING)]
    }
}

/// Notifications with the same text for the customer, the owner and the driver.
fn of_cancelling(order: &OrderRefV1, topic: NotificationTopic, text: &str) -> Vec<Draft> {
    let readers = [
        Some(order.customer_id),
        Some(order.owner_id),
        order.driver_id,
    ];
    let draft = |user| about_order(order, user, topic, text.to_owned());
    readers.into_iter().flatten().map(draft).collect()
}

/// The notifications that a delivery's event causes.
pub fn of_delivery(event: &DeliveryEvent) -> Vec<Draft> {
    use NotificationTopic::{DeliveryAssigned, DeliveryDelivered, DeliveryOnTheWay};
    match event {
        DeliveryEvent::Created(created) => {
            let delivery = &created.delivery;
            vec![about_delivery(
                delivery,
                delivery.driver_id,
                DeliveryAssigned,
                text::ASSIGNED.about(&delivery.order_code),
            )]
        }
        DeliveryEvent::Reassigned(moved)
            if moved.previous_driver_id != moved.delivery.driver_id =>
        {
            let delivery = &moved.delivery;
            let at_once = |draft| Draft {
                window: Some(ONE_CALL),
                ..draft
            };
            let gone = text::REASSIGNED.about(&delivery.order_code);
            vec![
                at_once(about_delivery(
                    delivery,
                    delivery.driver_id,
                    DeliveryAssigned,
                    text::ASSIGNED.about(&delivery.order_code),
                )),
                at_once(about_delivery(
                    delivery,
                    moved.previous_driver_id,
                    DeliveryAssigned,
                    gone,
                )),
            ]
        }
        DeliveryEvent::OnTheWay(delivery) => {
            let text = text::ON_THE_WAY.about(&delivery.order_code);
            vec![about_delivery(
                delivery,
                delivery.customer_id,
                DeliveryOnTheWay,
                text,
            )]
        }
        DeliveryEvent::Delivered(delivery) => {
            let to_owner = text::DELIVERED_TO_OWNER.about(&delivery.order_code);
            vec![
                about_delivery(
                    delivery,
                    delivery.customer_id,
                    DeliveryDelivered,
                    text::DELIVERED.about(&delivery.order_code),
                ),
                about_delivery(delivery, delivery.owner_id, DeliveryDelivered, to_owner),
            ]
        }
        _ => Vec::new(),
    }
}

/// The notification that a suggestion's event causes: only the owner of a declined order has something to do.
pub fn of_suggestion(event: &SuggestionEvent) -> Vec<Draft> {
    match event {
        SuggestionEvent::Declined(declined) => {
            let suggestion = &declined.suggestion;
            vec![Draft {
                user: suggestion.owner_id,
                topic: NotificationTopic::DeliveryDeclined,
                text: text::DECLINED.about(&suggestion.order_code),
                order_id: suggestion.order_id,
                order_code: suggestion.order_code.clone(),
                delivery_id: Some(declined.delivery_id),
                window: Some(ONE_CALL),
            }]
        }
        SuggestionEvent::Made(_) | SuggestionEvent::Picked(_) => Vec::new(),
    }
}

fn about_order(order: &OrderRefV1, user: UserId, topic: NotificationTopic, text: String) -> Draft {
    let order_code = order.order_code.clone();
    Draft {
        user,
        topic,
        text,
        order_id: order.order_id,
        order_code,
        delivery_id: None,
        window: Some(USUAL),
    }
}

fn about_delivery(
    delivery: &DeliveryRefV1,
    user: UserId,
    topic: NotificationTopic,
    text: String,
) -> Draft {
    let order_code = delivery.order_code.clone();
    let delivery_id = Some(delivery.delivery_id);
    Draft {
        user,
        topic,
        text,
        order_id: delivery.order_id,
        order_code,
        delivery_id,
        window: Some(USUAL),
    }
}

#[cfg(test)]
mod tests {
    use tiffin_events::{
        Event, UserId, delivery::DeliveryEvent, notification::NotificationTopic, order::OrderEvent,
        suggestion::SuggestionEvent,
    };
    use tiffin_testkit::sample;
    use uuid::Uuid;

    use super::{Draft, of_delivery, of_order, of_suggestion};

    const CUSTOMER: UserId = UserId(Uuid::from_u128(0x0193_0000_0000_7000_8000_0000_0000_0001));
    const OWNER: UserId = UserId(Uuid::from_u128(0x0193_0000_0000_7000_8000_0000_0000_0002));
    const DRIVER: UserId = UserId(Uuid::from_u128(0x0193_0000_0000_7000_8000_0000_0000_0003));
    const OTHER_DRIVER: UserId = UserId(Uuid::from_u128(0x0193_0000_0000_7000_8000_0000_0000_0004));

    fn drafts(kind: &str) -> Vec<Draft> {
        let envelope = sample(kind);
        let order = OrderEvent::decode(&envelope.kind, &envelope.data).unwrap();
        let delivery = DeliveryEvent::decode(&envelope.kind, &envelope.data).unwrap();
        let suggestion = SuggestionEvent::decode(&envelope.kind, &envelope.data).unwrap();
        order
            .iter()
            .flat_map(of_order)
            .chain(delivery.iter().flat_map(of_delivery))
            .chain(suggestion.iter().flat_map(of_suggestion))
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
            DeliveryAssigned, DeliveryDeclined, DeliveryDelivered, DeliveryOnTheWay,
            OrderCancelled, OrderConfirmed, OrderPlaced, OrderWaitingContact, OrderWaitingLong,
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
}
