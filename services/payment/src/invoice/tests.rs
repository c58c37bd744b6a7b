use time::macros::datetime;

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
