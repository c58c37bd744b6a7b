//! Mails to an account's owner about changes of the second factor (ASVS 6.3.7).

use sqlx::PgConnection;
use time::Duration;

use crate::{
    Error, State,
    mails::{self, MailText},
};

/// The time after which a notice is not sent any more.
const LIFETIME: Duration = Duration::days(1);

/// A change that the account's owner is mailed about.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Notice {
    TurnedOn,
    TurnedOff,
    NewRecoveryCodes,
    /// A recovery code was used to sign in.
    RecoveryCodeUsed,
}

impl Notice {
    const fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::TurnedOn => (
                "Two-step sign-in is on",
                "Two-step sign-in is on for your Tiffin account. All other devices are signed out.",
            ),
            Self::TurnedOff => (
                "Two-step sign-in is off",
                "Two-step sign-in is off for your Tiffin account. All other devices are signed out.",
            ),
            Self::NewRecoveryCodes => (
                "You have new recovery codes",
                "New recovery codes were made for your Tiffin account. The ones before are of no use.",
            ),
            Self::RecoveryCodeUsed => (
                "A recovery code was used",
                "A recovery code was used for your Tiffin account. It is of no use any more.",
            ),
        }
    }
}

/// Queues the mail with a notice.
pub(crate) async fn queue_notice(
    tx: &mut PgConnection,
    state: &State,
    to: &str,
    notice: Notice,
) -> Result<(), Error> {
    let (subject, sentence) = notice.words();
    let warning = "If that was not you, change your password now and contact us.";
    let text = MailText {
        subject: subject.to_owned(),
        text: format!("{sentence}\n\n{warning}\n"),
        html: format!("<p>{sentence}</p><p>{warning}</p>"),
    };
    mails::queue(tx, &state.clock, to, LIFETIME, text).await
}
