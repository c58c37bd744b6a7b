//! `tiffin admin`: accounts that no form makes.

use std::{io::BufRead, path::Path};

use anyhow::{Context, Result, bail};
use rand::{RngExt, distr::Alphanumeric};
use sqlx::PgPool;
use tiffin_chassis::Env;
use tiffin_events::{Clock, Role, UserId};
use tiffin_user::{NewAccount, Profile};

use crate::{database, keys, run_file::RunFile, services::Service};

#[derive(clap::Subcommand)]
pub enum Command {
    /// Creates an administrator, or an operator of the event history, in the database at `DATABASE_URL` or of the
    /// running `tiffin up`.
    Create {
        #[arg(long)]
        email: String,
        #[arg(long, default_value = "Admin")]
        first_name: String,
        #[arg(long, default_value = "Tiffin")]
        last_name: String,
        #[arg(long, default_value = "")]
        phone: String,
        /// Reads the password from standard input; by default a random one is printed.
        #[arg(long)]
        password_stdin: bool,
        /// Lets the administrator operate the event history, too.
        #[arg(long)]
        operator: bool,
        /// Makes an account that operates the event history and nothing else.
        #[arg(long, conflicts_with = "operator")]
        only_operator: bool,
    },
    /// Lets an account operate the event history, from its next sign-in or refresh on.
    GrantOperator {
        /// The account's e-mail address.
        email: String,
    },
    /// Takes this right away, at once.
    RevokeOperator {
        /// The account's e-mail address.
        email: String,
    },
    /// Turns two-step sign-in off for an account whose owner lost the authenticator app and the recovery codes. All
    /// its sessions end.
    ResetSecondFactor {
        /// The account's e-mail address.
        email: String,
    },
}

/// A new account's facts.
struct AccountFields {
    email: String,
    first_name: String,
    last_name: String,
    phone: String,
    password_stdin: bool,
    role: Role,
    operator: bool,
}

pub async fn run(command: Command, env: &Env) -> Result<()> {
    let pool = || -> Result<PgPool> {
        database::pool(
            &database_url(env)?,
            Service::User.name(),
            database::COMMAND_CONNECTIONS,
        )
    };
    let clock = Clock::system();
    match command {
        Command::Create {
            email,
            first_name,
            last_name,
            phone,
            password_stdin,
            operator,
            only_operator,
        } => {
            let role = if only_operator {
                Role::Operator
            } else {
                Role::Admin
            };
            let fields = AccountFields {
                email,
                first_name,
                last_name,
                phone,
                password_stdin,
                role,
                operator,
            };
            create(&pool, &clock, env, fields).await
        }
        Command::GrantOperator { email } => {
            let user = tiffin_user::grant_operator(&pool()?, &clock, &email).await?;
            println!("{} operates the event history now.", user.email);
            Ok(())
        }
        Command::RevokeOperator { email } => {
            let user = tiffin_user::revoke_operator(&pool()?, &clock, &email).await?;
            if user.role == Role::Operator {
                bail!(
                    "{} is an operator by its role: block or remove the account.",
                    user.email
                );
            }
            println!("{} no longer operates the event history.", user.email);
            Ok(())
        }
        Command::ResetSecondFactor { email } => {
            let user = tiffin_user::reset_second_factor(&pool()?, &clock, &email).await?;
            println!("Two-step sign-in is off for {}.", user.email);
            Ok(())
        }
    }
}

async fn create(
    pool: impl FnOnce() -> Result<PgPool>,
    clock: &Clock,
    env: &Env,
    fields: AccountFields,
) -> Result<()> {
    let password = if fields.password_stdin {
        read_password()?
    } else {
        random_password()
    };
    let pool = pool()?;
    let account = NewAccount {
        id: UserId(clock.new_id()),
        email: fields.email,
        password: password.clone(),
        role: fields.role,
        profile: Profile {
            first_name: fields.first_name,
            last_name: fields.last_name,
            phone: fields.phone,
            ..Profile::default()
        },
        operator: fields.operator,
    };
    let user =
        tiffin_user::create_account(&pool, &keys::recorder(&pool, clock, env)?, account).await?;
    pool.close().await;
    let role = match (fields.role, fields.operator) {
        (Role::Operator, _) => "an operator",
        (_, true) => "an administrator and operator",
        _ => "an administrator",
    };
    println!("{} is {role} now.", user.email);
    if !fields.password_stdin {
        println!("The password is {password} and is shown this once.");
    }
    Ok(())
}

/// The database of accounts: `DATABASE_URL`, or that of the platform that runs.
pub fn database_url(env: &Env) -> Result<String> {
    database_url_of(env, Service::User)
}

/// A service's database: `DATABASE_URL`, or that of the `tiffin up` that is running.
pub fn database_url_of(env: &Env, service: Service) -> Result<String> {
    if let Some(url) = env.get("DATABASE_URL") {
        return Ok(url.to_owned());
    }
    let home = env.get("TIFFIN_HOME").unwrap_or(".tiffin");
    let running = RunFile::read(Path::new(home)).context("DATABASE_URL is not set")?;
    running
        .databases
        .get(service.name())
        .cloned()
        .with_context(|| format!("run.json names no database of {}", service.name()))
}

fn read_password() -> Result<String> {
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line)?;
    let password = line.trim_end_matches(['\r', '\n']);
    if password.is_empty() {
        bail!("standard input has no password: write it there, or leave out --password-stdin");
    }
    Ok(password.to_owned())
}

/// 24 letters and digits, about 140 bits, with the capital letter and the symbol that the rule asks for.
fn random_password() -> String {
    let random: String = rand::rng()
        .sample_iter(Alphanumeric)
        .take(24)
        .map(char::from)
        .collect();
    format!("T-{random}")
}
