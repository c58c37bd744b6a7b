//! The mail queue: a mail is a row committed with the change that calls for it.

use sqlx::PgConnection;
use tiffin_events::Clock;
use time::Duration;

use crate::{
    Error,
    store::{codes, mails},
};

/// The content of a mail, as text and as HTML.
#[derive(Debug)]
pub(crate) struct MailText {
    pub subject: String,
    pub text: String,
    pub html: String,
}

/// Puts a mail into the queue; it is not sent after `lifetime`.
pub(crate) async fn queue(
    tx: &mut PgConnection,
    clock: &Clock,
    to: &str,
    lifetime: Duration,
    text: MailText,
) -> Result<(), Error> {
    mails::insert(tx, clock, to, lifetime, text).await
}

/// Puts the mail with a one-time code into the queue; it is not sent once the code has expired.
pub(crate) async fn queue_code(
    tx: &mut PgConnection,
    clock: &Clock,
    to: &str,
    code: &str,
) -> Result<(), Error> {
    let minutes = codes::LIFETIME.whole_minutes();
    let warning = "If you did not ask for it, someone else typed your address; ignore this mail.";
    let text = MailText {
        subject: format!("{code} is your Tiffin code"),
        text: format!("Your code is {code}. It is good for {minutes} minutes.\n\n{warning}\n"),
        html: format!(
            "<p>Your code is <strong>{code}</strong>. It is good for {minutes} minutes.</p><p>{warning}</p>"
        ),
    };
    queue(tx, clock, to, codes::LIFETIME, text).await
}
