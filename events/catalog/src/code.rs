//! Short codes that people read and say: a prefix and 8 digits of Crockford's base 32.

use std::fmt;

/// Crockford's alphabet: no I, L, O or U.
const DIGITS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $prefix:literal),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct $name(String);

        impl $name {
            /// The code of these bits, of which the lower 40 count.
            pub fn from_bits(bits: u64) -> Self {
                Self(write($prefix, bits))
            }

            /// Reads a code as a person may type it, in upper or lower case; `None` if it is not one.
            pub fn parse(text: &str) -> Option<Self> {
                read($prefix, text).map(Self)
            }

            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    )*};
}

codes! {
    /// An order's code.
    OrderCode = "ORD-",
    /// A dish's code.
    ItemCode = "ITM-",
}

fn write(prefix: &str, bits: u64) -> String {
    let digits = (0..8).rev().map(|place| {
        let digit = (bits >> (place * 5)) & 31;
        char::from(DIGITS[usize::try_from(digit).unwrap_or_default()])
    });
    prefix.chars().chain(digits).collect()
}

fn read(prefix: &str, text: &str) -> Option<String> {
    let text = text.to_ascii_uppercase();
    let digits = text.strip_prefix(prefix)?;
    let is_code = digits.len() == 8 && digits.bytes().all(|digit| DIGITS.contains(&digit));
    is_code.then_some(text)
}

#[cfg(test)]
mod tests {
    use super::{ItemCode, OrderCode};

    #[test]
    fn a_code_has_eight_digits_of_five_bits_each() {
        for (bits, digits) in [
            (0, "00000000"),
            (31, "0000000Z"),
            ((1 << 40) - 1, "ZZZZZZZZ"),
            (u64::MAX, "ZZZZZZZZ"),
            (1 << 15, "00001000"),
        ] {
            let (order, item) = (OrderCode::from_bits(bits), ItemCode::from_bits(bits));
            assert_eq!(order.as_str(), format!("ORD-{digits}"));
            assert_eq!(item.as_str(), format!("ITM-{digits}"));
        }
    }

    #[test]
    fn a_code_is_read_in_any_case_and_nothing_else_is() {
        let order = OrderCode::parse("ord-7k3m9qx2").unwrap();
        assert_eq!(order.as_str(), "ORD-7K3M9QX2");
        let item = ItemCode::parse("itm-7k3m9qx2").unwrap();
        assert_eq!(item.as_str(), "ITM-7K3M9QX2");
        for text in [
            "",
            "ORD-",
            "7K3M9QX2",
            "ORD-7K3M9QX",
            "ORD-7K3M9QXU",
            "ORD-7K3M9QX22",
            "ORD-7K3M9Qé",
            "ITM-7K3M9QX2",
        ] {
            assert_eq!(OrderCode::parse(text), None, "{text}");
        }
        assert_eq!(ItemCode::parse("ORD-7K3M9QX2"), None);
    }
}
