//! A payment and its transitions. Every transition returns the events that it causes, if any.

use serde::Serialize;
use tiffin_bus::Cause;
use tiffin_chassis::refusals;
use tiffin_events::{
    CheckoutId, Money, OrderId, PaymentId, UserId,
    payment::{
        DisputeState, PaymentDeclinedV1, PaymentDisputedV1, PaymentEvent, PaymentRefV1,
        PaymentRefundIssuedV1, PaymentRefundedV1, PaymentType,
    },
};
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::{card::CardSummary, provider::Outcome, refund::Refund};

#[cfg(test)]
mod tests;

/// The status of a payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = PaymentStatus)]
pub enum Status {
    /// The provider was asked, or is about to be, and its outcome is not known yet.
    Pending,
    Captured,
    Declined,
    /// A refund is requested and not complete.
    Refunding,
    /// The whole amount is refunded. After a partial refund the status is [`Status::Captured`] again.
    Refunded,
}

/// One attempt to pay one order's share.
#[derive(Clone, Debug, PartialEq)]
pub struct Payment {
    /// The id, which is also the provider's key of the charge.
    pub id: PaymentId,
    pub order: OrderOfPayment,
    /// The order's share of the amount that was left to pay of its checkout.
    pub amount: Money,
    /// The amount to refund, including the part that is refunded already.
    pub to_refund: Money,
    /// The refunded amount.
    pub refunded: Money,
    pub kind: PaymentType,
    /// The part of the card that may be stored, if it was a card.
    pub card: Option<CardSummary>,
    pub status: Status,
    /// The provider's reason for a refusal.
    pub decline_reason: Option<String>,
    /// The request's idempotency key.
    pub request_key: Option<String>,
    pub created_at: OffsetDateTime,
    /// The customer's objection at their bank, the latest one.
    pub dispute: Option<Dispute>,
    /// The cause of the latest refund.
    pub refund_cause: Option<Cause>,
    /// The sequence of its last event.
    pub sequence: i64,
}

/// A customer's objection to a payment at their bank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dispute {
    pub state: DisputeState,
    pub amount: Money,
    /// The provider's word for why.
    pub reason: String,
}

/// The part of an order that its payment needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderOfPayment {
    pub id: OrderId,
    pub code: String,
    pub checkout_id: CheckoutId,
    pub customer_id: UserId,
    pub owner_id: UserId,
}

