//! The calls of the customer's site.

use reqwest::Method;
use serde_json::{Value, json};

use super::has;
use crate::{
    accounts::{self, Account, PASSWORD},
    google,
    restaurant_fixture::{self, RestaurantFixture},
    settle::settle,
    stack::{Stack, eventually, send},
};

const USER: [&str; 8] = [
    "_id",
    "email",
    "role",
    "firstName",
    "lastName",
    "address",
    "phone",
    "emailVerified",
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn signing_up_and_in_verifying_and_closing_an_account() {
    let issuer = google::Issuer::start().await;
    let stack = Stack::with("calls::signing_up_and_in", &issuer.settings()).await;
    let customer = accounts::verified(&stack, "customer", "customer").await;
    let credentials = json!({ "email": customer.email, "password": PASSWORD });
    let login = stack.post("/api/v1/users/login", None, &credentials).await;
    let login = login.expect(200);
    has(&login, &["message", "token", "user"]);
    has(&login["user"], &USER);

    let google = json!({ "accessToken": google::TOKEN });
    let google = stack
        .post("/api/v1/users/google", None, &google)
        .await
        .expect(200);
    has(&google, &["token", "user"]);
    assert_eq!(google["user"]["role"], "customer");
    assert_eq!(google["user"]["emailVerified"], true);

    let path = format!("/api/v1/users/update/{}", customer.id);
    let profile = json!({
        "email": "other@example.com", "firstName": "Kamal", "lastName": "Silva",
        "address": "5 Beach Road", "phone": "0771234567", "image": "/demo/person.svg",
    });
    let updated = stack
        .put(&path, Some(&customer), &profile)
        .await
        .expect(200);
    assert_eq!(updated["user"]["firstName"], "Kamal");
    assert_eq!(
        updated["user"]["email"], "customer@example.com",
        "never changes here"
    );
    let path = format!("/api/users/update/{}", customer.id);
    let place = json!({ "address": "5 Beach Road", "lat": 6.9, "lng": 79.86 });
    let updated = stack.put(&path, Some(&customer), &place).await.expect(200);
    assert_eq!(
        (&updated["user"]["lat"], &updated["user"]["lng"]),
        (&json!(6.9), &json!(79.86))
    );

    let path = format!("/api/v1/users/update/password/{}", customer.id);
    let change = json!({ "oldPassword": PASSWORD, "newPassword": "Hopper#Egg99" });
    has(
        &stack.put(&path, Some(&customer), &change).await.expect(200),
        &["message"],
    );
    let credentials = json!({ "email": customer.email, "password": "Hopper#Egg99" });
    let login = stack.post("/api/v1/users/login", None, &credentials).await;
    let customer = accounts::signed_in(&login.expect(200));
    let path = format!("/api/v1/users/{}", customer.id);
    stack.delete(&path, Some(&customer)).await.expect(200);
    stack
        .post("/api/v1/users/login", None, &credentials)
        .await
        .problem(401);
}

/// The fields of a dish.
const ITEM: [&str; 9] = [
    "_id",
    "itemId",
    "restaurantId",
    "name",
    "price",
    "category",
    "description",
    "images",
    "available",
];

/// The fields of a restaurant.
const SHOP: [&str; 9] = [
    "_id",
    "name",
    "ownerName",
    "ownerId",
    "address",
    "phone",
    "description",
    "images",
    "isOpen",
];

/// The fields of a review.
const REVIEW: [&str; 9] = [
    "_id",
    "name",
    "email",
    "profilePicture",
    "rating",
    "comment",
    "data",
    "isApproved",
    "itemName",
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn browsing_ordering_paying_and_following_a_delivery() {
    let stack = Stack::start("calls::browsing_ordering_and_paying").await;
    let admin = accounts::admin(&stack, "admin").await;
    let fixture = RestaurantFixture::new(&stack, &admin, "").await;
    browse(&stack, &admin, &fixture).await;
    order_and_follow(&stack, &fixture).await;
}

async fn browse(stack: &Stack, admin: &Account, fixture: &RestaurantFixture) {
    let customer = Some(&fixture.customer);
    has(
        &stack.get("/api/v1/collection", None).await.expect(200),
        &ITEM,
    );
    let one = stack
        .get(&format!("/api/v1/collection/getOne/{}", fixture.item), None)
        .await;
    has(&one.expect(200), &ITEM);
    let of = stack
        .get(
            &format!("/api/v1/collection/getAll/{}", fixture.restaurant),
            None,
        )
        .await;
    has(&of.expect(200), &ITEM);
    has(
        &stack.get("/api/v1/restaurant", None).await.expect(200),
        &SHOP,
    );
    let one = stack
        .get(
            &format!("/api/v1/restaurant/getOne/{}", fixture.restaurant),
            None,
        )
        .await;
    has(&one.expect(200), &SHOP);

    let review = json!({
        "productId": fixture.item, "rating": 4, "comment": "Crisp.", "ownerId": fixture.owner.id,
        "restaurantName": "Galle Face Kitchen", "itemName": "Chicken kottu",
    });
    let review = stack
        .post("/api/v1/reviews", customer, &review)
        .await
        .expect(201);
    let approve = format!(
        "/api/v1/reviews/approve/{}",
        restaurant_fixture::id(&review["review"])
    );
    stack
        .put(&approve, Some(admin), &json!({}))
        .await
        .expect(200);
    for path in [
        "/api/v1/reviews".to_owned(),
        format!("/api/v1/reviews/{}", fixture.item),
    ] {
        has(&stack.get(&path, None).await.expect(200), &REVIEW);
    }
}

async fn order_and_follow(stack: &Stack, fixture: &RestaurantFixture) {
    let customer = Some(&fixture.customer);
    let quote = stack
        .post("/api/v1/orders/quote", None, &fixture.cart())
        .await
        .expect(200);
    has(&quote, &["orderItem", "total"]);
    let placed = stack
        .post("/api/v1/orders", customer, &fixture.cart())
        .await
        .expect(201);
    has(
        &placed["orders"],
        &[
            "orderId",
            "totalAmount",
            "email",
            "address",
            "Item_name",
            "image",
            "quantity",
            "price",
        ],
    );
    let order = placed["orders"][0]["orderId"].as_str().unwrap().to_owned();
    let payment = json!({
        "bookingId": order, "amount": quote["total"], "paymentType": "Card",
        "cardNumber": "4242424242424242", "expiry": "12/34", "cvv": "123",
    });
    eventually("the order is paid", async || {
        stack.post("/api/payment", customer, &payment).await.status == 201
    })
    .await;

    let (_, delivery) = fixture.delivery(stack).await;
    let list = stack.get("/api/v1/delivery", customer).await.expect(200);
    has(
        &list,
        &[
            "_id",
            "orderId",
            "orderName",
            "address",
            "driverName",
            "driverPhone",
            "status",
            "estimatedTime",
            "promisedTime",
            "itemImage",
            "customerEmail",
            "lat",
            "lng",
        ],
    );
    let place = stack
        .get(&format!("/api/v1/delivery/loc/{delivery}"), customer)
        .await;
    has(&place.expect(200), &["lat", "lng"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn asking_and_being_answered() {
    let stack = Stack::start("calls::asking_and_being_answered").await;
    let admin = accounts::admin(&stack, "admin").await;
    let customer = accounts::verified(&stack, "customer", "customer").await;
    let question = json!({ "message": "Where is my rice?" });
    let mut asked = Value::Null;
    eventually("the question is taken", async || {
        let answer = stack.post("/api/inquiry", Some(&customer), &question).await;
        asked = answer.body;
        answer.status == 201
    })
    .await;
    let path = format!("/api/inquiry/{}", restaurant_fixture::id(&asked["inquiry"]));
    let other = json!({ "message": "Where is my curry?" });
    stack.put(&path, Some(&customer), &other).await.expect(200);
    let response = json!({ "response": "On its way." });
    stack.put(&path, Some(&admin), &response).await.expect(200);
    for account in [&customer, &admin] {
        let list = stack.get("/api/inquiry", Some(account)).await.expect(200);
        has(&list, &["_id", "phone", "email", "message", "response"]);
        assert_eq!(list[0]["message"], "Where is my curry?");
        assert_eq!(list[0]["response"], "On its way.");
    }
    stack.delete(&path, Some(&customer)).await.expect(200);
    let list = stack.get("/api/inquiry", Some(&customer)).await.expect(200);
    assert_eq!(list, json!([]));
    settle(&stack).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn uploading_a_picture_and_seeing_it() {
    let stack = Stack::start("calls::uploading_a_picture").await;
    let owner = accounts::verified(&stack, "owner", "restaurant").await;
    let path = "/storage/v1/object/images/1763715600000kottu.png";
    let picture: &[u8] = include_bytes!("../authorization/pixel.png");
    let upload = stack.request(Method::POST, path, Some(&owner));
    let upload = upload
        .header("content-type", "image/png")
        .header("cache-control", "3600");
    send(upload.header("x-upsert", "false").body(picture))
        .await
        .expect(200);
    let seen = stack
        .get(
            "/storage/v1/object/public/images/1763715600000kottu.png",
            None,
        )
        .await;
    assert_eq!(seen.status, 200);
    assert_eq!(seen.header("content-type").as_deref(), Some("image/png"));
}
