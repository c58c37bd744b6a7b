//! `tiffin health`: the health check of a container, which has no other HTTP client.

use std::{
    net::{Ipv4Addr, SocketAddr},
    time::Duration,
};

use anyhow::{Result, ensure};
use tiffin_chassis::Env;

/// Fails unless the service at `TIFFIN_BIND` is ready.
pub async fn check(env: &Env) -> Result<()> {
    let bound: Option<SocketAddr> = env.parse("TIFFIN_BIND")?;
    let port = bound.map_or(8080, |bound| bound.port());
    let client = reqwest::Client::builder()
        .timeout(Duration::from_secs(3))
        .build()?;
    let answer = client
        .get(format!("http://{}:{port}/readyz", Ipv4Addr::LOCALHOST))
        .send()
        .await?;
    let ready = answer.status().is_success();
    let report = answer.text().await?;
    println!("{report}");
    ensure!(ready, "the service at port {port} is not ready");
    Ok(())
}
