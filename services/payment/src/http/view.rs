//! A payment in the form that clients get.

use serde::Serialize;
use tiffin_events::{
    Money,
    payment::{DisputeState, PaymentType},
};
use time::OffsetDateTime;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::payment::{Payment, Status};

/// One attempt to pay one order's share.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Payment)]
pub struct PaymentView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    /// The order's `orderId`.
    #[schema(example = "ORD-7K3M9QX2")]
    booking_id: String,
    /// The checkout of the order.
    checkout_id: Uuid,
    /// The order's share of the amount that was left to pay of its checkout.
    #[schema(value_type = f64)]
    amount: Money,
    /// The part of the amount that is refunded or going to be: the captured money above the price of
    /// the checkout's live orders, less what people refunded of them.
    #[schema(value_type = f64)]
    refunded: Money,
    payment_type: PaymentType,
    #[serde(with = "time::serde::rfc3339")]
    payment_date: OffsetDateTime,
    status: Status,
    /// `true` of a refund under way that the provider has failed to make several times. It is tried again until it is
    /// made.
    pub is_refund_delayed: bool,
    /// `Visa`, `Mastercard`, …; only for a card.
    card_brand: Option<String>,
    /// The last four digits; only for a card.
    card_last4: Option<String>,
    /// The customer's objection at their bank, if there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    dispute: Option<DisputeView>,
}

/// A customer's objection to a payment at their bank.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = PaymentDispute)]
pub struct DisputeView {
    state: DisputeState,
    /// The amount in dispute.
    #[schema(value_type = f64)]
    amount: Money,
    /// The provider's word for why.
    #[schema(example = "product_not_received")]
    reason: String,
}

impl From<Payment> for PaymentView {
    fn from(payment: Payment) -> Self {
        let (card_brand, card_last4) = payment.card.map(|card| (card.brand, card.last4)).unzip();
        Self {
            id: payment.id.0,
            booking_id: payment.order.code,
            checkout_id: payment.order.checkout_id.0,
            amount: payment.amount,
            refunded: payment.to_refund,
            payment_type: payment.kind,
            payment_date: payment.created_at,
            status: payment.status,
            is_refund_delayed: false,
            card_brand,
            card_last4,
            dispute: payment.dispute.map(|dispute| DisputeView {
                state: dispute.state,
                amount: dispute.amount,
                reason: dispute.reason,
            }),
        }
    }
}
