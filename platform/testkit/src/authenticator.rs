//! An authenticator app.

use time::OffsetDateTime;
use totp_rs::{Builder, Secret};

/// The code that an app shows for a secret in base32.
pub fn authenticator(secret: &str, at: OffsetDateTime) -> String {
    let secret = Secret::try_from_base32(secret).expect("a secret in base32");
    let app = Builder::new()
        .with_secret(secret)
        .with_account_name("")
        .build()
        .expect("an app");
    let seconds = u64::try_from(at.unix_timestamp()).expect("a time after 1970");
    app.generate(seconds).to_string()
}
