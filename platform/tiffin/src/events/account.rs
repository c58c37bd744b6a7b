//! Signing in and out.

use anyhow::Result;
use clap::Args;
use serde_json::json;
use tiffin_chassis::Env;

use super::output::{Output, note};
use crate::client::{
    Client,
    failure::{Exit, Failure},
    proof::ProofInput,
    terminal,
};

#[derive(Debug, Args)]
pub struct SignIn {
    /// The operator's e-mail address; asked for on a terminal.
    #[arg(long)]
    email: Option<String>,
}

impl SignIn {
    pub async fn run(self, client: &Client, env: &Env, out: &mut Output) -> Result<()> {
        let email = terminal::email(self.email)?;
        let password = ProofInput::read(env).password()?;
        let (session, rights) = client.sign_in(&email, &password).await?;
        let url = &client.url;
        let refused = if rights.must_enrol {
            Some(format!(
                "{} needs two-step sign-in: turn it on at {url}, then sign in here again.",
                session.email
            ))
        } else if rights.is_operator {
            None
        } else {
            Some(format!(
                "{0} is no operator. Grant the right with: tiffin admin grant-operator {0}",
                session.email
            ))
        };
        if let Some(message) = refused {
            client.end(&session).await?;
            return Err(Failure::new(Exit::NotAllowed, message).into());
        }
        let (url, email) = (client.url.clone(), session.email.clone());
        client.save_session(session)?;
        let message = format!("Signed in at {url} as {email}.");
        out.done(&json!({ "url": url, "email": email }), &message)
    }
}

pub async fn sign_out(client: &Client, out: &mut Output) -> Result<()> {
    let email = client.sign_out().await?;
    if email.is_none() {
        note("There was no session to end.");
    }
    let message = format!("Signed out at {}.", client.url);
    out.done(&json!({ "url": client.url, "email": email }), &message)
}
