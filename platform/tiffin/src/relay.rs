//! `tiffin relay`: recovery if a service's database and the broker's streams differ.

use anyhow::Result;
use tiffin_bus::heads;
use tiffin_chassis::Env;

use crate::{admin, database, services::Service};

#[derive(clap::Subcommand)]
pub enum Command {
    /// Shows why a service has stopped publishing to a stream.
    Status {
        /// The service; its database is `DATABASE_URL`, or that of the running `tiffin up`.
        service: Service,
    },
    /// Resumes publishing after a service's database was restored from a backup. The streams stay as they are. An
    /// event that contradicts one of theirs becomes a dead letter at each consumer, and its order, delivery or
    /// account waits there until you settle it.
    Accept {
        /// The service; its database is `DATABASE_URL`, or that of the running `tiffin up`.
        service: Service,
    },
}

pub async fn run(command: Command, env: &Env) -> Result<()> {
    let (Command::Status { service } | Command::Accept { service }) = command;
    let url = admin::database_url_of(env, service)?;
    let pool = database::pool(&url, service.name(), database::COMMAND_CONNECTIONS)?;
    let name = service.name();
    match command {
        Command::Status { .. } => match heads::trouble(&pool).await? {
            None => println!("The {name} service publishes to all its streams."),
            Some(trouble) => println!("{trouble}"),
        },
        Command::Accept { .. } => {
            let accepted = heads::accept(&pool).await?;
            if accepted.is_empty() {
                println!(
                    "The {name} service publishes to all its streams: there is nothing to accept."
                );
            } else {
                println!(
                    "The {name} service publishes to {} again.",
                    accepted.join(", ")
                );
            }
        }
    }
    pool.close().await;
    Ok(())
}
