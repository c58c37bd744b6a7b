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
    /// The sequence of its last event.
    pub sequence: i64,
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
    /// The notification that includes it.
    pub bundle: Option<NotificationId>,
    pub channels: Channels,
}

/// The state of a notification on each channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Channels {
    pub mail: ChannelState,
    pub push: ChannelState,
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
pub enum ChannelState {
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

impl ChannelState {
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
        Self::ALL.into_iter().find(|state| state.as_str() == text)
    }

    const fn waiting(wanted: bool) -> Self {
        if wanted { Self::Waiting } else { Self::None }
    }
}

impl Channels {
    /// The channels for an event of the time `at`. Old and replayed events are only listed, because neither mail
    /// nor push must be repeated.
    pub fn due(
        preferences: Preferences,
        at: OffsetDateTime,
        now: OffsetDateTime,
        replayed: bool,
    ) -> Self {
        let is_fresh = !replayed && is_fresh(at, now);
        Self {
            mail: ChannelState::waiting(is_fresh && preferences.mail),
            push: ChannelState::waiting(is_fresh && preferences.push),
            in_app: preferences.in_app,
        }
    }
}

impl Channels {
    /// The channels of a notification for a second contact, who has no account: mail alone.
    pub fn only_mail(at: OffsetDateTime, now: OffsetDateTime, replayed: bool) -> Self {
        let preferences = Preferences {
            mail: true,
            push: false,
            in_app: false,
        };
        Self::due(preferences, at, now, replayed)
    }

    /// None: another notification includes it.
    pub const fn nowhere() -> Self {
        Self {
            mail: ChannelState::None,
            push: ChannelState::None,
            in_app: false,
        }
    }

    /// The same without mail and push.
    #[must_use]
    pub fn only_in_app(self) -> Self {
        Self {
            mail: ChannelState::None,
            push: ChannelState::None,
            ..self
        }
    }
}

fn is_fresh(at: OffsetDateTime, now: OffsetDateTime) -> bool {
    now - at <= STALE_AFTER
}

impl Notification {
    /// True if its reader's open browsers show it at once, or the one that includes it.
    pub fn is_fresh(&self, now: OffsetDateTime) -> bool {
        (self.channels.in_app || self.bundle.is_some()) && is_fresh(self.at, now)
    }

    /// Creates a notification and its event.
    pub fn make(
        id: NotificationId,
        draft: Draft,
        at: OffsetDateTime,
        source: Option<Uuid>,
        channels: Channels,
    ) -> (Self, NotificationEvent) {
        let Draft {
            user,
            topic,
            text,
            order_id,
            order_code,
            delivery_id,
            window: _,
        } = draft;
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
            sequence: 1,
            user,
            topic,
            text,
            order_id,
            order_code,
            delivery_id,
            read: false,
            at,
            source,
            bundle: None,
            channels,
        };
        (made, event)
    }

    /// Records that a channel has sent it.
    pub fn sent(&mut self, channel: Channel) -> Vec<NotificationEvent> {
        let (notification_id, user_id) = (self.id, self.user);
        let state = self.channel_state(channel);
        if *state != ChannelState::Waiting {
            return Vec::new();
        }
        *state = ChannelState::Sent;
        vec![NotificationEvent::Sent(NotificationSentV1 {
            notification_id,
            user_id,
            channel,
        })]
    }

    /// Records that a channel can't send it. `reason` is for operators and contains no names.
    pub fn failed(&mut self, channel: Channel, reason: &str) -> Vec<NotificationEvent> {
        let (notification_id, user_id) = (self.id, self.user);
        let state = self.channel_state(channel);
        if *state != ChannelState::Waiting {
            return Vec::new();
        }
        *state = ChannelState::Failed;
        vec![NotificationEvent::Failed(NotificationFailedV1 {
            notification_id,
            user_id,
            channel,
            reason: reason.to_owned(),
        })]
    }

    fn channel_state(&mut self, channel: Channel) -> &mut ChannelState {
        match channel {
            Channel::Mail => &mut self.channels.mail,
            Channel::Push => &mut self.channels.push,
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

    use super::{ChannelState, Channels, Notification, Preferences};
    use crate::drafts::Draft;

    fn notification(mail: ChannelState) -> Notification {
        let draft = Draft {
            user: UserId(Uuid::from_u128(1)),
            topic: NotificationTopic::OrderPlaced,
            text: "New order ORD-1.".into(),
            order_id: OrderId(Uuid::from_u128(2)),
            order_code: "ORD-1".into(),
            delivery_id: None,
            window: None,
        };
        let channels = Channels {
            mail,
            push: ChannelState::None,
            in_app: true,
        };
        let id = NotificationId(Uuid::from_u128(3));
        Notification::make(id, draft, OffsetDateTime::UNIX_EPOCH, None, channels).0
    }

    #[test]
    fn it_leaves_or_fails_once_by_each_way() {
        for (mail, sent, failed) in [
            (ChannelState::Waiting, vec!["sent"], vec!["failed"]),
            (ChannelState::None, vec![], vec![]),
            (ChannelState::Sent, vec![], vec![]),
            (ChannelState::Failed, vec![], vec![]),
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
        use ChannelState::{None, Waiting};
        let at = OffsetDateTime::UNIX_EPOCH;
        let all = Preferences {
            mail: true,
            push: true,
            in_app: true,
        };
        let no_mail = Preferences { mail: false, ..all };
        let no_push = Preferences { push: false, ..all };
        for (preferences, age, replayed, mail, push) in [
            (all, Duration::ZERO, false, Waiting, Waiting),
            (all, Duration::hours(6), false, Waiting, Waiting),
            (all, Duration::hours(7), false, None, None),
            (all, Duration::ZERO, true, None, None),
            (no_mail, Duration::ZERO, false, None, Waiting),
            (no_push, Duration::ZERO, false, Waiting, None),
        ] {
            let channels = Channels::due(preferences, at, at + age, replayed);
            assert_eq!(
                (channels.mail, channels.push),
                (mail, push),
                "{preferences:?} {age} {replayed}"
            );
            assert!(channels.in_app);
        }
    }
}
