//! The course of one checkout of the demo, one call after the other.

use anyhow::Result;
use http::Method;
use serde::Deserialize;
use serde_json::{Value, json};
use time::Duration;

use super::{
    platform::{DemoAccount, DemoPlatform},
    text::text,
};

/// One order on its way, with the people it concerns.
pub struct DemoOrder<'a> {
    pub platform: &'a DemoPlatform,
    pub customer: &'a DemoAccount,
    pub owner: &'a DemoAccount,
    pub driver: &'a DemoAccount,
    pub admin: &'a DemoAccount,
    /// The orders' ids.
    pub orders: Vec<String>,
    /// The price of all its orders.
    pub total: f64,
    /// The minutes that each step takes longer, 0 to 4.
    pub extra_minutes: i64,
}

/// The payment method, if the customer paid at once.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
pub enum PaymentMethod {
    #[default]
    Later,
    Card,
    PayPal,
    #[serde(rename = "Bank Transfer")]
    BankTransfer,
}

impl DemoOrder<'_> {
    /// Pays every order its equal share.
    pub async fn pay(&self, method: PaymentMethod) -> Result<()> {
        self.advance(1);
        let share = self.total / f64::from(u32::try_from(self.orders.len())?);
        for order in &self.orders {
            let payment = json!({
                "bookingId": order,
                "amount": (share * 100.0).round() / 100.0,
                "paymentType": method.name(),
                // A published test card.
                "cardNumber": "4242 4242 4242 4242",
                "expiry": "12/34",
                "cvv": "123",
            });
            self.platform
                .eventually(self.customer, Method::POST, "/api/v1/payment", &payment)
                .await?;
        }
        Ok(())
    }

    /// Approves, confirms and delivers all orders.
    pub async fn deliver(&self) -> Result<()> {
        self.advance(1);
        for order in &self.orders {
            let path = format!("/api/v1/orders/isApprove/{order}");
            self.platform
                .call(self.admin, Method::PUT, &path, None)
                .await?;
        }
        self.advance(1 + self.extra_minutes);
        for order in &self.orders {
            let status = json!({ "status": "confirmed", "driverId": self.driver.id });
            let path = format!("/api/v1/orders/status/{order}");
            self.platform
                .eventually(self.owner, Method::PUT, &path, &status)
                .await?;
        }
        let deliveries = self
            .platform
            .poll_until(self.driver, "/api/v1/delivery", |list| self.of_orders(list))
            .await?;
        self.advance(2);
        self.set_orders("preparing").await?;
        self.advance(8 + self.extra_minutes);
        self.set_deliveries(&deliveries, "on the way").await?;
        self.wait_for("dispatched").await?;
        self.advance(9 + self.extra_minutes * 2);
        self.set_deliveries(&deliveries, "delivered").await?;
        self.wait_for("delivered").await
    }

    /// Cancels all orders and waits for the refunds.
    pub async fn cancel(&self, paid: PaymentMethod) -> Result<()> {
        self.advance(1);
        for order in &self.orders {
            let path = format!("/api/v1/orders/cancel/{order}");
            self.platform
                .call(self.customer, Method::POST, &path, Some(json!({})))
                .await?;
        }
        if paid == PaymentMethod::Later {
            return Ok(());
        }
        let is_back = |list: &Value| {
            let rows = list.as_array()?.iter();
            let ours = rows.filter(|row| {
                text(row, "bookingId").is_some_and(|order| self.orders.contains(&order))
            });
            let all = ours.filter(|row| row["status"] == "refunded").count() == self.orders.len();
            all.then_some(())
        };
        self.platform
            .poll_until(self.customer, "/api/v1/payment", is_back)
            .await
    }

    fn advance(&self, minutes: i64) {
        self.platform.clock.advance(Duration::minutes(minutes));
    }

    async fn set_orders(&self, status: &str) -> Result<()> {
        for order in &self.orders {
            let path = format!("/api/v1/orders/status/{order}");
            self.platform
                .call(
                    self.owner,
                    Method::PUT,
                    &path,
                    Some(json!({ "status": status })),
                )
                .await?;
        }
        Ok(())
    }

    async fn set_deliveries(&self, deliveries: &[String], status: &str) -> Result<()> {
        for delivery in deliveries {
            let path = format!("/api/v1/delivery/update/{delivery}");
            self.platform
                .call(
                    self.driver,
                    Method::PUT,
                    &path,
                    Some(json!({ "status": status })),
                )
                .await?;
        }
        Ok(())
    }

    /// The deliveries of all these orders, once all are there.
    fn of_orders(&self, list: &Value) -> Option<Vec<String>> {
        let rows = list.as_array()?.iter();
        let ours = rows
            .filter(|row| text(row, "orderId").is_some_and(|order| self.orders.contains(&order)));
        let found: Vec<String> = ours.filter_map(|row| text(row, "_id")).collect();
        (found.len() == self.orders.len()).then_some(found)
    }

    async fn wait_for(&self, status: &str) -> Result<()> {
        let is_there = |list: &Value| {
            let rows = list.as_array()?.iter();
            let ours = rows.filter(|row| {
                text(row, "orderId").is_some_and(|order| self.orders.contains(&order))
            });
            let all = ours.filter(|row| row["status"] == status).count() == self.orders.len();
            all.then_some(())
        };
        self.platform
            .poll_until(self.customer, "/api/v1/orders", is_there)
            .await
    }
}

impl PaymentMethod {
    const fn name(self) -> &'static str {
        match self {
            Self::Later => "",
            Self::Card => "Card",
            Self::PayPal => "PayPal",
            Self::BankTransfer => "Bank Transfer",
        }
    }
}
