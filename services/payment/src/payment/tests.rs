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
        kind: PaymentType::PayPal,
        face: None,
        status,
        decline_reason: None,
        request_key: None,
        created_at: OffsetDateTime::UNIX_EPOCH,
        refund_cause: None,
        version: 0,
    }
}

fn names(events: &[PaymentEvent]) -> Vec<&'static str> {
    events.iter().map(tiffin_events::Event::name).collect()
}

#[test]
fn an_outcome_counts_once() {
    use Status::{Captured, Declined, Pending, Refunded, Refunding};
    let no = Outcome::Declined("card_declined".to_owned());
    let table: [(Status, &Outcome, bool, Status, &[&str]); 10] = [
        (Pending, &Outcome::Captured, false, Captured, &["captured"]),
        (Pending, &Outcome::Captured, true, Refunding, &["captured"]),
        (Pending, &no, false, Declined, &["declined"]),
        (Pending, &no, true, Declined, &["declined"]),
        (Captured, &Outcome::Captured, false, Captured, &[]),
        (Captured, &no, false, Captured, &[]),
        (Declined, &no, false, Declined, &[]),
        (Declined, &Outcome::Captured, false, Declined, &[]),
        (Refunding, &Outcome::Captured, true, Refunding, &[]),
        (Refunded, &no, true, Refunded, &[]),
    ];
    for (before, outcome, is_cancelled, after, events) in table {
        let mut payment = payment(before);
        let caused = payment.record(outcome, is_cancelled);
        assert_eq!(
            (payment.status, names(&caused).as_slice()),
            (after, events),
            "{before:?} {outcome:?}"
        );
    }
}

#[test]
fn money_goes_back_once_and_only_where_it_was_taken() {
    for (before, called_back, after, events) in [
        (Status::Pending, Status::Pending, Status::Pending, 0),
        (Status::Captured, Status::Refunding, Status::Refunded, 1),
        (Status::Declined, Status::Declined, Status::Declined, 0),
        (Status::Refunding, Status::Refunding, Status::Refunded, 1),
        (Status::Refunded, Status::Refunded, Status::Refunded, 0),
    ] {
        let mut payment = payment(before);
        payment.call_back(Cause::service("order"));
        assert_eq!(payment.status, called_back);
        assert_eq!(payment.refund().len(), events);
        assert!(payment.refund().is_empty(), "once");
        assert_eq!(payment.status, after);
    }
}

#[test]
fn a_refusal_is_the_customers_own_matter() {
    let mut it = payment(Status::Pending);
    let told = |payment: &Payment, event: &PaymentEvent| payment.concerned(event).count();
    let events = it.record(&Outcome::Declined("card_declined".to_owned()), false);
    assert_eq!(told(&it, &events[0]), 1);
    let mut it = payment(Status::Pending);
    let events = it.record(&Outcome::Captured, false);
    assert_eq!(told(&it, &events[0]), 2);
}
