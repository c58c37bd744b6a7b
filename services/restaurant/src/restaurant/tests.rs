use tiffin_events::Event;
use time::macros::datetime;
use uuid::Uuid;

use super::*;

const OWNER: UserId = UserId(Uuid::from_u128(1));
const OTHER: UserId = UserId(Uuid::from_u128(2));
const NOW: OffsetDateTime = datetime!(2026-11-21 09:00 UTC);

fn restaurant() -> Restaurant {
    let details = Details {
        name: "Galle Face Kitchen".to_owned(),
        address: "1 Galle Road".to_owned(),
        phone: "0112345678".to_owned(),
        description: "Kottu by the sea".to_owned(),
        images: vec!["/a.webp".to_owned()],
        place: None,
        answer_minutes: None,
    };
    Restaurant::create(RestaurantId(Uuid::from_u128(9)), OWNER, details, NOW)
}

fn names(transition: Transition) -> Result<Vec<&'static str>, Refusal> {
    transition.map(|events| events.iter().map(Event::name).collect())
}

#[test]
fn each_state_and_action_has_its_events() {
    type Action = fn(&mut Restaurant) -> Transition;
    let closed = || Restaurant {
        is_open: false,
        ..restaurant()
    };
    let verified = || Restaurant {
        verified: true,
        ..restaurant()
    };
    let cases: [(Restaurant, Action, &[&str]); 8] = [
        (closed(), |r| r.open(false), &["opened"]),
        (restaurant(), |r| r.open(false), &[]),
        (restaurant(), Restaurant::close, &["closed"]),
        (closed(), Restaurant::close, &[]),
        (restaurant(), Restaurant::verify, &["verified"]),
        (verified(), Restaurant::verify, &[]),
        (restaurant(), |r| r.update(DetailsChange::default()), &[]),
        (restaurant(), |r| r.delete(NOW), &["deleted"]),
    ];
    for (n, (mut restaurant, action, events)) in cases.into_iter().enumerate() {
        assert_eq!(names(action(&mut restaurant)).unwrap(), events, "case {n}");
    }
}

#[test]
fn a_new_one_takes_orders_and_is_not_verified() {
    let RestaurantEvent::Created(profile) = restaurant().created() else {
        panic!()
    };
    assert!(profile.is_open && !profile.verified);
}

#[test]
fn an_update_keeps_what_it_does_not_name_and_tells_the_whole() {
    let mut restaurant = restaurant();
    let change = DetailsChange {
        name: Some("Green Cabin".to_owned()),
        ..DetailsChange::default()
    };
    let events = restaurant.update(change.clone()).unwrap();
    let [RestaurantEvent::Updated(profile)] = &events[..] else {
        panic!("{events:?}")
    };
    assert_eq!(
        (profile.name.as_str(), profile.phone.as_str()),
        ("Green Cabin", "0112345678")
    );
    assert_eq!(restaurant.update(change).unwrap(), []);
}

#[test]
fn a_blocked_owners_restaurant_stays_closed() {
    let mut restaurant = Restaurant {
        is_open: false,
        ..restaurant()
    };
    assert_eq!(restaurant.open(true), Err(Refusal::OwnerBlocked));
    assert!(!restaurant.is_open);
}

#[test]
fn a_deleted_one_takes_nothing() {
    let mut gone = Restaurant {
        deleted_at: Some(NOW),
        ..restaurant()
    };
    assert_eq!(gone.open(false), Err(Refusal::NoRestaurant));
    assert_eq!(gone.close(), Err(Refusal::NoRestaurant));
    assert_eq!(gone.verify(), Err(Refusal::NoRestaurant));
    assert_eq!(
        gone.update(DetailsChange::default()),
        Err(Refusal::NoRestaurant)
    );
    assert_eq!(gone.delete(NOW), Err(Refusal::NoRestaurant));
    assert_eq!(
        gone.check_access(Actor {
            id: OWNER,
            role: Role::Restaurant
        }),
        Err(Refusal::NoRestaurant)
    );
}

#[test]
fn only_its_owner_and_administrators_command_it() {
    for (id, role, allowed) in [
        (OWNER, Role::Restaurant, true),
        (OTHER, Role::Restaurant, false),
        (OTHER, Role::Admin, true),
        (OWNER, Role::Customer, false),
        (OTHER, Role::Delivery, false),
    ] {
        assert_eq!(
            restaurant().check_access(Actor { id, role }).is_ok(),
            allowed,
            "{id} {role}"
        );
    }
}
