use std::collections::HashSet;

use super::*;

fn plan(orders: usize, seed: u64) -> Plan {
    let extent = Extent {
        orders,
        seed,
        from: "18:30".parse().unwrap(),
        until: "21:30".parse().unwrap(),
    };
    Plan::draw(&City::read().unwrap(), extent).unwrap()
}

#[test]
fn a_seed_gives_one_plan() {
    assert_eq!(plan(400, 1), plan(400, 1));
    assert_ne!(plan(400, 1).checkouts, plan(400, 2).checkouts);
    // People are the same for every seed, since their accounts are made once.
    assert_eq!(plan(400, 1).customers, plan(400, 2).customers);
    assert_eq!(
        plan(40, 1).drivers[..],
        plan(400, 1).drivers[..plan(40, 1).drivers.len()]
    );
}

#[test]
fn a_plan_has_as_many_orders_as_asked() {
    for orders in [0, 1, 2, 37, 400] {
        let plan = plan(orders, 7);
        assert_eq!(
            (plan.order_count(), plan.orders().count()),
            (orders, orders)
        );
    }
}

#[test]
fn an_evening_has_everything_that_happens() {
    let plan = plan(400, 1);
    let share = |of: fn(&Checkout) -> bool| {
        let count = plan.checkouts.iter().filter(|it| of(it)).count();
        count * 100 / plan.checkouts.len()
    };
    assert!((2..=10).contains(&share(|it| matches!(it.course, Course::Cancelled { .. }))));
    assert!((1..=8).contains(&share(|it| matches!(it.course, Course::Refused { .. }))));
    assert!((12..=32).contains(&share(|it| it.payment == Payment::Cash)));
    let late = |it: &Checkout| matches!(it.payment, Payment::Online { after, .. } if after > Duration::from_mins(5));
    assert!((7..=22).contains(&share(late)));
    let mut means = HashSet::new();
    for checkout in &plan.checkouts {
        if let Payment::Online { means: by, .. } = checkout.payment {
            means.insert(by);
        }
    }
    assert_eq!(means, HashSet::from(["Card", "PayPal", "Bank Transfer"]));
    let places: HashSet<_> = plan.checkouts.iter().map(|it| &it.restaurant).collect();
    assert_eq!(places.len(), 12);
}

#[test]
fn dishes_are_on_the_menu_at_their_price_and_different() {
    let city = City::read().unwrap();
    for checkout in plan(400, 3).checkouts {
        let menu = city
            .restaurants
            .iter()
            .find(|it| it.name == checkout.restaurant);
        let menu = &menu.unwrap().dishes;
        for line in &checkout.lines {
            let dish = menu.iter().find(|dish| dish.name == line.dish).unwrap();
            assert_eq!(
                (dish.price, (1..=3).contains(&line.quantity)),
                (line.price, true)
            );
        }
        let different: HashSet<_> = checkout.lines.iter().map(|line| &line.dish).collect();
        assert_eq!(different.len(), checkout.lines.len());
    }
}

#[test]
fn drivers_share_the_evening() {
    let plan = plan(400, 1);
    let mut trips = vec![0; plan.drivers.len()];
    for checkout in &plan.checkouts {
        if let Course::Delivered(trip) = &checkout.course {
            trips[trip.driver] += 1;
        }
    }
    assert!(trips.iter().all(|count| *count < 20), "{trips:?}");
    assert!(
        trips.iter().filter(|count| **count > 0).count() > 15,
        "{trips:?}"
    );
}
