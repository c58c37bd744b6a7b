//! The proof of who a token's user is, with its time: `auth_time` (`OpenID` Connect Core 1.0, section 2)
//! and `amr` (RFC 8176).

use serde::{Deserialize, Serialize};
use time::{Duration, OffsetDateTime};

use super::LEEWAY_SECONDS;

/// The oldest proof that counts where one is asked for again: `max_age` of RFC 9470.
pub const FRESH_FOR: Duration = Duration::minutes(5);

/// A method of showing who one is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// The password.
    Pwd,
    /// A one-time code, or a recovery code in its place.
    Otp,
    #[serde(other)]
    Other,
}

/// The methods that a user showed, and the time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proof {
    /// `None` in tokens from before they said so.
    pub at: Option<OffsetDateTime>,
    pub methods: Vec<Method>,
}

impl Proof {
    /// True if something was shown within the last five minutes. A renewed token keeps the time.
    pub fn is_fresh(&self, now: OffsetDateTime) -> bool {
        self.at.is_some_and(|at| {
            !self.methods.is_empty()
                && at <= now + Duration::seconds(LEEWAY_SECONDS)
                && now - at <= FRESH_FOR
        })
    }
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    const AT: OffsetDateTime = datetime!(2026-11-23 09:00 UTC);

    fn proof(methods: &[Method]) -> Proof {
        Proof {
            at: Some(AT),
            methods: methods.to_vec(),
        }
    }

    #[test]
    fn a_proof_is_fresh_for_five_minutes() {
        let proof = proof(&[Method::Pwd, Method::Otp]);
        assert!(proof.is_fresh(AT));
        assert!(proof.is_fresh(AT + FRESH_FOR));
        assert!(!proof.is_fresh(AT + FRESH_FOR + Duration::SECOND));
        assert!(!proof.is_fresh(AT - Duration::seconds(LEEWAY_SECONDS + 1)));
    }

    #[test]
    fn where_nothing_was_shown_nothing_is_fresh() {
        assert!(!proof(&[]).is_fresh(AT));
        let undated = Proof {
            at: None,
            methods: vec![Method::Pwd],
        };
        assert!(!undated.is_fresh(AT));
    }

    #[test]
    fn methods_are_written_as_rfc_8176_names_them() {
        let written = serde_json::to_value([Method::Pwd, Method::Otp]).unwrap();
        assert_eq!(written, serde_json::json!(["pwd", "otp"]));
        let read: Vec<Method> = serde_json::from_str(r#"["hwk", "otp"]"#).unwrap();
        assert_eq!(read, [Method::Other, Method::Otp]);
    }
}
