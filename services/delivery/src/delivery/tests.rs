use time::macros::datetime;
use uuid::Uuid;

use super::*;

const NOW: OffsetDateTime = datetime!(2026-11-21 12:00 UTC);
const LATER: OffsetDateTime = datetime!(2026-11-21 12:45 UTC);
const DRIVER: UserId = UserId(Uuid::from_u128(7));
const OTHER: UserId = UserId(Uuid::from_u128(8));

/// A driver whose vehicle is unknown.
fn unknown(id: UserId) -> AssignedDriver {
    AssignedDriver { id, vehicle: None }
}

fn order() -> Order {
    Order {
        id: OrderId(Uuid::from_u128(1)),
        code: "ORD-7K3M9QX2".to_owned(),
        checkout_id: None,
        customer_id: UserId(Uuid::from_u128(3)),
        owner_id: UserId(Uuid::from_u128(5)),
        restaurant_id: RestaurantId(Uuid::from_u128(4)),
        item_name: "Cheese kottu".to_owned(),
        image: None,
        quantity: 2,
        price: Money::from_cents(95_000),
        total: Money::from_cents(190_000),
        address: "12 Galle Road, Colombo 3".to_owned(),
        destination: None,
        is_cancelled: false,
    }
}

fn delivery(status: DeliveryStatus, cancelled_at: Option<OffsetDateTime>) -> Delivery {
    let new = Delivery::of(
        &order(),
        DeliveryId(Uuid::from_u128(2)),
        unknown(DRIVER),
        NOW + DELIVERY_TIME,
        NOW,
    )
    .unwrap();
    Delivery {
        status,
        cancelled_at,
        ..new
    }
}

/// The events by name, or the refusal.
fn outcome(transition: Transition) -> Result<Vec<&'static str>, Refusal> {
    transition.map(|events| events.iter().map(tiffin_events::Event::name).collect())
}

#[test]
fn a_delivery_starts_assigned_and_under_way() {
    let order = order();
    let delivery = delivery(DeliveryStatus::PickedUp, None);
    assert_eq!(
        delivery.audience().users,
        [order.customer_id, order.owner_id, DRIVER]
    );
    assert_eq!(
        (delivery.audience().driver, delivery.audience().active),
        (Some(DRIVER), true)
    );
    let DeliveryEvent::Created(created) = delivery.created(&order) else {
        panic!("it is created")
    };
    assert_eq!(created.delivery.driver_id, DRIVER);
    assert_eq!(created.estimated_time, datetime!(2026-11-21 12:30 UTC));
}

#[test]
fn a_cancelled_order_gets_no_delivery() {
    let order = Order {
        is_cancelled: true,
        ..order()
    };
    let made = Delivery::of(
        &order,
        DeliveryId(Uuid::from_u128(2)),
        unknown(DRIVER),
        NOW,
        NOW,
    );
    assert_eq!(made, Err(Refusal::OrderCancelled));
}

#[test]
fn any_of_the_three_statuses_may_follow_any_other_and_delivered_ends_it() {
    use DeliveryStatus::{Delivered, OnTheWay, PickedUp};
    for (from, to, event) in [
        (PickedUp, OnTheWay, "on_the_way"),
        (PickedUp, Delivered, "delivered"),
        (OnTheWay, PickedUp, "picked_up"),
        (OnTheWay, Delivered, "delivered"),
        (Delivered, OnTheWay, "on_the_way"),
        (Delivered, PickedUp, "picked_up"),
    ] {
        let mut changed = delivery(from, None);
        assert_eq!(
            outcome(changed.set_status(to, NOW)),
            Ok(vec![event]),
            "{from:?} to {to:?}"
        );
        assert_eq!(
            outcome(changed.set_status(to, NOW)),
            Ok(vec![]),
            "{to:?} again"
        );
        assert_eq!(changed.is_under_way(), to != Delivered);
        let mut cancelled = delivery(from, Some(NOW));
        assert_eq!(
            outcome(cancelled.set_status(to, NOW)),
            Err(Refusal::OrderCancelled)
        );
        assert_eq!(cancelled.status, from);
    }
}

#[test]
fn another_confirmation_brings_another_driver_or_another_time() {
    use DeliveryStatus::{Delivered, OnTheWay, PickedUp};
    for (status, cancelled, driver, time, expected, after) in [
        (
            PickedUp,
            None,
            DRIVER,
            NOW + DELIVERY_TIME,
            vec![],
            PickedUp,
        ),
        (PickedUp, None, DRIVER, LATER, vec!["reassigned"], PickedUp),
        (OnTheWay, None, DRIVER, LATER, vec!["reassigned"], OnTheWay),
        (OnTheWay, None, OTHER, LATER, vec!["reassigned"], PickedUp),
        (Delivered, None, DRIVER, LATER, vec![], Delivered),
        (Delivered, None, OTHER, LATER, vec!["reassigned"], PickedUp),
        (PickedUp, Some(NOW), OTHER, LATER, vec![], PickedUp),
    ] {
        let mut delivery = delivery(status, cancelled);
        assert_eq!(
            outcome(Ok(delivery.reassign(unknown(driver), time, NOW))),
            Ok(expected),
            "{status:?} {driver}"
        );
        assert_eq!(delivery.status, after);
    }
}

#[test]
fn a_cancelled_order_ends_a_delivery_that_has_not_set_out() {
    use DeliveryStatus::{Delivered, OnTheWay, PickedUp};
    for (status, expected, again) in [
        (PickedUp, vec!["cancelled"], vec![]),
        (OnTheWay, vec!["cancel_refused"], vec!["cancel_refused"]),
        (Delivered, vec!["cancel_refused"], vec!["cancel_refused"]),
    ] {
        let mut delivery = delivery(status, None);
        let was_active = delivery.is_under_way();
        assert_eq!(
            outcome(Ok(delivery.cancel(NOW))),
            Ok(expected),
            "{status:?}"
        );
        assert_eq!(
            outcome(Ok(delivery.cancel(NOW))),
            Ok(again),
            "{status:?} again"
        );
        let is_active = was_active && status != PickedUp;
        assert_eq!(delivery.audience().active, is_active);
    }
}

#[test]
fn a_delivery_follows_its_owner_to_the_door_and_back() {
    use DeliveryStatus::{Delivered, OnTheWay, PickedUp};
    for (status, cancelled, order, expected, after) in [
        (
            PickedUp,
            None,
            OrderStatus::Delivered,
            vec!["delivered"],
            Delivered,
        ),
        (
            OnTheWay,
            None,
            OrderStatus::Delivered,
            vec!["delivered"],
            Delivered,
        ),
        (Delivered, None, OrderStatus::Delivered, vec![], Delivered),
        (
            PickedUp,
            Some(NOW),
            OrderStatus::Delivered,
            vec![],
            PickedUp,
        ),
        (
            Delivered,
            None,
            OrderStatus::Dispatched,
            vec!["on_the_way"],
            OnTheWay,
        ),
        (
            Delivered,
            None,
            OrderStatus::Preparing,
            vec!["picked_up"],
            PickedUp,
        ),
        (OnTheWay, None, OrderStatus::Preparing, vec![], OnTheWay),
    ] {
        let mut delivery = delivery(status, cancelled);
        assert_eq!(
            outcome(Ok(delivery.follow_order(order, NOW))),
            Ok(expected),
            "{status:?} {order:?}"
        );
        assert_eq!(delivery.status, after);
    }
}
