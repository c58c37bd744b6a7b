//! The mail that takes a notification to its reader: `templates/notification.*`.

use std::collections::BTreeMap;

use askama::Template;
use tiffin_chassis::mail::Mail;
use tiffin_events::Role;
use time::OffsetDateTime;

use crate::{
    bundle::Bundle,
    language::{Language, Words},
    notification::Notification,
    store::accounts::Account,
    text,
};

#[derive(Template)]
#[template(path = "notification.txt")]
struct Text<'a> {
    words: Words,
    name: &'a str,
    said: &'a str,
    dishes: &'a [String],
    restaurant: Option<&'a str>,
    more: bool,
    link: Option<&'a str>,
}

#[derive(Template)]
#[template(path = "notification.html")]
struct Html<'a> {
    language: &'static str,
    words: Words,
    subject: &'a str,
    name: &'a str,
    said: &'a str,
    dishes: &'a [String],
    restaurant: Option<&'a str>,
    more: bool,
    link: Option<&'a str>,
}

/// The reason why a reader gets no mail, as a sentence without names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoMail {
    #[error("The account is gone.")]
    Gone,
    #[error("The account is blocked.")]
    Blocked,
    #[error("The mail can't be written.")]
    Template,
}

impl From<askama::Error> for NoMail {
    fn from(_: askama::Error) -> Self {
        Self::Template
    }
}

/// Refuses readers who get no mail.
pub fn check(reader: &Account) -> Result<(), NoMail> {
    if reader.deleted {
        return Err(NoMail::Gone);
    }
    if reader.blocked {
        return Err(NoMail::Blocked);
    }
    Ok(())
}

/// Writes a mail to a reader, as text and as HTML. `more` says that their ticket has more orders than the mail is about;
/// `site` is the address where they can see all.
pub fn write(
    bundle: &Bundle,
    reader: &Account,
    more: bool,
    site: Option<&str>,
    date: OffsetDateTime,
) -> Result<Mail, NoMail> {
    check(reader)?;
    let language = reader.language;
    let words = language.words();
    let name = if reader.first_name.is_empty() {
        words.nameless
    } else {
        &reader.first_name
    };
    let notification = &bundle.notification;
    let subject = subject_in(language, bundle);
    let page = site.map(|site| format!("{site}{}", page(notification, reader.role)));
    let (text, dishes) = (text_in(language, bundle), bundle.dishes());
    let (said, dishes, link) = (text.as_str(), dishes.as_slice(), page.as_deref());
    let restaurant = bundle.restaurant();
    let text = Text {
        words,
        name,
        said,
        dishes,
        restaurant,
        more,
        link,
    };
    let html = Html {
        language: language.code(),
        words,
        subject: &subject,
        name,
        said,
        dishes,
        restaurant,
        more,
        link,
    };
    Ok(Mail {
        id: notification.id.0,
        to: reader.email.clone(),
        text: text.render()?,
        html: html.render()?,
        subject,
        date,
    })
}

/// The sentence in the reader's language; in English if it has no translation.
fn text_in(language: Language, bundle: &Bundle) -> String {
    let coded = bundle.coded();
    let said = coded.and_then(|coded| language.say(coded.code, &coded.params));
    said.unwrap_or_else(|| bundle.text())
}

fn subject_in(language: Language, bundle: &Bundle) -> String {
    let params = BTreeMap::from([("order", bundle.order())]);
    let said = language.say(text::title_code(bundle.notification.topic), &params);
    said.unwrap_or_else(|| subject(bundle))
}

/// The subject of a mail, and the title of a push.
pub fn subject(bundle: &Bundle) -> String {
    text::title(bundle.notification.topic).about(&bundle.order())
}

/// The page that shows a notification to a reader of this role.
pub fn page(notification: &Notification, role: Role) -> String {
    let page = match role {
        Role::Customer => {
            let track = |delivery| format!("/track/{delivery}");
            return notification
                .delivery_id
                .map_or_else(|| "/profile".to_owned(), track);
        }
        Role::Restaurant => "/restaurantC/booking",
        Role::Delivery => "/driver/track",
        Role::Admin => "/admin/booking",
        Role::Operator => "/operator",
    };
    page.to_owned()
}

#[cfg(test)]
mod tests {
    use tiffin_events::{
        Money, NotificationId, OrderId, Role, UserId, notification::NotificationTopic,
        payment::RefundReason,
    };
    use time::OffsetDateTime;
    use uuid::Uuid;

