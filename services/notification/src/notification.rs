//! A notification: what it is and what may happen to it.

use tiffin_events::{
    DeliveryId, NotificationId, OrderId, UserId,
    notification::{
        Channel, NotificationCreatedV1, NotificationEvent, NotificationFailedV1,
        NotificationSentV1, NotificationTopic,
    },
};
use time::{Duration, OffsetDateTime};

use crate::news::News;

/// News older than this is not mailed: whoever it is for has found out.
const STALE_AFTER: Duration = Duration::hours(6);

/// Somebody was told something.
#[derive(Clone, Debug, PartialEq)]
pub struct Notification {
    pub id: NotificationId,
    /// Counts its events: 1, 2.
    pub version: i64,
    pub user: UserId,
    pub topic: NotificationTopic,
    pub text: String,
    pub order_id: OrderId,
    pub order_code: String,
    pub delivery_id: Option<DeliveryId>,
    pub read: bool,
    /// When that happened which it tells of.
    pub at: OffsetDateTime,
    pub mail: Mail,
}

/// Where the mail that takes it to its reader stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mail {
    /// There is none.
    None,
    Waiting,
    Sent,
    Failed,
}

impl Mail {
    const ALL: [Self; 4] = [Self::None, Self::Waiting, Self::Sent, Self::Failed];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Waiting => "waiting",
            Self::Sent => "sent",
            Self::Failed => "failed",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mail| mail.as_str() == text)
    }

    /// Whether news of `at` is mailed `now`. A replay repeats nothing outside.
    pub fn due(at: OffsetDateTime, now: OffsetDateTime, replayed: bool) -> Self {
        if replayed || now - at > STALE_AFTER {
            Self::None
        } else {
            Self::Waiting
        }
    }
}

impl Notification {
    /// Tells somebody something.
    pub fn make(
        id: NotificationId,
        news: News,
        at: OffsetDateTime,
        mail: Mail,
    ) -> (Self, NotificationEvent) {
        let News {
            user,
            topic,
            text,
            order_id,
            order_code,
            delivery_id,
        } = news;
        let event = NotificationEvent::Created(NotificationCreatedV1 {
            notification_id: id,
            user_id: user,
            topic,
            text: text.clone(),
            order_id,
            order_code: order_code.clone(),
            delivery_id,
        });
        let made = Self {
            id,
            version: 1,
            user,
            topic,
            text,
            order_id,
            order_code,
            delivery_id,
            read: false,
            at,
            mail,
        };
        (made, event)
    }

    /// Its mail left.
    pub fn sent(&mut self) -> Vec<NotificationEvent> {
        if self.mail != Mail::Waiting {
            return Vec::new();
        }
        self.mail = Mail::Sent;
        let (notification_id, user_id) = (self.id, self.user);
        vec![NotificationEvent::Sent(NotificationSentV1 {
            notification_id,
            user_id,
            channel: Channel::Mail,
        })]
    }

    /// Its mail can't leave. `reason` is for operators and names nobody.
    pub fn failed(&mut self, reason: &str) -> Vec<NotificationEvent> {
        if self.mail != Mail::Waiting {
            return Vec::new();
        }
        self.mail = Mail::Failed;
        vec![NotificationEvent::Failed(NotificationFailedV1 {
            notification_id: self.id,
            user_id: self.user,
            channel: Channel::Mail,
            reason: reason.to_owned(),
        })]
    }

    /// The reader has read it, which is their own affair: no event tells of it.
    pub fn mark_read(&mut self) -> Vec<NotificationEvent> {
        self.read = true;
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use tiffin_events::{Event, NotificationId, OrderId, UserId, notification::NotificationTopic};
    use time::{Duration, OffsetDateTime};
    use uuid::Uuid;

    use super::{Mail, Notification};
    use crate::news::News;

    fn notification(mail: Mail) -> Notification {
        let news = News {
            user: UserId(Uuid::from_u128(1)),
            topic: NotificationTopic::OrderPlaced,
            text: "New order ORD-1.".into(),
            order_id: OrderId(Uuid::from_u128(2)),
            order_code: "ORD-1".into(),
            delivery_id: None,
        };
        Notification::make(
            NotificationId(Uuid::from_u128(3)),
            news,
            OffsetDateTime::UNIX_EPOCH,
            mail,
        )
        .0
    }

    #[test]
    fn a_mail_leaves_or_fails_once() {
        for (mail, sent, failed) in [
            (Mail::Waiting, vec!["sent"], vec!["failed"]),
            (Mail::None, vec![], vec![]),
            (Mail::Sent, vec![], vec![]),
            (Mail::Failed, vec![], vec![]),
        ] {
            let names = |events: Vec<_>| events.iter().map(Event::name).collect::<Vec<_>>();
            assert_eq!(names(notification(mail).sent()), sent, "{mail:?}");
            assert_eq!(
                names(notification(mail).failed("Nobody is there.")),
                failed,
                "{mail:?}"
            );
        }
    }

    #[test]
    fn old_and_replayed_news_is_not_mailed() {
        let at = OffsetDateTime::UNIX_EPOCH;
        for (age, replayed, expected) in [
            (Duration::ZERO, false, Mail::Waiting),
            (Duration::hours(6), false, Mail::Waiting),
            (Duration::hours(7), false, Mail::None),
            (Duration::ZERO, true, Mail::None),
        ] {
            assert_eq!(
                Mail::due(at, at + age, replayed),
                expected,
                "{age} {replayed}"
            );
        }
    }
}
