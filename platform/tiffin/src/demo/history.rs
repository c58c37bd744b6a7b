//! Orders of the past weeks, each placed, confirmed and brought by the people of the demo.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use http::Method;
use serde::Deserialize;
use serde_json::json;
use time::{Duration, OffsetDateTime, Time, UtcOffset, macros::format_description};

use super::{
    inquiry::Inquiry,
    order::{DemoOrder, Means},
    people::People,
    stage::{Person, Stage},
    text::text,
    town::Menu,
};

const ORDERS: &str = include_str!("../../demo/orders.json");

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Past {
    days_ago: i64,
    /// The time of day in Colombo; without one it is a few minutes ago.
    at: Option<String>,
    /// By their place among the customers and the drivers.
    customer: usize,
    driver: usize,
    restaurant: String,
    /// Dish → how many.
    dishes: BTreeMap<String, u32>,
    end: End,
    #[serde(default)]
    paid: Means,
    /// The customer's review afterwards.
    #[serde(default)]
    reviews: Vec<Opinion>,
    /// The customer's question to the administrators.
    question: Option<Inquiry>,
}

#[derive(Deserialize)]
struct Opinion {
    dish: String,
    rating: u8,
    comment: String,
    /// No administrator has looked at it yet.
    #[serde(default)]
    pending: bool,
}

#[derive(Clone, Copy, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum End {
    Delivered,
    Cancelled,
    /// No one has looked at it yet.
    Pending,
}

/// Lives through all of it, oldest first.
pub async fn make(stage: &Stage, people: &People, menu: &Menu, now: OffsetDateTime) -> Result<()> {
    for (past, pace) in serde_json::from_str::<Vec<Past>>(ORDERS)?
        .into_iter()
        .zip([0, 3, 1, 4, 2].into_iter().cycle())
    {
        stage.wait_until(past.moment(now)?);
        let order = past.place(stage, people, menu, pace).await?;
        if past.paid != Means::Later {
            order.pay(past.paid).await?;
        }
        match past.end {
            End::Delivered => order.deliver().await?,
            End::Cancelled => order.cancel(past.paid).await?,
            End::Pending => {}
        }
        past.review(stage, people, menu).await?;
        if let Some(question) = &past.question {
            question.ask(stage, people, order.customer).await?;
        }
    }
    stage.wait_until(now);
    let everybody = people
        .customers
        .iter()
        .chain(&people.drivers)
        .chain([&people.owner]);
    for person in everybody {
        read_old_news(stage, person, now).await?;
    }
    Ok(())
}

impl Past {
    fn moment(&self, now: OffsetDateTime) -> Result<OffsetDateTime> {
        let Some(at) = &self.at else {
            return Ok(now - Duration::minutes(6));
        };
        let at = Time::parse(at, format_description!("[hour]:[minute]"))?;
        let colombo = UtcOffset::from_hms(5, 30, 0)?;
        let day = (now - Duration::days(self.days_ago)).to_offset(colombo);
        Ok(day.replace_time(at).to_offset(UtcOffset::UTC))
    }

    /// The customer's words on what they ate, and an administrator's yes to most of them.
    async fn review(&self, stage: &Stage, people: &People, menu: &Menu) -> Result<()> {
        let customer = self.customer(people)?;
        for opinion in &self.reviews {
            stage.clock.advance(Duration::minutes(4));
            let review = json!({
                "productId": menu.item(&self.restaurant, &opinion.dish)?,
                "rating": opinion.rating,
                "comment": opinion.comment,
            });
            let submitted = stage
                .call(customer, Method::POST, "/api/v1/reviews", Some(review))
                .await?;
            if opinion.pending {
                continue;
            }
            let id = text(&submitted["review"], "_id").context("the answer names no review")?;
            let approve = format!("/api/v1/reviews/approve/{id}");
            stage
                .call(&people.admin, Method::PUT, &approve, None)
                .await?;
        }
        Ok(())
    }

    fn customer<'a>(&self, people: &'a People) -> Result<&'a Person> {
        people
            .customers
            .get(self.customer)
            .context("there is no such customer")
    }

    async fn place<'a>(
        &self,
        stage: &'a Stage,
        people: &'a People,
        menu: &Menu,
        pace: i64,
    ) -> Result<DemoOrder<'a>> {
        let customer = self.customer(people)?;
        let driver = people
            .drivers
            .get(self.driver)
            .context("there is no such driver")?;
        let mut lines = Vec::new();
        for (dish, quantity) in &self.dishes {
            lines.push(json!({ "key": menu.item(&self.restaurant, dish)?, "qty": quantity }));
        }
        let cart = json!({ "orderItem": lines });
        let placed = stage
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
            stage,
            customer,
            owner: &people.owner,
            driver,
            admin: &people.admin,
            orders,
            total,
            pace,
        })
    }
}

/// Notifications older than two days are read.
async fn read_old_news(stage: &Stage, person: &Person, now: OffsetDateTime) -> Result<()> {
    let list = stage
        .call(person, Method::GET, "/api/v1/notification", None)
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
            stage
                .call(person, Method::PUT, &path, Some(json!({})))
                .await?;
        }
    }
    Ok(())
}
