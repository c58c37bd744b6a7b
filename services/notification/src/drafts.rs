//! The notifications that an order's or a delivery's event causes: their readers and texts. Texts name no
//! person, because events carry them.

use tiffin_events::{
    DeliveryId, OrderId, UserId,
    delivery::{DeliveryEvent, DeliveryRefV1},
    notification::NotificationTopic,
    order::{OrderEvent, OrderRefV1, OrderStatus},
    payment::PaymentEvent,
    suggestion::SuggestionEvent,
};
use time::Duration;

use crate::text::{self, Text};

#[cfg(test)]
mod tests;

/// One notification for one reader.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    pub user: UserId,
    pub topic: NotificationTopic,
    pub text: String,
    pub order_id: OrderId,
    pub order_code: String,
    pub delivery_id: Option<DeliveryId>,
    /// The time within which the same news of its ticket's other orders joins it; `None` if none does. The times of the
    /// events count, so that a replay and a late event have the same result.
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

/// The notification that a payment's event causes: the customer reads of a refund by people once, however many payments
/// it is made from.
pub fn of_payment(event: &PaymentEvent) -> Vec<Draft> {
    match event {
        PaymentEvent::RefundIssued(refund) if refund.part == 1 => {
            let order_code = refund.refunded_order_code.clone();
            vec![Draft {
                user: refund.payment.customer_id,
                topic: NotificationTopic::OrderRefunded,
                text: text::refunded(&order_code, refund.refund_amount, refund.reason),
                order_id: refund.refunded_order_id,
                order_code,
                delivery_id: None,
                // Its amount is this order's alone.
                window: None,
            }]
        }
        PaymentEvent::RefundIssued(_)
        | PaymentEvent::Captured(_)
        | PaymentEvent::Declined(_)
        | PaymentEvent::Disputed(_)
        | PaymentEvent::Refunded(_) => Vec::new(),
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
