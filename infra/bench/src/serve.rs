//! One service as a process beside a running platform.

use std::{
    path::Path,
    process::{Command, Stdio},
};

use anyhow::Result;
use tiffin_events::services::Service;

use crate::orders::platform::RunFile;

/// The command that serves it on `port`. `home` is the platform's data folder.
pub fn command(
    binary: &Path,
    home: &Path,
    run_file: &RunFile,
    service: &Service,
    port: u16,
) -> Result<Command> {
    let mut command = Command::new(binary);
    command
        .args(["serve", service.name])
        .env("TIFFIN_BIND", format!("127.0.0.1:{port}"))
        .env(
            "TIFFIN_INTERNAL_BIND",
            format!("127.0.0.1:{}", tiffin_servers::free_port()?),
        )
        .env("TIFFIN_HOME", home)
        .env("TIFFIN_MAIL_DIR", &run_file.mail)
        .env("TIFFIN_MASTER_KEY_FILE", home.join("master-key"))
        .env("TIFFIN_ADMIN_SECOND_FACTOR", "optional")
        // Orders wait here for as long as a test needs.
        .env("TIFFIN_ANSWER_MINUTES", "0")
        .env("TIFFIN_WRITE_LIMIT_FACTOR", "1000")
        .env("NATS_URL", &run_file.nats.url)
        .env(
            "TIFFIN_JWKS_URL",
            format!("{}/.well-known/jwks.json", run_file.url),
        )
        .env("TIFFIN_USER_URL", &run_file.url)
        .env("TIFFIN_USER_INTERNAL_URL", &run_file.internal)
        // No call of an order's life goes from one service to another by HTTP.
        .env("TIFFIN_SERVICE_KEY", "a key of the benchmark alone")
        .env("RUST_LOG", "warn,sqlx::query=error")
        .stdin(Stdio::null());
    if service.has_database {
        command.env("DATABASE_URL", run_file.database(service.name)?);
    }
    Ok(command)
}
