//! Mails to an account's owner about changes of the second factor (ASVS 6.3.7).

use sqlx::PgConnection;
use time::Duration;

use crate::{
    Error, State,
    mails::{self, Words},
};

/// The time that a mail is worth sending.
const LIFE: Duration = Duration::days(1);

/// The change that a mail reports.
#[derive(Clone, Copy, Debug)]
pub(crate) enum News {
    On,
    Off,
    /// There are new recovery codes.
    Codes,
    /// A recovery code was used to sign in.
    Used,
}

impl News {
    const fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::On => (
                "Two-step sign-in is on",
                "Two-step sign-in is on for your Tiffin account. All other devices are signed out.",
            ),
            Self::Off => (
                "Two-step sign-in is off",
                "Two-step sign-in is off for your Tiffin account. All other devices are signed out.",
            ),
            Self::Codes => (
                "You have new recovery codes",
                "New recovery codes were made for your Tiffin account. The ones before are of no use.",
            ),
            Self::Used => (
                "A recovery code was used",
                "A recovery code was used for your Tiffin account. It is of no use any more.",
            ),
        }
    }
}

/// Puts the mail into the queue.
pub(crate) async fn queue(
    tx: &mut PgConnection,
    state: &State,
    to: &str,
    news: News,
) -> Result<(), Error> {
    let (subject, sentence) = news.words();
    let warning = "If that was not you, change your password now and contact us.";
    let words = Words {
        subject: subject.to_owned(),
        text: format!("{sentence}\n\n{warning}\n"),
        html: format!("<p>{sentence}</p><p>{warning}</p>"),
    };
    mails::queue(tx, &state.clock, to, LIFE, words).await
}
