use proptest::prelude::*;
use tiffin_events::{
    CheckoutId, Currency, RefundId, RestaurantId, UserId,
    payment::{PaymentType, RefundReason, RefundedBy},
};
use time::OffsetDateTime;
use uuid::Uuid;

use super::*;
use crate::payment::OrderOfPayment;

pub fn money(cents: i64) -> Money {
    Money::from_cents(cents)
}

pub fn order(n: u128) -> OrderId {
    OrderId(Uuid::from_u128(n))
}

/// A captured payment of an order.
pub fn payment(id: u128, of: OrderId, cents: i64) -> Payment {
    Payment {
        id: PaymentId(Uuid::from_u128(id)),
        order: OrderOfPayment {
            id: of,
            code: "ORD-7K3M9QX2".to_owned(),
            checkout_id: CheckoutId(Uuid::from_u128(1)),
            customer_id: UserId(Uuid::from_u128(2)),
            owner_id: UserId(Uuid::from_u128(3)),
        },
        amount: money(cents),
        to_refund: Money::ZERO,
        refunded: Money::ZERO,
        kind: PaymentType::PayPal,
        card: None,
        status: Status::Captured,
        decline_reason: None,
        request_key: None,
        created_at: OffsetDateTime::UNIX_EPOCH,
        dispute: None,
        refund_cause: None,
        sequence: 1,
    }
}

fn checkout(totals: &[i64]) -> Checkout {
    let lines = totals.iter().zip(0..).map(|(total, n)| Line {
        order: order(n),
        total: money(*total),
        allowance: Money::ZERO,
        cancelled: false,
        refund_waits: false,
    });
    Checkout::new(lines.collect(), Vec::new())
}

impl Checkout {
    /// Pays an order's share.
    pub fn pay(&mut self, of: OrderId) -> Money {
        let share = self.share(of).unwrap();
        let id = u128::try_from(self.payments.len()).unwrap() + 1;
        self.payments.push(payment(id, of, share.cents()));
        share
    }

    pub fn cancel(&mut self, of: OrderId) {
        let mut lines = self.lines.iter_mut();
        lines.find(|line| line.order == of).unwrap().cancelled = true;
        self.cancel_order(of, &Cause::service("order"));
    }

    /// Adds an order that becomes known later.
    pub fn add(&mut self, of: OrderId, cents: i64) {
        self.lines.push(Line {
            order: of,
            total: money(cents),
            allowance: Money::ZERO,
            cancelled: false,
            refund_waits: false,
        });
    }
}

/// A refund of an order by an administrator.
pub fn refund(of: OrderId, cents: i64) -> Refund {
    Refund {
        id: RefundId(Uuid::from_u128(9)),
        order: of,
        order_code: "ORD-7K3M9QX2".to_owned(),
        restaurant: RestaurantId(Uuid::from_u128(4)),
        owner: UserId(Uuid::from_u128(3)),
        amount: money(cents),
        by: RefundedBy::Administrator,
        actor: UserId(Uuid::from_u128(5)),
        reason: RefundReason::Late,
        note: None,
        created_at: OffsetDateTime::UNIX_EPOCH,
    }
}

fn issue(checkout: &mut Checkout, of: OrderId, cents: i64) -> Vec<(u128, i64)> {
    assert_eq!(checkout.refund_refusal(of), None);
    let cause = Cause::service("test");
    let (parts, events) = checkout.issue_refund(&refund(of, cents), &cause);
    assert_eq!(parts.len(), events.len());
    for (at, ((part, then), (id, event))) in parts.iter().zip(&events).enumerate() {
        let PaymentEvent::RefundIssued(issued) = event else {
            panic!("{event:?}")
        };
        assert_eq!((part, *then), (id, issued.refunded_then));
        let place = (issued.part, issued.parts);
        assert_eq!(
            place,
            (
                i32::try_from(at + 1).unwrap(),
                i32::try_from(parts.len()).unwrap()
            )
        );
        assert_eq!(
            (issued.refund_amount, issued.refunded_order_id),
            (money(cents), of)
        );
    }
    let parts = parts.into_iter();
    parts
        .map(|(id, then)| (id.0.as_u128(), then.cents()))
        .collect()
}

