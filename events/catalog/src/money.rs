use std::{fmt, iter::Sum, ops::Add};

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use utoipa::ToSchema;

use crate::Currency;

/// An amount in the platform's currency, held as an integer number of cents: of its smallest units. On the wire it is
/// a JSON number with at most the currency's decimals (`1250.5`).
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, JsonSchema, ToSchema,
)]
#[schemars(transparent)]
#[schema(value_type = f64, example = 1250.5, minimum = 0)]
pub struct Money(#[schemars(with = "f64")] i64);

/// The largest amount that a JSON number carries to the cent (2^53 - 1 cents).
const LARGEST_CENTS: i64 = (1 << 53) - 1;

/// A number that is no amount of a currency.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadAmount {
    #[error("the amount is too large")]
    TooLarge,
    #[error("an amount has no decimals")]
    NotWhole,
    #[error("an amount has at most two decimals")]
    TwoDecimals,
    #[error("an amount has at most three decimals")]
    ThreeDecimals,
}

impl Money {
    pub const ZERO: Self = Self(0);

    /// An amount of the currency's smallest units, which are called cents in any currency.
    pub const fn from_cents(cents: i64) -> Self {
        Self(cents)
    }

    pub const fn cents(self) -> i64 {
        self.0
    }

    /// The amount of a number on the wire.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "checked against the largest amount first"
    )]
    #[expect(
        clippy::cast_precision_loss,
        reason = "the largest amount and every scale are whole doubles"
    )]
    pub fn read(number: f64, currency: Currency) -> Result<Self, BadAmount> {
        let exact = number * currency.scale() as f64;
        let cents = exact.round();
        if !cents.is_finite() || cents.abs() > LARGEST_CENTS as f64 {
            return Err(BadAmount::TooLarge);
        }
        // A double of many cents is itself off by a part of one.
        if (exact - cents).abs() > (cents.abs() * f64::EPSILON).max(1e-4) {
            return Err(match currency.decimals() {
                0 => BadAmount::NotWhole,
                2 => BadAmount::TwoDecimals,
                _ => BadAmount::ThreeDecimals,
            });
        }
        Ok(Self(cents as i64))
    }

    /// The amount with the sign of its currency: `Rs. 1250.50`, `¥1250`, `KWD 1.250`.
    pub fn text(self, currency: Currency) -> String {
        let sign = if self.0 < 0 { "-" } else { "" };
        let (cents, scale) = (self.0.unsigned_abs(), currency.scale().unsigned_abs());
        let whole = format!("{sign}{}{}", currency.prefix(), cents / scale);
        match currency.decimals() {
            0 => whole,
            decimals => format!(
                "{whole}.{:0width$}",
                cents % scale,
                width = decimals as usize
            ),
        }
    }

    /// This amount `quantity` times, or `None` where that is more than a JSON number can carry.
    pub fn times(self, quantity: i32) -> Option<Self> {
        self.0
            .checked_mul(i64::from(quantity))
            .filter(|cents| cents.abs() <= LARGEST_CENTS)
            .map(Self)
    }
}

impl Add for Money {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl Sum for Money {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        amounts.fold(Self::ZERO, Add::add)
    }
}

impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(Currency::of_process()))
    }
}

/// An amount as a number of some currency.
struct Number(Money, Currency);

impl Serialize for Number {
    #[expect(
        clippy::cast_precision_loss,
        reason = "at most 2^53 cents, which a double holds exactly"
    )]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (cents, scale) = (self.0.cents(), self.1.scale());
        if cents % scale == 0 {
            serializer.serialize_i64(cents / scale)
        } else {
            serializer.serialize_f64(cents as f64 / scale as f64)
        }
    }
}

impl Serialize for Money {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Number(*self, Currency::of_process()).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Money {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = f64::deserialize(deserializer)?;
        Self::read(number, Currency::of_process()).map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{BadAmount, Currency, Money, Number};

    fn currency(code: &str) -> Currency {
        code.parse().unwrap()
    }

    #[test]
    fn an_amount_travels_as_rupees_and_comes_back_to_the_cent() {
        for (cents, wire) in [
            (0, "0"),
            (5, "0.05"),
            (125_050, "1250.5"),
            (29, "0.29"),
            (120_000, "1200"),
        ] {
            let amount = Money::from_cents(cents);
            assert_eq!(serde_json::to_string(&amount).unwrap(), wire);
            assert_eq!(serde_json::from_str::<Money>(wire).unwrap(), amount);
        }
    }

    #[test]
    fn a_third_decimal_or_a_sum_beyond_a_double_is_refused() {
        assert!(serde_json::from_str::<Money>("1.005").is_err());
        assert!(serde_json::from_str::<Money>("1e300").is_err());
        assert_eq!(Money::from_cents(1 << 52).times(4), None);
    }

    #[test]
    fn an_amount_reads_with_its_currency() {
        assert_eq!(Money::from_cents(125_050).to_string(), "Rs. 1250.50");
        assert_eq!(Money::from_cents(-5).to_string(), "-Rs. 0.05");
        for (code, text) in [("JPY", "-¥1250"), ("KWD", "-KWD 1.250"), ("EUR", "-€12.50")] {
            assert_eq!(Money::from_cents(-1250).text(currency(code)), text);
        }
    }

    #[test]
    fn each_currency_names_its_decimals() {
        for (code, number, said) in [
            ("JPY", 1.5, BadAmount::NotWhole),
            ("LKR", 1.005, BadAmount::TwoDecimals),
            ("KWD", 1.0005, BadAmount::ThreeDecimals),
            ("JPY", 9.1e15, BadAmount::TooLarge),
            ("KWD", 9.1e12, BadAmount::TooLarge),
            ("KWD", f64::NAN, BadAmount::TooLarge),
        ] {
            assert_eq!(Money::read(number, currency(code)), Err(said), "{number}");
        }
    }

    proptest! {
        #[test]
        fn every_amount_of_every_currency_comes_back_from_the_wire(
            cents in -(1_i64 << 51)..1_i64 << 51,
            code in prop::sample::select(vec!["JPY", "LKR", "KWD"]),
        ) {
            let amount = Money::from_cents(cents);
            let wire = serde_json::to_string(&Number(amount, currency(code))).unwrap();
            let number = serde_json::from_str(&wire).unwrap();
            prop_assert_eq!(Money::read(number, currency(code)), Ok(amount));
        }
    }
}
