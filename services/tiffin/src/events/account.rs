//! Signing in and out.

use anyhow::Result;
use clap::Args;
use console::Term;
use serde_json::json;
use tiffin_chassis::Env;

use super::{
    client::Client,
    confirm::{self, is_somebody_there},
    failure::{Exit, Failure},
    output::{Output, tell},
};

#[derive(Debug, Args)]
pub struct SignIn {
    /// The administrator's e-mail address; asked for on a terminal.
    #[arg(long)]
    email: Option<String>,
}

impl SignIn {
    pub async fn run(self, client: &Client, env: &Env, out: &mut Output) -> Result<()> {
        let email = match self.email {
            Some(email) => email,
            None if is_somebody_there() => confirm::ask("E-mail:")?,
            None => return Err(Failure::usage("Say who: --email.").into()),
        };
        let password = password(env)?;
        let (session, role) = client.sign_in(&email, &password).await?;
        if role != "admin" {
            client.end(&session).await?;
            let message = format!("{} is no administrator.", session.email);
            return Err(Failure::new(Exit::NotAllowed, message).into());
        }
        let (url, email) = (client.url.clone(), session.email.clone());
        client.keep(session)?;
        let message = format!("Signed in at {url} as {email}.");
        out.done(&json!({ "url": url, "email": email }), &message)
    }
}

/// `TIFFIN_PASSWORD`, or what is typed, which nobody sees.
fn password(env: &Env) -> Result<String> {
    if let Some(password) = env.get("TIFFIN_PASSWORD") {
        return Ok(password.to_owned());
    }
    if !is_somebody_there() {
        let message = "There is no terminal to ask for the password on: set TIFFIN_PASSWORD.";
        return Err(Failure::usage(message).into());
    }
    Term::stderr().write_str("Password: ")?;
    let password = Term::stderr().read_secure_line()?;
    Ok(password)
}

pub async fn sign_out(client: &Client, out: &mut Output) -> Result<()> {
    let email = client.sign_out().await?;
    if email.is_none() {
        tell("Nobody was signed in.");
    }
    let message = format!("Signed out at {}.", client.url);
    out.done(&json!({ "url": client.url, "email": email }), &message)
}
