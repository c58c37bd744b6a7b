use tiffin_events::order::CancelReason;
use time::macros::datetime;
use uuid::Uuid;

use super::*;

mod deadline;

const NOW: OffsetDateTime = datetime!(2026-11-21 12:00 UTC);
const DRIVER: UserId = UserId(Uuid::from_u128(7));
const OTHER: UserId = UserId(Uuid::from_u128(8));

fn on_bike(id: UserId) -> AssignedDriver {
    AssignedDriver {
        id,
        vehicle: Some(VehicleType::Bike),
    }
}

fn order(status: OrderStatus, driver_id: Option<UserId>) -> Order {
    Order {
        id: OrderId(Uuid::from_u128(1)),
        code: OrderCode::from_bits(1),
        checkout_id: CheckoutId(Uuid::from_u128(2)),
        customer_id: UserId(Uuid::from_u128(3)),
        restaurant_id: RestaurantId(Uuid::from_u128(4)),
        owner_id: UserId(Uuid::from_u128(5)),
        driver_id,
        item_id: ItemId(Uuid::from_u128(6)),
        item_name: "Cheese kottu".to_owned(),
        image: None,
        note: None,
        quantity: 2,
        price: Money::from_cents(95_000),
        total: Money::from_cents(190_000),
        address: "12 Galle Road, Colombo 3".to_owned(),
        destination: None,
        status,
        approved: false,
        estimated_time: None,
        created_at: NOW,
        deadline: None,
        confirmed_at: None,
        delivered_at: None,
        deleted_at: None,
        cancellation: None,
        sequence: 1,
    }
}

fn by(by: Side) -> Cancellation {
    Cancellation {
        by,
        reason: None,
        note: None,
    }
}

/// The events by name, or the refusal.
fn outcome(transition: Transition) -> Result<Vec<&'static str>, Refusal> {
    transition.map(|events| events.iter().map(tiffin_events::Event::name).collect())
}

#[test]
fn any_of_the_five_statuses_may_follow_any_other() {
    use OrderStatus::{Confirmed, Delivered, Dispatched, Pending, Preparing};
    let statuses = [Pending, Confirmed, Preparing, Dispatched, Delivered];
    // A row is where it was, a column where it goes; "" is nothing new.
    let events = [
        ["", "confirmed", "preparing", "dispatched", "delivered"],
        ["reopened", "", "preparing", "dispatched", "delivered"],
        ["reopened", "reopened", "", "dispatched", "delivered"],
        ["reopened", "reopened", "reopened", "", "delivered"],
        ["reopened", "reopened", "reopened", "reopened", ""],
    ];
    for (from, row) in statuses.into_iter().zip(events) {
        for (to, event) in statuses.into_iter().zip(row) {
            let mut order = order(from, Some(DRIVER));
            let expected: Vec<_> = Some(event)
                .filter(|event| !event.is_empty())
                .into_iter()
                .collect();
            assert_eq!(
                outcome(order.set_status(to, Some(on_bike(DRIVER)), NOW)),
                Ok(expected),
                "{from:?} to {to:?}"
            );
            assert_eq!(order.status, to);
            assert_eq!(
                outcome(order.set_status(to, Some(on_bike(DRIVER)), NOW)),
                Ok(vec![]),
                "{to:?} again"
            );
        }
    }
}

#[test]
fn it_remembers_when_it_was_first_taken_and_when_it_was_brought() {
    use OrderStatus::{Confirmed, Delivered, Pending};
    let mut order = order(Pending, None);
    let at = |minutes| NOW + Duration::minutes(minutes);
    order
        .set_status(Confirmed, Some(on_bike(DRIVER)), at(3))
        .unwrap();
    order.set_status(Pending, None, at(4)).unwrap();
    order
        .set_status(Confirmed, Some(on_bike(OTHER)), at(5))
        .unwrap();
    assert_eq!(
        (order.confirmed_at, order.delivered_at),
        (Some(at(3)), None)
    );
    order.set_status(Delivered, None, at(30)).unwrap();
    assert_eq!(order.delivered_at, Some(at(30)));
    order.set_status(Pending, None, at(31)).unwrap();
    assert_eq!(
        (order.confirmed_at, order.delivered_at),
        (Some(at(3)), None)
    );
}

