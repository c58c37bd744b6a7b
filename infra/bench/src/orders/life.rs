//! An order's life after it was placed: paid, confirmed with a driver, ten positions, delivered.

use std::time::Duration;

use anyhow::{Result, bail};
use reqwest::Method;
use serde_json::{Value, json};

use super::town::{Order, Town};

const POSITIONS: u32 = 10;
const PAUSE: Duration = Duration::from_millis(20);
/// Tries of a call whose service has not heard of the order yet.
const TRIES: u32 = 1_500;

pub async fn lead(town: &Town, client: usize, order: &Order) -> Result<()> {
    let payment = json!({
        "bookingId": order.code, "amount": order.total, "paymentType": "PayPal",
    });
    let customer = town.customer(client);
    repeat(town, customer, Method::POST, "/api/payment", &payment).await?;
    let status = format!("/api/v1/orders/status/{}", order.id);
    let confirmed = json!({ "status": "confirmed", "driverId": town.driver.id });
    repeat(town, &town.owner.token, Method::PUT, &status, &confirmed).await?;
    let delivery = delivery(town, &order.code).await?;
    let update = format!("/api/v1/delivery/update/{delivery}");
    let driver = &town.driver.token;
    repeat(
        town,
        driver,
        Method::PUT,
        &update,
        &json!({ "status": "on the way" }),
    )
    .await?;
    let location = format!("/api/v1/delivery/location/{delivery}");
    for n in 0..POSITIONS {
        let position = json!({ "lat": 6.91 + f64::from(n) * 1e-4, "lng": 79.86 });
        repeat(town, driver, Method::PUT, &location, &position).await?;
    }
    repeat(
        town,
        driver,
        Method::PUT,
        &update,
        &json!({ "status": "delivered" }),
    )
    .await?;
    Ok(())
}

/// The delivery's id, once the driver's list has it.
async fn delivery(town: &Town, code: &str) -> Result<String> {
    let path = format!("/api/v1/delivery?q={code}");
    for _ in 0..TRIES {
        let list = town
            .ask(&town.driver.token, Method::GET, &path, None)
            .await?;
        if let Some(id) = list.body[0]["_id"].as_str() {
            return Ok(id.to_owned());
        }
        tokio::time::sleep(PAUSE).await;
    }
    bail!("no delivery of order {code} came");
}

/// Asks again while the service has not heard of what the call names.
async fn repeat(town: &Town, token: &str, method: Method, path: &str, body: &Value) -> Result<()> {
    let mut last = String::new();
    for _ in 0..TRIES {
        let answer = town.ask(token, method.clone(), path, Some(body)).await?;
        if answer.status.is_success() {
            return Ok(());
        }
        last = format!("{}: {}", answer.status, answer.body);
        if ![404, 409, 422].contains(&answer.status.as_u16()) {
            break;
        }
        tokio::time::sleep(PAUSE).await;
    }
    bail!("{method} {path}: {last}");
}
