//! The course of one checkout, played by the people whom it concerns.

use std::{collections::HashSet, convert::Infallible, time::Duration};

use anyhow::{Context, Result};
use reqwest::Method;
use serde_json::{Value, json};
use tokio::sync::Mutex;

use super::{
    client::{Account, Call},
    driver::Driver,
    plan::{Checkout, Course, Payment, Trip},
    play::Stage,
    tally::Step,
    way::Leg,
};

/// The time between two positions of a driver who waits.
const STANDING_INTERVAL: Duration = Duration::from_secs(4);
/// Tries to learn the way to the restaurant, which begins where the driver was last seen.
const ROUTE_TRIES: u32 = 6;
const ROUTE_PAUSE: Duration = Duration::from_millis(150);

/// A checkout that was placed.
pub struct PlayedCheckout<'a> {
    stage: &'a Stage,
    plan: &'a Checkout,
    /// The codes of its orders.
    orders: Vec<String>,
    /// Its price.
    total: f64,
}

impl<'a> PlayedCheckout<'a> {
    pub async fn place(stage: &'a Stage, number: usize, plan: &'a Checkout) -> Result<Self> {
        let (customer, place, address) = stage.customer(plan.customer)?;
        let mut lines = Vec::new();
        for line in &plan.lines {
            lines.push(
                json!({ "key": stage.dish(&plan.restaurant, &line.dish)?, "qty": line.quantity }),
            );
        }
        let cart =
            json!({ "orderItem": lines, "address": address, "lat": place.lat, "lng": place.lng });
        let call = Call {
            key: Some(format!("evening-{}-{number}", stage.run)),
            ..Call::new(Method::POST, "/api/v1/orders", cart)
        };
        let placed = stage.client.call(customer, call).await?;
        let orders = placed["orders"]
            .as_array()
            .context("the answer names no orders")?;
        stage.client.tally.count(Step::Placed, orders.len());
        Ok(Self {
            stage,
            plan,
            orders: orders
                .iter()
                .filter_map(|it| it["orderId"].as_str().map(str::to_owned))
                .collect(),
            total: orders
                .iter()
                .filter_map(|it| it["totalAmount"].as_f64())
                .sum(),
        })
    }

    /// Takes it to its end.
    pub async fn play(&self) -> Result<()> {
        match &self.plan.course {
            Course::Cancelled { after } => {
                let (customer, ..) = self.stage.customer(self.plan.customer)?;
                self.end(customer, *after, json!({})).await
            }
            Course::Refused {
                after,
                reason,
                note,
            } => {
                let words = json!({ "reason": reason, "note": note });
                self.end(&self.stage.owner, *after, words).await
            }
            Course::Delivered(trip) => {
                let (paid, delivered) = tokio::join!(self.pay(), self.deliver(trip));
                paid.and(delivered)
            }
        }
    }

    /// Cancels it, paid for if that was due before.
    async fn end(&self, by: &Account, after: Duration, words: Value) -> Result<()> {
        if matches!(self.plan.payment, Payment::Online { after: at, .. } if at < after) {
            self.pay().await?;
        }
        self.stage.pace.wait(after).await;
        for order in &self.orders {
            let path = format!("/api/v1/orders/cancel/{order}");
            let call = Call::new(Method::POST, &path, words.clone());
            self.stage.client.call(by, call).await?;
            self.stage.client.tally.count(Step::Cancelled, 1);
        }
        Ok(())
    }

    /// Pays every order its equal share.
    async fn pay(&self) -> Result<()> {
        let Payment::Online { means, after } = self.plan.payment else {
            return Ok(());
        };
        self.stage.pace.wait(after).await;
        let (customer, ..) = self.stage.customer(self.plan.customer)?;
        let share = self.total / f64::from(u32::try_from(self.orders.len())?);
        for order in &self.orders {
            let payment = json!({
                "bookingId": order,
                "amount": (share * 100.0).round() / 100.0,
                "paymentType": means,
                // A published test card.
                "cardNumber": "4242 4242 4242 4242",
                "expiry": "12/34",
                "cvv": "123",
            });
            let call = Call {
                key: Some(format!("evening-{}-{order}", self.stage.run)),
                not_yet: &[404],
                ..Call::new(Method::POST, "/api/v1/payment", payment)
            };
            self.stage.client.call(customer, call).await?;
        }
        Ok(())
    }

