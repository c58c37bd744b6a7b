//! Proofs for calls that ask for one: a code of the authenticator app, or the password.

use anyhow::Result;
use console::Term;
use serde_json::{Value, json};
use tiffin_chassis::Env;

use super::{failure::Failure, terminal::is_interactive};

/// The error's code in RFC 9470.
pub const ERROR_CODE: &str = "insufficient_user_authentication";

/// The values that scripts set. Without them the user is asked.
pub struct ProofInput {
    code: Option<String>,
    password: Option<String>,
}

/// True if the platform asks for a proof.
pub fn is_required(error: &anyhow::Error) -> bool {
    let failure = error.downcast_ref::<Failure>();
    failure.is_some_and(|failure| failure.wants_proof)
}

impl ProofInput {
    /// `TIFFIN_CODE` and `TIFFIN_PASSWORD`.
    pub fn read(env: &Env) -> Self {
        Self {
            code: env.get("TIFFIN_CODE").map(str::to_owned),
            password: env.get("TIFFIN_PASSWORD").map(str::to_owned),
        }
    }

    /// The body of a confirmation: a code for accounts with an authenticator app, else the password.
    pub fn body(&self, has_app: bool) -> Result<Value> {
        if has_app {
            Ok(json!({ "code": self.code()? }))
        } else {
            Ok(json!({ "password": self.password()? }))
        }
    }

    /// A code of the authenticator app, or a recovery code.
    pub fn code(&self) -> Result<String> {
        self.code.clone().map_or_else(
            || ask_secret("Code of your authenticator app: ", "TIFFIN_CODE"),
            Ok,
        )
    }

    pub fn password(&self) -> Result<String> {
        let given = self.password.clone();
        given.map_or_else(|| ask_secret("Password: ", "TIFFIN_PASSWORD"), Ok)
    }
}

/// Asks for a secret, which the terminal does not show.
fn ask_secret(question: &str, variable: &str) -> Result<String> {
    if !is_interactive() {
        let name = question.trim_end_matches(": ").to_lowercase();
        let message = format!("There is no terminal to ask for the {name} on: set {variable}.");
        return Err(Failure::usage(message).into());
    }
    Term::stderr().write_str(question)?;
    Ok(Term::stderr().read_secure_line()?.trim().to_owned())
}
