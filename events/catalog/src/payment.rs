//! Payments. One payment is one try to pay one order. Card numbers and security codes are in no
//! event: brand and last four digits are.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{CheckoutId, Money, OrderId, PaymentId, UserId, envelope::events};

/// What somebody pays with, spelled as the wire spells it.
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

/// Which payment, of which order, and whom it concerns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PaymentRefV1 {
    pub payment_id: PaymentId,
    pub order_id: OrderId,
    pub order_code: String,
    pub checkout_id: CheckoutId,
    pub customer_id: UserId,
    pub owner_id: UserId,
    /// The order's share of its checkout.
    pub amount: Money,
    pub payment_type: PaymentType,
    /// `Visa`, `Mastercard`, …; of a card only.
    pub card_brand: Option<String>,
    /// Of a card only.
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

events! {
    /// What happens to a payment.
    PaymentEvent: "payment" in Payments by "payment" {
        Captured(PaymentRefV1) = "captured", "v1", "A customer paid an order.";
        Declined(PaymentDeclinedV1) = "declined", "v1", "The provider refused a payment.";
        Refunded(PaymentRefV1) = "refunded", "v1", "A customer got their money back.";
    }
}