    async fn deliver(&self, trip: &Trip) -> Result<()> {
        let (account, driver) = self.stage.driver(trip.driver)?;
        self.stage.pace.wait(trip.confirmed).await;
        let id = self.stage.client.id(account).await?;
        let confirmed = json!({ "status": "confirmed", "driverId": id });
        self.set_orders(confirmed).await?;
        let (cooked, ready) = tokio::sync::oneshot::channel();
        // The driver waits until `cooked` is gone, also where a call failed.
        let cook = async move {
            let _cooked = cooked;
            self.stage.pace.wait(trip.begun).await;
            self.set_orders(json!({ "status": "preparing" })).await?;
            self.stage.pace.wait(trip.cooking).await;
            Ok(())
        };
        let (cooked, brought) = tokio::join!(cook, self.bring(trip, account, driver, ready));
        cooked.and(brought)
    }

    /// Fetches the food once it is ready, and brings it.
    async fn bring(
        &self,
        trip: &Trip,
        account: &Account,
        driver: &Mutex<Driver>,
        mut ready: tokio::sync::oneshot::Receiver<Infallible>,
    ) -> Result<()> {
        let mut driver = driver.lock().await;
        let (client, pace) = (&self.stage.client, self.stage.pace);
        let (restaurant, (_, home, _)) = (
            self.stage.restaurant(&self.plan.restaurant)?,
            self.stage.customer(self.plan.customer)?,
        );
        if driver.place().metres_to(restaurant) > 50.0 {
            driver.stand(client).await;
            let leg = self.leg(account, "toRestaurant", ROUTE_TRIES).await?;
            driver.ride(client, pace, leg, restaurant, trip.pace).await;
        }
        loop {
            tokio::select! {
                _ = &mut ready => break,
                () = tokio::time::sleep(STANDING_INTERVAL) => driver.stand(client).await,
            }
        }
        self.set_deliveries(account, "on the way").await?;
        client.tally.count(Step::SetOut, self.orders.len());
        let leg = self.leg(account, "toDestination", 1).await?;
        driver.ride(client, pace, leg, home, trip.pace).await;
        pace.wait(trip.handover).await;
        self.set_deliveries(account, "delivered").await?;
        client.tally.count(Step::Delivered, self.orders.len());
        Ok(())
    }

    /// A leg of the route; `None` where it is not known after so many tries.
    async fn leg(&self, driver: &Account, name: &str, tries: u32) -> Result<Option<Leg>> {
        let order = self.orders.first().context("a checkout without orders")?;
        let path = format!("/api/v1/delivery/route/{order}");
        for _ in 0..tries {
            let call = Call {
                not_yet: &[404],
                ..Call::get(&path)
            };
            let route = self.stage.client.call(driver, call).await?;
            if let Ok(leg) = serde_json::from_value(route[name].clone()) {
                return Ok(Some(leg));
            }
            tokio::time::sleep(ROUTE_PAUSE).await;
        }
        Ok(None)
    }

    /// Moves all its orders at once, as the owner's board does.
    async fn set_orders(&self, status: Value) -> Result<()> {
        let order = self.orders.first().context("a checkout without orders")?;
        let path = format!("/api/v1/orders/ticket/{order}");
        let call = Call {
            // The order service may not know a new driver yet.
            not_yet: &[422],
            ..Call::new(Method::PUT, &path, status)
        };
        self.stage.client.call(&self.stage.owner, call).await?;
        Ok(())
    }

    /// Moves its deliveries at once, as the driver's page does. One that is made a moment later is moved after them.
    async fn set_deliveries(&self, driver: &Account, status: &str) -> Result<()> {
        let mut moved = HashSet::new();
        for order in &self.orders {
            if moved.contains(order) {
                continue;
            }
            let path = format!("/api/v1/delivery/ticket/{order}");
            let call = Call {
                not_yet: &[404],
                ..Call::new(Method::PUT, &path, json!({ "status": status }))
            };
            let answer = self.stage.client.call(driver, call).await?;
            let deliveries = answer["deliveries"].as_array();
            let deliveries = deliveries.context("the answer names no deliveries")?;
            let orders = deliveries.iter().filter_map(|it| it["orderId"].as_str());
            moved.extend(orders.map(str::to_owned));
        }
        Ok(())
    }
}
