//! The demo: people, restaurants, dishes, and the orders and reviews of past weeks in central Colombo.
//!
//! The services themselves make it with a clock set to the past, so that every event and read model of it
//! is real. It is made once, at the first start. A start after an interrupted one removes what there is and
//! makes the demo again.

mod history;
mod inquiry;
mod mark;
mod order;
mod people;
mod stage;
mod text;
mod town;

use std::{collections::BTreeMap, path::Path};

use anyhow::{Context, Result};
use tiffin_bus::Broker;
use tiffin_chassis::Env;
use tiffin_events::{Clock, Stream, audience, revocation};
use time::{Duration, OffsetDateTime, Time};

pub use self::mark::Mark;
use self::{people::People, stage::Stage, town::Menu};
use crate::{database, host::Lines, services::Service};

/// The accounts to try it with, and what each is for.
pub const ACCOUNTS: [(&str, &str); 4] = [
    (
        "customer@tiffin.local",
        "orders and watches the driver come",
    ),
    ("owner@tiffin.local", "confirms orders and picks drivers"),
    ("driver@tiffin.local", "shares a position and delivers"),
    ("admin@tiffin.local", "moderates"),
];

/// The password of all of them.
pub const PASSWORD: &str = "Tiffin@2026";

/// The time when the restaurants opened, before the first order.
const DAYS_OF_HISTORY: i64 = 30;

/// True while no account exists: the demo is for empty platforms.
pub async fn is_wanted(databases: &BTreeMap<Service, String>) -> Result<bool> {
    let url = databases
        .get(&Service::User)
        .context("there is no user database")?;
    let pool = database::pool(url, "demo", database::FEW)?;
    let is_empty: bool = sqlx::query_scalar("select not exists (select from users)")
        .fetch_one(&pool)
        .await?;
    pool.close().await;
    Ok(is_empty)
}

/// Makes the demo. The mark in `home` records its progress.
pub async fn make(
    home: &Path,
    env: &Env,
    lines: &Lines,
    databases: &BTreeMap<Service, String>,
) -> Result<()> {
    Mark::Making.write(home)?;
    let now = Clock::system().now();
    let opening = (now - Duration::days(DAYS_OF_HISTORY)).replace_time(Time::MIDNIGHT);
    let mail = home.join("demo-mail");
    let env = env
        .clone()
        .with("SMTP_URL", "")
        .with("TIFFIN_MAIL_DIR", mail.to_string_lossy());
    let stage = Stage::open(env, lines, databases, opening).await?;
    let made = fill(&stage, now).await;
    stage.close().await;
    let _ = std::fs::remove_dir_all(&mail);
    made?;
    Mark::Made.write(home)
}

async fn fill(stage: &Stage, now: OffsetDateTime) -> Result<()> {
    let people = People::make(stage).await?;
    let menu = Menu::make(stage, &people).await?;
    history::make(stage, &people, &menu, now).await
}

/// Removes the streams, with every event in them.
pub async fn forget_events(broker: &Broker) {
    let streams = Stream::ALL.map(|stream| stream.name().to_owned());
    for name in streams.into_iter().chain([
        format!("KV_{}", audience::BUCKET),
        revocation::STREAM.to_owned(),
    ]) {
        // One that is not there needs no removing.
        let _ = broker.jetstream.delete_stream(name).await;
    }
}
