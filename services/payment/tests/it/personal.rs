//! The payments of an account in its copy.

use tiffin_payment::PERSONAL;
use tiffin_testkit::{assert_every_table_is_listed, copy_of};

use crate::fixture::Fixture;

#[tokio::test]
async fn a_customer_gets_payments_and_invoices_and_an_owner_what_was_received() {
    let fixture = Fixture::new().await;
    let order = fixture.order().await;
    fixture.pay(&order, 1250.5).await.expect(201);
    let pool = &fixture.db.pool;
    let customers = copy_of(pool, &PERSONAL, fixture.customer).await;
    let payment = &customers["payments"][0];
    assert_eq!(payment["order"], order.order_code, "{customers}");
    assert_eq!(payment["amountCents"], 125_050);
    assert_eq!(payment["cardLast4"], "4242");
    assert_eq!(
        customers["invoices"][0]["address"],
        "12 Galle Road, Colombo 03"
    );
    // The security code and the number are nowhere, and neither is the request's key.
    let text = customers.to_string();
    assert!(!text.contains("424242") && !text.contains("737"), "{text}");

    let owners = copy_of(pool, &PERSONAL, fixture.owner).await;
    assert_eq!(
        owners["paymentsReceived"][0]["amountCents"], 125_050,
        "{owners}"
    );
    let text = owners.to_string();
    for foreign in ["4242", "Galle Road", &fixture.customer.to_string()] {
        assert!(!text.contains(foreign), "{foreign} in {text}");
    }
}

#[tokio::test]
async fn every_table_is_in_a_section_or_left_out_with_a_reason() {
    let fixture = Fixture::new().await;
    assert_every_table_is_listed(&fixture.db.pool, &PERSONAL).await;
}
