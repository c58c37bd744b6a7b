//! A payment and what may happen to it. Every transition returns the events it caused; none means
//! that nobody else needs to know.

use serde::Serialize;
use tiffin_bus::Cause;
use tiffin_events::{
    CheckoutId, Money, OrderId, PaymentId, UserId,
    payment::{PaymentDeclinedV1, PaymentEvent, PaymentRefV1, PaymentType},
};
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::{card::CardFace, provider::Outcome};

#[cfg(test)]
mod tests;

/// Where a payment stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = PaymentStatus)]
pub enum Status {
    /// The provider was, or is about to be, asked; what it said is not known yet.
    Pending,
    Captured,
    Declined,
    /// The money is to go back.
    Refunding,
    Refunded,
}

/// One try to pay one order.
#[derive(Clone, Debug)]
pub struct Payment {
    /// Also the key under which the provider knows the charge.
    pub id: PaymentId,
    pub order: OrderOfPayment,
    /// The order's share of its checkout.
    pub amount: Money,
    pub kind: PaymentType,
    /// Of a card.
    pub face: Option<CardFace>,
    pub status: Status,
    /// The provider's word for a refusal.
    pub decline_reason: Option<String>,
    /// The request's idempotency key.
    pub request_key: Option<String>,
    pub created_at: OffsetDateTime,
    /// What called for the refund.
    pub refund_cause: Option<Cause>,
    /// How many events there are of it.
    pub version: i64,
}

/// What a payment needs of its order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderOfPayment {
    pub id: OrderId,
    pub code: String,
    pub checkout_id: CheckoutId,
    pub customer_id: UserId,
    pub owner_id: UserId,
}

/// Why an order is not paid, in words for the person who asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("This order is already paid.")]
    AlreadyPaid,
    #[error("A payment of this order is under way.")]
    UnderWay,
    #[error("The order was cancelled and can't be paid any more.")]
    Cancelled,
    #[error("The amount to pay is {0}.")]
    Amount(Money),
    #[error("This Idempotency-Key was used for another request.")]
    KeyReused,
}

impl Status {
    pub const ALL: [Self; 5] = [
        Self::Pending,
        Self::Captured,
        Self::Declined,
        Self::Refunding,
        Self::Refunded,
    ];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Captured => "captured",
            Self::Declined => "declined",
            Self::Refunding => "refunding",
            Self::Refunded => "refunded",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == text)
    }
}

impl Payment {
    /// What the provider said. Said again, or by a second messenger, it changes nothing. Money for an
    /// order that was cancelled in the meantime goes back at once.
    pub fn record(&mut self, outcome: &Outcome, is_cancelled: bool) -> Vec<PaymentEvent> {
        if self.status != Status::Pending {
            return Vec::new();
        }
        match outcome {
            Outcome::Captured => {
                self.status = if is_cancelled {
                    Status::Refunding
                } else {
                    Status::Captured
                };
                vec![PaymentEvent::Captured(self.reference())]
            }
            Outcome::Declined(reason) => {
                self.status = Status::Declined;
                self.decline_reason = Some(reason.clone());
                vec![PaymentEvent::Declined(PaymentDeclinedV1 {
                    payment: self.reference(),
                    reason: reason.clone(),
                })]
            }
        }
    }

    /// Its order was called off: what was taken is to go back. One that is still pending is looked at
    /// when it is settled.
    pub fn call_back(&mut self, cause: Cause) {
        if matches!(self.status, Status::Captured | Status::Pending) {
            self.refund_cause.get_or_insert(cause);
        }
        if self.status == Status::Captured {
            self.status = Status::Refunding;
        }
    }

    /// The money is back.
    pub fn refund(&mut self) -> Vec<PaymentEvent> {
        if self.status != Status::Refunding {
            return Vec::new();
        }
        self.status = Status::Refunded;
        vec![PaymentEvent::Refunded(self.reference())]
    }

    /// Whom an event of it concerns. A refusal is the customer's own matter.
    pub fn concerned(&self, event: &PaymentEvent) -> impl Iterator<Item = UserId> + use<> {
        let is_private = matches!(event, PaymentEvent::Declined(_));
        let owner = (!is_private).then_some(self.order.owner_id);
        [Some(self.order.customer_id), owner].into_iter().flatten()
    }

    fn reference(&self) -> PaymentRefV1 {
        PaymentRefV1 {
            payment_id: self.id,
            order_id: self.order.id,
            order_code: self.order.code.clone(),
            checkout_id: self.order.checkout_id,
            customer_id: self.order.customer_id,
            owner_id: self.order.owner_id,
            amount: self.amount,
            payment_type: self.kind,
            card_brand: self.face.as_ref().map(|face| face.brand.clone()),
            card_last4: self.face.as_ref().map(|face| face.last4.clone()),
        }
    }
}
