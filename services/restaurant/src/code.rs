//! The short code of a dish that people read and say: `ITM-` and 8 digits of Crockford's base 32.

use std::fmt;

use tiffin_events::ItemId;

/// Crockford's alphabet: no I, L, O or U.
const DIGITS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

const PREFIX: &str = "ITM-";

/// A dish's readable code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemCode(String);

impl ItemCode {
    /// The code of a new dish: the lower 40 bits of its id, which are its random ones.
    pub fn of(id: ItemId) -> Self {
        let bits = id.0.as_u128();
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

impl fmt::Display for ItemCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use tiffin_events::ItemId;
    use uuid::Uuid;

    use super::ItemCode;

    #[test]
    fn a_code_has_eight_digits_of_five_bits_each() {
        for (bits, code) in [
            (0, "ITM-00000000"),
            (31, "ITM-0000000Z"),
            (u128::MAX, "ITM-ZZZZZZZZ"),
        ] {
            assert_eq!(ItemCode::of(ItemId(Uuid::from_u128(bits))).as_str(), code);
        }
    }

    #[test]
    fn a_code_is_read_in_any_case_and_nothing_else_is() {
        assert_eq!(
            ItemCode::parse("itm-7k3m9qx2").unwrap().as_str(),
            "ITM-7K3M9QX2"
        );
        for text in [
            "",
            "ITM-",
            "7K3M9QX2",
            "ITM-7K3M9QXU",
            "ITM-7K3M9QX22",
            "ORD-7K3M9QX2",
        ] {
            assert_eq!(ItemCode::parse(text), None, "{text}");
        }
    }
}
