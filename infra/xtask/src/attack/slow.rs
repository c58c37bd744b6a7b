//! slowhttptest: hundreds of connections that send or read a few bytes at a time. Meanwhile another address
//! asks for the health and the catalogue, and is answered.

use std::{
    net::{IpAddr, Ipv4Addr},
    time::{Duration, Instant},
};

use anyhow::{Context, Result, ensure};
use tokio::process::Command;

use super::{Extent, Verdict, address, client};
use crate::platform::Platform;

/// The time-out of an answer to other users. It is long because the machine may be busy.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(30);
/// The time that the tool waits for its own probe, in seconds.
const PROBE_SECONDS: &str = "5";
/// The interval of the requests of other users.
const REQUEST_INTERVAL: Duration = Duration::from_millis(250);
/// The address of the other users, different from the attacker's.
const OTHER_USERS_ADDRESS: IpAddr = IpAddr::V4(Ipv4Addr::new(127, 0, 0, 2));

/// A name, what is asked for, and how: bytes and seconds are the tool's.
const MODES: [(&str, &str, &str); 3] = [
    ("slow headers", "/", "-H -i 2 -x 24"),
    (
        "slow body",
        "/api/v1/users/login",
        "-B -i 2 -x 24 -s 8192 -f application/json",
    ),
    (
        "slow read",
        "/openapi.json",
        "-X -n 2 -w 16 -y 64 -z 16 -k 4",
    ),
];

pub async fn run(platform: &Platform, extent: Extent, verdict: &mut Verdict) -> Result<()> {
    for (name, path, arguments) in MODES {
        eprintln!("\n== slowhttptest: {name}");
        let folder = tempfile::tempdir()?;
        let prefix = folder.path().join("slow");
        let mut attack = Command::new("slowhttptest");
        attack
            .args(arguments.split_whitespace())
            .args(["-c", &extent.connections.to_string()])
            .args(["-r", &(extent.connections / 3).to_string()])
            .args(["-l", &extent.seconds.to_string()])
            .args(["-p", PROBE_SECONDS, "-v", "1", "-g"])
            .arg("-o")
            .arg(&prefix)
            .args(["-u", &format!("{}{path}", address(platform))])
            .stdin(std::process::Stdio::null())
            .kill_on_drop(true);
        let (said, others) = tokio::try_join!(
            async { attack.output().await.context("slowhttptest") },
            ask(platform, Duration::from_secs(extent.seconds)),
        )?;
        let counted = std::fs::read_to_string(prefix.with_extension("csv"))
            .with_context(|| String::from_utf8_lossy(&said.stdout).into_owned())?;
        let most = most_connected(&counted)?;
        let others = others.report();
        verdict.lines.push(format!(
            "{name}: up to {most} of {} connections at once; others: {}",
            extent.connections, others.0
        ));
        if let Some(finding) = others.1 {
            verdict.findings.push(format!("{name}: {finding}"));
        }
    }
    Ok(())
}

/// The answers to other users.
#[derive(Debug, Default)]
struct OtherUsers {
    times: Vec<Duration>,
    failures: Vec<String>,
}

impl OtherUsers {
    /// In words, and what is wrong with it.
    fn report(mut self) -> (String, Option<String>) {
        self.times.sort();
        let worst = self.times.last().copied().unwrap_or_default();
        let middle = self.times.get(self.times.len() / 2).copied();
        let line = format!(
            "{} answers, median {} ms, slowest {} ms, {} failures",
            self.times.len(),
            middle.unwrap_or_default().as_millis(),
            worst.as_millis(),
            self.failures.len()
        );
        let finding = if self.times.is_empty() {
            Some("no one was answered".to_owned())
        } else {
            self.failures.first().cloned()
        };
        (line, finding)
    }
}

async fn ask(platform: &Platform, lasts: Duration) -> Result<OtherUsers> {
    // Each request has a separate connection, as a newcomer's has.
    let client = client()
        .local_address(OTHER_USERS_ADDRESS)
        .pool_max_idle_per_host(0)
        .timeout(ANSWER_TIMEOUT)
        .build()?;
    let began = Instant::now();
    let mut others = OtherUsers::default();
    while began.elapsed() < lasts {
        for path in ["/healthz", "/api/v1/collection?limit=20"] {
            let asked = Instant::now();
            let answer = client.get(format!("{}{path}", address(platform)));
            match answer.send().await {
                Ok(answer) if answer.status().is_success() => others.times.push(asked.elapsed()),
                Ok(answer) => others.failures.push(format!("{path}: {}", answer.status())),
                Err(error) => others.failures.push(format!("{path}: {error:?}")),
            }
        }
        tokio::time::sleep(REQUEST_INTERVAL).await;
    }
    Ok(others)
}

/// From the tool's own table: seconds, closed, pending, connected, whether it was served.
fn most_connected(table: &str) -> Result<u32> {
    let rows = table.lines().skip(1);
    let connected = rows.filter_map(|row| row.split(',').nth(3)?.trim().parse::<u32>().ok());
    let most = connected.max().context("slowhttptest counted nothing")?;
    ensure!(most > 0, "slowhttptest made no connection:\n{table}");
    Ok(most)
}
