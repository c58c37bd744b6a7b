use time::{Duration, OffsetDateTime};

use super::{
    BadSignature,
    api::{ApiError, Intent, word},
    signature::Secrets,
};

/// A signature that OpenSSL made: `printf '1795845725.{"id":"evt_1"}' | openssl dgst -sha256 -hmac whsec_test`.
const SIGNED: &str =
    "t=1795845725,v1=f9475a76ad4b1d4fb8f0323bb2e2243a0c9b29c8a1fee71fdbe33b30708c1bc8";
const BODY: &[u8] = br#"{"id":"evt_1"}"#;

fn at(seconds: i64) -> OffsetDateTime {
    OffsetDateTime::from_unix_timestamp(1_795_845_725 + seconds).unwrap()
}

#[test]
fn a_signature_of_the_published_scheme_is_right_for_five_minutes() {
    let secrets = Secrets::read("whsec_other, whsec_test");
    for (seconds, result) in [
        (0, Ok(())),
        (300, Ok(())),
        (-300, Ok(())),
        (301, Err(BadSignature::Old)),
        (-301, Err(BadSignature::Old)),
    ] {
        assert_eq!(
            secrets.verify(SIGNED, BODY, at(seconds)),
            result,
            "{seconds}"
        );
    }
    let other = Secrets::read("whsec_other");
    assert_eq!(other.verify(SIGNED, BODY, at(0)), Err(BadSignature::Wrong));
    assert_eq!(
        secrets.verify(SIGNED, b"{}", at(0)),
        Err(BadSignature::Wrong)
    );
}

#[test]
fn a_signature_that_cannot_be_read_is_none() {
    let secrets = Secrets::read("whsec_test");
    for header in [
        "",
        "t=,v1=",
        "t=1795845725",
        "t=x,v1=00",
        "t=99999999999999,v1=00",
        "v1=é",
        ",,,=,t",
    ] {
        let refused = secrets.verify(header, BODY, at(0));
        assert_eq!(refused, Err(BadSignature::Unsigned), "{header}");
    }
    let none = Secrets::read(" , ");
    assert_eq!(none.verify(SIGNED, BODY, at(0)), Err(BadSignature::Wrong));
    assert_eq!(format!("{none:?}"), "0 secrets");
    let soon = at(0) + Duration::seconds(1);
    assert_eq!(
        secrets.verify(&format!("v0=1,{SIGNED}"), BODY, soon),
        Ok(())
    );
}

#[test]
fn only_words_of_stripes_become_reasons() {
    assert_eq!(word("do_not_honor"), Some("do_not_honor"));
    for text in ["", "4242 4242", "Card ending 4242", &"a".repeat(61)] {
        assert_eq!(word(text), None, "{text}");
    }
    let error: ApiError = serde_json::from_str(
        r#"{"type":"card_error","code":"card_declined","decline_code":"insufficient_funds"}"#,
    )
    .unwrap();
    assert_eq!(error.reason(), "insufficient_funds");
    assert_eq!(ApiError::default().reason(), "card_declined");
}

/// An example of <https://docs.stripe.com/api/payment_intents/object>, shortened.
const INTENT: &str = r#"{
  "id": "pi_3MtwBwLkdIwHu7ix28a3tqPa", "object": "payment_intent", "amount": 2000, "currency": "usd",
  "client_secret": "pi_3MtwBwLkdIwHu7ix28a3tqPa_secret_YrKJUKribcBjcG8HVhfZluoGH", "last_payment_error": null,
  "latest_charge": null, "metadata": {}, "next_action": null, "status": "requires_payment_method"
}"#;

#[test]
fn the_published_example_of_an_intent_is_read() {
    let intent: Intent = serde_json::from_str(INTENT).unwrap();
    assert_eq!((intent.amount, intent.payment()), (2000, None));
    assert_eq!(intent.reason(), "not_confirmed");
}
