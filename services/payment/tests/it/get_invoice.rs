use tiffin_events::{
    Role, UserId,
    restaurant::{RestaurantEvent, RestaurantProfileV1},
    user::{UserEvent, UserProfileV1, UserRefV1},
};
use tiffin_testkit::{Answer, tables_with};

use crate::fixture::Fixture;

/// Data of the customer and of the owner in the database.
const PERSONAL: [&str; 4] = ["Nimal", "nimal@", "12 Galle Road", "+94112345678"];

async fn invoice(fixture: &Fixture, key: &str, user: UserId, role: Role) -> Answer {
    let path = format!("/api/v1/payment/invoice/{key}");
    fixture
        .app
        .get(&path)
        .token(&fixture.token(user, role))
        .await
}

async fn names(fixture: &Fixture) {
    let restaurant = RestaurantProfileV1 {
        restaurant_id: fixture.restaurant,
        owner_id: fixture.owner,
        name: "Kottu & Corner".to_owned(),
        address: "4 Marine Drive".to_owned(),
        phone: "+94112345678".to_owned(),
        description: String::new(),
        images: Vec::new(),
        is_open: true,
        verified: true,
        lat: None,
        lng: None,
        answer_minutes: None,
    };
    fixture
        .deliver_event(fixture.restaurant.0, &RestaurantEvent::Created(restaurant))
        .await;
    let person = UserProfileV1 {
        user_id: fixture.customer,
        email: "nimal@example.com".to_owned(),
        role: Role::Customer,
        first_name: "Nimal".to_owned(),
        last_name: "Perera".to_owned(),
        phone: "+94771234567".to_owned(),
        address: "12 Galle Road".to_owned(),
        image: None,
        lat: None,
        lng: None,
        verified: true,
    };
    fixture
        .deliver_event(fixture.customer.0, &UserEvent::Registered(person))
        .await;
}

#[tokio::test]
async fn an_invoice_is_a_page_without_a_script() {
    let fixture = Fixture::new().await;
    names(&fixture).await;
    let order = fixture.order().await;
    let customer = (fixture.customer, Role::Customer);
    let unpaid = invoice(&fixture, &order.order_code, customer.0, customer.1).await;
    assert!(unpaid.text.contains("Not paid."), "{}", unpaid.text);
    fixture.pay(&order, 1250.5).await.expect(201);
    let page = invoice(
        &fixture,
        &order.order_id.to_string(),
        customer.0,
        customer.1,
    )
    .await;
    assert_eq!(page.status, 200);
    assert_eq!(
        page.header("content-type").unwrap(),
        "text/html; charset=utf-8"
    );
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.starts_with("default-src 'none'"), "{policy}");
    for text in [
        "Chicken &lt;kottu&gt;",
        "Kottu &amp; Corner<br>4 Marine Drive<br>+94112345678",
        "Nimal Perera<br>nimal@example.com<br>12 Galle Road, Colombo 03",
        "Paid: Rs. 1250.50",
        "Card, Visa ending in 4242",
    ] {
        assert!(page.text.contains(text), "{text}: {}", page.text);
    }
    assert!(!page.text.contains("<script"));
}

#[tokio::test]
async fn an_invoice_says_that_the_money_went_back() {
    let fixture = Fixture::new().await;
    let orders = fixture.checkout(&[5000, 3000]).await;
    fixture.pay(&orders[0], 40.0).await.expect(201);
    fixture.cancel(&orders[0]).await;
    fixture.settle().await;
    let page = invoice(
        &fixture,
        &orders[0].order_code,
        fixture.customer,
        Role::Customer,
    )
    .await;
    // The other order costs 30 of the 40 that were paid.
    for text in [
        "This order was cancelled.",
        "Received: Rs. 40.00, this order's share of its checkout",
        "Refunded: Rs. 10.00",
    ] {
        assert!(page.text.contains(text), "{text}: {}", page.text);
    }
    let page = invoice(
        &fixture,
        &orders[1].order_code,
        fixture.customer,
        Role::Customer,
    )
    .await;
    let text = "Paid: Rs. 30.00, with the other orders of its checkout";
    assert!(page.text.contains(text), "{}", page.text);
}

#[tokio::test]
async fn only_who_is_concerned_gets_it() {
    let fixture = Fixture::new().await;
    let order = fixture.order().await;
    let stranger = UserId(fixture.clock.new_id());
    for (user, role, status) in [
        (fixture.customer, Role::Customer, 200),
        (fixture.owner, Role::Restaurant, 200),
        (stranger, Role::Admin, 200),
        (stranger, Role::Customer, 404),
        (stranger, Role::Restaurant, 404),
        (stranger, Role::Delivery, 403),
    ] {
        let answer = invoice(&fixture, &order.order_code, user, role).await;
        assert_eq!(answer.status, status, "{role}: {}", answer.text);
    }
    let unsigned = fixture.app.get("/api/v1/payment/invoice/ORD-00000000");
    unsigned.await.problem(401);
    invoice(&fixture, "ORD-00000000", stranger, Role::Admin)
        .await
        .problem(404);
}

#[tokio::test]
async fn a_deleted_account_has_no_name_any_more() {
    let fixture = Fixture::new().await;
    names(&fixture).await;
    let order = fixture.order().await;
    for mark in PERSONAL {
        let found = tables_with(&fixture.db.pool, mark).await;
        assert!(!found.is_empty(), "{mark}");
    }
    for (user_id, role) in [
        (fixture.customer, Role::Customer),
        (fixture.owner, Role::Restaurant),
    ] {
        let gone = UserRefV1 { user_id, role };
        fixture
            .deliver_event(user_id.0, &UserEvent::Deleted(gone))
            .await;
    }
    // Its consumer may be late with an order.
    fixture.order().await;
    for mark in PERSONAL {
        let found = tables_with(&fixture.db.pool, mark).await;
        assert!(found.is_empty(), "{mark} in {found:?}");
    }
    let page = invoice(&fixture, &order.order_code, fixture.owner, Role::Restaurant).await;
    assert_eq!(page.status, 200);
    assert!(
        !page.text.contains("Nimal") && !page.text.contains("nimal@"),
        "{}",
        page.text
    );
}
