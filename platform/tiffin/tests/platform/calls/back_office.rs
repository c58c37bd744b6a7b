//! The calls of the administrators', owners' and drivers' panels.

use serde_json::{Value, json};

use super::has;
use crate::{
    accounts::{self, Account},
    restaurant_fixture::{self, RestaurantFixture},
    stack::{Stack, eventually},
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn administrators_moderate_everything() {
    let stack = Stack::start("calls::administrators_moderate").await;
    let admin = accounts::admin(&stack, "admin").await;
    let fixture = RestaurantFixture::new(&stack, &admin, "").await;
    let by = Some(&admin);
    let users = stack.get("/api/v1/users", by).await.expect(200);
    has(
        &users,
        &[
            "_id",
            "email",
            "role",
            "firstName",
            "lastName",
            "address",
            "phone",
            "isBlocked",
        ],
    );
    let path = format!("/api/v1/users/block/{}", fixture.customer.email);
    for blocked in [true, false] {
        let answer = stack.put(&path, by, &json!({})).await.expect(200);
        assert_eq!(
            answer["user"]["isBlocked"], blocked,
            "each call turns it over"
        );
    }

    let items = stack
        .get("/api/v1/collection/getAll/fastfood", by)
        .await
        .expect(200);
    has(
        &items,
        &[
            "_id",
            "itemId",
            "name",
            "price",
            "category",
            "description",
            "available",
            "approve",
        ],
    );
    let draft = restaurant_fixture::item(&stack, &fixture.owner, &fixture.restaurant).await;
    restaurant_fixture::approve(&stack, &admin, &draft).await;
    let path = format!("/api/v1/collection/delete/{draft}");
    stack.delete(&path, by).await.expect(200);

    let path = format!("/api/v1/restaurant/update/{}", fixture.restaurant);
    let verified = stack.put(&path, by, &json!({})).await.expect(200);
    has(&verified, &["message"]);
    assert_eq!(
        verified["restaurant"]["verified"], true,
        "an empty body verifies"
    );
    let spare = restaurant_fixture::restaurant(&stack, &fixture.owner).await;
    let path = format!("/api/v1/restaurant/delete/{spare}");
    has(&stack.delete(&path, by).await.expect(200), &["message"]);

    // Their customer was blocked for a moment, which ended their session.
    let customer = accounts::login(&stack, &fixture.customer.email).await;
    moderate_reviews(&stack, &admin, &customer, &fixture).await;
    approve_orders(&stack, &admin, &customer, &fixture).await;
}

async fn moderate_reviews(
    stack: &Stack,
    admin: &Account,
    customer: &Account,
    fixture: &RestaurantFixture,
) {
    let by = Some(admin);
    let mut review = Value::Null;
    eventually("the review is taken", async || {
        let body = json!({ "productId": fixture.item, "rating": 5, "comment": "Good." });
        let answer = stack.post("/api/v1/reviews", Some(customer), &body).await;
        review = answer.body;
        answer.status == 201
    })
    .await;
    let review = restaurant_fixture::id(&review["review"]);
    let path = format!("/api/v1/reviews/approve/{review}");
    stack.put(&path, by, &json!({})).await.expect(200);
    let reviews = stack.get("/api/v1/reviews", by).await.expect(200);
    has(
        &reviews,
        &[
            "_id",
            "name",
            "email",
            "rating",
            "comment",
            "isApproved",
            "itemName",
        ],
    );
    stack
        .delete(&format!("/api/v1/reviews/delete/{review}"), by)
        .await
        .expect(200);
}

async fn approve_orders(
    stack: &Stack,
    admin: &Account,
    customer: &Account,
    fixture: &RestaurantFixture,
) {
    let by = Some(admin);
    let placed = stack
        .post("/api/v1/orders", Some(customer), &fixture.cart())
        .await
        .expect(201);
    let order = placed["orders"][0]["orderId"].as_str().unwrap();
    let path = format!("/api/v1/orders/isApprove/{order}");
    stack.put(&path, by, &json!({})).await.expect(200);
    let orders = stack.get("/api/v1/orders", by).await.expect(200);
    has(
        &orders,
        &[
            "_id",
            "orderId",
            "email",
            "createdAt",
            "totalAmount",
            "isApprove",
            "customerName",
            "phone",
        ],
    );
    let payment = json!({ "bookingId": order, "amount": 2501, "paymentType": "Bank Transfer" });
    eventually("the order is paid", async || {
        let paid = stack.post("/api/payment", Some(customer), &payment).await;
        paid.status.is_success()
    })
    .await;
    let payments = stack.get("/api/payment", by).await.expect(200);
    has(
        &payments,
        &["_id", "bookingId", "amount", "paymentType", "paymentDate"],
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn owners_run_their_restaurants_and_drivers_bring_orders() {
    let stack = Stack::start("calls::owners_and_drivers").await;
    let admin = accounts::admin(&stack, "admin").await;
    let fixture = RestaurantFixture::new(&stack, &admin, "").await;
    let by = Some(&fixture.owner);
    for way in ["isClose", "isOpen"] {
        let path = format!("/api/v1/restaurant/{way}/{}", fixture.restaurant);
        has(
            &stack.post(&path, by, &json!({})).await.expect(200),
            &["message"],
        );
    }
    let path = format!("/api/v1/restaurant/update/{}", fixture.restaurant);
    let edit = json!({
        "name": "Galle Face Grill", "address": "5 Galle Road", "phone": "0112345678",
        "description": "By the sea.", "images": ["/demo/restaurant.svg"],
    });
    stack.put(&path, by, &edit).await.expect(200);
    let path = format!("/api/v1/collection/update/{}", fixture.item);
    let edit = json!({
        "name": "Chicken kottu", "price": 1250.5, "category": "familyMeals", "description": "Hot.",
        "available": true, "images": ["/demo/kottu.svg"],
    });
    let updated = stack.put(&path, by, &edit).await.expect(200);
    has(&updated, &["message"]);
    assert_eq!(
        updated["item"]["category"], "familymeals",
        "either spelling is one category"
    );

    let path = format!("/api/v1/restaurant/update/{}", fixture.restaurant);
    stack.put(&path, Some(&admin), &json!({})).await.expect(200);
    eventually(
        "the owner of a verified restaurant sees drivers",
        async || {
            let drivers = stack.get("/api/v1/driver", by).await.expect(200);
            !drivers.as_array().unwrap().is_empty()
        },
    )
    .await;
    let drivers = stack.get("/api/v1/driver", by).await.expect(200);
    has(
        &drivers,
        &[
            "_id",
            "id",
            "email",
            "firstName",
            "lastName",
            "phone",
            "vehicleType",
            "isAvailable",
        ],
    );
    let order = fixture.order(&stack).await;
    fixture.confirm(&stack, &order).await;
    let wanted = json!({ "orderId": order, "driverId": fixture.driver.id, "status": "picked up" });
    for path in ["/api/v1/delivery", "/api/v1/notification"] {
        eventually("what the confirmation made is found, or made", async || {
            stack.post(path, by, &wanted).await.status.is_success()
        })
        .await;
    }

    let driver = Some(&fixture.driver);
    let list = stack.get("/api/v1/delivery", driver).await.expect(200);
    let delivery = restaurant_fixture::id(&list[0]);
    let path = format!("/api/v1/delivery/location/{delivery}");
    stack
        .put(&path, driver, &json!({ "lat": 6.92, "lng": 79.86 }))
        .await
        .expect(200);
    let path = format!("/api/v1/delivery/update/{delivery}");
    for status in ["on the way", "delivered"] {
        let answer = stack
            .put(&path, driver, &json!({ "status": status }))
            .await
            .expect(200);
        assert_eq!(answer["delivery"]["status"], status);
    }
    let path = format!("/api/v1/driver/{}", fixture.driver.id);
    let profile = json!({
        "firstName": "Sunil", "lastName": "Perera", "email": "other@example.com", "phone": "0771234567",
        "address": "1 Temple Road", "image": "/demo/person.svg", "vehicleType": "Van",
        "drNic": "901234567V", "isAvailable": true,
    });
    let updated = stack.put(&path, driver, &profile).await.expect(200);
    assert_eq!(updated["driver"]["vehicleType"], "Van");

    let spare = fixture.order(&stack).await;
    stack
        .delete(&format!("/api/v1/orders/delete/{spare}"), by)
        .await
        .expect(200);
}
