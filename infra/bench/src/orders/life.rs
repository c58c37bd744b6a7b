//! An order's life after it was placed: paid, confirmed with a driver, ten positions, delivered.

use std::time::Duration;

use anyhow::{Result, bail};
use reqwest::Method;
use serde_json::{Value, json};

use super::platform::{Order, Platform};

const POSITIONS: u32 = 10;
const RETRY_PAUSE: Duration = Duration::from_millis(20);
/// Tries of a call whose service does not know the order yet.
const MAX_TRIES: u32 = 1_500;

pub async fn complete(platform: &Platform, client: usize, order: &Order) -> Result<()> {
    let payment = json!({
        "bookingId": order.code, "amount": order.total, "paymentType": "PayPal",
    });
    let customer = platform.customer(client);
    repeat(platform, customer, Method::POST, "/api/payment", &payment).await?;
    let status = format!("/api/v1/orders/status/{}", order.id);
    let confirmed = json!({ "status": "confirmed", "driverId": platform.driver.id });
    repeat(
        platform,
        &platform.owner.token,
        Method::PUT,
        &status,
        &confirmed,
    )
    .await?;
    let delivery = delivery(platform, &order.code).await?;
    let update = format!("/api/v1/delivery/update/{delivery}");
    let driver = &platform.driver.token;
    repeat(
        platform,
        driver,
        Method::PUT,
        &update,
        &json!({ "status": "on the way" }),
    )
    .await?;
    let location = format!("/api/v1/delivery/location/{delivery}");
    for n in 0..POSITIONS {
        let position = json!({ "lat": 6.91 + f64::from(n) * 1e-4, "lng": 79.86 });
        repeat(platform, driver, Method::PUT, &location, &position).await?;
    }
    repeat(
        platform,
        driver,
        Method::PUT,
        &update,
        &json!({ "status": "delivered" }),
    )
    .await?;
    Ok(())
}

/// The delivery's id, once the driver's list has it.
async fn delivery(platform: &Platform, code: &str) -> Result<String> {
    let path = format!("/api/v1/delivery?q={code}");
    for _ in 0..MAX_TRIES {
        let list = platform
            .ask(&platform.driver.token, Method::GET, &path, None)
            .await?;
        if let Some(id) = list.body[0]["_id"].as_str() {
            return Ok(id.to_owned());
        }
        tokio::time::sleep(RETRY_PAUSE).await;
    }
    bail!("the driver's list has no delivery of order {code}");
}

/// Asks again while the service does not know what the call names.
async fn repeat(
    platform: &Platform,
    token: &str,
    method: Method,
    path: &str,
    body: &Value,
) -> Result<()> {
    let mut last = String::new();
    for _ in 0..MAX_TRIES {
        let answer = platform
            .ask(token, method.clone(), path, Some(body))
            .await?;
        if answer.status.is_success() {
            return Ok(());
        }
        last = format!("{}: {}", answer.status, answer.body);
        if ![404, 409, 422].contains(&answer.status.as_u16()) {
            break;
        }
        tokio::time::sleep(RETRY_PAUSE).await;
    }
    bail!("{method} {path}: {last}");
}
