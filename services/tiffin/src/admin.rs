//! `tiffin admin`: accounts that no form makes.

use std::{io::BufRead, path::Path};

use anyhow::{Context, Result, bail};
use rand::{RngExt, distr::Alphanumeric};
use tiffin_chassis::Env;
use tiffin_events::{Clock, Role, UserId};
use tiffin_user::{NewAccount, Profile};

use crate::{database, services::Service, up::Running};

#[derive(clap::Subcommand)]
pub enum Command {
    /// Makes an administrator in the database at `DATABASE_URL`, or of the `tiffin up` that is running.
    Create {
        #[arg(long)]
        email: String,
        #[arg(long, default_value = "Admin")]
        first_name: String,
        #[arg(long, default_value = "Tiffin")]
        last_name: String,
        #[arg(long, default_value = "")]
        phone: String,
        /// Reads the password from standard input; without it one is made up and printed.
        #[arg(long)]
        password_stdin: bool,
    },
}

pub async fn run(command: Command, env: &Env) -> Result<()> {
    let Command::Create {
        email,
        first_name,
        last_name,
        phone,
        password_stdin,
    } = command;
    let password = if password_stdin {
        read_password()?
    } else {
        made_up()
    };
    let pool = database::pool(&database_url(env)?, Service::User.name())?;
    let clock = Clock::system();
    let account = NewAccount {
        id: UserId(clock.new_id()),
        email,
        password: password.clone(),
        role: Role::Admin,
        profile: Profile {
            first_name,
            last_name,
            phone,
            ..Profile::default()
        },
    };
    let user = tiffin_user::create_account(&pool, &clock, account).await?;
    pool.close().await;
    println!("{} is an administrator now.", user.email);
    if !password_stdin {
        println!("The password is {password} and is shown this once.");
    }
    Ok(())
}

/// Where the accounts are: `DATABASE_URL`, or what the running platform says.
pub fn database_url(env: &Env) -> Result<String> {
    if let Some(url) = env.get("DATABASE_URL") {
        return Ok(url.to_owned());
    }
    let home = env.get("TIFFIN_HOME").unwrap_or(".tiffin");
    let running = Running::read(Path::new(home)).context("DATABASE_URL is not set")?;
    running
        .databases
        .get(Service::User.name())
        .cloned()
        .context("run.json names no user database")
}

fn read_password() -> Result<String> {
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line)?;
    let password = line.trim_end_matches(['\r', '\n']);
    if password.is_empty() {
        bail!("there is no password on standard input");
    }
    Ok(password.to_owned())
}

/// 24 letters and digits, about 140 bits, with the capital letter and the symbol that the rule asks for.
fn made_up() -> String {
    let random: String = rand::rng()
        .sample_iter(Alphanumeric)
        .take(24)
        .map(char::from)
        .collect();
    format!("T-{random}")
}
