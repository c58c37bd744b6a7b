use proptest::prelude::*;
use tiffin_events::{Coordinates, OrderId, UserId, driver::VehicleType};
use uuid::Uuid;

use super::*;

const STOP: f64 = 120.0;
const TRAVEL: AtSpeed = AtSpeed { speed: 5.0 };

/// A place some hundred metres north and east of the town's middle.
fn at(north: f64, east: f64) -> Coordinates {
    Coordinates {
        lat: 6.9271 + north / 1_112.0,
        lng: 79.8612 + east / 1_104.0,
    }
}

fn order(id: u128, restaurant: Coordinates, door: Coordinates, ready: f64) -> OpenOrder {
    OpenOrder {
        id: OrderId(Uuid::from_u128(id)),
        restaurant,
        door,
        ready,
        due: None,
    }
}

fn courier(id: u128, place: Option<Coordinates>, tour: Vec<Stop>) -> Courier {
    Courier {
        id: UserId(Uuid::from_u128(id)),
        place,
        vehicle: Some(VehicleType::Bike),
        leaves_in: 0.0,
        tour,
    }
}

fn fetch(id: u128, place: Coordinates, ready: f64) -> Stop {
    Stop {
        order: OrderId(Uuid::from_u128(id)),
        place,
        task: Task::Fetch { ready },
    }
}

fn bring(id: u128, place: Coordinates, due: Option<f64>) -> Stop {
    Stop {
        order: OrderId(Uuid::from_u128(id)),
        place,
        task: Task::Bring { due },
    }
}

#[test]
fn each_rank_has_its_reason() {
    let (restaurant, door) = (at(0.0, 0.0), at(10.0, 0.0));
    let free = courier(1, Some(at(1.0, 0.0)), vec![]);
    let bringing = courier(2, Some(at(0.0, 3.0)), vec![bring(7, at(0.0, 1.0), None)]);
    let same = [fetch(8, restaurant, 0.0), bring(8, at(9.5, 0.0), None)];
    let fetching = courier(3, Some(at(2.0, 0.0)), same.to_vec());
    let unseen = courier(4, None, vec![]);
    let far = courier(5, Some(at(-1.0, 0.0)), vec![bring(9, at(40.0, 0.0), None)]);
    let plans = rank(
        &[unseen, bringing, free, fetching, far],
        &order(1, restaurant, door, 0.0),
        &TRAVEL,
        STOP,
    );
    let reasons: Vec<_> = plans
        .iter()
        .map(|plan| (plan.driver.0.as_u128(), plan.reason))
        .collect();
    assert_eq!(
        reasons,
        [
            (1, Reason::Free),
            (3, Reason::SameRestaurant),
            (2, Reason::BringsFirst(OrderId(Uuid::from_u128(7)))),
            (5, Reason::OnTheWay),
            (4, Reason::PlaceUnknown),
        ]
    );
}

#[test]
fn while_the_kitchen_decides_the_driver_who_waits_least_is_first() {
    let near = courier(1, Some(at(1.0, 0.0)), vec![]);
    let further = courier(9, Some(at(9.0, 0.0)), vec![]);
    let order = order(1, at(0.0, 0.0), at(0.0, 5.0), 1_800.0);
    let plans = rank(&[near, further], &order, &TRAVEL, STOP);
    assert_eq!(plans[0].driver.0.as_u128(), 9);
    assert!((plans[0].door - plans[1].door).abs() < 1e-9);
}

#[test]
fn a_guess_is_first_only_if_it_is_much_earlier() {
    let order = order(1, at(0.0, 0.0), at(5.0, 0.0), 0.0);
    let unseen = courier(1, None, vec![]);
    let first = |distance| {
        let seen = courier(2, Some(at(0.0, distance)), vec![]);
        rank(&[unseen.clone(), seen], &order, &TRAVEL, STOP)[0].reason
    };
    // At five metres a second: 20 minutes later than the guess, then 10.
    assert_eq!(first(105.0), Reason::PlaceUnknown);
    assert_eq!(first(75.0), Reason::Free);
}

#[test]
fn a_promise_is_not_broken_for_another_order() {
    let (restaurant, far) = (at(0.0, 0.0), at(20.0, 0.0));
    let new = order(1, restaurant, at(1.0, 0.0), 0.0);
    let carried = |due| courier(1, Some(at(-0.5, 0.0)), vec![bring(7, far, due)]);
    let reason = |due| rank(&[carried(due)], &new, &TRAVEL, STOP)[0].reason;
    assert_eq!(reason(None), Reason::OnTheWay);
    let on_time = times(&carried(None), &TRAVEL, STOP)[0];
    assert_eq!(
        reason(Some(on_time + 60.0)),
        Reason::BringsFirst(OrderId(Uuid::from_u128(7)))
    );
}

