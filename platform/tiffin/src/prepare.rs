//! `tiffin prepare`: makes the broker's streams, once, before the services start.

use anyhow::{Context, Result};
use tiffin_bus::{Broker, Bytes, Caps, Replicas};
use tiffin_chassis::{Env, telemetry};

use crate::archive;

/// The caps of streams, from `TIFFIN_STREAMS` and `TIFFIN_NATS_REPLICAS`.
pub fn caps(env: &Env) -> Result<Caps> {
    let caps: Caps = env.parse("TIFFIN_STREAMS")?.unwrap_or_default();
    let replicas: Option<Replicas> = env.parse("TIFFIN_NATS_REPLICAS")?;
    Ok(match replicas {
        None => caps,
        Some(replicas) => caps.with_replicas(replicas),
    })
}

/// The bytes that the broker's disk may hold: `TIFFIN_BROKER_DISK`, or what `infra/nats/nats-server.conf` says.
pub fn broker_disk(env: &Env) -> Result<Option<u64>> {
    let set = env.parse("TIFFIN_BROKER_DISK")?.map(|Bytes(bytes)| bytes);
    Ok(set.or_else(tiffin_servers::max_file_store))
}

/// Makes the streams on the server of `NATS_URL`, whose user may administer them.
pub async fn run(env: &Env) -> Result<()> {
    let _telemetry = telemetry::start(env);
    let url = env.get("NATS_URL").unwrap_or("nats://127.0.0.1:4222");
    let caps = caps(env)?;
    let broker = Broker::connect(url, "prepare").await;
    let broker = broker.context("NATS_URL can't be used")?;
    let broker = broker.with_caps(caps).with_archive(archive::open(env)?);
    broker.prepare().await?;
    println!("All streams exist.");
    Ok(())
}
