//! A notification and its transitions.

use tiffin_events::{
    DeliveryId, NotificationId, OrderId, UserId,
    notification::{
        Channel, NotificationCreatedV1, NotificationEvent, NotificationFailedV1,
        NotificationSentV1, NotificationTopic,
    },
};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use crate::drafts::Draft;

/// The age after which a notification is not sent: its reader knows by then.
const STALE_AFTER: Duration = Duration::hours(6);

/// A notification.
#[derive(Clone, Debug, PartialEq)]
pub struct Notification {
    pub id: NotificationId,
    /// The number of its events.
    pub version: i64,
    pub user: UserId,
    pub topic: NotificationTopic,
    pub text: String,
    pub order_id: OrderId,
    pub order_code: String,
    pub delivery_id: Option<DeliveryId>,
    pub read: bool,
    /// The time of the event that it reports.
    pub at: OffsetDateTime,
    /// The event that it reports; `None` if it was requested before that event came.
    pub source: Option<Uuid>,
    pub ways: Ways,
}

/// The ways by which a notification reaches its reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ways {
    pub mail: Progress,
    pub push: Progress,
    /// True if the reader's list shows it.
    pub in_app: bool,
}

/// The channels that a reader wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preferences {
    pub mail: bool,
    pub push: bool,
    pub in_app: bool,
}

/// The state of a notification on one channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// It does not use this channel.
    None,
    Waiting,
    Sent,
    Failed,
}

/// By default all channels are on.
impl Default for Preferences {
    fn default() -> Self {
        Self {
            mail: true,
            push: true,
            in_app: true,
        }
    }
}

impl Progress {
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
        Self::ALL
            .into_iter()
            .find(|progress| progress.as_str() == text)
    }

    const fn waiting(wanted: bool) -> Self {
        if wanted { Self::Waiting } else { Self::None }
    }
}

impl Ways {
    /// The ways for an event of the time `at`. Old and replayed events are only listed, because neither mail
    /// nor push must be repeated.
    pub fn due(
        wishes: Preferences,
        at: OffsetDateTime,
        now: OffsetDateTime,
        replayed: bool,
    ) -> Self {
        let is_news = !replayed && is_news(at, now);
        Self {
            mail: Progress::waiting(is_news && wishes.mail),
            push: Progress::waiting(is_news && wishes.push),
            in_app: wishes.in_app,
        }
    }
}

impl Ways {
    /// True if it is sent by mail or push.
    pub fn leave(self) -> bool {
        self.mail != Progress::None || self.push != Progress::None
    }

    /// The same without mail and push.
    #[must_use]
    pub fn only_in_app(self) -> Self {
        Self {
            mail: Progress::None,
            push: Progress::None,
            ..self
        }
    }
}

fn is_news(at: OffsetDateTime, now: OffsetDateTime) -> bool {
    now - at <= STALE_AFTER
}

impl Notification {
    /// True if its reader's open browsers show it at once.
    pub fn is_news(&self, now: OffsetDateTime) -> bool {
        self.ways.in_app && is_news(self.at, now)
    }

    /// Creates a notification and its event.
    pub fn make(
        id: NotificationId,
        news: Draft,
        at: OffsetDateTime,
        source: Option<Uuid>,
        ways: Ways,
    ) -> (Self, NotificationEvent) {
        let Draft {
            user,
            topic,
            text,
            order_id,
            order_code,
            delivery_id,
            bundled: _,
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
            source,
            ways,
        };
        (made, event)
    }

    /// Records that a channel has sent it.
    pub fn sent(&mut self, channel: Channel) -> Vec<NotificationEvent> {
        let (notification_id, user_id) = (self.id, self.user);
        let progress = self.progress(channel);
        if *progress != Progress::Waiting {
            return Vec::new();
        }
        *progress = Progress::Sent;
        vec![NotificationEvent::Sent(NotificationSentV1 {
            notification_id,
            user_id,
            channel,
        })]
    }

    /// Records that a channel can't send it. `reason` is for operators and contains no names.
    pub fn failed(&mut self, channel: Channel, reason: &str) -> Vec<NotificationEvent> {
        let (notification_id, user_id) = (self.id, self.user);
        let progress = self.progress(channel);
        if *progress != Progress::Waiting {
            return Vec::new();
        }
        *progress = Progress::Failed;
        vec![NotificationEvent::Failed(NotificationFailedV1 {
            notification_id,
            user_id,
            channel,
            reason: reason.to_owned(),
        })]
    }

    fn progress(&mut self, channel: Channel) -> &mut Progress {
        match channel {
            Channel::Mail => &mut self.ways.mail,
            Channel::Push => &mut self.ways.push,
        }
    }

    /// Marks it as read. No event is published, because this concerns the reader alone.
    pub fn mark_read(&mut self) -> Vec<NotificationEvent> {
        self.read = true;
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use tiffin_events::{
        Event, NotificationId, OrderId, UserId,
        notification::{Channel, NotificationTopic},
    };
    use time::{Duration, OffsetDateTime};
    use uuid::Uuid;

    use super::{Notification, Preferences, Progress, Ways};
    use crate::drafts::Draft;

    fn notification(mail: Progress) -> Notification {
        let news = Draft {
            user: UserId(Uuid::from_u128(1)),
            topic: NotificationTopic::OrderPlaced,
            text: "New order ORD-1.".into(),
            order_id: OrderId(Uuid::from_u128(2)),
            order_code: "ORD-1".into(),
            delivery_id: None,
            bundled: true,
        };
        let ways = Ways {
            mail,
            push: Progress::None,
            in_app: true,
        };
        let id = NotificationId(Uuid::from_u128(3));
        Notification::make(id, news, OffsetDateTime::UNIX_EPOCH, None, ways).0
    }

    #[test]
    fn it_leaves_or_fails_once_by_each_way() {
        for (mail, sent, failed) in [
            (Progress::Waiting, vec!["sent"], vec!["failed"]),
            (Progress::None, vec![], vec![]),
            (Progress::Sent, vec![], vec![]),
            (Progress::Failed, vec![], vec![]),
        ] {
            let names = |events: Vec<_>| events.iter().map(Event::name).collect::<Vec<_>>();
            let mut one = notification(mail);
            assert_eq!(names(one.sent(Channel::Mail)), sent, "{mail:?}");
            assert!(one.sent(Channel::Push).is_empty());
            let mut one = notification(mail);
            let events = one.failed(Channel::Mail, "The mailbox does not exist.");
            assert_eq!(names(events), failed, "{mail:?}");
        }
    }

    #[test]
    fn old_and_replayed_news_goes_nowhere_and_fresh_news_where_it_is_wanted() {
        use Progress::{None, Waiting};
        let at = OffsetDateTime::UNIX_EPOCH;
        let all = Preferences {
            mail: true,
            push: true,
            in_app: true,
        };
        let no_mail = Preferences { mail: false, ..all };
        let no_push = Preferences { push: false, ..all };
        for (wishes, age, replayed, mail, push) in [
            (all, Duration::ZERO, false, Waiting, Waiting),
            (all, Duration::hours(6), false, Waiting, Waiting),
            (all, Duration::hours(7), false, None, None),
            (all, Duration::ZERO, true, None, None),
            (no_mail, Duration::ZERO, false, None, Waiting),
            (no_push, Duration::ZERO, false, Waiting, None),
        ] {
            let ways = Ways::due(wishes, at, at + age, replayed);
            assert_eq!(
                (ways.mail, ways.push),
                (mail, push),
                "{wishes:?} {age} {replayed}"
            );
            assert!(ways.in_app);
        }
    }
}