fn places() -> impl Strategy<Value = Coordinates> {
    (-30.0..30.0, -30.0..30.0).prop_map(|(north, east)| at(north, east))
}

/// A tour of orders, each fetched before it is brought, or on the vehicle already.
fn tours() -> impl Strategy<Value = Vec<Stop>> {
    let one = (
        places(),
        places(),
        0.0..2_400.0,
        any::<bool>(),
        proptest::option::of(600.0..5_000.0),
    );
    (prop::collection::vec(one, 0..5), any::<u64>()).prop_map(|(orders, shuffle)| {
        let mut tour = Vec::new();
        let mut doors = Vec::new();
        for (index, (restaurant, door, ready, is_fetched, due)) in orders.into_iter().enumerate() {
            let id = 100 + index as u128;
            if !is_fetched {
                tour.push(fetch(id, restaurant, ready));
            }
            doors.push(bring(id, door, due));
            if shuffle >> index & 1 == 1 {
                tour.append(&mut doors);
            }
        }
        tour.append(&mut doors);
        tour
    })
}

proptest! {
    #[test]
    fn a_plan_is_never_worse_than_the_end_of_the_tour_and_bears_on_no_other(
        tour in tours(), place in places(), restaurant in places(), door in places(), ready in 0.0..2_400.0,
    ) {
        let courier = courier(1, Some(place), tour.clone());
        let new = order(1, restaurant, door, ready);
        let plan = rank(std::slice::from_ref(&courier), &new, &TRAVEL, STOP).remove(0);
        let end = at_end(&courier, &new, &TRAVEL, STOP);
        prop_assert!(plan.cost <= end.cost);

        // The others keep their order, and the new one is fetched before it is brought.
        let others: Vec<_> = plan.tour.iter().filter(|stop| stop.order != new.id).copied().collect();
        prop_assert_eq!(&others, &tour);
        let own: Vec<_> = plan.tour.iter().filter(|stop| stop.order == new.id).collect();
        let is_fetched_first = matches!(own[..], [Stop { task: Task::Fetch { .. }, .. }, Stop { task: Task::Bring { .. }, .. }]);
        prop_assert!(is_fetched_first);

        let before = times(&courier, &TRAVEL, STOP);
        let with = Courier { tour: plan.tour.clone(), ..courier.clone() };
        let after = times(&with, &TRAVEL, STOP);
        let after: Vec<_> = plan.tour.iter().zip(after).filter(|(stop, _)| stop.order != new.id).collect();
        for ((stop, after), before) in after.into_iter().zip(before) {
            if let Task::Bring { due } = stop.task {
                prop_assert!(after <= before + MAX_DELAY + 1e-6);
                prop_assert!(due.is_none_or(|due| after <= due.max(before) + 1e-6));
            }
        }

        // While the order is on board, or else at the end of the tour, as anyone has it.
        if plan.tour != end.tour {
            let mut load = tour.iter().filter(|stop| matches!(stop.task, Task::Bring { .. })).count();
            load -= tour.iter().filter(|stop| matches!(stop.task, Task::Fetch { .. })).count();
            let mut has_it = false;
            for stop in &plan.tour {
                match stop.task { Task::Fetch { .. } => load += 1, Task::Bring { .. } => load -= 1 }
                has_it = if stop.order == new.id { matches!(stop.task, Task::Fetch { .. }) } else { has_it };
                prop_assert!(!has_it || load <= capacity(courier.vehicle));
            }
        }
    }
}

#[test]
fn a_full_vehicle_brings_an_order_before_it_fetches_another() {
    let restaurant = at(0.0, 0.0);
    let tour = (0..4_u8).map(|index| {
        bring(
            100 + u128::from(index),
            at(20.0, 0.1 * f64::from(index)),
            None,
        )
    });
    let full = courier(1, Some(at(-1.0, 0.0)), tour.collect());
    let new = order(1, restaurant, at(20.0, 0.5), 0.0);
    let first = |courier: &Courier| {
        rank(std::slice::from_ref(courier), &new, &TRAVEL, STOP)[0].tour[0].order
    };
    assert_ne!(first(&full), new.id);
    let room = Courier {
        vehicle: Some(VehicleType::Car),
        ..full
    };
    assert_eq!(first(&room), new.id);
}
