//! `tiffin keys`: the keys that tokens are signed with.

use anyhow::Result;
use tiffin_chassis::Env;
use tiffin_events::Clock;
use tiffin_user::Keys;

use crate::{admin, database, services::Service};

#[derive(clap::Subcommand)]
pub enum Command {
    /// Makes a new key in the database at `DATABASE_URL`, or of the `tiffin up` that is running. Nobody
    /// is logged out: it is published before it signs, and the old one for as long as its tokens live.
    Rotate,
}

pub async fn run(command: Command, env: &Env) -> Result<()> {
    let Command::Rotate = command;
    let pool = database::pool(&admin::database_url(env)?, Service::User.name())?;
    let keys = Keys::new(pool.clone(), Clock::system());
    keys.rotate().await?;
    pool.close().await;
    println!(
        "A new key signs in five minutes. What the old one signed stays good until it expires."
    );
    Ok(())
}
