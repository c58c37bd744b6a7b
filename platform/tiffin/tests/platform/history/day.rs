//! A history: orders that are paid, delivered, cancelled or still waiting, and many more.

use futures_util::{StreamExt, stream};
use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    people::{self, Person},
    stack::{Stack, eventually, send},
    town::{self, Side},
};

/// Lines of a cart at most: each becomes an order.
const LINES: usize = 50;

/// A side on which all kinds of things have happened.
pub struct Day {
    pub admin: Person,
    pub side: Side,
}

impl Day {
    /// Two orders are delivered, one of them paid; one is cancelled, one on its way, one new.
    pub async fn lived(stack: &Stack) -> Self {
        let admin = people::admin(stack, "admin").await;
        let side = Side::new(stack, &admin, "").await;
        let day = Self { admin, side };
        for is_paid in [true, false] {
            day.deliver(stack, is_paid).await;
        }
        let cancelled = day.side.order(stack).await;
        let path = format!("/api/v1/orders/cancel/{cancelled}");
        let customer = Some(&day.side.customer);
        stack.post(&path, customer, &json!({})).await.expect(200);
        day.side.delivery(stack).await;
        day.side.order(stack).await;
        day
    }

    /// An order from the customer's press to the customer's door. Returns its `orderId`.
    pub async fn deliver(&self, stack: &Stack, is_paid: bool) -> String {
        let side = &self.side;
        let (order, delivery) = side.delivery(stack).await;
        if is_paid {
            let payment = json!({
                "bookingId": order, "amount": 2501, "paymentType": "Card",
                "cardNumber": "4242424242424242", "expiry": "12/34", "cvv": "123",
            });
            eventually("the order is paid", async || {
                let answer = stack
                    .post("/api/payment", Some(&side.customer), &payment)
                    .await;
                answer.status == 201
            })
            .await;
        }
        let path = format!("/api/v1/delivery/update/{delivery}");
        for status in ["on the way", "delivered"] {
            let status = json!({ "status": status });
            let answer = stack.put(&path, Some(&side.driver), &status).await;
            answer.expect(200);
        }
        eventually("the order is delivered", async || {
            let orders = stack.get("/api/v1/orders", Some(&side.customer)).await;
            let orders = orders.expect(200);
            let mut orders = orders.as_array().unwrap().iter();
            orders.any(|one| one["orderId"] == *order && one["status"] == "delivered")
        })
        .await;
        order
    }

    /// More new orders, a cart of fifty at a time. The owner is not mailed from here on.
    pub async fn orders(&self, stack: &Stack, count: usize) {
        let side = &self.side;
        // They would only fill the folder with mail.
        let no_mail = json!({ "mail": false });
        let path = "/api/v1/notification/preferences";
        stack
            .put(path, Some(&side.owner), &no_mail)
            .await
            .expect(200);
        let mut lines = Vec::new();
        for _ in 0..LINES {
            let item = town::item(stack, &side.owner, &side.restaurant).await;
            town::approve(stack, &self.admin, &item).await;
            lines.push(json!({ "key": item, "qty": 1 }));
        }
        let cart = json!({ "orderItem": lines, "address": "12 Galle Road, Colombo 03" });
        eventually("every dish can be ordered", async || {
            let answer = stack.post("/api/v1/orders/quote", None, &cart).await;
            answer.status.is_success()
        })
        .await;
        let placed = stream::iter(0..count / LINES).map(async |_| {
            let request = stack.request(Method::POST, "/api/v1/orders", Some(&side.customer));
            let answer: Value = send(request.json(&cart)).await.expect(201);
            answer["orders"].as_array().unwrap().len()
        });
        let placed: Vec<usize> = placed.buffer_unordered(4).collect().await;
        assert_eq!(placed.iter().sum::<usize>(), count);
    }
}
