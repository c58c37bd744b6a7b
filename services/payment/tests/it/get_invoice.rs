use tiffin_events::{
    Role, UserId,
    restaurant::{RestaurantEvent, RestaurantProfileV1},
    user::{UserEvent, UserProfileV1, UserRefV1},
};
use tiffin_testkit::Answer;

use crate::harness::Till;

async fn invoice(till: &Till, key: &str, user: UserId, role: Role) -> Answer {
    let path = format!("/api/v1/payment/invoice/{key}");
    till.app.get(&path).token(&till.token(user, role)).await
}

async fn names(till: &Till) {
    let restaurant = RestaurantProfileV1 {
        restaurant_id: till.restaurant,
        owner_id: till.owner,
        name: "Kottu & Corner".to_owned(),
        address: "4 Marine Drive".to_owned(),
        phone: "+94112345678".to_owned(),
        description: String::new(),
        images: Vec::new(),
        is_open: true,
        verified: true,
        lat: None,
        lng: None,
    };
    till.learn(till.restaurant.0, &RestaurantEvent::Created(restaurant))
        .await;
    let person = UserProfileV1 {
        user_id: till.customer,
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
    till.learn(till.customer.0, &UserEvent::Registered(person))
        .await;
}

#[tokio::test]
async fn an_invoice_is_a_page_without_a_script() {
    let till = Till::open().await;
    names(&till).await;
    let order = till.order().await;
    let customer = (till.customer, Role::Customer);
    let unpaid = invoice(&till, &order.order_code, customer.0, customer.1).await;
    assert!(unpaid.text.contains("Not paid."), "{}", unpaid.text);
    till.pay(&order, 1250.5).await.expect(201);
    let page = invoice(&till, &order.order_id.to_string(), customer.0, customer.1).await;
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
    let till = Till::open().await;
    let orders = till.checkout(&[5000, 3000]).await;
    till.pay(&orders[0], 40.0).await.expect(201);
    till.cancel(&orders[0]).await;
    till.settle().await;
    let page = invoice(&till, &orders[0].order_code, till.customer, Role::Customer).await;
    // The other order costs 30 of the 40 that were paid.
    for text in [
        "This order was cancelled.",
        "Received: Rs. 40.00, this order's share of its checkout",
        "Refunded: Rs. 10.00",
    ] {
        assert!(page.text.contains(text), "{text}: {}", page.text);
    }
    let page = invoice(&till, &orders[1].order_code, till.customer, Role::Customer).await;
    let text = "Paid: Rs. 30.00, with the other orders of its checkout";
    assert!(page.text.contains(text), "{}", page.text);
}

#[tokio::test]
async fn only_who_is_concerned_gets_it() {
    let till = Till::open().await;
    let order = till.order().await;
    let stranger = UserId(till.clock.new_id());
    for (user, role, status) in [
        (till.customer, Role::Customer, 200),
        (till.owner, Role::Restaurant, 200),
        (stranger, Role::Admin, 200),
        (stranger, Role::Customer, 404),
        (stranger, Role::Restaurant, 404),
        (stranger, Role::Delivery, 403),
    ] {
        let answer = invoice(&till, &order.order_code, user, role).await;
        assert_eq!(answer.status, status, "{role}: {}", answer.text);
    }
    let unsigned = till.app.get("/api/v1/payment/invoice/ORD-00000000");
    unsigned.await.problem(401);
    invoice(&till, "ORD-00000000", stranger, Role::Admin)
        .await
        .problem(404);
}

#[tokio::test]
async fn a_deleted_account_has_no_name_any_more() {
    let till = Till::open().await;
    names(&till).await;
    let order = till.order().await;
    let gone = UserRefV1 {
        user_id: till.customer,
        role: Role::Customer,
    };
    till.learn(till.customer.0, &UserEvent::Deleted(gone)).await;
    let page = invoice(&till, &order.order_code, till.owner, Role::Restaurant).await;
    assert_eq!(page.status, 200);
    assert!(
        !page.text.contains("Nimal") && !page.text.contains("nimal@"),
        "{}",
        page.text
    );
}