#[test]
fn a_refund_lowers_the_price_and_the_order_stays_paid() {
    let mut cart = checkout(&[5000, 3000]);
    cart.pay(order(0));
    assert_eq!(cart.refund_refusal(order(0)), Some(BadRefund::NotPaid));
    cart.pay(order(1));
    assert_eq!(issue(&mut cart, order(1), 300), [(2, 300)]);
    assert!(cart.is_paid(order(0)) && cart.is_paid(order(1)));
    assert_eq!((cart.due(), cart.balance()), (Money::ZERO, money(7700)));
    // All of it goes back without a cent of the other order's money.
    assert_eq!(issue(&mut cart, order(1), 2700), [(2, 3000)]);
    assert!(cart.is_paid(order(1)), "it stays paid");
    assert_eq!(cart.balance(), money(5000));
    cart.cancel(order(0));
    assert_eq!(cart.balance(), Money::ZERO);
    assert_eq!(
        cart.refund_refusal(order(0)),
        Some(BadRefund::OrderCancelled)
    );
}

#[test]
fn a_refund_may_come_from_several_payments() {
    let mut cart = checkout(&[8000, 100]);
    cart.pay(order(0));
    cart.pay(order(1));
    assert_eq!(issue(&mut cart, order(0), 8000), [(1, 3950), (2, 4050)]);
    assert_eq!(cart.balance(), money(100));
}

#[test]
fn a_cancellation_after_a_refund_gives_back_the_rest_alone() {
    let mut cart = checkout(&[5000, 3000]);
    cart.pay(order(0));
    cart.pay(order(1));
    issue(&mut cart, order(0), 1200);
    cart.cancel(order(0));
    assert_eq!(cart.balance(), money(3000), "5000 went back in all");
    assert!(cart.is_paid(order(1)));
}

#[test]
fn no_refund_takes_the_money_of_an_order_that_may_become_live_again() {
    let mut cart = checkout(&[6000, 2000]);
    cart.pay(order(0));
    cart.lines[0].cancelled = true;
    cart.lines[0].refund_waits = true;
    // 4000 cover the live order, and not both.
    assert!(cart.is_paid(order(1)));
    assert_eq!(cart.refund_refusal(order(1)), Some(BadRefund::Unsettled));
    cart.lines[0].refund_waits = false;
    cart.cancel(order(0));
    assert_eq!(issue(&mut cart, order(1), 500), [(1, 2500)]);
    assert_eq!(cart.balance(), money(1500));
}

fn shares(checkout: &Checkout) -> Vec<i64> {
    let shares = checkout.shares().into_iter();
    shares.map(|(_, share)| share.cents()).collect()
}

