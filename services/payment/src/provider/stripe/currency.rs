//! The currency of all payments, and its unit at Stripe. Nothing else here knows either.

use tiffin_events::{Currency, Money};

/// Currencies without a smaller unit that Stripe counts in hundredths all the same
/// (<https://docs.stripe.com/currencies#special-cases>).
const IN_HUNDREDTHS: [&str; 2] = ["ISK", "UGX"];

/// The currency by its ISO 4217 code, in lower case as Stripe writes it.
pub fn code() -> String {
    Currency::of_process().code().to_ascii_lowercase()
}

/// The reason why Stripe can't take payments in the currency: of one with three decimals it takes tens of the smallest
/// unit alone.
pub fn refusal() -> Option<String> {
    let currency = Currency::of_process();
    let is_refused = currency.decimals() > 2;
    is_refused.then(|| format!("Stripe does not take each amount in {}", currency.code()))
}

/// An amount in Stripe's unit.
pub fn minor_units(amount: Money) -> i64 {
    amount.cents() * factor()
}

pub fn from_minor_units(amount: i64) -> Money {
    Money::from_cents(amount / factor())
}

fn factor() -> i64 {
    let code = Currency::of_process().code();
    if IN_HUNDREDTHS.contains(&code) {
        100
    } else {
        1
    }
}
