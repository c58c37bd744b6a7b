//! `tiffin up` as a process: the first start with its demo, a crash, the next start, a clean stop.

#![expect(
    clippy::unwrap_used,
    reason = "a test stops where something is not as it should be"
)]

mod checks;
mod platform;
mod roads;

use std::{
    fs,
    process::{Command, ExitStatus},
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use platform::{Up, wait_for_the_end_of};

#[tokio::test]
async fn the_demo_is_made_once_and_outlives_crashes_and_stops() {
    let mut up = Up::first().await;
    let restaurants = up.get("/api/v1/restaurant", "").await;
    assert_eq!(restaurants.as_array().unwrap().len(), 12);
    assert_eq!(
        up.get("/api/v1/collection", "")
            .await
            .as_array()
            .unwrap()
            .len(),
        80
    );
    let customer = up.login("customer@tiffin.local").await;
    let orders = up.get("/api/v1/orders", &customer).await;
    let admin = up.login("admin@tiffin.local").await;
    let drivers = up.get("/api/v1/driver", &admin).await;
    assert_eq!(drivers.as_array().unwrap().len(), 6);
    // The driver service hears of the owner's verified restaurant a moment later.
    let owner = up.login("owner@tiffin.local").await;
    let mut seen = up.get("/api/v1/driver", &owner).await;
    for _ in 0..100 {
        if seen.as_array().is_some_and(|drivers| !drivers.is_empty()) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
        seen = up.get("/api/v1/driver", &owner).await;
    }
    for driver in seen.as_array().filter(|all| !all.is_empty()).unwrap() {
        assert_eq!(
            (&driver["email"], &driver["isAvailable"]),
            (&json!(""), &json!(true))
        );
    }
    for email in ["driver@tiffin.local", "admin@tiffin.local"] {
        up.login(email).await;
    }
    assert!(
        orders
            .as_array()
            .unwrap()
            .iter()
            .any(|order| order["status"] == "delivered")
    );
    assert_eq!(up.get("/readyz", "").await["status"], "ready");
    checks::roles_are_least(&up).await;
    checks::the_inner_side_is_apart(&up).await;
    checks::nothing_is_refused_by_the_broker(&up);
    checks::the_home_is_closed(&up);
    roads::a_router_that_dies_is_started_again(&up).await;

    let servers = up.servers();
    up.process.kill().unwrap();
    up.process.wait().unwrap();
    fs::remove_file(up.home().join("run.json")).unwrap();
    wait_for_the_end_of(&servers).await;
    checks::open_up(&up.home());
    let mut up = up.again().await;
    checks::the_home_is_closed(&up);
    let customer = up.login("customer@tiffin.local").await;
    assert_eq!(up.get("/api/v1/orders", &customer).await, orders);

    up.stop().await;
    assert!(!up.home().join("run.json").exists());
    for (name, value, said) in [
        (
            "TIFFIN_CURRENCY",
            "JPY",
            "the amounts in this database are of LKR, but TIFFIN_CURRENCY is JPY",
        ),
        (
            "TIFFIN_CURRENCY",
            "Rs.",
            "TIFFIN_CURRENCY can't be read: \"Rs.\" is no currency code",
        ),
        (
            "TIFFIN_TIME_ZONE",
            "Colombo",
            "TIFFIN_TIME_ZONE can't be read: \"Colombo\" is no time zone",
        ),
    ] {
        let log = up.refused_with(&[(name, value)]).await;
        assert!(log.contains(said), "{log}");
    }
    let mut up = up.again_with(&[("TIFFIN_OSM", file!())]).await;
    assert_eq!(up.get("/api/v1/restaurant", "").await, restaurants);
    roads::a_map_that_is_none_is_named(&mut up).await;
}

/// Kills a server of the platform as a crash would, and waits until another runs in its place.
async fn kill_and_wait(up: &Up, server: &str) {
    let killed = up.running()[server]["pid"].as_u64().unwrap();
    kill(killed);
    let began = Instant::now();
    while up.running()[server]["pid"].as_u64() == Some(killed) || !up.is_ready().await {
        assert!(began.elapsed() < Duration::from_mins(1), "{}", up.log());
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

fn kill(process: u64) {
    let killed = Command::new("kill")
        .args(["-KILL", &process.to_string()])
        .status();
    assert!(killed.unwrap().success());
}

#[tokio::test]
async fn a_broker_and_a_database_that_die_are_started_again_until_they_die_too_often() {
    let mut up = Up::first().await;
    // Five times each; a start between them, since three deaths within a minute are too often.
    for times in [2, 2, 1] {
        for server in ["nats", "postgres"].repeat(times) {
            kill_and_wait(&up, server).await;
        }
        up.login("owner@tiffin.local").await;
        if times == 2 {
            up.stop().await;
            up = up.again().await;
        }
    }
    let status = kill_until_it_ends(&mut up).await;
    assert!(!status.success(), "{status}");
    let sentence = "nats-server ended 3 times within a minute";
    assert!(up.log().contains(sentence), "{}", up.log());
    assert!(!up.home().join("run.json").exists());
}

/// Kills each broker of the platform as soon as it runs, until the platform gives up.
async fn kill_until_it_ends(up: &mut Up) -> ExitStatus {
    let began = Instant::now();
    let mut killed = 0;
    loop {
        if let Some(status) = up.process.try_wait().unwrap() {
            return status;
        }
        assert!(began.elapsed() < Duration::from_mins(2), "{}", up.log());
        let text = fs::read(up.home().join("run.json")).unwrap_or_default();
        let running: Value = serde_json::from_slice(&text).unwrap_or_default();
        if let Some(broker) = running["nats"]["pid"].as_u64()
            && broker != killed
        {
            kill(broker);
            killed = broker;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}
