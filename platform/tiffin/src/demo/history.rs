//! Orders of the past weeks, each placed, confirmed and delivered by the accounts of the demo.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use http::Method;
use serde::Deserialize;
use serde_json::json;
use time::{Duration, OffsetDateTime, Time, macros::format_description};

use super::{
    accounts::DemoAccounts,
    inquiry::Inquiry,
    menu::Menu,
    order::{DemoOrder, PaymentMethod},
    platform::{DemoAccount, DemoPlatform},
    text::text,
};
use crate::services::Service;

const ORDERS: &str = include_str!("../../demo/orders.json");

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PastOrder {
    days_ago: i64,
    /// The time of day by the platform's clocks; without one it is a few minutes ago.
    at: Option<String>,
    /// The index among the customers and the drivers.
    customer: usize,
    driver: usize,
    restaurant: String,
    /// The quantity by dish.
    dishes: BTreeMap<String, u32>,
    end: Outcome,
    #[serde(default)]
    paid: PaymentMethod,
    /// The customer's review afterwards.
    #[serde(default)]
    reviews: Vec<PastReview>,
    /// The customer's question to the administrators.
    question: Option<Inquiry>,
}

#[derive(Deserialize)]
struct PastReview {
    dish: String,
    rating: u8,
    comment: String,
    /// True if no administrator has approved it.
    #[serde(default)]
    pending: bool,
}

#[derive(Clone, Copy, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Outcome {
    Delivered,
    Cancelled,
    /// Waits for the approval.
    Pending,
}

/// Creates all past orders, oldest first.
pub async fn make(
    platform: &DemoPlatform,
    accounts: &DemoAccounts,
    menu: &Menu,
    now: OffsetDateTime,
) -> Result<()> {
    for (past, extra_minutes) in serde_json::from_str::<Vec<PastOrder>>(ORDERS)?
        .into_iter()
        .zip([0, 3, 1, 4, 2].into_iter().cycle())
    {
        platform.wait_until(past.placed_at(platform, now).await?);
        let order = past
            .place_order(platform, accounts, menu, extra_minutes)
            .await?;
        if past.paid != PaymentMethod::Later {
            order.pay(past.paid).await?;
        }
        match past.end {
            Outcome::Delivered => order.deliver().await?,
            Outcome::Cancelled => order.cancel(past.paid).await?,
            Outcome::Pending => {}
        }
        past.review(platform, accounts, menu).await?;
        if let Some(question) = &past.question {
            question.ask(platform, accounts, order.customer).await?;
        }
    }
    platform.wait_until(now);
    let all = accounts
        .customers
        .iter()
        .chain(&accounts.drivers)
        .chain([&accounts.owner]);
    for account in all {
        mark_old_notifications_read(platform, account, now).await?;
    }
    Ok(())
}

impl PastOrder {
    async fn placed_at(
        &self,
        platform: &DemoPlatform,
        now: OffsetDateTime,
    ) -> Result<OffsetDateTime> {
        let Some(at) = &self.at else {
            return Ok(now - Duration::minutes(6));
        };
        let at = Time::parse(at, format_description!("[hour]:[minute]"))?;
        let placed_at = "select (($1::timestamptz at time zone $2)::date - $3::bigint::int + $4::time) at time zone $2";
        let placed_at = sqlx::query_scalar(placed_at)
            .bind(now)
            .bind(platform.time_zone.name())
            .bind(self.days_ago)
            .bind(at);
        let pool = platform.pool(Service::Order)?;
        Ok(placed_at.fetch_one(pool).await?)
    }

    /// Submits the customer's reviews; an administrator approves most of them.
    async fn review(
        &self,
        platform: &DemoPlatform,
        accounts: &DemoAccounts,
        menu: &Menu,
    ) -> Result<()> {
        let customer = self.customer(accounts)?;
        for review in &self.reviews {
            platform.clock.advance(Duration::minutes(4));
            let body = json!({
                "productId": menu.item(&self.restaurant, &review.dish)?,
                "rating": review.rating,
                "comment": review.comment,
            });
            let submitted = platform
                .call(customer, Method::POST, "/api/v1/reviews", Some(body))
                .await?;
            if review.pending {
                continue;
            }
            let id = text(&submitted["review"], "_id").context("the answer names no review")?;
            let approve = format!("/api/v1/reviews/approve/{id}");
            platform
                .call(&accounts.admin, Method::PUT, &approve, None)
                .await?;
        }
        Ok(())
    }

    fn customer<'a>(&self, accounts: &'a DemoAccounts) -> Result<&'a DemoAccount> {
        accounts
            .customers
            .get(self.customer)
            .context("there is no such customer")
    }

    async fn place_order<'a>(
        &self,
        platform: &'a DemoPlatform,
        accounts: &'a DemoAccounts,
        menu: &Menu,
        extra_minutes: i64,
    ) -> Result<DemoOrder<'a>> {
        let customer = self.customer(accounts)?;
        let driver = accounts
            .drivers
            .get(self.driver)
            .context("there is no such driver")?;
        let mut lines = Vec::new();
        for (dish, quantity) in &self.dishes {
            lines.push(json!({ "key": menu.item(&self.restaurant, dish)?, "qty": quantity }));
        }
        let cart = json!({ "orderItem": lines });
        let placed = platform
            .eventually(customer, Method::POST, "/api/v1/orders", &cart)
            .await?;
        let orders = placed["orders"]
            .as_array()
            .context("the answer names no orders")?;
        let total = orders
            .iter()
            .filter_map(|order| order["totalAmount"].as_f64())
            .sum();
        let orders = orders
            .iter()
            .filter_map(|order| text(order, "orderId"))
            .collect();
        Ok(DemoOrder {
            platform,
            customer,
            owner: &accounts.owner,
            driver,
            admin: &accounts.admin,
            orders,
            total,
            extra_minutes,
        })
    }
}

/// Marks notifications older than two days as read.
async fn mark_old_notifications_read(
    platform: &DemoPlatform,
    account: &DemoAccount,
    now: OffsetDateTime,
) -> Result<()> {
    let list = platform
        .call(account, Method::GET, "/api/v1/notification", None)
        .await?;
    let (format, before) = (
        &time::format_description::well_known::Rfc3339,
        now - Duration::days(2),
    );
    for notification in list.as_array().into_iter().flatten() {
        let at =
            text(notification, "timestamp").and_then(|at| OffsetDateTime::parse(&at, format).ok());
        if let Some(id) = text(notification, "_id").filter(|_| at.is_some_and(|at| at < before)) {
            let path = format!("/api/v1/notification/{id}/read");
            platform
                .call(account, Method::PUT, &path, Some(json!({})))
                .await?;
        }
    }
    Ok(())
}
