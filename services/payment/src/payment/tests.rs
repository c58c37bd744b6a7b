use uuid::Uuid;

use super::*;

fn payment(status: Status) -> Payment {
    Payment {
        id: PaymentId(Uuid::from_u128(1)),
        order: OrderOfPayment {
            id: OrderId(Uuid::from_u128(2)),
            code: "ORD-7K3M9QX2".to_owned(),
            checkout_id: CheckoutId(Uuid::from_u128(3)),
            customer_id: UserId(Uuid::from_u128(4)),
            owner_id: UserId(Uuid::from_u128(5)),
        },
        amount: Money::from_cents(125_050),
        to_refund: Money::ZERO,
        refunded: Money::ZERO,
        kind: PaymentType::PayPal,
        card: None,
        status,
        decline_reason: None,
        request_key: None,
        created_at: OffsetDateTime::UNIX_EPOCH,
        dispute: None,
        refund_cause: None,
        sequence: 0,
    }
}

fn names(events: &[PaymentEvent]) -> Vec<&'static str> {
    events.iter().map(tiffin_events::Event::name).collect()
}

#[test]
fn an_outcome_counts_once() {
    use Status::{Captured, Declined, Pending, Refunded, Refunding};
    let no = Outcome::Declined("card_declined".to_owned());
    let table: [(Status, &Outcome, Status, &[&str]); 8] = [
        (Pending, &Outcome::Captured, Captured, &["captured"]),
        (Pending, &no, Declined, &["declined"]),
        (Captured, &Outcome::Captured, Captured, &[]),
        (Captured, &no, Captured, &[]),
        (Declined, &no, Declined, &[]),
        (Declined, &Outcome::Captured, Refunding, &[]),
        (Refunding, &Outcome::Captured, Refunding, &[]),
        (Refunded, &no, Refunded, &[]),
    ];
    for (before, outcome, after, events) in table {
        let mut payment = payment(before);
        let caused = payment.record(outcome, &Cause::service("payment"));
        assert_eq!(
            (payment.status, names(&caused).as_slice()),
            (after, events),
            "{before:?} {outcome:?}"
        );
    }
}

fn back(events: &[PaymentEvent]) -> Vec<i64> {
    let back = events.iter().map(|event| match event {
        PaymentEvent::Refunded(refund) => refund.in_all().cents(),
        other => panic!("{other:?}"),
    });
    back.collect()
}

#[test]
fn money_goes_back_in_parts_and_never_more_than_was_taken() {
    let cents = Money::from_cents;
    let mut it = payment(Status::Captured);
    it.request_refund(cents(50), &Cause::service("order"));
    assert_eq!(
        (it.status, it.balance()),
        (Status::Refunding, cents(125_000))
    );
    // Another refund is called for while the provider is asked.
    it.request_refund(cents(1000), &Cause::service("user"));
    assert_eq!(back(&it.refund(cents(50))), [50]);
    assert_eq!(it.status, Status::Refunding);
    assert_eq!(back(&it.refund(cents(1050))), [1050]);
    assert!(it.refund(cents(1050)).is_empty(), "said once");
    assert_eq!(
        (it.status, it.balance()),
        (Status::Captured, cents(124_000))
    );
    it.request_refund(cents(999_999), &Cause::service("user"));
    assert_eq!((it.to_refund, it.balance()), (it.amount, Money::ZERO));
    assert_eq!(back(&it.refund(it.to_refund)), [125_050]);
    assert_eq!(it.status, Status::Refunded);
}

#[test]
fn only_what_was_taken_goes_back() {
    for status in [Status::Pending, Status::Declined, Status::Refunded] {
        let mut it = payment(status);
        if status == Status::Refunded {
            (it.to_refund, it.refunded) = (it.amount, it.amount);
        }
        it.request_refund(it.amount, &Cause::service("order"));
        assert_eq!((it.status, it.balance()), (status, Money::ZERO));
        assert!(it.refund(it.amount).is_empty());
    }
}

#[test]
fn money_that_turns_up_late_goes_back_for_the_reason_that_was_known() {
    let mut it = payment(Status::Pending);
    it.expect_refund(&Cause::service("order"));
    it.record(&Outcome::Captured, &Cause::service("payment"));
    it.request_refund(it.amount, &Cause::service("payment"));
    assert_eq!(it.refund_cause, Some(Cause::service("order")));
}

#[test]
fn a_refusal_is_the_customers_own_matter() {
    let mut it = payment(Status::Pending);
    let concerned = |payment: &Payment, event: &PaymentEvent| payment.concerned(event).count();
    let events = it.record(
        &Outcome::Declined("card_declined".to_owned()),
        &Cause::service("payment"),
    );
    assert_eq!(concerned(&it, &events[0]), 1);
    let mut it = payment(Status::Pending);
    let events = it.record(&Outcome::Captured, &Cause::service("payment"));
    assert_eq!(concerned(&it, &events[0]), 2);
}
