//! A notification as its reader gets it: about one order, or about several of a ticket.

use std::collections::BTreeMap;

use tiffin_events::notification::NotificationTopic;

use crate::{
    notification::Notification,
    text::{self, CodedText},
};

/// An order that a notification is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BundledOrder {
    pub code: String,
    /// The quantity and the dish; `None` of an order of before they were kept.
    pub dish: Option<(i32, String)>,
    /// The name of the restaurant, if it is known.
    pub restaurant: Option<String>,
}

/// A notification with the orders that it is about, in the order in which they were placed.
#[derive(Clone, Debug, PartialEq)]
pub struct Bundle {
    pub notification: Notification,
    pub orders: Vec<BundledOrder>,
}

impl Bundle {
    /// The first order's code, and the number of the others: `ORD-7K3M9QX2 +2`.
    pub fn order(&self) -> String {
        match self.orders.as_slice() {
            [first, others @ ..] if !others.is_empty() => {
                format!("{} +{}", first.code, others.len())
            }
            _ => self.notification.order_code.clone(),
        }
    }

    /// The dishes of several orders, as far as they are known; none of a single order.
    pub fn dishes(&self) -> Vec<String> {
        if self.orders.len() < 2 {
            return Vec::new();
        }
        let dishes = self.orders.iter().filter_map(|order| order.dish.as_ref());
        dishes
            .map(|(quantity, name)| format!("{quantity} × {name}"))
            .collect()
    }

    /// The name of the restaurant, if it is known. All orders of a ticket have the same.
    pub fn restaurant(&self) -> Option<&str> {
        self.orders
            .iter()
            .find_map(|order| order.restaurant.as_deref())
    }

    /// The code and the values of the sentence; `None` of a text from another version.
    pub fn coded(&self) -> Option<CodedText> {
        let Notification {
            text, order_code, ..
        } = &self.notification;
        let (known, mut params) = text::known(order_code, text)?;
        params.insert("order", self.order());
        if self.notification.topic != NotificationTopic::OrderPlaced || self.orders.len() < 2 {
            let code = known.code();
            return Some(CodedText { code, params });
        }
        Some(CodedText {
            code: text::NEW_DISHES.code(),
            params: BTreeMap::from([
                ("order", self.order()),
                ("dishes", self.dishes().join(", ")),
            ]),
        })
    }

    /// The sentence.
    pub fn text(&self) -> String {
        let Notification {
            text, order_code, ..
        } = &self.notification;
        if self.orders.len() < 2 {
            return text.clone();
        }
        if self.notification.topic == NotificationTopic::OrderPlaced {
            let said = text::NEW_DISHES.about(&self.order());
            return said.replacen("{dishes}", &self.dishes().join(", "), 1);
        }
        text.replacen(order_code, &self.order(), 1)
    }
}

#[cfg(test)]
mod tests {
    use tiffin_events::{NotificationId, OrderId, UserId};
    use time::OffsetDateTime;
    use uuid::Uuid;

    use super::*;
    use crate::{drafts::Draft, notification::Channels};

    fn bundle(topic: NotificationTopic, text: &str, orders: &[&str]) -> Bundle {
        let draft = Draft {
            user: UserId(Uuid::from_u128(1)),
            topic,
            text: text.to_owned(),
            order_id: OrderId(Uuid::from_u128(2)),
            order_code: "ORD-2".to_owned(),
            delivery_id: None,
            window: None,
        };
        let id = NotificationId(Uuid::from_u128(3));
        let at = OffsetDateTime::UNIX_EPOCH;
        Bundle {
            notification: Notification::make(id, draft, at, None, Channels::nowhere()).0,
            orders: (1..)
                .zip(orders)
                .map(|(quantity, code)| BundledOrder {
                    code: (*code).to_owned(),
                    dish: Some((quantity, format!("Dish of {code}"))),
                    restaurant: None,
                })
                .collect(),
        }
    }

    #[test]
    fn one_order_reads_as_it_was_written() {
        let said = text::CONFIRMED.about("ORD-2");
        let one = bundle(NotificationTopic::OrderConfirmed, &said, &["ORD-2"]);
        assert_eq!((one.text(), one.order()), (said, "ORD-2".to_owned()));
        assert!(one.dishes().is_empty());
    }

    #[test]
    fn several_orders_are_one_sentence_with_their_number_and_dishes() {
        let said = text::ON_THE_WAY.about("ORD-2");
        let orders = ["ORD-1", "ORD-2", "ORD-3"];
        let three = bundle(NotificationTopic::DeliveryOnTheWay, &said, &orders);
        assert_eq!(three.text(), "Your order ORD-1 +2 is on the way.");
        let coded = three.coded().unwrap();
        assert_eq!(coded.code, "notification.on-the-way");
        assert_eq!(coded.params["order"], "ORD-1 +2");
        assert_eq!(three.dishes()[2], "3 × Dish of ORD-3");
    }

    #[test]
    fn a_new_ticket_names_its_dishes() {
        let said = text::new_order("ORD-2", 2, "Dish of ORD-2");
        let two = bundle(NotificationTopic::OrderPlaced, &said, &["ORD-1", "ORD-2"]);
        let text = "New order ORD-1 +1: 1 × Dish of ORD-1, 2 × Dish of ORD-2.";
        assert_eq!(two.text(), text);
        let coded = two.coded().unwrap();
        assert_eq!(coded.code, "notification.new-dishes");
        let dishes = "1 × Dish of ORD-1, 2 × Dish of ORD-2";
        assert_eq!(coded.params["dishes"], dishes);
    }
}
