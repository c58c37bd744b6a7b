//! A card as the customer typed it, and the part of it that may be stored.

use std::fmt;
use tiffin_chassis::refusals;

use time::{Date, OffsetDateTime};

#[cfg(test)]
mod tests;

/// A checked card. It lives as long as the request: only its [`CardSummary`] is ever written, and its `Debug`
/// output shows no more than that.
#[derive(Clone, PartialEq, Eq)]
pub struct Card {
    number: String,
    expiry: Expiry,
    cvv: String,
}

/// The part of a card that may be shown and stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardSummary {
    /// `Visa`, `Mastercard`, …; `Card` if the number has no known brand.
    pub brand: String,
    pub last4: String,
}

/// The last month in which a card is valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Expiry {
    pub year: i32,
    /// 1 to 12.
    pub month: u8,
}

impl Card {
    /// Makes a card of checked parts: see [`number`], [`expiry`] and [`cvv`].
    pub fn new(number: String, expiry: Expiry, cvv: String) -> Self {
        Self {
            number,
            expiry,
            cvv,
        }
    }

    /// The 16 digits, for the provider alone.
    pub fn number(&self) -> &str {
        &self.number
    }

    pub fn expiry(&self) -> Expiry {
        self.expiry
    }

    /// The 3 digits, for the provider alone.
    pub fn cvv(&self) -> &str {
        &self.cvv
    }

    pub fn summary(&self) -> CardSummary {
        CardSummary {
            brand: brand(&self.number).to_owned(),
            last4: self.number.chars().skip(12).collect(),
        }
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.summary().fmt(f)
    }
}

refusals! {
    /// The fault of a card, in words for the caller.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum BadCard {
        Number = 422, "payment.card-number-invalid", "Invalid card number";
        Expiry = 422, "payment.card-expiry-invalid", "Invalid expiry (MM/YY)";
        Cvv = 422, "payment.card-cvv-invalid", "Invalid CVV";
    }
}

/// Checks a card number: 16 digits. Spaces are ignored.
pub fn number(text: &str) -> Result<String, BadCard> {
    let digits: String = text.chars().filter(|letter| *letter != ' ').collect();
    if is_digits(&digits, 16) {
        Ok(digits)
    } else {
        Err(BadCard::Number)
    }
}

/// Checks an expiry: `MM/YY`, not past. A card is valid to the end of its month in UTC.
pub fn expiry(text: &str, now: OffsetDateTime) -> Result<Expiry, BadCard> {
    let read = || {
        let (month, year) = text.trim().split_once('/')?;
        if !is_digits(month, 2) || !is_digits(year, 2) {
            return None;
        }
        let expiry = Expiry {
            year: 2000 + year.parse::<i32>().ok()?,
            month: month
                .parse()
                .ok()
                .filter(|month| (1..=12).contains(month))?,
        };
        (expiry >= Expiry::of(now.date())).then_some(expiry)
    };
    read().ok_or(BadCard::Expiry)
}

/// Checks a security code: 3 digits.
pub fn cvv(text: &str) -> Result<String, BadCard> {
    let text = text.trim();
    if is_digits(text, 3) {
        Ok(text.to_owned())
    } else {
        Err(BadCard::Cvv)
    }
}

impl Expiry {
    fn of(date: Date) -> Self {
        Self {
            year: date.year(),
            month: date.month().into(),
        }
    }
}

fn is_digits(text: &str, count: usize) -> bool {
    text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The brand of a card, by its first digits (ISO/IEC 7812).
fn brand(number: &str) -> &'static str {
    let first = |digits: usize| {
        number
            .get(..digits)
            .and_then(|text| text.parse::<u32>().ok())
    };
    let (two, three, four) = (
        first(2).unwrap_or_default(),
        first(3).unwrap_or_default(),
        first(4).unwrap_or_default(),
    );
    match (two, three, four) {
        (40..=49, ..) => "Visa",
        (51..=55, ..) | (.., 2221..=2720) => "Mastercard",
        (65, ..) | (_, 644..=649, _) | (.., 6011) => "Discover",
        (.., 3528..=3589) => "JCB",
        (36 | 38, ..) | (_, 300..=305, _) => "Diners Club",
        (62, ..) => "UnionPay",
        _ => "Card",
    }
}
