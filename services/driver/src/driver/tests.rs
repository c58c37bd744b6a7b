use tiffin_events::Event;
use time::macros::datetime;
use uuid::Uuid;

use super::*;

fn driver(is_available: bool) -> Driver {
    let id = UserId(Uuid::from_u128(1));
    let now = datetime!(2026-11-21 09:00 UTC);
    Driver {
        is_available,
        ..Driver::register(id, VehicleType::Bike, "901234567V".to_owned(), now)
    }
}

fn names(transition: Transition) -> Result<Vec<&'static str>, Refusal> {
    transition.map(|events| events.iter().map(Event::name).collect())
}

#[test]
fn each_state_and_change_has_its_events() {
    let availability = |is_available| DriverChange {
        is_available: Some(is_available),
        ..DriverChange::default()
    };
    let vehicle = |vehicle| DriverChange {
        vehicle_type: Some(vehicle),
        ..DriverChange::default()
    };
    let nic = |nic: &str| DriverChange {
        dr_nic: Some(nic.to_owned()),
        ..DriverChange::default()
    };
    let both = DriverChange {
        is_available: Some(true),
        ..vehicle(VehicleType::Van)
    };
    let cases: [(bool, DriverChange, &[&str]); 9] = [
        (false, DriverChange::default(), &[]),
        (false, availability(true), &["available"]),
        (true, availability(true), &[]),
        (true, availability(false), &["unavailable"]),
        (false, vehicle(VehicleType::Bike), &[]),
        (false, vehicle(VehicleType::Car), &["updated"]),
        (false, nic("901234567V"), &[]),
        (false, nic("199012345678"), &["updated"]),
        (false, both, &["updated", "available"]),
    ];
    for (is_available, change, events) in cases {
        let published = names(driver(is_available).update(change.clone(), false)).unwrap();
        assert_eq!(published, events, "{is_available} {change:?}");
    }
}

#[test]
fn a_blocked_driver_takes_no_deliveries_but_may_be_corrected() {
    let available = DriverChange {
        is_available: Some(true),
        ..DriverChange::default()
    };
    assert_eq!(driver(false).update(available, true), Err(Refusal::Blocked));
    let vehicle = DriverChange {
        vehicle_type: Some(VehicleType::Car),
        ..DriverChange::default()
    };
    assert_eq!(
        names(driver(false).update(vehicle, true)).unwrap(),
        ["updated"]
    );
    assert_eq!(
        names(Ok(driver(true).make_unavailable())).unwrap(),
        ["unavailable"]
    );
    assert_eq!(
        names(Ok(driver(false).make_unavailable())).unwrap(),
        [""; 0]
    );
}

#[test]
fn no_event_carries_the_identity_number() {
    let change = DriverChange {
        dr_nic: Some("199012345678".to_owned()),
        ..DriverChange::default()
    };
    let mut driver = driver(false);
    let events = [
        vec![driver.registered()],
        driver.update(change, false).unwrap(),
    ]
    .concat();
    for event in events {
        let data = event.data().unwrap().to_string();
        assert!(
            !data.contains("901234567V") && !data.contains("199012345678"),
            "{data}"
        );
    }
}

#[test]
fn a_new_driver_is_not_available_yet() {
    let DriverEvent::Registered(profile) = driver(false).registered() else {
        panic!()
    };
    assert!(!profile.is_available);
}
