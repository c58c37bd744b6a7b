use std::{fmt, str::FromStr, sync::OnceLock};

use iso_currency::Currency as IsoCurrency;

/// The currency of every amount of the platform, by ISO 4217.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Currency(IsoCurrency);

/// The signs that people and fonts know.
const SIGNS: &str = "$£¥€₩₪₫₱₹₺₽";
/// The most decimals of a currency: dinars have three.
const MOST_DECIMALS: u16 = 3;

static OF_PROCESS: OnceLock<Currency> = OnceLock::new();

/// A currency that can't be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadCurrency {
    #[error("{0:?} is no currency code of ISO 4217 such as LKR, JPY or KWD")]
    Unknown(String),
    #[error("amounts of {0} have no number of decimals from 0 to 3")]
    Decimals(&'static str),
    #[error("this process already counts in {0}")]
    Chosen(Currency),
}

impl Currency {
    /// Sri Lankan rupees, the default.
    pub const LKR: Self = Self(IsoCurrency::LKR);

    /// The currency of this process's amounts.
    pub fn of_process() -> Self {
        OF_PROCESS.get().copied().unwrap_or(Self::LKR)
    }

    /// Makes this the currency of the process's amounts, before the first of them is read or written. Another one
    /// can't take its place.
    pub fn set_for_process(self) -> Result<(), BadCurrency> {
        let chosen = *OF_PROCESS.get_or_init(|| self);
        if chosen == self {
            Ok(())
        } else {
            Err(BadCurrency::Chosen(chosen))
        }
    }

    /// `LKR`.
    pub fn code(self) -> &'static str {
        self.0.code()
    }

    /// The number of decimals: 2 for rupees, none for yen, 3 for Kuwaiti dinars.
    pub fn decimals(self) -> u32 {
        u32::from(self.0.exponent().unwrap_or_default())
    }

    /// The cents of one: 100 for rupees, 1 for yen, 1000 for Kuwaiti dinars.
    pub fn scale(self) -> i64 {
        10_i64.pow(self.decimals())
    }

    /// The text before an amount: `Rs.`, `¥`; the code where the currency has no well-known sign (`KWD`).
    pub fn sign(self) -> String {
        if self == Self::LKR {
            return "Rs.".to_owned();
        }
        let symbol = self.0.symbol().to_string();
        if symbol.chars().count() == 1 && SIGNS.contains(&symbol) {
            symbol
        } else {
            self.code().to_owned()
        }
    }

    /// The sign with the space that separates it from a number, if it has one: `Rs. `, `¥`.
    pub fn prefix(self) -> String {
        let sign = self.sign();
        if sign.chars().count() == 1 {
            sign
        } else {
            sign + " "
        }
    }
}

impl fmt::Display for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl FromStr for Currency {
    type Err = BadCurrency;

    fn from_str(code: &str) -> Result<Self, BadCurrency> {
        let unknown = || BadCurrency::Unknown(code.to_owned());
        let found = IsoCurrency::from_code(code).ok_or_else(unknown)?;
        match found.exponent() {
            Some(0..=MOST_DECIMALS) => Ok(Self(found)),
            _ => Err(BadCurrency::Decimals(found.code())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_currency_has_a_code_decimals_and_a_sign() {
        for (code, decimals, prefix) in [
            ("LKR", 2, "Rs. "),
            ("JPY", 0, "¥"),
            ("KWD", 3, "KWD "),
            ("EUR", 2, "€"),
            ("INR", 2, "₹"),
            ("CHF", 2, "CHF "),
            ("AED", 2, "AED "),
        ] {
            let currency: Currency = code.parse().unwrap();
            let found = (currency.code(), currency.decimals(), currency.prefix());
            assert_eq!(found, (code, decimals, prefix.to_owned()));
        }
    }

    #[test]
    fn what_is_no_currency_to_pay_in_is_refused() {
        for (code, said) in [
            ("RS", "\"RS\" is no currency code of ISO 4217"),
            ("lkr", "\"lkr\" is no currency code of ISO 4217"),
            (
                "CLF",
                "amounts of CLF have no number of decimals from 0 to 3",
            ),
            (
                "XAU",
                "amounts of XAU have no number of decimals from 0 to 3",
            ),
        ] {
            let error = code.parse::<Currency>().unwrap_err().to_string();
            assert!(error.starts_with(said), "{error}");
        }
    }
}