#[test]
fn confirming_takes_a_driver_given_now_or_before() {
    use OrderStatus::{Confirmed, Delivered, Pending};
    for (status, assigned, given, expected) in [
        (Pending, None, None, Err(Refusal::NoDriver)),
        (Pending, None, Some(DRIVER), Ok(vec!["confirmed"])),
        (Pending, Some(DRIVER), None, Ok(vec!["confirmed"])),
        (Confirmed, Some(DRIVER), Some(DRIVER), Ok(vec![])),
        (Confirmed, Some(DRIVER), None, Ok(vec![])),
        (Confirmed, Some(DRIVER), Some(OTHER), Ok(vec!["confirmed"])),
        (Delivered, Some(DRIVER), Some(OTHER), Ok(vec!["confirmed"])),
    ] {
        let mut order = order(status, assigned);
        let before = order.clone();
        assert_eq!(
            outcome(order.set_status(Confirmed, given.map(on_bike), NOW)),
            expected,
            "{status:?} {assigned:?} {given:?}"
        );
        if expected.is_err() {
            assert_eq!(order, before, "a refusal changes nothing");
        }
    }
}

#[test]
fn confirmation_names_the_driver_and_promises_half_an_hour() {
    let mut order = order(OrderStatus::Pending, None);
    let events = order
        .set_status(OrderStatus::Confirmed, Some(on_bike(DRIVER)), NOW)
        .unwrap();
    let [OrderEvent::Confirmed(confirmed)] = events.as_slice() else {
        panic!("{events:?}")
    };
    assert_eq!(confirmed.assigned_driver, DRIVER);
    assert_eq!(confirmed.order.driver_id, Some(DRIVER));
    assert_eq!(confirmed.estimated_time, datetime!(2026-11-21 12:30 UTC));
    assert_eq!(
        order.audience().users,
        [order.customer_id, order.owner_id, DRIVER]
    );
}

#[test]
fn a_cancelled_order_never_comes_back() {
    for to in OrderStatus::ALL
        .into_iter()
        .filter(|to| *to != OrderStatus::Cancelled)
    {
        let mut order = order(OrderStatus::Cancelled, Some(DRIVER));
        assert_eq!(
            outcome(order.set_status(to, Some(on_bike(DRIVER)), NOW)),
            Err(Refusal::Cancelled),
            "{to:?}"
        );
        assert_eq!(
            outcome(Ok(order.apply_delivery_status(to, DRIVER, NOW))),
            Ok(vec![]),
            "{to:?}"
        );
        assert_eq!(order.status, OrderStatus::Cancelled);
    }
}

#[test]
fn cancelled_is_not_a_status_to_set() {
    let mut order = order(OrderStatus::Pending, None);
    assert_eq!(
        outcome(order.set_status(OrderStatus::Cancelled, None, NOW)),
        Err(Refusal::CancelInstead)
    );
    assert_eq!(order.status, OrderStatus::Pending);
}

#[test]
fn a_customer_may_cancel_while_pending_and_staff_until_it_is_on_the_way() {
    use OrderStatus::{Cancelled, Confirmed, Delivered, Dispatched, Pending, Preparing};
    use Side::{Administrator, Customer, Restaurant};
    for (status, side, has_left, expected) in [
        (Pending, Customer, false, Ok(vec!["cancelled"])),
        (Pending, Customer, true, Err(Refusal::OnItsWay)),
        (Confirmed, Customer, false, Err(Refusal::Taken)),
        (Preparing, Customer, false, Err(Refusal::Taken)),
        (Confirmed, Restaurant, false, Ok(vec!["cancelled"])),
        (Preparing, Administrator, false, Ok(vec!["cancelled"])),
        (Preparing, Restaurant, true, Err(Refusal::OnItsWay)),
        (Dispatched, Restaurant, false, Err(Refusal::OnItsWay)),
        (Delivered, Restaurant, false, Err(Refusal::OnItsWay)),
        (Cancelled, Customer, false, Ok(vec![])),
    ] {
        let mut order = order(status, None);
        order.driver_id = Some(DRIVER);
        assert_eq!(
            outcome(order.cancel(by(side), has_left)),
            expected,
            "{status:?} by {side:?}"
        );
        if expected.is_ok() {
            assert!(!order.audience().active);
        } else {
            assert_eq!(order.cancellation, None);
        }
    }
}

