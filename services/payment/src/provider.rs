//! The payment provider. It is called outside of any transaction, and always with an idempotency key, for
//! which it acts at most once.

mod sandbox;

use std::fmt;

use futures_util::future::BoxFuture;
use tiffin_events::{Money, payment::PaymentType};
use uuid::Uuid;

pub use crate::card::{Card, CardSummary, Expiry};
pub use sandbox::Sandbox;

/// The means of payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Means {
    Card(Card),
    PayPal,
    BankTransfer,
}

/// A charge.
#[derive(Clone, Debug)]
pub struct Charge {
    /// The idempotency key: the payment's id.
    pub key: Uuid,
    pub amount: Money,
    pub means: Means,
}

/// The final outcome of a charge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    Captured,
    /// The provider's reason, which contains nothing of the card.
    Declined(String),
}

/// The provider gave no answer, so its outcome is unknown. The text contains nothing of the card.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the provider gave no answer: {0}")]
pub struct Unanswered(pub String);

/// A service that takes money and refunds it.
pub trait Provider: fmt::Debug + Send + Sync + 'static {
    /// The name of the provider in stored payments.
    fn name(&self) -> &'static str;

    /// Takes the money, at most once for each key. A repeated call returns the first outcome.
    fn charge(&self, charge: Charge) -> BoxFuture<'_, Result<Outcome, Unanswered>>;

    /// Returns the outcome of a key. If no charge has come with it, the key is closed: a later charge is
    /// refused, so that [`Outcome::Declined`] is final.
    fn settle(&self, key: Uuid) -> BoxFuture<'_, Result<Outcome, Unanswered>>;

    /// Refunds a charge up to `in_all`, earlier refunds included, and never more than was taken. Repeated
    /// calls change nothing.
    fn refund(&self, key: Uuid, in_all: Money) -> BoxFuture<'_, Result<(), Unanswered>>;
}

impl Means {
    pub fn kind(&self) -> PaymentType {
        match self {
            Self::Card(_) => PaymentType::Card,
            Self::PayPal => PaymentType::PayPal,
            Self::BankTransfer => PaymentType::BankTransfer,
        }
    }

    /// The part of the card that may be stored.
    pub fn summary(&self) -> Option<CardSummary> {
        match self {
            Self::Card(card) => Some(card.summary()),
            Self::PayPal | Self::BankTransfer => None,
        }
    }
}
