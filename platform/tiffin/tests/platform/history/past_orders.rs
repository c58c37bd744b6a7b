//! A history: orders that are paid, delivered, cancelled or still waiting, and many more.

use futures_util::{StreamExt, stream};
use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    accounts::{self, Account},
    restaurant_fixture::{self, RestaurantFixture},
    stack::{Stack, eventually, send},
};

/// Lines of a cart at most: each becomes an order.
const LINES: usize = 50;

/// A restaurant with orders in every state.
pub struct PastOrders {
    pub admin: Account,
    pub fixture: RestaurantFixture,
}

impl PastOrders {
    /// Two orders are delivered, one of them paid; one is cancelled, one on its way, one new.
    pub async fn create(stack: &Stack) -> Self {
        let admin = accounts::admin(stack, "admin").await;
        let fixture = RestaurantFixture::new(stack, &admin, "").await;
        let past = Self { admin, fixture };
        for is_paid in [true, false] {
            past.deliver(stack, is_paid).await;
        }
        let cancelled = past.fixture.order(stack).await;
        let path = format!("/api/v1/orders/cancel/{cancelled}");
        let customer = Some(&past.fixture.customer);
        stack.post(&path, customer, &json!({})).await.expect(200);
        past.fixture.delivery(stack).await;
        past.fixture.order(stack).await;
        past
    }

    /// An order from the customer's press to the customer's door. Returns its `orderId`.
    pub async fn deliver(&self, stack: &Stack, is_paid: bool) -> String {
        let fixture = &self.fixture;
        let (order, delivery) = fixture.delivery(stack).await;
        if is_paid {
            let payment = json!({
                "bookingId": order, "amount": 2501, "paymentType": "Card",
                "cardNumber": "4242424242424242", "expiry": "12/34", "cvv": "123",
            });
            eventually("the order is paid", async || {
                let answer = stack
                    .post("/api/payment", Some(&fixture.customer), &payment)
                    .await;
                answer.status == 201
            })
            .await;
        }
        let path = format!("/api/v1/delivery/update/{delivery}");
        for status in ["on the way", "delivered"] {
            let status = json!({ "status": status });
            let answer = stack.put(&path, Some(&fixture.driver), &status).await;
            answer.expect(200);
        }
        eventually("the order is delivered", async || {
            let orders = stack.get("/api/v1/orders", Some(&fixture.customer)).await;
            let orders = orders.expect(200);
            let mut orders = orders.as_array().unwrap().iter();
            orders.any(|one| one["orderId"] == *order && one["status"] == "delivered")
        })
        .await;
        order
    }

    /// More new orders, a cart of fifty at a time. The owner is not mailed from here on.
    pub async fn orders(&self, stack: &Stack, count: usize) {
        let fixture = &self.fixture;
        // They would only fill the folder with mail.
        let no_mail = json!({ "mail": false });
        let path = "/api/v1/notification/preferences";
        stack
            .put(path, Some(&fixture.owner), &no_mail)
            .await
            .expect(200);
        let mut lines = Vec::new();
        for _ in 0..LINES {
            let item = restaurant_fixture::item(stack, &fixture.owner, &fixture.restaurant).await;
            restaurant_fixture::approve(stack, &self.admin, &item).await;
            lines.push(json!({ "key": item, "qty": 1 }));
        }
        let cart = json!({ "orderItem": lines, "address": "12 Galle Road, Colombo 03" });
        eventually("every dish can be ordered", async || {
            let answer = stack.post("/api/v1/orders/quote", None, &cart).await;
            answer.status.is_success()
        })
        .await;
        let placed = stream::iter(0..count / LINES).map(async |_| {
            let request = stack.request(Method::POST, "/api/v1/orders", Some(&fixture.customer));
            let answer: Value = send(request.json(&cart)).await.expect(201);
            answer["orders"].as_array().unwrap().len()
        });
        let placed: Vec<usize> = placed.buffer_unordered(4).collect().await;
        assert_eq!(placed.iter().sum::<usize>(), count);
    }
}
