//! The demo: accounts, restaurants, dishes, and the orders and reviews of past weeks in central Colombo.
//!
//! The services themselves make it with a clock set to the past, so that every event and read model of it
//! is real. It is made once, at the first start. A start after an interrupted one removes what there is and
//! makes the demo again.

mod accounts;
mod history;
mod inquiry;
mod menu;
mod order;
mod platform;
mod state;
mod text;

use std::{collections::BTreeMap, path::Path};

use anyhow::{Context, Result};
use tiffin_bus::Broker;
use tiffin_chassis::Env;
use tiffin_events::{Clock, Stream, audience, revocation};
use time::{Duration, OffsetDateTime, Time};

pub use self::state::DemoState;
use self::{accounts::DemoAccounts, menu::Menu, platform::DemoPlatform};
use crate::{database, host::BrokerConnections, services::Service};

/// The accounts to try the demo with, and the purpose of each.
pub const ACCOUNTS: [(&str, &str); 4] = [
    (
        "customer@tiffin.local",
        "orders and watches the driver come",
    ),
    ("owner@tiffin.local", "confirms orders and picks drivers"),
    ("driver@tiffin.local", "shares a position and delivers"),
    ("admin@tiffin.local", "moderates"),
];

/// The password of all demo accounts.
pub const PASSWORD: &str = "Tiffin@2026";

/// The age of the oldest restaurant, in days.
const DAYS_OF_HISTORY: i64 = 30;

/// True while no account exists: the demo is for empty platforms.
pub async fn is_wanted(databases: &BTreeMap<Service, String>) -> Result<bool> {
    let url = databases
        .get(&Service::User)
        .context("there is no user database")?;
    let pool = database::pool(url, "demo", database::COMMAND_CONNECTIONS)?;
    let is_empty: bool = sqlx::query_scalar("select not exists (select from users)")
        .fetch_one(&pool)
        .await?;
    pool.close().await;
    Ok(is_empty)
}

/// Makes the demo. The state in `home` records its progress.
pub async fn make(
    home: &Path,
    env: &Env,
    broker_connections: &BrokerConnections,
    databases: &BTreeMap<Service, String>,
) -> Result<()> {
    DemoState::Begun.write(home)?;
    let now = Clock::system().now();
    let opening = (now - Duration::days(DAYS_OF_HISTORY)).replace_time(Time::MIDNIGHT);
    let mail = home.join("demo-mail");
    let env = env
        .clone()
        .with("SMTP_URL", "")
        .with("TIFFIN_MAIL_DIR", mail.to_string_lossy());
    let platform = DemoPlatform::start(env, broker_connections, databases, opening).await?;
    let made = fill(&platform, now).await;
    platform.close().await;
    let _ = std::fs::remove_dir_all(&mail);
    made?;
    DemoState::Complete.write(home)
}

async fn fill(platform: &DemoPlatform, now: OffsetDateTime) -> Result<()> {
    let accounts = DemoAccounts::make(platform).await?;
    let menu = Menu::make(platform, &accounts).await?;
    history::make(platform, &accounts, &menu, now).await
}

/// Removes the streams, with every event in them.
pub async fn delete_streams(broker: &Broker) {
    let streams = Stream::ALL.map(|stream| stream.name().to_owned());
    for name in streams.into_iter().chain([
        format!("KV_{}", audience::BUCKET),
        revocation::STREAM.to_owned(),
    ]) {
        // One that is not there needs no removing.
        let _ = broker.jetstream.delete_stream(name).await;
    }
}
