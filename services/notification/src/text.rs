//! The texts of notifications with the codes by which clients find their translations. A stored notification has
//! the text alone; its code and values follow from that.

use std::collections::BTreeMap;

use serde::Serialize;
use tiffin_events::{
    Money,
    notification::NotificationTopic,
    order::{CancelReason, CancelledBy},
    payment::RefundReason,
};
use utoipa::ToSchema;

/// One text: the code, and the sentence with `{order}` for the order's code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Text {
    code: &'static str,
    sentence: &'static str,
}

pub const NEW_ORDER: Text = text(
    "notification.new-order",
    "New order {order}: {quantity} × {dish}.",
);
/// Of several orders of a ticket. No stored text reads like this; it is written for the reader.
pub const NEW_DISHES: Text = text("notification.new-dishes", "New order {order}: {dishes}.");
pub const CONFIRMED: Text = text(
    "notification.confirmed",
    "Your order {order} is confirmed and has a driver. It should be with you within 30 minutes.",
);
pub const CANCELLED: Text = text("notification.cancelled", "Order {order} was cancelled.");
/// To the customer who cancelled.
pub const CANCELLED_BY_YOU: Text = text(
    "notification.cancelled-by-you",
    "You cancelled order {order}. If you paid for it, the money goes back to you.",
);
/// To the customer, of a cancellation by the restaurant or an administrator. It also covers a cancellation for a reason
/// that has no word: the order's page may have a note.
pub const CANCELLED_FOR_YOU: Text = text(
    "notification.cancelled-for-you",
    "Your order {order} was cancelled. If you paid for it, the money goes back to you.",
);
pub const CANCELLED_SOLD_OUT: Text = text(
    "notification.cancelled-sold-out",
    "Your order {order} was cancelled: the restaurant has run out of the dish. If you paid for it, the money goes back to you.",
);
pub const CANCELLED_CLOSING_EARLY: Text = text(
    "notification.cancelled-closing-early",
    "Your order {order} was cancelled: the restaurant closes early today. If you paid for it, the money goes back to you.",
);
pub const CANCELLED_TOO_BUSY: Text = text(
    "notification.cancelled-too-busy",
    "Your order {order} was cancelled: the restaurant has too many orders. If you paid for it, the money goes back to you.",
);
pub const CANCELLED_OUT_OF_REACH: Text = text(
    "notification.cancelled-out-of-reach",
    "Your order {order} was cancelled: the restaurant can't deliver to your address. If you paid for it, the money goes back to you.",
);
pub const CANCELLED_CUSTOMER_ASKED: Text = text(
    "notification.cancelled-customer-asked",
    "Your order {order} was cancelled, as you asked. If you paid for it, the money goes back to you.",
);
/// To the customer, of an order that the restaurant did not answer in time.
pub const UNANSWERED: Text = text(
    "notification.unanswered",
    "Your order {order} was refused: the restaurant did not answer in time. If you paid for it, the money goes back to you.",
);
pub const UNANSWERED_TO_OWNER: Text = text(
    "notification.unanswered-to-owner",
    "Order {order} was refused automatically because it was not answered in time.",
);
pub const WAITING: Text = text(
    "notification.waiting",
    "Order {order} is waiting for your answer. Without one it is refused automatically.",
);
pub const WAITING_LONG: Text = text(
    "notification.waiting-long",
    "Order {order} is still waiting for your answer. It will soon be refused automatically.",
);
pub const WAITING_CONTACT: Text = text(
    "notification.waiting-contact",
    "The restaurant has not answered order {order}, which will soon be refused automatically. You are its second contact.",
);
pub const REFUNDED_MISSING_ITEM: Text = text(
    "notification.refunded-missing-item",
    "For your order {order}, {amount} is refunded: a dish was missing. The money comes back the way you paid.",
);
pub const REFUNDED_WRONG_ITEM: Text = text(
    "notification.refunded-wrong-item",
    "For your order {order}, {amount} is refunded: the wrong dish came. The money comes back the way you paid.",
);
pub const REFUNDED_POOR_QUALITY: Text = text(
    "notification.refunded-poor-quality",
    "For your order {order}, {amount} is refunded: a dish was not as it should be. The money comes back the way you paid.",
);
pub const REFUNDED_LATE: Text = text(
    "notification.refunded-late",
    "For your order {order}, {amount} is refunded: it came too late. The money comes back the way you paid.",
);
pub const REFUNDED_NOT_DELIVERED: Text = text(
    "notification.refunded-not-delivered",
    "For your order {order}, {amount} is refunded: it did not come. The money comes back the way you paid.",
);
/// A refund for a reason that has no word.
pub const REFUNDED: Text = text(
    "notification.refunded",
    "For your order {order}, {amount} is refunded. The money comes back the way you paid.",
);
pub const NOT_CANCELLED: Text = text(
    "notification.not-cancelled",
    "Order {order} is not cancelled: its driver had set out by then.",
);
pub const ASSIGNED: Text = text(
    "notification.assigned",
    "Order {order} is yours to deliver.",
);
pub const REASSIGNED: Text = text(
    "notification.reassigned",
    "Order {order} was given to another driver.",
);
pub const DECLINED: Text = text(
    "notification.declined",
    "The driver declined order {order}. Give it to another one.",
);
pub const ON_THE_WAY: Text = text(
    "notification.on-the-way",
    "Your order {order} is on the way.",
);
pub const DELIVERED: Text = text(
    "notification.delivered",
    "Your order {order} has been delivered. Enjoy your meal!",
);
pub const DELIVERED_TO_OWNER: Text = text(
    "notification.delivered-to-owner",
    "Order {order} has been delivered.",
);

