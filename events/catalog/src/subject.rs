//! Every subject that Tiffin uses, as functions, and the parts of an event's subject and type. Nothing formats
//! or splits them anywhere else.

use uuid::Uuid;

use crate::{DeliveryId, OrderId, Role, UserId, audience};

/// The subject of a stored event: `tiffin.<aggregate>.<aggregate id>.<event>`.
pub fn event(aggregate: &str, id: Uuid, event: &str) -> String {
    format!("tiffin.{aggregate}.{id}.{event}")
}

/// The parts of `tiffin.<aggregate>.<aggregate id>.<event>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subject<'a> {
    pub aggregate: &'a str,
    pub id: Uuid,
    /// The event; empty in the subject of a position, and the device's time in that of a late one.
    pub event: &'a str,
}

impl<'a> Subject<'a> {
    /// Reads the subject of an event or a position; `None` if it is another one.
    pub fn parse(subject: &'a str) -> Option<Self> {
        let (aggregate, rest) = subject.strip_prefix("tiffin.")?.split_once('.')?;
        let (id, event) = rest.split_once('.').unwrap_or((rest, ""));
        Some(Self {
            aggregate,
            id: id.parse().ok()?,
            event,
        })
    }
}

/// The parts of an event's type, `tiffin.<aggregate>.<event>.<version>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventType<'a> {
    pub aggregate: &'a str,
    pub event: &'a str,
}

impl<'a> EventType<'a> {
    /// Reads a type. Parts that it lacks are empty: no event has an empty name.
    pub fn parse(kind: &'a str) -> Self {
        let mut parts = kind.split('.').skip(1);
        Self {
            aggregate: parts.next().unwrap_or_default(),
            event: parts.next().unwrap_or_default(),
        }
    }
}

/// Every event of one kind of aggregate.
pub fn every(aggregate: &str) -> String {
    format!("tiffin.{aggregate}.*.*")
}

/// True if a subject is [`every`] event of that kind of aggregate.
pub fn is_every(subject: &str, aggregate: &str) -> bool {
    let inner = subject
        .strip_prefix("tiffin.")
        .and_then(|rest| rest.strip_suffix(".*.*"));
    inner == Some(aggregate)
}

/// One kind of event of every aggregate of a kind.
pub fn every_event(aggregate: &str, event: &str) -> String {
    format!("tiffin.{aggregate}.*.{event}")
}

/// Every event of one aggregate.
pub fn every_of(aggregate: &str, id: Uuid) -> String {
    format!("tiffin.{aggregate}.{id}.*")
}

/// A delivery's positions.
pub fn position(id: DeliveryId) -> String {
    format!("tiffin.position.{id}")
}

/// One position that came late, by the device's time in milliseconds since 1970. The broker keeps one of a subject, so
/// a repeated position finds its subject taken.
pub fn late_position(id: DeliveryId, milliseconds: i64) -> String {
    format!("tiffin.position.{id}.{milliseconds}")
}

/// Every position of one delivery that came late.
pub fn late_positions(id: DeliveryId) -> String {
    format!("tiffin.position.{id}.*")
}

/// True for the subject of an entry of the audience bucket.
pub fn is_audience(subject: &str) -> bool {
    let mut parts = subject.splitn(3, '.');
    parts.next() == Some("$KV") && parts.next() == Some(audience::BUCKET)
}

/// The subject at which a service reports the progress of its outbox and consumers to other services.
pub fn status(service: &str) -> String {
    format!("standing.{service}")
}

/// The subject of a consumer's dead letters.
pub fn dead(consumer: &str) -> String {
    format!("tiffin.dead.{consumer}")
}

/// The stream subject behind a key of the audience bucket.
pub fn audience(key: &str) -> String {
    format!("$KV.{}.{key}", audience::BUCKET)
}

/// The subject that ends a user's tokens.
pub fn revocation(id: UserId) -> String {
    format!("revocation.user.{id}")
}

/// An order's events as the broker repeats them once they are stored, with their stream sequence.
pub fn live_order(id: OrderId) -> String {
    format!("live.order.{id}.*")
}

