//! Other people's attack tools against a separate platform on loopback: slowhttptest in its three
//! modes while others use the platform, sqlmap on operations that take text into SQL.

mod slow;
mod sql;

use std::{fs, time::Duration};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use crate::{debian, platform::Platform};

/// The number of tries.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// Connections of a slow mode, and seconds.
    connections: u32,
    seconds: u64,
    /// sqlmap's `--level`: how many ways of breaking out of a value.
    level: u8,
}

impl Extent {
    pub const WHOLE: Self = Self {
        connections: 1_000,
        seconds: 60,
        level: 3,
    };
    /// Two minutes of it.
    pub const SHORT: Self = Self {
        connections: 300,
        seconds: 6,
        level: 1,
    };
}

/// The result of an attack, one line each, and a finding if there is one.
#[derive(Debug, Default)]
struct Verdict {
    lines: Vec<String>,
    findings: Vec<String>,
}

/// Tries everything and prints what each tool said; fails on a finding.
pub fn run(extent: Extent) -> Result<()> {
    for tool in ["slowhttptest", "sqlmap"] {
        debian::ensure_installed(tool)?;
    }
    let platform = Platform::start("dev")?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    let verdict = runtime.block_on(async {
        let mut verdict = Verdict::default();
        slow::run(&platform, extent, &mut verdict).await?;
        sql::run(&platform, extent, &mut verdict).await?;
        anyhow::Ok(verdict)
    })?;
    eprintln!();
    for line in &verdict.lines {
        eprintln!("{line}");
    }
    ensure!(
        verdict.findings.is_empty(),
        "found:\n{}",
        verdict.findings.join("\n")
    );
    Ok(())
}

/// The platform's address by number: `localhost` may be two.
fn address(platform: &Platform) -> String {
    platform.url.replace("localhost", "127.0.0.1")
}

fn client() -> reqwest::ClientBuilder {
    reqwest::Client::builder()
        .no_proxy()
        .timeout(Duration::from_secs(10))
}

/// A demo account's token.
async fn sign_in(platform: &Platform, email: &str) -> Result<String> {
    let answer: Value = client()
        .build()?
        .post(format!("{}/api/v1/users/login", address(platform)))
        .json(&json!({ "email": email, "password": crate::fuzz::PASSWORD }))
        .send()
        .await?
        .error_for_status()?
        .json()
        .await?;
    let token = answer["token"].as_str().context("a token")?;
    Ok(token.to_owned())
}

/// The address of each service's database.
fn databases(platform: &Platform) -> Result<Vec<String>> {
    let text = fs::read(platform.home().join("run.json"))?;
    let running: Value = serde_json::from_slice(&text)?;
    let databases = running["databases"].as_object().context("databases")?;
    let addresses = databases.values().filter_map(Value::as_str);
    Ok(addresses.map(ToOwned::to_owned).collect())
}