const ALL: [Text; 28] = [
    NEW_ORDER,
    CONFIRMED,
    CANCELLED,
    CANCELLED_BY_YOU,
    CANCELLED_FOR_YOU,
    CANCELLED_SOLD_OUT,
    CANCELLED_CLOSING_EARLY,
    CANCELLED_TOO_BUSY,
    CANCELLED_OUT_OF_REACH,
    CANCELLED_CUSTOMER_ASKED,
    UNANSWERED,
    UNANSWERED_TO_OWNER,
    WAITING,
    WAITING_LONG,
    WAITING_CONTACT,
    REFUNDED_MISSING_ITEM,
    REFUNDED_WRONG_ITEM,
    REFUNDED_POOR_QUALITY,
    REFUNDED_LATE,
    REFUNDED_NOT_DELIVERED,
    REFUNDED,
    NOT_CANCELLED,
    ASSIGNED,
    REASSIGNED,
    DECLINED,
    ON_THE_WAY,
    DELIVERED,
    DELIVERED_TO_OWNER,
];

const fn text(code: &'static str, sentence: &'static str) -> Text {
    Text { code, sentence }
}

/// The code of a text and the values in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = NotificationText)]
pub struct CodedText {
    /// The code of the sentence: `notification.confirmed`.
    pub code: &'static str,
    /// The values in the sentence: the order's code, with ` +2` if there are two more, of a new order also the
    /// quantity and the dish, or all dishes, and of a refund the amount with its currency.
    pub params: BTreeMap<&'static str, String>,
}

impl Text {
    pub const fn code(self) -> &'static str {
        self.code
    }

    /// The sentence about an order.
    pub fn about(self, order: &str) -> String {
        self.sentence.replace("{order}", order)
    }

    /// The values with which this text becomes `said`; `None` where it says something else.
    fn params(self, order: &str, said: &str) -> Option<BTreeMap<&'static str, String>> {
        let mut params = BTreeMap::from([("order", order.to_owned())]);
        let expected = self.about(order);
        if let Some((start, end)) = expected.split_once("{amount}") {
            let amount = said.strip_prefix(start)?.strip_suffix(end)?;
            params.insert("amount", amount.to_owned());
            return Some(params);
        }
        let Some((start, rest)) = expected.split_once("{quantity}") else {
            return (expected == said).then_some(params);
        };
        let (between, end) = rest.split_once("{dish}")?;
        let values = said.strip_prefix(start)?.strip_suffix(end)?;
        let (quantity, dish) = values.split_once(between)?;
        params.insert("quantity", quantity.to_owned());
        params.insert("dish", dish.to_owned());
        Some(params)
    }
}

/// The text of a new order.
pub fn new_order(order: &str, quantity: i32, dish: &str) -> String {
    let text = NEW_ORDER.about(order);
    let text = text.replacen("{quantity}", &quantity.to_string(), 1);
    text.replacen("{dish}", dish, 1)
}

/// The text of a refund.
pub fn refunded(order: &str, amount: Money, reason: RefundReason) -> String {
    let text = match reason {
        RefundReason::MissingItem => REFUNDED_MISSING_ITEM,
        RefundReason::WrongItem => REFUNDED_WRONG_ITEM,
        RefundReason::PoorQuality => REFUNDED_POOR_QUALITY,
        RefundReason::Late => REFUNDED_LATE,
        RefundReason::NotDelivered => REFUNDED_NOT_DELIVERED,
        RefundReason::Other => REFUNDED,
    };
    text.about(order)
        .replacen("{amount}", &amount.to_string(), 1)
}

/// The text of a cancellation for the customer.
pub const fn cancelled(by: Option<CancelledBy>, reason: Option<CancelReason>) -> Text {
    match (by, reason) {
        (_, Some(CancelReason::SoldOut)) => CANCELLED_SOLD_OUT,
        (_, Some(CancelReason::ClosingEarly)) => CANCELLED_CLOSING_EARLY,
        (_, Some(CancelReason::TooBusy)) => CANCELLED_TOO_BUSY,
        (_, Some(CancelReason::OutOfReach)) => CANCELLED_OUT_OF_REACH,
        (_, Some(CancelReason::CustomerAsked)) => CANCELLED_CUSTOMER_ASKED,
        (Some(CancelledBy::Customer), _) => CANCELLED_BY_YOU,
        (Some(CancelledBy::Restaurant | CancelledBy::Administrator), _) => CANCELLED_FOR_YOU,
        (None, None | Some(CancelReason::Other)) => CANCELLED,
    }
}

