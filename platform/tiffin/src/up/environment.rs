//! The environment of the services that `tiffin up` starts.

use std::path::Path;

use anyhow::Result;
use rand::{RngExt, distr::Alphanumeric};
use tiffin_chassis::Env;
use tiffin_servers::Home;

use crate::{archive, keys};

/// True if administrators and operators must have a second factor.
const ADMIN_SECOND_FACTOR: &str = "TIFFIN_ADMIN_SECOND_FACTOR";

/// The data folder, and where fetched binaries are kept.
pub fn home(env: &Env) -> Result<Home> {
    let home = Home::at(Path::new(env.get("TIFFIN_HOME").unwrap_or(".tiffin")))?;
    Ok(match env.get("TIFFIN_SERVERS") {
        Some(folder) => home.with_packages(std::path::absolute(folder)?),
        None => home,
    })
}

/// The environment as the services see it: one origin, one home folder, and a key for calls between services that
/// lives as long as this process. The anonymous key and the master key are kept in the home folder. With the
/// demo, whose passwords are public and which only this machine reaches, its administrator needs no second factor.
pub fn of_services(
    env: Env,
    home: &Home,
    url: &str,
    internal_url: &str,
    demo: bool,
) -> Result<Env> {
    let key: String = rand::rng()
        .sample_iter(Alphanumeric)
        .take(40)
        .map(char::from)
        .collect();
    let anonymous = match env.get("TIFFIN_ANON_KEY") {
        Some(given) => given.to_owned(),
        None => home.secret("anon-key")?,
    };
    let has_master_key = ["TIFFIN_MASTER_KEY", "TIFFIN_MASTER_KEY_FILE"]
        .iter()
        .any(|name| env.get(name).is_some());
    let env = if has_master_key {
        env
    } else {
        let key = home.key(keys::MASTER_KEY)?;
        env.with("TIFFIN_MASTER_KEY", key)
    };
    let env = if demo && env.get(ADMIN_SECOND_FACTOR).is_none() {
        env.with(ADMIN_SECOND_FACTOR, "optional")
    } else {
        env
    };
    let env = if env.get(archive::ARCHIVE).is_none() {
        let folder = home.folder().join("archive");
        env.with(archive::ARCHIVE, folder.to_string_lossy())
    } else {
        env
    };
    Ok(env
        .with("TIFFIN_HOME", home.folder().to_string_lossy())
        .with("TIFFIN_PUBLIC_URL", url)
        .with("TIFFIN_USER_URL", url)
        .with("TIFFIN_USER_INTERNAL_URL", internal_url)
        .with("TIFFIN_SERVICE_KEY", key)
        .with("TIFFIN_ANON_KEY", anonymous))
}

/// The environment with logs for people: warnings only and in the pretty format, unless it sets others.
pub fn with_quiet_logs(env: Env) -> Env {
    let env = if env.get("RUST_LOG").is_none() {
        env.with("RUST_LOG", "warn,sqlx::query=error")
    } else {
        env
    };
    if env.get("TIFFIN_LOG_FORMAT").is_none() {
        env.with("TIFFIN_LOG_FORMAT", "pretty")
    } else {
        env
    }
}
