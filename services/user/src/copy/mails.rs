//! The mails about a copy. They have no token: the profile page asks for a sign-in.

use sqlx::PgConnection;
use tiffin_events::Role;
use time::{Duration, OffsetDateTime};

use super::texts::{day, texts};
use crate::{
    Error, State,
    mails::{self, MailText},
    resets::Language,
    store::copies::KEPT,
    user::User,
};

/// The time after which the mail about a failure is not sent any more.
const FAILED_LIFETIME: Duration = Duration::days(1);

/// Queues the mail that says that the copy is ready; it is not sent once the copy is removed.
pub(super) async fn queue_ready(
    tx: &mut PgConnection,
    state: &State,
    user: &User,
    language: Language,
    until: OffsetDateTime,
) -> Result<(), Error> {
    let text = ready_mail(language, &profile_page(state, user.role), until);
    mails::queue(tx, &state.clock, &user.email, KEPT, text).await
}

/// Queues the mail that says that the copy failed, and which service did not answer.
pub(super) async fn queue_failed(
    tx: &mut PgConnection,
    state: &State,
    user: &User,
    language: Language,
    missing: Option<&str>,
) -> Result<(), Error> {
    let text = failed_mail(language, &profile_page(state, user.role), missing);
    mails::queue(tx, &state.clock, &user.email, FAILED_LIFETIME, text).await
}

/// The page on which an account of this role finds its copy.
fn profile_page(state: &State, role: Role) -> String {
    let path = match role {
        Role::Customer => "/profile",
        Role::Restaurant => "/restaurantC/profile",
        Role::Delivery => "/driver/available",
        Role::Admin | Role::Operator => "/admin/profile",
    };
    format!("{}{path}", state.config.site)
}

fn ready_mail(language: Language, link: &str, until: OffsetDateTime) -> MailText {
    let texts = texts(language);
    let ready = texts.ready.replace("{date}", &day(until));
    let (button, warning) = (texts.button, texts.ready_warning);
    MailText {
        subject: texts.ready_subject.to_owned(),
        text: format!("{ready}\n\n{link}\n\n{warning}\n"),
        html: format!("<p>{ready}</p><p><a href=\"{link}\">{button}</a></p><p>{warning}</p>"),
    }
}

fn failed_mail(language: Language, link: &str, missing: Option<&str>) -> MailText {
    let texts = texts(language);
    let mut failed = texts.failed.to_owned();
    if let Some(service) = missing {
        failed += " ";
        failed += &texts.failed_at_service.replace("{service}", service);
    }
    let (again, button) = (texts.ask_again, texts.button);
    MailText {
        subject: texts.failed_subject.to_owned(),
        text: format!("{failed}\n\n{again}\n\n{link}\n"),
        html: format!("<p>{failed}</p><p>{again}</p><p><a href=\"{link}\">{button}</a></p>"),
    }
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    #[test]
    fn the_mails_name_the_page_the_day_and_the_service_in_every_language() {
        let (link, until) = (
            "https://tiffin.example/profile",
            datetime!(2026-12-02 09:00 UTC),
        );
        for language in [Language::En, Language::Si, Language::Ta] {
            let ready = ready_mail(language, link, until);
            let failed = failed_mail(language, link, Some("payment"));
            for body in [&ready.text, &ready.html] {
                assert!(body.contains(link) && body.contains("2026-12-02"), "{body}");
            }
            for body in [&failed.text, &failed.html] {
                assert!(body.contains(link) && body.contains("payment"), "{body}");
            }
            for body in [
                ready.text,
                failed.text,
                failed_mail(language, link, None).text,
            ] {
                assert!(!body.contains('{'), "{body}");
            }
        }
    }
}
