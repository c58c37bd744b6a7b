//! `tiffin prepare`: makes the broker's streams, once, before the services start.

use anyhow::Result;
use tiffin_bus::Broker;
use tiffin_chassis::{Env, telemetry};

/// Makes the streams on the server of `NATS_URL`, whose user may administer them.
pub async fn run(env: &Env) -> Result<()> {
    let _telemetry = telemetry::start(env);
    let url = env.get("NATS_URL").unwrap_or("nats://127.0.0.1:4222");
    Broker::connect(url, "prepare").await.prepare().await?;
    println!("The streams are there.");
    Ok(())
}
