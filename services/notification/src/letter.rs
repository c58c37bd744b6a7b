//! The mail that takes a notification to its reader.

use tiffin_chassis::mail::{Letter, escape};
use tiffin_events::{Role, notification::NotificationTopic};
use time::OffsetDateTime;

use crate::{notification::Notification, store::people::Person};

/// Why a reader gets no mail, in a sentence that names nobody.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unwritable {
    #[error("The account is gone.")]
    Gone,
    #[error("The account is blocked.")]
    Blocked,
}

/// Writes to a reader, as text and as HTML. `site` is where they can see more.
pub fn write(
    notification: &Notification,
    reader: &Person,
    site: Option<&str>,
    date: OffsetDateTime,
) -> Result<Letter, Unwritable> {
    if reader.deleted {
        return Err(Unwritable::Gone);
    }
    if reader.blocked {
        return Err(Unwritable::Blocked);
    }
    let name = if reader.first_name.is_empty() {
        "there"
    } else {
        &reader.first_name
    };
    let said = &notification.text;
    let link = site.map(|site| format!("{site}{}", page(reader.role)));
    let (text_link, html_link) = match &link {
        Some(link) => (
            format!("\n\nSee it here: {link}"),
            format!("<p><a href=\"{}\">See it on Tiffin</a></p>", escape(link)),
        ),
        None => Default::default(),
    };
    Ok(Letter {
        id: notification.id.0,
        to: reader.email.clone(),
        subject: format!(
            "{} {}",
            subject(notification.topic),
            notification.order_code
        ),
        text: format!("Hello {name},\n\n{said}{text_link}\n\nTiffin\n"),
        html: format!(
            "<p>Hello {},</p><p>{}</p>{html_link}<p>Tiffin</p>",
            escape(name),
            escape(said)
        ),
        date,
    })
}

fn subject(topic: NotificationTopic) -> &'static str {
    match topic {
        NotificationTopic::OrderPlaced => "New order",
        NotificationTopic::OrderConfirmed => "Confirmed:",
        NotificationTopic::OrderCancelled => "Cancelled:",
        NotificationTopic::DeliveryAssigned => "Delivery of",
        NotificationTopic::DeliveryOnTheWay => "On the way:",
        NotificationTopic::DeliveryDelivered => "Delivered:",
    }
}

/// Where somebody of a role sees their orders.
fn page(role: Role) -> &'static str {
    match role {
        Role::Customer => "/profile",
        Role::Restaurant => "/restaurantC/booking",
        Role::Delivery => "/driver/track",
        Role::Admin => "/admin/booking",
    }
}

#[cfg(test)]
mod tests {
    use tiffin_events::{NotificationId, OrderId, Role, UserId, notification::NotificationTopic};
    use time::OffsetDateTime;
    use uuid::Uuid;

    use super::{Unwritable, write};
    use crate::{
        news::News,
        notification::{Mail, Notification},
        store::people::Person,
    };

    fn notification() -> Notification {
        let news = News {
            user: UserId(Uuid::from_u128(1)),
            topic: NotificationTopic::OrderConfirmed,
            text: "Your order ORD-1 is confirmed.".into(),
            order_id: OrderId(Uuid::from_u128(2)),
            order_code: "ORD-1".into(),
            delivery_id: None,
        };
        Notification::make(
            NotificationId(Uuid::from_u128(3)),
            news,
            OffsetDateTime::UNIX_EPOCH,
            Mail::Waiting,
        )
        .0
    }

    fn reader() -> Person {
        let (email, first_name) = ("n@tiffin.local".to_owned(), "Nimal <&>".to_owned());
        Person {
            email,
            first_name,
            role: Role::Customer,
            blocked: false,
            deleted: false,
        }
    }

    #[test]
    fn a_letter_greets_its_reader_and_names_the_order() {
        let letter = write(
            &notification(),
            &reader(),
            Some("https://t.example"),
            OffsetDateTime::UNIX_EPOCH,
        )
        .unwrap();
        assert_eq!(letter.subject, "Confirmed: ORD-1");
        assert!(
            letter.text.contains("Hello Nimal <&>,")
                && letter.text.contains("https://t.example/profile")
        );
        assert!(
            letter.html.contains("Hello Nimal &lt;&amp;&gt;,")
                && letter.html.contains("ORD-1 is confirmed")
        );
    }

    #[test]
    fn nobody_writes_to_the_blocked_and_the_gone() {
        let at = OffsetDateTime::UNIX_EPOCH;
        let blocked = Person {
            blocked: true,
            ..reader()
        };
        assert_eq!(
            write(&notification(), &blocked, None, at).unwrap_err(),
            Unwritable::Blocked
        );
        let gone = Person {
            deleted: true,
            ..reader()
        };
        assert_eq!(
            write(&notification(), &gone, None, at).unwrap_err(),
            Unwritable::Gone
        );
    }
}
