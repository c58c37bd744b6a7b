//! Fixtures that have nothing to do with each other, each with a customer, an owner with a restaurant and a
//! dish, and a driver.

use crate::{
    accounts::{self, Account},
    stack::{Stack, eventually},
};
use serde_json::{Value, json};

/// One customer, one owner, one driver, and what belongs to them.
pub struct RestaurantFixture {
    pub customer: Account,
    pub owner: Account,
    pub driver: Account,
    pub restaurant: String,
    pub item: String,
}

impl RestaurantFixture {
    /// `prefix` goes before the people's names.
    pub async fn new(stack: &Stack, admin: &Account, prefix: &str) -> Self {
        let name = |who: &str| format!("{prefix}{who}");
        let (customer_name, owner_name, driver_name) =
            (name("customer"), name("owner"), name("driver"));
        let (customer, owner, driver) = tokio::join!(
            accounts::verified(stack, &customer_name, "customer"),
            accounts::verified(stack, &owner_name, "restaurant"),
            accounts::verified(stack, &driver_name, "delivery"),
        );
        let restaurant = restaurant(stack, &owner).await;
        let path = format!("/api/v1/restaurant/isOpen/{restaurant}");
        stack
            .post(&path, Some(&owner), &json!({}))
            .await
            .expect(200);
        let item = item(stack, &owner, &restaurant).await;
        let path = format!("/api/v1/collection/isApprove/{item}");
        stack.post(&path, Some(admin), &json!({})).await.expect(200);
        let available = json!({ "isAvailable": true });
        let path = format!("/api/v1/driver/{}", driver.id);
        eventually("the driver is available", async || {
            let answer = stack.put(&path, Some(&driver), &available).await;
            answer.status.is_success()
        })
        .await;
        let fixture = Self {
            customer,
            owner,
            driver,
            restaurant,
            item,
        };
        eventually("the dish can be ordered", async || {
            let answer = stack
                .post("/api/v1/orders/quote", None, &fixture.cart())
                .await;
            answer.status.is_success()
        })
        .await;
        fixture
    }

    pub fn cart(&self) -> Value {
        json!({ "orderItem": [{ "key": self.item, "qty": 2 }], "address": "12 Galle Road, Colombo 03" })
    }

    /// A new order, pending. Returns its `orderId`.
    pub async fn order(&self, stack: &Stack) -> String {
        let mut answer = Value::Null;
        eventually("the customer orders", async || {
            let placed = stack
                .post("/api/v1/orders", Some(&self.customer), &self.cart())
                .await;
            answer = placed.body;
            placed.status == 201
        })
        .await;
        answer["orders"][0]["orderId"].as_str().unwrap().to_owned()
    }

    /// Confirms an order with this fixture's driver.
    pub async fn confirm(&self, stack: &Stack, order: &str) {
        let path = format!("/api/v1/orders/status/{order}");
        let body = json!({ "status": "confirmed", "driverId": self.driver.id });
        eventually("the order is confirmed", async || {
            let answer = stack.put(&path, Some(&self.owner), &body).await;
            answer.status == 200
        })
        .await;
    }

    /// Waits until the order service knows that the driver may be picked: an order that is none shows it.
    pub async fn wait_for_driver(&self, stack: &Stack) {
        let order = self.order(stack).await;
        self.confirm(stack, &order).await;
    }

    /// A new order on its way. Returns it and its delivery.
    pub async fn delivery(&self, stack: &Stack) -> (String, String) {
        let order = self.order(stack).await;
        self.confirm(stack, &order).await;
        let mut delivery = None;
        eventually("the delivery is there", async || {
            let list = stack.get("/api/v1/delivery", Some(&self.driver)).await;
            let list = list.expect(200);
            let mut list = list.as_array().unwrap().iter();
            delivery = list.find(|one| one["orderId"] == *order).map(id);
            delivery.is_some()
        })
        .await;
        (order, delivery.unwrap())
    }
}

/// A new restaurant, closed. Returns its `_id`.
pub async fn restaurant(stack: &Stack, owner: &Account) -> String {
    let form = json!({
        "name": "Galle Face Kitchen", "address": "5 Galle Road, Colombo 03", "phone": "0112345678",
        "description": "Rice and curry by the sea.", "images": ["/demo/restaurant.svg"],
    });
    let mut made = Value::Null;
    eventually("the owner has a restaurant", async || {
        let answer = stack.post("/api/v1/restaurant", Some(owner), &form).await;
        made = answer.body;
        answer.status == 201
    })
    .await;
    id(&made["restaurant"])
}

/// A new dish, not approved yet. Returns its `_id`.
pub async fn item(stack: &Stack, owner: &Account, restaurant: &str) -> String {
    let form = json!({
        "restaurantId": restaurant, "name": "Chicken kottu", "price": 1250.5, "category": "fastfood",
        "description": "Chopped roti.", "available": true, "images": ["/demo/kottu.svg"],
    });
    let made = stack.post("/api/v1/collection", Some(owner), &form).await;
    id(&made.expect(201)["item"])
}

pub async fn approve(stack: &Stack, admin: &Account, item: &str) {
    let path = format!("/api/v1/collection/isApprove/{item}");
    stack.post(&path, Some(admin), &json!({})).await.expect(200);
}

pub fn id(thing: &Value) -> String {
    thing["_id"].as_str().unwrap().to_owned()
}
