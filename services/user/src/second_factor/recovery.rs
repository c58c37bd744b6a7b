//! Recovery codes: `3k7qp-x2m9d`. The first digit is the code's number, so that one hash alone is
//! compared; 45 random bits follow.

use futures_util::future::try_join_all;

use crate::{Error, passwords::Passwords};

/// The number of codes of an account.
const COUNT: i16 = 10;
/// Random letters of a code.
const LENGTH: usize = 9;
/// Crockford's base32, which leaves out letters that look like digits.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// Ten new recovery codes.
pub(crate) struct NewRecoveryCodes {
    /// As they are shown, once.
    pub codes: Vec<String>,
    /// As they are stored, with their numbers.
    pub hashes: Vec<(i16, String)>,
}

impl NewRecoveryCodes {
    pub async fn new(passwords: &Passwords) -> Result<Self, Error> {
        let plain: Vec<String> = (0..COUNT).map(code).collect();
        let hashes = try_join_all(plain.iter().map(|code| passwords.hash(code))).await?;
        Ok(Self {
            codes: plain.iter().map(|code| with_dash(code)).collect(),
            hashes: (0..COUNT).zip(hashes).collect(),
        })
    }
}

fn code(number: i16) -> String {
    let random: [u8; LENGTH] = rand::random();
    let letters = random.map(|byte| char::from(ALPHABET[usize::from(byte % 32)]));
    format!("{number}{}", String::from_iter(letters))
}

fn with_dash(code: &str) -> String {
    let (head, tail) = code.split_at(code.len() / 2);
    format!("{head}-{tail}")
}

/// The number of what may be a recovery code, without its dash.
pub(super) fn number(code: &str) -> Option<i16> {
    let number = code.chars().next()?.to_digit(10)?;
    let fits = code.len() == LENGTH + 1 && code.is_ascii();
    i16::try_from(number).ok().filter(|_| fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_says_its_number_and_no_two_are_the_same() {
        for n in 0..COUNT {
            let [one, other] = [code(n), code(n)];
            assert_ne!(one, other);
            assert_eq!(number(&one), Some(n));
            let shown = with_dash(&one);
            assert_eq!((shown.len(), shown.find('-')), (11, Some(5)), "{shown}");
        }
        for bad in ["", "042137", "x123456789", "1234567890a", "1ඞ1234567"] {
            assert_eq!(number(bad), None, "{bad}");
        }
    }
}
