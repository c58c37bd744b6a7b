//! `tiffin keys`: the keys that tokens are signed with.

use std::path::Path;

use anyhow::{Context, Result};
use sqlx::PgPool;
use tiffin_bus::Recorder;
use tiffin_chassis::Env;
use tiffin_events::Clock;
use tiffin_user::{Keys, PersonalKeys, Seal};

use crate::{admin, database, services::Service};

#[derive(clap::Subcommand)]
pub enum Command {
    /// Makes a new key in the database at `DATABASE_URL`, or of the `tiffin up` that is running. No session
    /// ends: the new key is published before it signs, and the old one stays published while its tokens
    /// live.
    Rotate,
}

pub async fn run(command: Command, env: &Env) -> Result<()> {
    let Command::Rotate = command;
    let pool = database::pool(
        &admin::database_url(env)?,
        Service::User.name(),
        database::COMMAND_CONNECTIONS,
    )?;
    let keys = Keys::new(pool.clone(), Clock::system(), seal(env)?);
    keys.rotate().await?;
    pool.close().await;
    println!(
        "A new key signs in five minutes. Tokens that the old key signed stay valid until they expire."
    );
    Ok(())
}

/// The key that seals signing keys: `TIFFIN_MASTER_KEY`, or the one in the folder of `tiffin up`.
fn seal(env: &Env) -> Result<Seal> {
    let home = Path::new(env.get("TIFFIN_HOME").unwrap_or(".tiffin"));
    let kept = home.join(MASTER_KEY);
    let is_set = ["TIFFIN_MASTER_KEY", "TIFFIN_MASTER_KEY_FILE"]
        .iter()
        .any(|name| env.get(name).is_some());
    if is_set || !kept.exists() {
        return Ok(Seal::read(env)?);
    }
    let file = kept.to_string_lossy();
    Ok(Seal::read(
        &env.clone().with("TIFFIN_MASTER_KEY_FILE", file),
    )?)
}

/// The means of recording events for a command: it has the keys of personal fields from the database of the user
/// service.
pub fn recorder(users: &PgPool, clock: &Clock, env: &Env) -> Result<Recorder> {
    Ok(PersonalKeys::new(users.clone(), clock.clone(), seal(env)?).recorder())
}

/// The file in the home folder with the master key.
pub const MASTER_KEY: &str = "master-key";

/// Seals the signing keys that are not sealed yet, under the key of `env`. Fails if a sealed key can't be opened;
/// no other key is created then.
pub async fn seal_stored(pool: &PgPool, env: &Env) -> Result<()> {
    let keys = Keys::new(pool.clone(), Clock::system(), Seal::read(env)?);
    keys.seal_stored()
        .await
        .context("the signing keys in the database of the user service")
}