/// The text that a notification about an order has, and the values in it; `None` of a text from another version.
pub fn known(order: &str, said: &str) -> Option<(Text, BTreeMap<&'static str, String>)> {
    ALL.into_iter()
        .find_map(|known| Some((known, known.params(order, said)?)))
}

/// The subject of a mail and the title of a push.
pub const fn title(topic: NotificationTopic) -> Text {
    match topic {
        NotificationTopic::OrderPlaced => text("notification.title-new-order", "New order {order}"),
        NotificationTopic::OrderConfirmed => {
            text("notification.title-confirmed", "Confirmed: {order}")
        }
        NotificationTopic::OrderCancelled => {
            text("notification.title-cancelled", "Cancelled: {order}")
        }
        NotificationTopic::OrderWaiting => {
            text("notification.title-waiting", "Waiting for you: {order}")
        }
        NotificationTopic::OrderWaitingLong | NotificationTopic::OrderWaitingContact => text(
            "notification.title-waiting-long",
            "Refused soon without an answer: {order}",
        ),
        NotificationTopic::OrderRefunded => text("notification.title-refunded", "Refund: {order}"),
        NotificationTopic::DeliveryAssigned => {
            text("notification.title-assigned", "Delivery of {order}")
        }
        NotificationTopic::DeliveryDeclined => {
            text("notification.title-declined", "Declined: {order}")
        }
        NotificationTopic::DeliveryOnTheWay => {
            text("notification.title-on-the-way", "On the way: {order}")
        }
        NotificationTopic::DeliveryDelivered => {
            text("notification.title-delivered", "Delivered: {order}")
        }
    }
}

/// The codes of all sentences and titles.
#[cfg(test)]
pub fn codes() -> impl Iterator<Item = &'static str> {
    use NotificationTopic::{
        DeliveryAssigned, DeliveryDeclined, DeliveryDelivered, DeliveryOnTheWay, OrderCancelled,
        OrderConfirmed, OrderPlaced, OrderRefunded, OrderWaiting, OrderWaitingLong,
    };
    let titles = [
        DeliveryAssigned,
        DeliveryDeclined,
        DeliveryDelivered,
        DeliveryOnTheWay,
        OrderCancelled,
        OrderConfirmed,
        OrderPlaced,
        OrderRefunded,
        OrderWaiting,
        OrderWaitingLong,
    ];
    let titles = titles.into_iter().map(title_code);
    ALL.iter()
        .chain([&NEW_DISHES])
        .map(|text| text.code)
        .chain(titles)
}

/// The code of a notification's title, whose only value is the order's code.
pub const fn title_code(topic: NotificationTopic) -> &'static str {
    title(topic).code
}

#[cfg(test)]
mod tests {
    use tiffin_events::{Money, payment::RefundReason};

    use super::{ALL, CONFIRMED, NEW_ORDER, known, new_order, refunded};

    const ORDER: &str = "ORD-7K3M9QX2";

    #[test]
    fn a_text_is_found_again_with_its_values() {
        let said = new_order(ORDER, 2, "Kottu × 3 (large): hot.");
        assert_eq!(said, "New order ORD-7K3M9QX2: 2 × Kottu × 3 (large): hot..");
        let params = NEW_ORDER.params(ORDER, &said).unwrap();
        assert_eq!(params["quantity"], "2");
        assert_eq!(params["dish"], "Kottu × 3 (large): hot.");
        assert_eq!(params["order"], ORDER);
        assert_eq!(CONFIRMED.params(ORDER, &said), None);
    }

    #[test]
    fn a_refund_is_found_again_with_its_amount() {
        for reason in RefundReason::ALL {
            let said = refunded(ORDER, Money::from_cents(30_050), reason);
            let (text, params) = known(ORDER, &said).unwrap();
            assert!(text.code().starts_with("notification.refunded"), "{said}");
            assert_eq!(params["amount"], "Rs. 300.50");
        }
        let said = refunded(ORDER, Money::from_cents(30_000), RefundReason::MissingItem);
        assert_eq!(
            said,
            "For your order ORD-7K3M9QX2, Rs. 300.00 is refunded: a dish was missing. \
             The money comes back the way you paid."
        );
    }

    #[test]
    fn each_text_is_found_by_itself_alone() {
        for known in ALL.into_iter().filter(|known| *known != NEW_ORDER) {
            let said = known.about(ORDER);
            let found = ALL
                .into_iter()
                .filter(|it| it.params(ORDER, &said).is_some());
            assert_eq!(found.collect::<Vec<_>>(), [known]);
        }
    }
}