fn to_refund(checkout: &Checkout) -> Vec<i64> {
    let payments = checkout.payments().iter();
    payments.map(|it| it.to_refund.cents()).collect()
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

proptest! {
    #[test]
    fn shares_add_up_to_what_is_due_in_every_currency(
        total in 0_i64..1 << 40,
        count in 1_usize..60,
        code in prop::sample::select(vec!["JPY", "LKR", "KWD"]),
    ) {
        let currency: Currency = code.parse().unwrap();
        let parts = split(money(total), count);
        prop_assert_eq!(parts.iter().copied().sum::<Money>(), money(total));
        let whole = equal_part(money(total), count).cents();
        for part in parts {
            prop_assert!(part >= Money::ZERO && part.cents() <= whole.max(total - whole * (i64::try_from(count).unwrap() - 1)));
            // A client that sends the share as a number of the currency pays just this one.
            let number = format!("{}e-{}", part.cents(), currency.decimals());
            prop_assert_eq!(Money::read(number.parse().unwrap(), currency), Ok(part));
        }
    }
}

#[test]
fn what_is_cancelled_before_the_first_payment_is_not_paid_for() {
    let mut cart = checkout(&[190_000, 12_050, 30_000]);
    cart.cancel(order(0));
    assert_eq!(cart.share(order(0)), None);
    assert_eq!(cart.refusal(order(0)), Refusal::Cancelled);
    assert_eq!(shares(&cart), [21_025, 21_025]);
}

#[test]
fn an_order_is_paid_with_the_last_share_of_its_checkout_and_not_before() {
    let mut cart = checkout(&[5000, 3000, 2000]);
    for (at, share) in [3333, 3333, 3334].into_iter().enumerate() {
        let order = order(u128::try_from(at).unwrap());
        assert!(!cart.is_paid(order) && cart.due() > Money::ZERO);
        assert_eq!(cart.pay(order), money(share));
        if at < 2 {
            assert_eq!(cart.refusal(order), Refusal::ShareMade);
        }
    }
    assert!((0..3).all(|n| cart.is_paid(order(n))));
    assert_eq!(
        (cart.due(), cart.refusal(order(0))),
        (Money::ZERO, Refusal::AlreadyPaid)
    );
}

/// The orders of a possible fraud: one of Rs. 970,200 and 49 that cost Rs. 38,170 together.
fn dear_and_cheap() -> Checkout {
    let mut totals = vec![97_020_000, 77_800];
    totals.extend([77_900; 48]);
    checkout(&totals)
}

#[test]
fn the_share_of_a_dear_dish_does_not_pay_it_once_the_cheap_ones_are_cancelled() {
    let mut cart = dear_and_cheap();
    assert_eq!(cart.pay(order(0)), money(2_016_740));
    for n in 1..50 {
        cart.cancel(order(n));
        assert!(!cart.is_paid(order(0)));
    }
    assert_eq!(to_refund(&cart), [0], "it is needed");
    assert_eq!(cart.due(), money(97_020_000 - 2_016_740));
    // Another payment covers the rest.
    assert_eq!(cart.pay(order(0)), money(95_003_260));
    assert!(cart.is_paid(order(0)));
    assert_eq!(cart.balance(), money(97_020_000));
}

#[test]
fn a_cancel_gives_back_what_the_others_do_not_cost() {
    let mut cart = checkout(&[100, 10]);
    cart.pay(order(0));
    cart.cancel(order(0));
    // 55 were paid, and the other order costs 10.
    assert_eq!(to_refund(&cart), [45]);
    assert!(cart.is_paid(order(1)));
    assert_eq!(cart.refusal(order(1)), Refusal::AlreadyPaid);
    cart.cancel(order(1));
    assert_eq!(to_refund(&cart), [55]);
}

#[test]
fn a_refund_is_split_over_payments_those_of_cancelled_orders_first() {
    let mut cart = checkout(&[30, 30, 60]);
    for n in 0..3 {
        cart.pay(order(n));
    }
    cart.cancel(order(0));
    assert_eq!(to_refund(&cart), [30, 0, 0]);
    // 40 are refunded from its own payment and 10 from the first order's, which is cancelled, too.
    cart.cancel(order(2));
    assert_eq!(to_refund(&cart), [40, 10, 40]);
    assert!(cart.is_paid(order(1)));
    assert_eq!(cart.balance(), money(30));
}

#[test]
fn what_is_left_after_a_cancel_is_split_over_those_still_to_pay() {
    let mut cart = checkout(&[90, 10, 20, 60]);
    cart.pay(order(0));
    cart.cancel(order(1));
    assert_eq!((cart.due(), shares(&cart)), (money(125), vec![63, 62]));
    cart.pay(order(3));
    assert_eq!(shares(&cart), [63]);
    cart.pay(order(2));
    assert!([0, 2, 3].into_iter().all(|n| cart.is_paid(order(n))));
}

#[test]
fn who_has_paid_pays_again_where_all_have_paid_and_something_is_left() {
    let mut cart = checkout(&[10_000, 10_000, 100, 100]);
    cart.pay(order(0));
    cart.pay(order(1));
    cart.cancel(order(2));
    cart.cancel(order(3));
    assert_eq!((cart.due(), shares(&cart)), (money(9900), vec![4950, 4950]));
    cart.pay(order(1));
    assert_eq!(cart.refusal(order(1)), Refusal::ShareMade);
    assert_eq!(cart.pay(order(0)), money(4950));
    assert!(cart.is_paid(order(0)) && cart.is_paid(order(1)));
}

#[test]
fn an_order_that_comes_late_is_due_and_the_others_wait_for_it() {
    let mut cart = checkout(&[10_000, 10_000]);
    cart.pay(order(0));
    cart.pay(order(1));
    assert!(cart.is_paid(order(0)));
    cart.add(order(9), 9999);
    assert!(!cart.is_paid(order(0)));
    assert_eq!((cart.due(), shares(&cart)), (money(9999), vec![9999]));
    cart.pay(order(9));
    assert!(cart.is_paid(order(0)) && cart.is_paid(order(9)));
}

#[test]
fn money_that_is_captured_after_a_cancel_goes_back_as_far_as_it_is_not_needed() {
    let mut cart = checkout(&[100, 10]);
    cart.pay(order(0));
    cart.payments[0].status = Status::Pending;
    assert_eq!(
        cart.due(),
        money(55),
        "what is under way is not asked for twice"
    );
    cart.cancel(order(0));
    assert_eq!(to_refund(&cart), [0]);
    let id = cart.payments[0].id;
    let cause = Cause::service("payment");
    let events = cart.record(id, &Outcome::Captured, &cause);
    assert_eq!((events.len(), to_refund(&cart)), (1, vec![45]));
    assert!(cart.is_paid(order(1)));
}

#[test]
fn an_amount_may_be_a_cent_off_or_the_equal_part() {
    // 8 orders of 12.5 cents each: seven of 13 and a last one of 9.
    let cart = checkout(&[30, 10, 10, 10, 10, 10, 10, 10]);
    let last = cart.share(order(7)).unwrap();
    assert_eq!(last, money(9));
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
        assert_eq!(cart.matches_share(last, money(amount)), meant, "{amount}");
    }
    let first = cart.share(order(0)).unwrap();
    assert!(!cart.matches_share(first, money(9)));
    assert!(!cart.matches_share(first, money(-13)));
}

