//! The one binary: the whole platform, or one service of it.

mod admin;
mod archive;
mod asyncapi;
mod client;
mod database;
mod deferred;
mod demo;
mod evening;
mod events;
mod health;
mod host;
mod keys;
mod manual;
mod migrate;
mod openapi;
mod prepare;
mod print;
mod relay;
mod revocation;
mod roles;
mod run_file;
mod secrets;
mod serve;
mod services;
mod stop;
mod trim;
mod up;
mod version;
mod web;

use std::process::ExitCode;

use anyhow::Result;
use clap::{CommandFactory, Parser, Subcommand};
use clap_complete::Shell;
use mimalloc::MiMalloc;
use tiffin_chassis::{Env, Region};

use crate::services::Service;

/// Gives memory back to the system after a load, which the C library's allocator does not. It asks for no huge pages,
/// which keep what few bytes use.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// Food ordering and delivery: the whole platform, or one service of it.
#[derive(Parser)]
#[command(name = "tiffin", version)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Starts everything on this machine: servers, services, web app and demo data. The default command.
    Up(up::Options),
    /// Runs one service, configured by its environment.
    Serve {
        /// The service.
        service: serve::ServeTarget,
    },
    /// Prints an environment file for `docker-compose.yml` with random passwords and keys.
    Secrets,
    /// Creates the broker's streams. Run it once before `serve`, with a `NATS_URL` whose user may.
    Prepare,
    /// Brings the database of a service up to date, for services that run with `TIFFIN_MIGRATE=off`. Steps go forward
    /// only; a process of the release before works with them.
    Migrate {
        /// The service.
        service: Service,
    },
    /// Prints the release, its commit, and the last step of each service's database.
    Version,
    /// Prints the OpenAPI document of one service, or of all together.
    Openapi {
        /// The service; all services by default.
        service: Option<Service>,
    },
    /// Prints the AsyncAPI document of the events and the live websocket.
    Asyncapi,
    /// The event history for operators: read it, replay it, repair it.
    Events(Box<events::Options>),
    /// Prints the confirmed tickets of restaurants on a printer in the kitchen.
    Print(Box<print::Options>),
    /// Life for the demo: a Friday evening, played into the platform that runs on this machine.
    Demo {
        #[command(subcommand)]
        command: evening::Command,
    },
    /// Accounts of administrators.
    Admin {
        #[command(subcommand)]
        command: admin::Command,
    },
    /// The keys that tokens are signed with.
    Keys {
        #[command(subcommand)]
        command: keys::Command,
    },
    /// A service's publishing to the event history, and the reason if it has stopped.
    Relay {
        #[command(subcommand)]
        command: relay::Command,
    },
    /// Asks the service at `TIFFIN_BIND` whether it is ready; for a container's health check.
    Health,
    /// Prints the completions of this command line for a shell.
    Completions {
        /// The shell.
        shell: Shell,
    },
    /// Prints a page of the manual: `tiffin man events replay | man -l -`.
    Man(manual::Manual),
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            client::failure::exit_code(&error)
        }
    }
}

fn run() -> Result<()> {
    let cli = Cli::parse();
    let env = Env::from_process()?;
    Region::read(&env)?.currency.set_for_process()?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        match cli
            .command
            .unwrap_or_else(|| Command::Up(up::Options::default()))
        {
            Command::Up(options) => up::run(options, env).await,
            Command::Serve { service } => serve::run(service, env).await,
            Command::Secrets => {
                secrets::print();
                Ok(())
            }
            Command::Prepare => prepare::run(&env).await,
            Command::Migrate { service } => migrate::run(service, &env).await,
            Command::Version => {
                version::print();
                Ok(())
            }
            Command::Openapi { service } => openapi::print(service).await,
            Command::Asyncapi => asyncapi::print(),
            Command::Demo { command } => evening::run(command, &env).await,
            Command::Admin { command } => admin::run(command, &env).await,
            Command::Keys { command } => keys::run(command, &env).await,
            Command::Relay { command } => relay::run(command, &env).await,
            Command::Health => health::check(&env).await,
            Command::Events(options) => events::run(*options, &env).await,
            Command::Print(options) => print::run(*options, &env).await,
            Command::Completions { shell } => manual::completions(Cli::command(), shell),
            Command::Man(manual) => manual.run(Cli::command()),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_argument_contradicts_another() {
        Cli::command().debug_assert();
    }
}
