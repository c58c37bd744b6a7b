//! Payments. One payment is one try to pay one order. Card numbers and security codes are in no
//! event: brand and last four digits are.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    CheckoutId, Money, OrderId, PaymentId, RefundId, RestaurantId, UserId,
    envelope::events,
    personal::{Category, Mark},
};

/// The means of payment, spelled as on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, ToSchema)]
pub enum PaymentType {
    Card,
    PayPal,
    #[serde(rename = "Bank Transfer")]
    BankTransfer,
}

impl PaymentType {
    pub const ALL: [Self; 3] = [Self::Card, Self::PayPal, Self::BankTransfer];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Card => "Card",
            Self::PayPal => "PayPal",
            Self::BankTransfer => "Bank Transfer",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text)
    }
}

/// The side that refunds money of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RefundedBy {
    /// The restaurant's owner.
    Restaurant,
    Administrator,
}

impl RefundedBy {
    pub const ALL: [Self; 2] = [Self::Restaurant, Self::Administrator];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Restaurant => "restaurant",
            Self::Administrator => "administrator",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|by| by.as_str() == text)
    }
}

/// The reason of a refund.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RefundReason {
    /// A dish or a part of it was missing.
    MissingItem,
    /// Another dish came.
    WrongItem,
    /// The dish was cold, spilled or not as described.
    PoorQuality,
    /// It came too late.
    Late,
    /// It did not come at all.
    NotDelivered,
    Other,
}

impl RefundReason {
    pub const ALL: [Self; 6] = [
        Self::MissingItem,
        Self::WrongItem,
        Self::PoorQuality,
        Self::Late,
        Self::NotDelivered,
        Self::Other,
    ];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::MissingItem => "missing_item",
            Self::WrongItem => "wrong_item",
            Self::PoorQuality => "poor_quality",
            Self::Late => "late",
            Self::NotDelivered => "not_delivered",
            Self::Other => "other",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.as_str() == text)
    }
}

/// A reference to a payment and its order, with the accounts that it concerns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PaymentRefV1 {
    pub payment_id: PaymentId,
    pub order_id: OrderId,
    pub order_code: String,
    pub checkout_id: CheckoutId,
    pub customer_id: UserId,
    pub owner_id: UserId,
    /// The amount: the order's share of what is left to pay of its checkout.
    pub amount: Money,
    pub payment_type: PaymentType,
    /// `Visa`, `Mastercard`, …; of a card only.
    pub card_brand: Option<String>,
    /// Present for a card only.
    pub card_last4: Option<String>,
}

/// The provider refused.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PaymentDeclinedV1 {
    #[serde(flatten)]
    pub payment: PaymentRefV1,
    /// The provider's word for why: `card_declined`, `insufficient_funds`, …
    pub reason: String,
}

/// Money went back, all of a payment or a part of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PaymentRefundedV1 {
    #[serde(flatten)]
    pub payment: PaymentRefV1,
    /// The amount refunded so far, with this refund and those before it. Events from before there were
    /// partial refunds lack it: the whole amount was refunded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refunded: Option<Money>,
}

/// The state of a customer's objection at their bank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum DisputeState {
    Open,
    /// The money stays.
    Won,
    /// The money went back to the customer.
    Lost,
}

impl DisputeState {
    pub const ALL: [Self; 3] = [Self::Open, Self::Won, Self::Lost];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Won => "won",
            Self::Lost => "lost",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.as_str() == text)
    }
}

/// A customer objects to a payment at their bank, or the bank has decided.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PaymentDisputedV1 {
    #[serde(flatten)]
    pub payment: PaymentRefV1,
    /// The amount in dispute.
    pub disputed: Money,
    /// The provider's word for why: `fraudulent`, `product_not_received`, …
    pub reason: String,
    pub state: DisputeState,
}

impl PaymentRefundedV1 {
    /// The amount refunded so far.
    pub fn in_all(&self) -> Money {
        self.refunded.unwrap_or(self.payment.amount)
    }
}

/// The restaurant or an administrator refunds money of an order. Each payment that pays a part of the refund has one of
/// these events, and each has the whole refund.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PaymentRefundIssuedV1 {
    #[serde(flatten)]
    pub payment: PaymentRefV1,
    pub refund_id: RefundId,
    /// The order whose price the refund lowers: of the same checkout, and not always the payment's.
    pub refunded_order_id: OrderId,
    pub refunded_order_code: String,
    pub refunded_restaurant_id: RestaurantId,
    /// The owner of that order's restaurant.
    pub refunded_owner_id: UserId,
    /// The amount of the whole refund.
    pub refund_amount: Money,
    /// The amount of this payment that is refunded once its part of this refund is made; earlier refunds included.
    pub refunded_then: Money,
    /// The number of this part, from 1.
    pub part: i32,
    /// The number of payments that the refund is made from.
    pub parts: i32,
    pub by: RefundedBy,
    pub reason: RefundReason,
    /// A line from the restaurant or an administrator to the customer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-personal" = Mark::new(Category::Text, "customerId")))]
    pub note: Option<String>,
}

events! {
    /// The events of a payment.
    PaymentEvent: "payment" in Payments by "payment" {
        Captured(PaymentRefV1) = "captured", "v1", "A customer paid an order's share of its checkout.";
        Declined(PaymentDeclinedV1) = "declined", "v1", "The provider refused a payment.";
        RefundIssued(PaymentRefundIssuedV1) = "refund_issued", "v1", "The restaurant or an administrator refunds money of an order; the provider is asked for it next.";
        Refunded(PaymentRefundedV1) = "refunded", "v1", "A customer got money back, all of a payment or a part of it.";
        Disputed(PaymentDisputedV1) = "disputed", "v1", "A customer objected to a payment at their bank, or the bank decided about it.";
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{PaymentEvent, PaymentRefV1};
    use crate::{Event, Money};

    const REFUNDED: &str = include_str!("../samples/tiffin.payment.refunded.v1.json");

    fn refund(data: &Value) -> super::PaymentRefundedV1 {
        match PaymentEvent::decode("tiffin.payment.refunded.v1", data).unwrap() {
            Some(PaymentEvent::Refunded(refund)) => refund,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_refund_from_before_there_were_parts_gave_all_of_it_back() {
        let sample: Value = serde_json::from_str(REFUNDED).unwrap();
        let old = refund(&sample["data"]);
        assert_eq!(
            (old.refunded, old.in_all()),
            (None, Money::from_cents(250_100))
        );
    }

    #[test]
    fn a_part_says_how_much_and_an_older_reader_still_finds_its_payment() {
        let sample: Value = serde_json::from_str(REFUNDED).unwrap();
        let mut data = sample["data"].clone();
        data["refunded"] = json!(12.5);
        let part = refund(&data);
        assert_eq!(part.in_all(), Money::from_cents(1250));
        assert_eq!(PaymentEvent::Refunded(part.clone()).data().unwrap(), data);
        let older: PaymentRefV1 = serde_json::from_value(data).unwrap();
        assert_eq!(older, part.payment);
    }
}
