//! The orders of an account in its copy.

use serde_json::json;
use tiffin_events::{Clock, UserId};
use tiffin_order::PERSONAL;
use tiffin_testkit::{assert_every_table_is_listed, copy_of};

use crate::fixture::{Fixture, HOME};

#[tokio::test]
async fn everyone_gets_their_side_of_an_order() {
    let fixture = Fixture::new().await;
    let note = "Allergic to peanuts.";
    let cart = json!({ "orderItem": [{ "key": fixture.kottu, "qty": 1, "note": note }] });
    let order = fixture.checkout(&cart).await.expect(201)["orders"][0].clone();
    fixture.confirm(&order).await.expect(200);
    let pool = &fixture.db.pool;
    let customers = copy_of(pool, &PERSONAL, fixture.customer).await;
    let row = &customers["orders"][0];
    assert_eq!(row["code"], order["orderId"], "{customers}");
    assert_eq!(row["address"], HOME);
    assert_eq!(row["note"], note);
    assert_eq!(row["totalCents"], 95_000);
    assert_eq!(customers["checkouts"][0]["number"], 1, "{customers}");
    assert_eq!(customers["ordersReceived"], json!([]));

    for (account, section) in [
        (fixture.owner, "ordersReceived"),
        (fixture.driver, "ordersCarried"),
    ] {
        let copy = copy_of(pool, &PERSONAL, account).await;
        assert_eq!(copy[section][0]["code"], order["orderId"], "{copy}");
        assert_eq!(copy["orders"], json!([]));
        let text = copy.to_string();
        for foreign in [HOME, note, &fixture.customer.to_string(), "Nimal"] {
            assert!(!text.contains(foreign), "{foreign} in {text}");
        }
    }
    let stranger = copy_of(pool, &PERSONAL, UserId(Clock::system().new_id())).await;
    let empty = json!({ "orders": [], "ordersReceived": [], "ordersCarried": [], "checkouts": [] });
    assert_eq!(stranger, empty);
}

#[tokio::test]
async fn an_account_with_many_orders_gets_them_all_in_pages() {
    let fixture = Fixture::new().await;
    fixture.order().await;
    let pool = &fixture.db.pool;
    sqlx::query(
        "insert into orders (id, code, checkout_id, customer_id, restaurant_id, owner_id, item_id, item_name,
             quantity, price, total, address, status, approved, created_at, version)
         select gen_random_uuid(), 'ORD-' || n, checkout_id, customer_id, restaurant_id, owner_id, item_id, item_name,
             quantity, price, total, address, status, approved, created_at, version
         from orders, generate_series(1, 19999) n",
    )
    .execute(pool)
    .await
    .unwrap();
    let copy = copy_of(pool, &PERSONAL, fixture.customer).await;
    let codes = copy["orders"].as_array().unwrap().iter();
    let codes: std::collections::BTreeSet<_> = codes.map(|row| row["code"].to_string()).collect();
    assert_eq!(codes.len(), 20_000);
    let mut conn = pool.acquire().await.unwrap();
    let first = PERSONAL
        .page(&mut conn, fixture.customer, None)
        .await
        .unwrap();
    assert!(first.next.is_some());
    // The broker's messages have at most a megabyte.
    assert!(serde_json::to_vec(&first).unwrap().len() < 1_000_000);
}

#[tokio::test]
async fn every_table_is_in_a_section_or_left_out_with_a_reason() {
    let fixture = Fixture::empty().await;
    assert_every_table_is_listed(&fixture.db.pool, &PERSONAL).await;
    let new = ["public.orders", "public.gifts"];
    let wrong = PERSONAL.misplaced(new.into_iter());
    assert!(wrong.contains(&"gifts is in no section and not left out".to_owned()));
}
