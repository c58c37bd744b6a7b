use std::{fmt, iter::Sum, ops::Add};

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use utoipa::ToSchema;

/// An amount of rupees, held as an integer number of cents. On the wire it is a JSON number of
/// rupees with at most two decimals (`1250.5`).
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, JsonSchema, ToSchema,
)]
#[schemars(transparent)]
#[schema(value_type = f64, example = 1250.5, minimum = 0)]
pub struct Money(#[schemars(with = "f64")] i64);

/// The largest amount that a JSON number carries to the cent (2^53 - 1 cents).
const LARGEST_CENTS: i64 = (1 << 53) - 1;

impl Money {
    pub const ZERO: Self = Self(0);

    pub const fn from_cents(cents: i64) -> Self {
        Self(cents)
    }

    pub const fn cents(self) -> i64 {
        self.0
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
        let sign = if self.0 < 0 { "-" } else { "" };
        write!(
            f,
            "{sign}Rs. {}.{:02}",
            self.0.abs() / 100,
            self.0.abs() % 100
        )
    }
}

impl Serialize for Money {
    #[expect(
        clippy::cast_precision_loss,
        reason = "at most 2^53 cents, which a double holds exactly"
    )]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0 % 100 == 0 {
            serializer.serialize_i64(self.0 / 100)
        } else {
            serializer.serialize_f64(self.0 as f64 / 100.0)
        }
    }
}

impl<'de> Deserialize<'de> for Money {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "checked against the largest amount first"
    )]
    #[expect(
        clippy::cast_precision_loss,
        reason = "the largest amount is a whole double"
    )]
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let rupees = f64::deserialize(deserializer)?;
        let cents = (rupees * 100.0).round();
        if !cents.is_finite() || cents.abs() > LARGEST_CENTS as f64 {
            return Err(de::Error::custom("the amount is too large"));
        }
        if (rupees * 100.0 - cents).abs() > 1e-4 {
            return Err(de::Error::custom("an amount has at most two decimals"));
        }
        Ok(Self(cents as i64))
    }
}

#[cfg(test)]
mod tests {
    use super::Money;

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
    }
}
