//! The payment provider. It is called outside of any transaction, and always with a key of ours under which
//! it does a thing at most once.

mod sandbox;

use std::fmt;

use futures_util::future::BoxFuture;
use tiffin_events::{Money, payment::PaymentType};
use uuid::Uuid;

pub use crate::card::{Card, CardFace, Expiry};
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
    /// With the provider's word for why; never anything of the card.
    Declined(String),
}

/// The provider gave no answer, so its outcome is unknown. The text contains nothing of the card.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the provider gave no answer: {0}")]
pub struct Unanswered(pub String);

/// Takes money and gives it back.
pub trait Provider: fmt::Debug + Send + Sync + 'static {
    /// Its word in rows.
    fn name(&self) -> &'static str;

    /// Takes the money, at most once a key: asked again, it says what it said before.
    fn charge(&self, charge: Charge) -> BoxFuture<'_, Result<Outcome, Unanswered>>;

    /// Says what became of a key. Where no charge has come under it, the key is closed: one that still
    /// comes is refused, so that [`Outcome::Declined`] is true for good.
    fn settle(&self, key: Uuid) -> BoxFuture<'_, Result<Outcome, Unanswered>>;

    /// Gives back so much of what was taken under a key that `in_all` of it has gone back, what went back
    /// before included, and never more than was taken: the same however often it is asked.
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

    /// The part of the card that may be kept.
    pub fn face(&self) -> Option<CardFace> {
        match self {
            Self::Card(card) => Some(card.face()),
            Self::PayPal | Self::BankTransfer => None,
        }
    }
}
