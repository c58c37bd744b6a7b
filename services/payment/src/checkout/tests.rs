use proptest::prelude::*;
use uuid::Uuid;

use super::*;

fn money(cents: i64) -> Money {
    Money::from_cents(cents)
}

fn checkout(totals: &[i64]) -> Checkout {
    let lines = totals.iter().zip(0..).map(|(total, n)| Line {
        order: order(n),
        total: money(*total),
        cancelled: false,
        share: None,
    });
    Checkout::new(lines.collect())
}

fn order(n: u128) -> OrderId {
    OrderId(Uuid::from_u128(n))
}

fn shares(checkout: &Checkout) -> Vec<i64> {
    checkout.shares().map(|(_, share)| share.cents()).collect()
}

#[test]
fn the_last_one_takes_the_remainder() {
    for (total, count, parts) in [
        (10_000, 3, vec![3333, 3333, 3334]),
        (20_000, 3, vec![6667, 6667, 6666]),
        (10_001, 2, vec![5001, 5000]),
        (100, 1, vec![100]),
        (0, 2, vec![0, 0]),
        (3, 4, vec![1, 1, 1, 0]),
        (2, 4, vec![1, 1, 0, 0]),
        (1, 4, vec![0, 0, 0, 1]),
    ] {
        let got: Vec<i64> = split(money(total), count)
            .iter()
            .map(|part| part.cents())
            .collect();
        assert_eq!(got, parts, "{total} in {count}");
    }
    assert!(split(money(5), 0).is_empty());
}

#[test]
fn what_is_cancelled_before_the_first_payment_is_not_paid_for() {
    let mut cart = checkout(&[190_000, 12_050, 30_000]);
    cart.0[0].cancelled = true;
    cart.fix();
    assert_eq!(cart.share(order(0)), None);
    assert_eq!(shares(&cart), [21_025, 21_025]);
}

#[test]
fn what_is_fixed_stays_and_who_comes_late_pays_their_own_price() {
    let mut cart = checkout(&[10_000, 10_000]);
    cart.fix();
    cart.0.push(Line {
        order: order(9),
        total: money(9999),
        cancelled: false,
        share: None,
    });
    cart.0[1].cancelled = true;
    cart.fix();
    assert_eq!(shares(&cart), [10_000, 10_000, 9999]);
}

#[test]
fn an_amount_may_be_a_cent_off_or_the_equal_part() {
    // 8 orders of 12.5 cents each: seven of 13 and a last one of 9.
    let mut cart = checkout(&[30, 10, 10, 10, 10, 10, 10, 10]);
    cart.fix();
    assert_eq!(cart.share(order(7)), Some(money(9)));
    for (amount, meant) in [
        (7, false),
        (8, true),
        (9, true),
        (10, true),
        (11, false),
        (12, true),
        (13, true),
        (14, true),
        (15, false),
    ] {
        assert_eq!(cart.is_meant(order(7), money(amount)), meant, "{amount}");
    }
    assert!(!cart.is_meant(order(0), money(9)));
    assert!(!cart.is_meant(order(0), money(-13)));
}

proptest! {
    #[test]
    fn shares_of_any_cart_add_up_exactly(totals in prop::collection::vec(0_i64..=10_000_000_000, 1..=50)) {
        let mut cart = checkout(&totals);
        cart.fix();
        let shares = shares(&cart);
        let (total, count): (i64, i64) = (totals.iter().sum(), totals.iter().map(|_| 1).sum());
        prop_assert_eq!(shares.len(), totals.len());
        prop_assert_eq!(shares.iter().sum::<i64>(), total);
        prop_assert!(shares.iter().all(|share| *share >= 0));
        // Nobody but the last is more than half a cent off, and the last by what the others are.
        for share in &shares[..shares.len() - 1] {
            prop_assert!((share * count - total).abs() * 2 <= count || total < count * count);
        }
        prop_assert!((shares[shares.len() - 1] * count - total).abs() * 2 <= count * count);
    }

    #[test]
    fn the_amount_a_client_works_out_is_accepted(totals in prop::collection::vec(1_i64..=10_000_000, 1..=50)) {
        let mut cart = checkout(&totals);
        cart.fix();
        let count = i64::try_from(totals.len()).unwrap();
        let total = totals.iter().sum::<i64>();
        for rounded in [total / count, (total + count - 1) / count] {
            for n in 0..totals.len() {
                let order = order(u128::try_from(n).unwrap());
                prop_assert!(cart.is_meant(order, money(rounded)));
            }
        }
    }

    #[test]
    fn the_sum_stays_exact_whatever_comes_late(
        early in prop::collection::vec(0_i64..=1_000_000, 1..=20),
        late in prop::collection::vec(0_i64..=1_000_000, 0..=20),
    ) {
        let mut cart = checkout(&early);
        cart.fix();
        let before = shares(&cart);
        let all: Vec<i64> = early.iter().chain(&late).copied().collect();
        cart.0.extend(checkout(&all).0.into_iter().skip(early.len()));
        cart.fix();
        let after = shares(&cart);
        prop_assert_eq!(&after[..early.len()], &before[..]);
        prop_assert_eq!(after.iter().sum::<i64>(), all.iter().sum::<i64>());
    }
}
