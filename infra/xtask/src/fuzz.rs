//! Made-up requests for every operation of every service, with each role's token: whatever comes in,
//! no answer is an internal error, a status that the description does not list, or a body that is not
//! what it says; nothing that wants a token goes without one, what was made is there, and what was
//! deleted is gone. Stateful scenarios follow the links of the description from one operation to the
//! next.

use std::{
    io::{BufRead, BufReader},
    path::Path,
    process::Stdio,
    time::Instant,
};

use anyhow::{Context, Result, bail, ensure};

use crate::{contract, generate, platform::Platform, step};

/// A role and its account.
pub type Role = (&'static str, Option<&'static str>);

/// Each role's demo account; the caller without one has no token. Administrators go last: they alone can
/// take others' accounts away.
pub const ROLES: [Role; 5] = [
    ("anonymous", None),
    ("customer", Some("customer@tiffin.local")),
    ("delivery", Some("driver@tiffin.local")),
    ("restaurant", Some("owner@tiffin.local")),
    ("admin", Some("admin@tiffin.local")),
];
/// The demo's password.
pub const PASSWORD: &str = "Tiffin@2026";
/// The checks of every answer, and the operations that are exempt from a check.
const CONFIG: &str = "infra/contracts/schemathesis.toml";

/// The role of that name.
pub fn role(name: &str) -> Result<Role> {
    let role = ROLES.into_iter().find(|(known, _)| *known == name);
    role.with_context(|| format!("there is no role {name}"))
}

/// Against a separate platform, with its limits as they are.
pub fn run(examples: u32, roles: &[Role]) -> Result<()> {
    let began = Instant::now();
    let tools = contract::python_tools()?;
    let platform = Platform::start("dev")?;
    let (mut failed, mut scenarios) = (Vec::new(), Vec::new());
    for (role, email) in roles {
        let name = format!("made-up requests as {role}");
        match run_as(&name, &tools, &platform, *email, examples) {
            Ok(count) => scenarios.push(format!("{role} {count}")),
            Err(error) => failed.push(format!("{error:#}")),
        }
    }
    eprintln!("stateful scenarios: {}", scenarios.join(", "));
    eprintln!(
        "made-up requests, {examples} examples an operation and role: {:.0} s",
        began.elapsed().as_secs_f64()
    );
    ensure!(failed.is_empty(), "{}", failed.join("\n"));
    Ok(())
}

fn run_as(
    name: &str,
    tools: &Path,
    platform: &Platform,
    email: Option<&str>,
    examples: u32,
) -> Result<u32> {
    let mut command = contract::python(tools);
    command
        .env("SCHEMATHESIS_HOOKS", "infra.contracts.hooks")
        .args(["-m", "schemathesis.cli", "--config-file", CONFIG, "run"])
        .arg(step::root().join(generate::OPENAPI))
        .args(["--url", &platform.url])
        .args(["--phases", "examples,coverage,fuzzing,stateful"])
        .args(["--max-examples", &examples.to_string()])
        // One worker: the tool's own code fails at times where two of them run.
        .args(["--workers", "1", "--warnings", "off"])
        .args(["--continue-on-failure", "--seed", "1"]);
    if let Some(email) = email {
        command.env("TIFFIN_URL", &platform.url);
        command.env("TIFFIN_EMAIL", email);
        command.env("TIFFIN_PASSWORD", PASSWORD);
    }
    eprintln!("\n== {name}");
    let mut child = command.stdout(Stdio::piped()).spawn().context("python3")?;
    let said = child.stdout.take().context("what schemathesis says")?;
    let mut scenarios = None;
    for line in BufReader::new(said).lines() {
        let line = line?;
        println!("{line}");
        scenarios = scenarios.or_else(|| count(&line));
    }
    let status = child.wait()?;
    ensure!(status.success(), "{name} ended with {status}");
    match scenarios {
        None | Some(0) => bail!("{name}: no stateful scenario ran"),
        Some(scenarios) => Ok(scenarios),
    }
}

/// The number in `Scenarios:    26`, which appears under the stateful phase alone.
fn count(line: &str) -> Option<u32> {
    line.trim().strip_prefix("Scenarios:")?.trim().parse().ok()
}
