use tiffin_events::{Event, suggestion::SuggestionReason};
use time::macros::datetime;
use uuid::Uuid;

use super::*;

const NOW: OffsetDateTime = datetime!(2026-11-26 12:00 UTC);
const FIRST: UserId = UserId(Uuid::from_u128(7));
const SECOND: UserId = UserId(Uuid::from_u128(8));

fn suggestion() -> Suggestion {
    Suggestion {
        id: SuggestionId(Uuid::from_u128(1)),
        order_id: OrderId(Uuid::from_u128(2)),
        order_code: "ORD-7K3M9QX2".to_owned(),
        owner_id: UserId(Uuid::from_u128(3)),
        restaurant_id: RestaurantId(Uuid::from_u128(4)),
        drivers: Vec::new(),
        declined: Vec::new(),
        picked: None,
        sequence: 0,
    }
}

fn drivers(ids: &[UserId]) -> Vec<SuggestedDriverV1> {
    let driver = |id: &UserId| SuggestedDriverV1 {
        driver_id: *id,
        minutes: 20,
        reason: SuggestionReason::Free,
    };
    ids.iter().map(driver).collect()
}

fn names(events: &[SuggestionEvent]) -> Vec<&'static str> {
    events.iter().map(Event::name).collect()
}

fn at(driver: UserId) -> Pick {
    Pick { driver, at: NOW }
}

#[test]
fn other_drivers_or_another_order_of_them_is_an_event_and_the_same_is_not() {
    let mut suggestion = suggestion();
    for (ids, expected) in [
        (&[][..], &[][..]),
        (&[FIRST, SECOND], &["made"]),
        (&[FIRST, SECOND], &[]),
        (&[SECOND, FIRST], &["made"]),
        (&[], &["made"]),
    ] {
        assert_eq!(names(&suggestion.suggest(drivers(ids))), expected);
    }
}

#[test]
fn a_pick_says_the_rank_and_a_driver_of_the_list_has_none() {
    let mut suggestion = suggestion();
    suggestion.suggest(drivers(&[FIRST]));
    for (driver, rank) in [(FIRST, Some(1)), (SECOND, None)] {
        let events = suggestion.pick(at(driver), false, false).unwrap();
        let [SuggestionEvent::Picked(picked)] = &*events else {
            panic!("{events:?}")
        };
        assert_eq!((picked.rank, picked.knowingly), (rank, false));
    }
    let again = suggestion.pick(at(SECOND), false, false).unwrap();
    assert!(again.is_empty(), "{again:?}");
}

#[test]
fn a_driver_whom_another_restaurant_picked_is_picked_knowingly_or_not_at_all() {
    let mut suggestion = suggestion();
    let before = suggestion.clone();
    assert_eq!(
        suggestion.pick(at(FIRST), true, false),
        Err(NotPicked::Taken)
    );
    assert_eq!(suggestion, before);
    let events = suggestion.pick(at(FIRST), true, true).unwrap();
    assert!(
        matches!(&*events, [SuggestionEvent::Picked(picked)] if picked.knowingly),
        "{events:?}"
    );
}

#[test]
fn a_driver_declines_once_until_they_are_picked_again() {
    let mut suggestion = suggestion();
    suggestion.pick(at(FIRST), false, false).unwrap();
    let delivery = DeliveryId(Uuid::from_u128(5));
    assert_eq!(names(&suggestion.decline(FIRST, delivery)), ["declined"]);
    assert!(suggestion.decline(FIRST, delivery).is_empty());
    assert_eq!(suggestion.picked, None);
    let events = suggestion.pick(at(FIRST), false, false).unwrap();
    assert_eq!(names(&events), ["picked"]);
    assert_eq!(names(&suggestion.decline(FIRST, delivery)), ["declined"]);
}