refusals! {
    /// The reasons why an order can't be paid, in words for the caller.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Refusal {
        NotFound = 404, "payment.order-not-found", "There is no such order.";
        AlreadyPaid = 409, "payment.already-paid", "This order is already paid.";
        ShareMade = 409, "payment.share-already-paid", "This order's share is already paid.";
        UnderWay = 409, "payment.under-way", "A payment of this order is under way.";
        Cancelled =
            409, "payment.order-cancelled", "The order was cancelled and can't be paid any more.";
        Amount { amount: Money } =
            422, "payment.amount-wrong", "The amount to pay is {amount}.", at "amount";
        KeyReused = 422, "request.key-reused", "This Idempotency-Key was used for another request.";
        Declined = 402, "payment.declined", "Payment failed.";
        NoPayment = 404, "payment.not-found", "There is no such payment.";
        MeansNotTaken =
            422, "payment.means-not-taken", "This payment type can't be used here.", at "paymentType";
        NoCardToken =
            422, "payment.card-token-required", "Please enter your card again.", at "cardToken";
        ProviderAway =
            503, "payment.provider-away",
            "The payment provider can't be reached. Please try again in a moment.";
    }
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
    /// Records the provider's outcome. Recording it again changes nothing. Money that it takes after a
    /// refusal is refunded in full: the customer knows of the refusal and may have paid again.
    pub fn record(&mut self, outcome: &Outcome, cause: &Cause) -> Vec<PaymentEvent> {
        if self.status == Status::Declined
            && *outcome == Outcome::Captured
            && self.amount > Money::ZERO
        {
            self.status = Status::Captured;
            self.request_refund(self.amount, cause);
        } else if self.status == Status::Pending {
            return self.settle(outcome);
        }
        Vec::new()
    }

    fn settle(&mut self, outcome: &Outcome) -> Vec<PaymentEvent> {
        match outcome {
            Outcome::Captured => {
                self.status = Status::Captured;
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
            Outcome::Open(_) => Vec::new(),
        }
    }

    /// True if the provider refused it. Money that the provider took later is refunded and does not count.
    pub fn is_refused(&self) -> bool {
        self.status == Status::Declined || self.decline_reason.is_some()
    }

    /// The captured amount less refunds, including those under way.
    pub fn balance(&self) -> Money {
        match self.status {
            Status::Pending | Status::Declined => Money::ZERO,
            Status::Captured | Status::Refunding | Status::Refunded => {
                Money::from_cents(self.amount.cents() - self.to_refund.cents())
            }
        }
    }

    /// Sets the cause of a possible refund: the order was cancelled while the payment was under way.
    pub fn expect_refund(&mut self, cause: &Cause) {
        if self.status == Status::Pending {
            self.refund_cause.get_or_insert_with(|| cause.clone());
        }
    }

    /// Requests the refund of a further part, up to its balance.
    pub fn request_refund(&mut self, part: Money, cause: &Cause) {
        let part = part.min(self.balance());
        if part <= Money::ZERO {
            return;
        }
        if self.to_refund > Money::ZERO || self.refund_cause.is_none() {
            self.refund_cause = Some(cause.clone());
        }
        self.to_refund = self.to_refund + part;
        self.status = Status::Refunding;
    }

    /// Records that `in_all` is refunded, earlier refunds included. Refunds that were requested meanwhile stay due.
    pub fn refund(&mut self, in_all: Money) -> Vec<PaymentEvent> {
        if self.status != Status::Refunding || in_all <= self.refunded {
            return Vec::new();
        }
        self.refunded = in_all.min(self.to_refund);
        self.status = if self.refunded < self.to_refund {
            Status::Refunding
        } else if self.refunded < self.amount {
            Status::Captured
        } else {
            Status::Refunded
        };
        vec![PaymentEvent::Refunded(PaymentRefundedV1 {
            payment: self.reference(),
            refunded: Some(self.refunded),
        })]
    }

    /// The event of a refund by people that is made from this payment: the part at this place of so many.
    pub fn issued(&self, refund: &Refund, at: usize, parts: usize) -> PaymentEvent {
        PaymentEvent::RefundIssued(PaymentRefundIssuedV1 {
            payment: self.reference(),
            refund_id: refund.id,
            refunded_order_id: refund.order,
            refunded_order_code: refund.order_code.clone(),
            refunded_restaurant_id: refund.restaurant,
            refunded_owner_id: refund.owner,
            refund_amount: refund.amount,
            refunded_then: self.to_refund,
            part: i32::try_from(at + 1).unwrap_or(i32::MAX),
            parts: i32::try_from(parts).unwrap_or(i32::MAX),
            by: refund.by,
            reason: refund.reason,
            note: refund.note.clone(),
        })
    }

    /// Records that the provider has given back `in_all` without being asked: an operator's refund there, or a dispute
    /// that was lost.
    pub fn given_back(&mut self, in_all: Money) -> Vec<PaymentEvent> {
        let in_all = in_all.min(self.amount);
        if in_all <= self.refunded || matches!(self.status, Status::Pending | Status::Declined) {
            return Vec::new();
        }
        self.to_refund = self.to_refund.max(in_all);
        self.status = Status::Refunding;
        self.refund(in_all)
    }

    /// Records the state of a dispute. Recording it again changes nothing.
    pub fn dispute(&mut self, dispute: Dispute) -> Vec<PaymentEvent> {
        let is_taken = !matches!(self.status, Status::Pending | Status::Declined);
        if !is_taken || self.dispute.as_ref() == Some(&dispute) {
            return Vec::new();
        }
        let event = PaymentEvent::Disputed(PaymentDisputedV1 {
            payment: self.reference(),
            disputed: dispute.amount,
            reason: dispute.reason.clone(),
            state: dispute.state,
        });
        self.dispute = Some(dispute);
        vec![event]
    }

    /// The accounts that an event concerns. A refusal and a dispute concern the customer alone, and a refund by people
    /// the owner of the order that it is for.
    pub fn concerned(&self, event: &PaymentEvent) -> impl Iterator<Item = UserId> + use<> {
        let owner = match event {
            PaymentEvent::Declined(_) | PaymentEvent::Disputed(_) => None,
            PaymentEvent::RefundIssued(refund) => Some(refund.refunded_owner_id),
            PaymentEvent::Captured(_) | PaymentEvent::Refunded(_) => Some(self.order.owner_id),
        };
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
            card_brand: self.card.as_ref().map(|card| card.brand.clone()),
            card_last4: self.card.as_ref().map(|card| card.last4.clone()),
        }
    }
}
