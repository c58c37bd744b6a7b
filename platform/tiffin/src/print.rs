//! `tiffin print`: the agent on a small computer in a kitchen, which prints confirmed tickets.

mod agent;
mod code_page;
mod escpos;
mod journal;
mod platform;
mod printer;
mod ticket;

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::{Args, Subcommand};
use tiffin_chassis::Env;
use tiffin_events::Clock;
use uuid::Uuid;

use self::{agent::Agent, journal::Journal, platform::Platform, printer::Printer};
use crate::{
    client::{
        At, Client,
        failure::{Exit, Failure},
        proof::ProofInput,
        session::Sessions,
        terminal,
    },
    stop,
};

/// The agent's options. Without a verb it prints until it is stopped.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Options {
    #[command(flatten)]
    at: At,
    /// The folder of the session and of the ticket at hand; `tiffin-print` in the user's state folder without it. No two
    /// agents share one.
    #[arg(
        long,
        env = "TIFFIN_PRINT_STATE",
        hide_env_values = true,
        global = true
    )]
    state: Option<PathBuf>,
    /// The restaurants whose tickets are printed.
    #[arg(long, required = true, num_args = 1..)]
    restaurant: Vec<Uuid>,
    /// The printer: `tcp://192.168.1.50:9100` or `usb:/dev/usb/lp0`.
    #[arg(long, required = true)]
    printer: Option<Printer>,
    #[command(subcommand)]
    verb: Option<Verb>,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Signs the restaurant's owner in and stores the session. Asks for the password, or reads `TIFFIN_PASSWORD`.
    SignIn {
        /// The owner's e-mail address; asked for on a terminal.
        #[arg(long)]
        email: Option<String>,
    },
    /// Has no more tickets of a restaurant printed. Stop its agent first: a running one turns printing on again.
    Off {
        /// The restaurant.
        restaurant: Uuid,
    },
}

pub async fn run(options: Options, env: &Env) -> Result<()> {
    let state = options.state.unwrap_or_else(|| state_folder(env));
    let sessions = Sessions::within(state.clone(), "tiffin print sign-in");
    let client = Client::new(options.at, env, sessions)?;
    match (options.verb, options.printer) {
        (Some(Verb::SignIn { email }), _) => sign_in(&client, env, email).await,
        (Some(Verb::Off { restaurant }), _) => {
            Platform::new(client, vec![restaurant]).turn_off().await?;
            println!("Printing is off for restaurant {restaurant}.");
            Ok(())
        }
        (None, Some(printer)) => {
            let journal = Journal::open(&state, &Clock::system())?;
            let platform = Platform::new(client, options.restaurant);
            let agent = Agent::new(platform, printer, journal);
            agent.run(&stop::on_signal()?).await
        }
        (None, None) => Err(Failure::usage("Give the printer's address with --printer.").into()),
    }
}

/// `$XDG_STATE_HOME/tiffin-print`, or `~/.local/state/tiffin-print`.
fn state_folder(env: &Env) -> PathBuf {
    let configured = env.get("XDG_STATE_HOME").map(PathBuf::from);
    let configured = configured.filter(|path| path.is_absolute());
    let state = configured
        .unwrap_or_else(|| Path::new(env.get("HOME").unwrap_or(".")).join(".local/state"));
    state.join("tiffin-print")
}

async fn sign_in(client: &Client, env: &Env, email: Option<String>) -> Result<()> {
    let email = terminal::email(email)?;
    let password = ProofInput::read(env).password()?;
    let (session, rights) = client.sign_in(&email, &password).await?;
    if !rights.is_owner {
        client.end(&session).await?;
        let message = format!("{} owns no restaurant.", session.email);
        return Err(Failure::new(Exit::NotAllowed, message).into());
    }
    let (url, email) = (&client.url, session.email.clone());
    client.save_session(session)?;
    println!("Signed in at {url} as {email}.");
    Ok(())
}