    use super::{NoMail, write};
    use crate::{
        bundle::{Bundle, BundledOrder},
        drafts::Draft,
        language::Language,
        notification::{ChannelState, Channels, Notification},
        store::accounts::Account,
        text,
    };

    fn bundle(codes: &[&str]) -> Bundle {
        let order = |code: &&str| BundledOrder {
            code: (*code).to_owned(),
            dish: Some((2, "Kottu & <b>".to_owned())),
            restaurant: None,
        };
        Bundle {
            notification: notification(),
            orders: codes.iter().map(order).collect(),
        }
    }

    fn notification() -> Notification {
        let draft = Draft {
            user: UserId(Uuid::from_u128(1)),
            topic: NotificationTopic::OrderConfirmed,
            text: "Your order ORD-1 is confirmed.".into(),
            order_id: OrderId(Uuid::from_u128(2)),
            order_code: "ORD-1".into(),
            delivery_id: None,
            window: None,
        };
        Notification::make(
            NotificationId(Uuid::from_u128(3)),
            draft,
            OffsetDateTime::UNIX_EPOCH,
            None,
            Channels {
                mail: ChannelState::Waiting,
                push: ChannelState::None,
                in_app: true,
            },
        )
        .0
    }

    fn reader() -> Account {
        let (email, first_name) = ("n@tiffin.local".to_owned(), "Nimal <script>&".to_owned());
        Account {
            email,
            first_name,
            role: Role::Customer,
            language: Language::En,
            blocked: false,
            deleted: false,
        }
    }

    #[test]
    fn a_mail_greets_its_reader_and_names_the_order() {
        let mail = write(
            &bundle(&["ORD-1", "ORD-2"]),
            &reader(),
            true,
            Some("https://t.example"),
            OffsetDateTime::UNIX_EPOCH,
        )
        .unwrap();
        assert_eq!(mail.subject, "Confirmed: ORD-1 +1");
        assert!(
            mail.text.contains("Hello Nimal <script>&,")
                && mail.text.contains("more orders of the same checkout")
                && mail.text.contains("2 × Kottu & <b>")
                && mail.text.contains("https://t.example/profile")
        );
        assert!(
            !mail.html.contains("<script>")
                && !mail.html.contains("<b>")
                && mail.html.contains("Hello Nimal ")
                && mail.html.contains("ORD-1 +1 is confirmed")
        );
    }

    #[test]
    fn a_mail_is_in_its_readers_language() {
        let mut bundle = bundle(&["ORD-1"]);
        bundle.notification.topic = NotificationTopic::OrderRefunded;
        bundle.notification.text = text::refunded(
            "ORD-1",
            Money::from_cents(30_000),
            RefundReason::MissingItem,
        );
        let mail = |language| {
            let reader = Account {
                language,
                ..reader()
            };
            let at = OffsetDateTime::UNIX_EPOCH;
            write(&bundle, &reader, false, Some("https://t.example"), at).unwrap()
        };
        let english = mail(Language::En);
        assert_eq!(english.subject, "Refund: ORD-1");
        assert!(
            english
                .text
                .contains("Rs. 300.00 is refunded: a dish was missing.")
        );
        for (language, subject, hello, said) in [
            (Language::Si, "ආපසු ගෙවීම: ORD-1", "ආයුබෝවන්", "කෑමක් අඩු විය"),
            (Language::Ta, "பணத்திருப்பம்: ORD-1", "வணக்கம்", "ஓர் உணவு இல்லை"),
        ] {
            let mail = mail(language);
            assert_eq!(mail.subject, subject);
            for part in [&mail.text, &mail.html] {
                assert!(part.contains(hello) && part.contains(said), "{part}");
                assert!(
                    part.contains("Rs. 300.00") && !part.contains("refunded"),
                    "{part}"
                );
            }
            assert!(mail.html.contains(&format!("lang=\"{}\"", language.code())));
        }
    }

    #[test]
    fn blocked_and_deleted_readers_get_no_mail() {
        let at = OffsetDateTime::UNIX_EPOCH;
        let blocked = Account {
            blocked: true,
            ..reader()
        };
        assert_eq!(
            write(&bundle(&["ORD-1"]), &blocked, false, None, at).unwrap_err(),
            NoMail::Blocked
        );
        let gone = Account {
            deleted: true,
            ..reader()
        };
        assert_eq!(
            write(&bundle(&["ORD-1"]), &gone, false, None, at).unwrap_err(),
            NoMail::Gone
        );
    }
}
