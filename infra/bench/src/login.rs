//! The time of a login with an address that has an account and with one that has none, in turns, on one
//! machine in one run: a stranger who measures must not learn which addresses have accounts.

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use serde_json::json;
use tempfile::TempDir;
use tiffin_chassis::{Env, Revocations, Verifier};
use tiffin_events::{Clock, Role, UserId};
use tiffin_testkit::{TestApp, TestDb, recorder};
use tiffin_user::{Keys, MIGRATIONS, NewAccount, Profile, Seal, State, create_account, router};

/// Wrong passwords that one account takes before it is shut for a while.
const TRIES_PER_ACCOUNT: u32 = 10;
/// As far as the means may be apart.
const TOLERANCE: f64 = 0.05;

#[derive(Debug, clap::Args)]
pub struct Options {
    /// Tries with each kind of address.
    #[arg(long, default_value_t = 200)]
    tries: u32,
}

pub fn run(options: &Options) -> Result<()> {
    tokio::runtime::Runtime::new()?.block_on(measure(options.tries))
}

async fn measure(tries: u32) -> Result<()> {
    let (db, clock, mail) = (
        TestDb::new(&MIGRATIONS).await,
        Clock::system(),
        TempDir::new()?,
    );
    let accounts = tries.div_ceil(TRIES_PER_ACCOUNT);
    eprintln!("making {accounts} accounts");
    for n in 0..accounts {
        let new = NewAccount {
            id: UserId(clock.new_id()),
            email: known(n),
            password: "Kottu-Roti@9pm".to_owned(),
            role: Role::Customer,
            profile: Profile::default(),
            operator: false,
        };
        create_account(&db.pool, &recorder(&clock), new).await?;
    }
    let env = Env::from_pairs([
        ("TIFFIN_BEHIND_PROXY", "true"),
        // 32 bytes that seal nothing of worth.
        (
            "TIFFIN_MASTER_KEY",
            "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
        ),
    ])
    .with("TIFFIN_MAIL_DIR", mail.path().to_string_lossy());
    let keys = Keys::new(db.pool.clone(), clock.clone(), Seal::read(&env)?);
    let jwks = serde_json::to_value(keys.current().await?.jwks())?;
    let verifier = Verifier::with_keys(&jwks, clock.clone(), Revocations::default());
    let state = State::new(db.pool.clone(), verifier, clock, &env)?;
    let app = TestApp::start(router(state).split_for_parts().0).await;
    for n in 0..10 {
        login(&app, &format!("warm-up{n}@tiffin.local"), n).await?;
    }
    let (mut with, mut without) = (Vec::new(), Vec::new());
    for n in 0..tries {
        // Neither kind always goes first.
        for first in [n % 2 == 0, n % 2 != 0] {
            let (email, taken) = if first {
                (known(n / TRIES_PER_ACCOUNT), &mut with)
            } else {
                (format!("unknown{n}@tiffin.local"), &mut without)
            };
            taken.push(login(&app, &email, 1_000 + n * 2 + u32::from(first)).await?);
        }
    }
    report(&with, &without)
}

fn known(n: u32) -> String {
    format!("known{n}@tiffin.local")
}

/// A login with a wrong password, from a separate network.
async fn login(app: &TestApp, email: &str, network: u32) -> Result<Duration> {
    let from = std::net::Ipv4Addr::from_bits(0x0a00_0000 | network);
    let body = json!({ "email": email, "password": "Wrong-Pass@1" });
    let call = app.post("/api/v1/users/login").json(&body);
    let began = Instant::now();
    let answer = call.header("x-forwarded-for", &from.to_string()).await;
    let taken = began.elapsed();
    ensure!(answer.status == 401, "{email}: {}", answer.text);
    Ok(taken)
}

fn report(with: &[Duration], without: &[Duration]) -> Result<()> {
    println!(
        "{:<20} {:>6} {:>10} {:>10}",
        "address", "tries", "mean ms", "median ms"
    );
    for (name, taken) in [("has an account", with), ("has none", without)] {
        let mut sorted = taken.to_vec();
        sorted.sort();
        let median = sorted.get(sorted.len() / 2).copied().unwrap_or_default();
        println!(
            "{name:<20} {:>6} {:>10.2} {:>10.2}",
            taken.len(),
            mean(taken) * 1e3,
            median.as_secs_f64() * 1e3
        );
    }
    let ratio = mean(with) / mean(without);
    println!("ratio of the means   {ratio:.4}");
    ensure!(
        (ratio - 1.0).abs() <= TOLERANCE,
        "the means are more than {:.0} % apart",
        TOLERANCE * 100.0
    );
    Ok(())
}

/// Seconds.
fn mean(taken: &[Duration]) -> f64 {
    let sum: Duration = taken.iter().sum();
    sum.as_secs_f64() / f64::from(u32::try_from(taken.len()).unwrap_or(u32::MAX).max(1))
}
