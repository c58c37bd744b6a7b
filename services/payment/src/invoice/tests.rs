use tiffin_events::{
    OrderId, RefundId, RestaurantId, UserId,
    payment::{RefundReason, RefundedBy},
};
use time::macros::datetime;
use uuid::Uuid;

use super::*;

fn invoice() -> Invoice {
    Invoice {
        code: "ORD-7K3M9QX2".to_owned(),
        placed_at: datetime!(2026-11-21 09:05 UTC),
        cancelled: false,
        customer: vec!["Nimal Perera".to_owned(), "12 Galle Road".to_owned()],
        restaurant: vec!["Kottu Corner".to_owned()],
        item_name: "Chicken kottu".to_owned(),
        quantity: 2,
        price: Money::from_cents(95_000),
        total: Money::from_cents(190_000),
        is_paid: false,
        due: Some(Money::from_cents(12_345)),
        payments: Vec::new(),
        refunds: Vec::new(),
    }
}

#[test]
fn an_invoice_names_both_sides_and_every_sum() {
    let page = invoice().page();
    for text in [
        "ORD-7K3M9QX2",
        "21 November 2026, 09:05 UTC",
        "Nimal Perera<br>12 Galle Road",
        "Kottu Corner",
        "Chicken kottu",
        "Rs. 950.00",
        "Rs. 1900.00",
        "Not paid.",
        "Rs. 123.45 of its checkout is left to pay.",
    ] {
        assert!(page.contains(text), "{text}: {page}");
    }
}

#[test]
fn an_order_that_others_pay_for_is_paid_without_a_payment() {
    let page = Invoice {
        is_paid: true,
        due: None,
        ..invoice()
    }
    .page();
    assert!(
        page.contains("Paid: Rs. 1900.00, with the other orders of its checkout"),
        "{page}"
    );
}

#[test]
fn a_refund_names_its_reason_and_lowers_the_price() {
    let refund = |cents, reason| Refund {
        id: RefundId(Uuid::from_u128(1)),
        order: OrderId(Uuid::from_u128(2)),
        order_code: "ORD-7K3M9QX2".to_owned(),
        restaurant: RestaurantId(Uuid::from_u128(3)),
        owner: UserId(Uuid::from_u128(4)),
        amount: Money::from_cents(cents),
        by: RefundedBy::Restaurant,
        actor: UserId(Uuid::from_u128(4)),
        reason,
        note: Some("Sorry!".to_owned()),
        created_at: datetime!(2026-11-21 10:05 UTC),
    };
    let page = Invoice {
        is_paid: true,
        refunds: vec![
            (
                refund(30_000, RefundReason::MissingItem),
                RefundState::Refunded,
            ),
            (refund(5000, RefundReason::Other), RefundState::UnderWay),
        ],
        ..invoice()
    }
    .page();
    for text in [
        "Paid: Rs. 1900.00",
        "Refund: Rs. 300.00, missing item, <time>21 November 2026, 10:05 UTC</time>",
        "Refund under way: Rs. 50.00, <time>",
        "Price after refunds: Rs. 1550.00",
    ] {
        assert!(page.contains(text), "{text}: {page}");
    }
}

#[test]
fn what_people_wrote_stays_text() {
    let attack = "</td><script>alert(1)</script><img src=x onerror=\"alert('2')\">&amp;";
    let page = Invoice {
        code: attack.to_owned(),
        customer: vec![attack.to_owned()],
        restaurant: vec![attack.to_owned()],
        item_name: attack.to_owned(),
        cancelled: true,
        ..invoice()
    }
    .page();
    assert!(
        !page.contains("<script") && !page.contains("<img"),
        "{page}"
    );
    assert_eq!(page.matches("&lt;script&gt;").count(), 5, "{page}");
    assert!(page.contains("&amp;amp;") && page.contains("cancelled"));
}
