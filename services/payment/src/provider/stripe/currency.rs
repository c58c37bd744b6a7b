//! The currency of all payments, and its smallest unit. Nothing else here knows either.

use tiffin_events::Money;

/// The currency by its ISO 4217 code, in lower case as Stripe writes it.
pub const CURRENCY: &str = "lkr";

/// An amount in the currency's smallest unit.
pub fn minor_units(amount: Money) -> i64 {
    amount.cents()
}

pub fn from_minor_units(amount: i64) -> Money {
    Money::from_cents(amount)
}
