//! The mail queue: a mail is a row committed with the change that calls for it.

use sqlx::PgConnection;
use tiffin_events::Clock;
use time::Duration;

use crate::{Error, codes};

/// The content of a mail, as text and as HTML.
#[derive(Debug)]
pub(crate) struct Words {
    pub subject: String,
    pub text: String,
    pub html: String,
}

/// Puts a mail into the queue; it is of no use after `life`.
pub(crate) async fn queue(
    tx: &mut PgConnection,
    clock: &Clock,
    to: &str,
    life: Duration,
    words: Words,
) -> Result<(), Error> {
    let now = clock.now();
    sqlx::query!(
        "insert into mails (id, recipient, subject, text_body, html_body, next_attempt_at, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7)",
        clock.new_id(),
        to,
        words.subject,
        words.text,
        words.html,
        now,
        now + life,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Puts the mail with a one-time code into the queue; it is of no use after the code's end.
pub(crate) async fn queue_code(
    tx: &mut PgConnection,
    clock: &Clock,
    to: &str,
    code: &str,
) -> Result<(), Error> {
    let minutes = codes::LIFE.whole_minutes();
    let warning = "If you did not ask for it, someone else typed your address; ignore this mail.";
    let words = Words {
        subject: format!("{code} is your Tiffin code"),
        text: format!("Your code is {code}. It is good for {minutes} minutes.\n\n{warning}\n"),
        html: format!(
            "<p>Your code is <strong>{code}</strong>. It is good for {minutes} minutes.</p><p>{warning}</p>"
        ),
    };
    queue(tx, clock, to, codes::LIFE, words).await
}
