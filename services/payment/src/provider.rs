//! The payment provider. It is called outside of any transaction, and always with an idempotency key, for
//! which it acts at most once.

mod sandbox;
mod stripe;

use std::fmt;

use futures_util::future::{BoxFuture, FutureExt};
use tiffin_events::{Money, payment::PaymentType};
use uuid::Uuid;

pub use crate::card::{Card, CardSummary, Expiry};
pub use sandbox::Sandbox;
pub use stripe::{BadCardToken, BadSignature, Observed, Stripe, StripeEvent};

/// The means of payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Means {
    Card(Card),
    /// A card that the provider has and this service never saw.
    CardToken(CardToken),
    PayPal,
    BankTransfer,
}

/// A card at the provider. The token pays once, for anyone who has it, so `Debug` leaves it out.
#[derive(Clone, PartialEq, Eq)]
pub struct CardToken {
    id: String,
    summary: CardSummary,
}

/// A charge.
#[derive(Clone, Debug)]
pub struct Charge {
    /// The idempotency key: the payment's id.
    pub key: Uuid,
    pub amount: Money,
    pub means: Means,
}

/// The outcome of a charge. [`Outcome::Open`] is not final.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    Captured,
    /// The provider's reason, which contains nothing of the card.
    Declined(String),
    Open(Step),
}

/// The next step of a charge that is open.
#[derive(Clone, PartialEq, Eq)]
pub enum Step {
    /// The customer confirms it at the bank. The provider's script in the browser needs this secret, which is stored
    /// nowhere.
    Confirm(String),
    /// The provider has not decided yet.
    Wait,
}

/// The provider gave no answer, so its outcome is unknown. The text contains nothing of the card.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the provider gave no answer: {0}")]
pub struct Unanswered(pub String);

/// A service that takes money and refunds it.
pub trait Provider: fmt::Debug + Send + Sync + 'static {
    /// The name of the provider in stored payments.
    fn name(&self) -> &'static str;

    /// True if it takes this means of payment.
    fn takes(&self, _kind: PaymentType) -> bool {
        true
    }

    /// Takes the money, at most once for each key. A repeated call returns the first outcome.
    fn charge(&self, charge: Charge) -> BoxFuture<'_, Result<Outcome, Unanswered>>;

    /// Returns the outcome of a key. If no charge has come with it, or the customer has not confirmed it, the key is
    /// closed: a later charge is refused, so that [`Outcome::Declined`] is final.
    fn settle(&self, key: Uuid) -> BoxFuture<'_, Result<Outcome, Unanswered>>;

    /// Returns the outcome of a key as it is, and closes nothing. A provider that decides at once need not answer.
    fn look(&self, _key: Uuid) -> BoxFuture<'_, Result<Outcome, Unanswered>> {
        futures_util::future::ready(Ok(Outcome::Open(Step::Wait))).boxed()
    }

    /// Refunds a charge up to `in_all`, earlier refunds included, and never more than was taken. Repeated
    /// calls change nothing.
    fn refund(&self, key: Uuid, in_all: Money) -> BoxFuture<'_, Result<(), Unanswered>>;
}

impl Means {
    pub fn kind(&self) -> PaymentType {
        match self {
            Self::Card(_) | Self::CardToken(_) => PaymentType::Card,
            Self::PayPal => PaymentType::PayPal,
            Self::BankTransfer => PaymentType::BankTransfer,
        }
    }

    /// The part of the card that may be stored.
    pub fn summary(&self) -> Option<CardSummary> {
        match self {
            Self::Card(card) => Some(card.summary()),
            Self::CardToken(token) => Some(token.summary.clone()),
            Self::PayPal | Self::BankTransfer => None,
        }
    }
}

impl CardToken {
    pub fn new(id: String, summary: CardSummary) -> Self {
        Self { id, summary }
    }

    pub fn id(&self) -> &str {
        &self.id
    }
}

impl fmt::Debug for CardToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.summary.fmt(f)
    }
}

impl fmt::Debug for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Confirm(_) => "Confirm",
            Self::Wait => "Wait",
        })
    }
}