#[test]
fn an_equal_part_that_is_not_the_share_is_not_meant() {
    let mut cart = checkout(&[90, 10, 20]);
    cart.pay(order(0));
    cart.cancel(order(1));
    let share = cart.share(order(2)).unwrap();
    assert_eq!(share, money(70));
    // Half of the 110 that the live orders cost.
    assert!(!cart.matches_share(share, money(55)));
}

proptest! {
    #[test]
    fn shares_of_any_cart_add_up_exactly(totals in prop::collection::vec(0_i64..=10_000_000_000, 1..=50)) {
        prop_assume!(totals.iter().sum::<i64>() > 0);
        let shares = shares(&checkout(&totals));
        let (total, count): (i64, i64) = (totals.iter().sum(), totals.iter().map(|_| 1).sum());
        prop_assert_eq!(shares.len(), totals.len());
        prop_assert_eq!(shares.iter().sum::<i64>(), total);
        prop_assert!(shares.iter().all(|share| *share >= 0));
        // Each share but the last is at most half a cent off, and the last by the sum of these differences.
        for share in &shares[..shares.len() - 1] {
            prop_assert!((share * count - total).abs() * 2 <= count || total < count * count);
        }
        prop_assert!((shares[shares.len() - 1] * count - total).abs() * 2 <= count * count);
    }

    #[test]
    fn the_amount_a_client_works_out_is_accepted(
        totals in prop::collection::vec(1_i64..=10_000_000, 1..=50),
        paid in prop::collection::vec(any::<bool>(), 50),
    ) {
        let mut cart = checkout(&totals);
        let count = i64::try_from(totals.len()).unwrap();
        let total = totals.iter().sum::<i64>();
        for (n, is_paid) in (0..).zip(&paid[..totals.len()]) {
            if *is_paid && cart.share(order(n)).is_some() {
                cart.pay(order(n));
            }
        }
        for (_, share) in cart.shares() {
            for rounded in [total / count, (total + count - 1) / count] {
                prop_assert!(cart.matches_share(share, money(rounded)), "{rounded} for {share}");
            }
        }
    }
}