#[test]
fn a_cancellation_has_its_reason_in_the_event_and_in_the_order() {
    let mut order = order(OrderStatus::Confirmed, Some(DRIVER));
    let sold_out = Cancellation {
        by: Side::Restaurant,
        reason: Some(CancelReason::SoldOut),
        note: Some("No rice today.".to_owned()),
    };
    let events = order.cancel(sold_out.clone(), false).unwrap();
    let [OrderEvent::Cancelled(event)] = events.as_slice() else {
        panic!("{events:?}")
    };
    assert_eq!(event.by, Side::Restaurant.account());
    assert_eq!(event.reason, Some(CancelReason::SoldOut));
    assert_eq!(event.note.as_deref(), Some("No rice today."));
    assert_eq!(order.cancellation, Some(sold_out.clone()));
    // The first cancellation stays.
    assert_eq!(
        outcome(order.cancel(by(Side::Administrator), false)),
        Ok(vec![])
    );
    assert_eq!(order.cancellation, Some(sold_out));
    order.restore(OrderStatus::Dispatched, NOW);
    assert_eq!(order.cancellation, None);
}

#[test]
fn an_order_follows_its_delivery_forward_only() {
    use OrderStatus::{Confirmed, Delivered, Dispatched, Pending};
    for (status, to, expected) in [
        (Pending, Dispatched, vec!["dispatched"]),
        (Confirmed, Dispatched, vec!["dispatched"]),
        (Dispatched, Dispatched, vec![]),
        (Delivered, Dispatched, vec![]),
        (Confirmed, Delivered, vec!["delivered"]),
        (Dispatched, Delivered, vec!["delivered"]),
    ] {
        let mut order = order(status, Some(DRIVER));
        assert_eq!(
            outcome(Ok(order.apply_delivery_status(to, DRIVER, NOW))),
            Ok(expected),
            "{status:?} to {to:?}"
        );
    }
}

#[test]
fn an_order_follows_its_current_driver() {
    use OrderStatus::{Confirmed, Dispatched, Pending};
    for (status, assigned, expected) in [
        (Pending, None, vec!["dispatched"]),
        (Confirmed, Some(DRIVER), vec!["dispatched"]),
        (Confirmed, Some(OTHER), vec![]),
    ] {
        let mut order = order(status, assigned);
        assert_eq!(
            outcome(Ok(order.apply_delivery_status(Dispatched, DRIVER, NOW))),
            Ok(expected),
            "{assigned:?}"
        );
    }
}

#[test]
fn approval_is_given_once_and_leaves_the_status_alone() {
    let mut order = order(OrderStatus::Pending, None);
    assert_eq!(outcome(order.approve()), Ok(vec!["approved"]));
    assert_eq!(outcome(order.approve()), Ok(vec![]));
    assert_eq!(order.status, OrderStatus::Pending);
}

#[test]
fn an_order_can_be_deleted_until_it_sets_out_or_is_paid() {
    use OrderStatus::{Cancelled, Confirmed, Delivered, Dispatched, Pending};
    for (status, has_left, is_paid, expected) in [
        (Pending, false, false, Ok(vec!["deleted"])),
        (Pending, false, true, Err(Refusal::Paid)),
        (Confirmed, false, false, Ok(vec!["deleted"])),
        (Confirmed, true, false, Err(Refusal::KeptForDelivery)),
        (Cancelled, false, false, Ok(vec!["deleted"])),
        (Cancelled, false, true, Ok(vec!["deleted"])),
        (Dispatched, false, false, Err(Refusal::KeptForDelivery)),
        (Delivered, false, true, Err(Refusal::KeptForDelivery)),
    ] {
        let mut order = order(status, Some(DRIVER));
        assert_eq!(
            outcome(order.delete(has_left, is_paid, NOW)),
            expected,
            "{status:?}"
        );
        if expected.is_ok() {
            assert_eq!(
                outcome(order.set_status(Pending, None, NOW)),
                Err(Refusal::NotFound)
            );
            assert_eq!(
                outcome(order.cancel(by(Side::Restaurant), false)),
                Err(Refusal::NotFound)
            );
            assert!(!order.audience().active);
        }
    }
}
