//! The short code that people read and say: `ORD-` and 8 digits of Crockford's base 32.

use std::fmt;

/// Crockford's alphabet: no I, L, O or U.
const DIGITS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

const PREFIX: &str = "ORD-";

/// An order's readable code, one of 2^40.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderCode(String);

impl OrderCode {
    /// A code that can't be guessed, from the operating system's seeded generator.
    pub fn random() -> Self {
        Self::from_bits(rand::random())
    }

    /// The code of these bits, of which the lower 40 count.
    pub fn from_bits(bits: u64) -> Self {
        let digits = (0..8).rev().map(|place| {
            let digit = (bits >> (place * 5)) & 31;
            char::from(DIGITS[usize::try_from(digit).unwrap_or_default()])
        });
        Self(PREFIX.chars().chain(digits).collect())
    }

    /// Reads a code as a person may type it, in upper or lower case; `None` if it is not one.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.to_ascii_uppercase();
        let digits = text.strip_prefix(PREFIX)?;
        let valid = digits.len() == 8 && digits.bytes().all(|digit| DIGITS.contains(&digit));
        valid.then_some(Self(text))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for OrderCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::OrderCode;

    #[test]
    fn a_code_has_eight_digits_of_five_bits_each() {
        for (bits, code) in [
            (0, "ORD-00000000"),
            (31, "ORD-0000000Z"),
            ((1 << 40) - 1, "ORD-ZZZZZZZZ"),
            (u64::MAX, "ORD-ZZZZZZZZ"),
            (1 << 15, "ORD-00001000"),
        ] {
            assert_eq!(OrderCode::from_bits(bits).as_str(), code);
        }
    }

    #[test]
    fn a_code_is_read_in_any_case_and_nothing_else_is() {
        assert_eq!(
            OrderCode::parse("ord-7k3m9qx2").unwrap().as_str(),
            "ORD-7K3M9QX2"
        );
        for text in [
            "",
            "ORD-",
            "7K3M9QX2",
            "ORD-7K3M9QX",
            "ORD-7K3M9QXU",
            "ORD-7K3M9QX22",
            "ORD-7K3M9Qé",
        ] {
            assert_eq!(OrderCode::parse(text), None, "{text}");
        }
    }
}