/// A delivery's events as the broker repeats them once they are stored, with their stream sequence.
pub fn live_delivery(id: DeliveryId) -> String {
    format!("live.delivery.{id}.*")
}

/// The subject of a user's hints: events whose audience names them, sent by the relay.
pub fn hint(id: UserId) -> String {
    format!("feed.{id}")
}

/// The subject of a role's hints: of the events that [`Role::gets_hints_of`], sent by the relay.
pub fn role_hint(role: Role) -> String {
    format!("feed.role.{role}")
}

/// The subject of operators' commands to a service.
pub fn control(service: &str) -> String {
    format!("control.{service}")
}

/// The subject at which a service answers with what it holds about an account. Only the user service may ask.
pub fn personal(service: &str) -> String {
    format!("personal.{service}")
}

/// The subject at which the user service answers with the keys of personal fields.
pub const PERSONAL_KEYS: &str = "keys.personal";

/// The subject of an operation's progress and of a live replay's events.
pub fn operation(id: Uuid) -> String {
    format!("replay.{id}")
}

/// Every delivery's positions.
pub const EVERY_POSITION: &str = "tiffin.position.*";

/// The delivery whose positions are published on this subject.
pub fn delivery_of_position(subject: &str) -> Option<DeliveryId> {
    let id = subject.strip_prefix("tiffin.position.")?;
    id.parse().ok().map(DeliveryId)
}

/// The part of a subject that all subjects of its aggregate share: `tiffin.order` of
/// `tiffin.order.<id>.placed`. Subjects of one family are kept in one stream.
pub fn family(subject: &str) -> &str {
    let end = subject
        .match_indices('.')
        .nth(1)
        .map_or(subject.len(), |(at, _)| at);
    &subject[..end]
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::{EventType, Subject};

    #[test]
    fn event_types_are_distinguished() {
        let subject = super::every("order");
        assert!(super::is_every(&subject, "order"));
        assert!(!super::is_every(&subject, "orders"));
        assert!(!super::is_every("tiffin.order.*.placed", "order"));
    }

    #[test]
    fn an_events_subject_comes_apart_as_it_was_put_together() {
        let id = Uuid::from_u128(7);
        let subject = super::event("order", id, "cancel_refused");
        let parts = Subject {
            aggregate: "order",
            id,
            event: "cancel_refused",
        };
        assert_eq!(Subject::parse(&subject), Some(parts));
        let position = super::position(crate::DeliveryId(id));
        assert_eq!(
            Subject::parse(&position).map(|it| (it.id, it.event)),
            Some((id, ""))
        );
        for other in [
            "",
            "tiffin.order",
            "tiffin.order.7.placed",
            "$KV.audience.order.7",
        ] {
            assert_eq!(Subject::parse(other), None, "{other}");
        }
    }

    #[test]
    fn the_type_of_every_event_names_its_aggregate_and_event() {
        for entry in crate::catalogue::entries() {
            let EventType { aggregate, event } = EventType::parse(entry.kind);
            assert!(
                entry
                    .kind
                    .starts_with(&format!("tiffin.{aggregate}.{event}.v"))
            );
            assert!(!event.is_empty(), "{}", entry.kind);
        }
        let nothing = EventType {
            aggregate: "",
            event: "",
        };
        assert_eq!(EventType::parse("tiffin"), nothing);
    }

    #[test]
    fn a_family_is_the_first_two_words() {
        assert_eq!(super::family("tiffin.order.1.placed"), "tiffin.order");
        assert_eq!(super::family("$KV.audience.order.1"), "$KV.audience");
        assert_eq!(super::family("tiffin"), "tiffin");
    }

    #[test]
    fn the_subject_of_a_position_names_its_delivery() {
        let id = crate::DeliveryId(uuid::Uuid::from_u128(7));
        let subject = super::position(id);
        assert_eq!(super::delivery_of_position(&subject), Some(id));
        assert_eq!(super::delivery_of_position("tiffin.position.7"), None);
        assert_eq!(super::delivery_of_position("tiffin.order.7"), None);
    }
}
