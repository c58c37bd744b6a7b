use time::macros::datetime;
use uuid::Uuid;

use super::*;

const PLACED: OffsetDateTime = datetime!(2026-11-28 12:00 UTC);

fn money(cents: i64) -> Money {
    Money::from_cents(cents)
}

fn order(total: i64) -> RefundableOrder {
    RefundableOrder {
        id: OrderId(Uuid::from_u128(1)),
        code: "ORD-7K3M9QX2".to_owned(),
        checkout: tiffin_events::CheckoutId(Uuid::from_u128(2)),
        customer: UserId(Uuid::from_u128(3)),
        owner: UserId(Uuid::from_u128(4)),
        restaurant: RestaurantId(Uuid::from_u128(5)),
        total: money(total),
        placed_at: PLACED,
    }
}

fn limits() -> OwnerLimits {
    OwnerLimits::new(&Env::default()).unwrap()
}

#[test]
fn an_owner_refunds_half_of_the_price_within_a_day() {
    let order = order(125_051);
    let by = RefundedBy::Restaurant;
    let at = |hours| PLACED + Duration::hours(hours);
    let check = |amount, earlier, now| check(money(amount), by, &order, earlier, limits(), now);
    assert_eq!(check(62_525, Earlier::default(), at(24)), Ok(()));
    let amount = money(62_525);
    assert_eq!(
        check(62_526, Earlier::default(), at(0)),
        Err(BadRefund::AboveShare { amount })
    );
    assert_eq!(
        check(1, Earlier::default(), at(25)),
        Err(BadRefund::TooLate)
    );
    for nothing in [0, -1] {
        assert_eq!(
            check(nothing, Earlier::default(), at(1)),
            Err(BadRefund::Nothing)
        );
    }
    let earlier = Earlier {
        order: money(62_000),
        order_by_restaurant: money(62_000),
        day: money(62_000),
    };
    assert_eq!(check(525, earlier, at(1)), Ok(()));
    let amount = money(525);
    assert_eq!(
        check(526, earlier, at(1)),
        Err(BadRefund::AboveShare { amount })
    );
}

#[test]
fn what_an_administrator_refunded_leaves_less_to_the_owner_only_at_the_price() {
    let order = order(10_000);
    let earlier = |cents| Earlier {
        order: money(cents),
        ..Earlier::default()
    };
    let most = |cents| {
        most(
            RefundedBy::Restaurant,
            &order,
            earlier(cents),
            limits(),
            PLACED,
        )
    };
    assert_eq!(most(4000), Ok(money(5000)));
    assert_eq!(most(8000), Ok(money(2000)));
    let check = |cents| {
        let (by, earlier) = (RefundedBy::Restaurant, earlier(8000));
        check(money(cents), by, &order, earlier, limits(), PLACED)
    };
    let amount = money(2000);
    assert_eq!(check(2001), Err(BadRefund::TooMuch { amount }));
}

#[test]
fn a_restaurant_refunds_so_much_a_day_and_no_more() {
    let order = order(5_000_000);
    let earlier = Earlier {
        day: money(1_990_000),
        ..Earlier::default()
    };
    let check = |cents| {
        let by = RefundedBy::Restaurant;
        check(money(cents), by, &order, earlier, limits(), PLACED)
    };
    assert_eq!(check(10_000), Ok(()));
    let amount = money(10_000);
    assert_eq!(check(10_001), Err(BadRefund::AboveDay { amount }));
}

#[test]
fn an_administrator_refunds_the_whole_price_at_any_time() {
    let order = order(10_000);
    let late = PLACED + Duration::days(900);
    let check = |cents, before| {
        let earlier = Earlier {
            order: money(before),
            ..Earlier::default()
        };
        let by = RefundedBy::Administrator;
        check(money(cents), by, &order, earlier, limits(), late)
    };
    assert_eq!(check(10_000, 0), Ok(()));
    let amount = money(1);
    assert_eq!(check(2, 9999), Err(BadRefund::TooMuch { amount }));
}

#[test]
fn limits_come_from_the_environment_and_are_checked_there() {
    let env = Env::default()
        .with("TIFFIN_OWNER_REFUND_PERCENT", "100")
        .with("TIFFIN_OWNER_REFUND_HOURS", "2")
        .with("TIFFIN_OWNER_REFUND_DAILY", "0");
    let limits = OwnerLimits::new(&env).unwrap();
    assert_eq!((limits.percent, limits.time), (100, Duration::hours(2)));
    assert_eq!(limits.daily, Money::ZERO);
    for (name, value) in [
        ("TIFFIN_OWNER_REFUND_PERCENT", "101"),
        ("TIFFIN_OWNER_REFUND_HOURS", "-1"),
        ("TIFFIN_OWNER_REFUND_DAILY", "much"),
    ] {
        let error = OwnerLimits::new(&Env::default().with(name, value)).unwrap_err();
        assert!(error.to_string().contains(name), "{error}");
    }
}

#[test]
fn a_note_has_two_hundred_characters_of_any_script() {
    let longest = "අ".repeat(200);
    assert_eq!(note(Some(&longest)), Ok(Some(longest.clone())));
    assert_eq!(
        note(Some(&format!("{longest}!"))),
        Err(BadRefund::NoteTooLong)
    );
    assert_eq!(note(Some("  ")), Ok(None));
}
