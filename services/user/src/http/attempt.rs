//! The limits of wrong passwords and codes. Failures from elsewhere lock no account: they count by account
//! and network, while a known browser and a session have separate counters.

use tiffin_chassis::{Limit, Network, Problem, refusals};
use tiffin_events::UserId;

use super::request_context::RequestContext;
use crate::{
    Error, State,
    limits::{LOGINS, PER_ACCOUNT, PER_ADDRESS, UNKNOWN_BROWSERS, UNKNOWN_BROWSERS_SLOWED},
    sign_ups,
    store::known_devices,
};

refusals! {
    /// Too many wrong passwords or codes.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) enum TooManyFailures {
        Attempts =
            429, "user.too-many-failures", "Too many failed attempts. Please try again later.";
    }
}

/// One attempt. It counts as failed until it succeeds, so attempts at the same time don't get around the
/// limit.
pub(crate) struct Attempt(Vec<String>);

impl Attempt {
    /// An attempt to sign in. 429 after too many failures for the account from this network or known
    /// browser, too many from unknown browsers, or too many sign-ins.
    pub async fn to_sign_in(
        state: &State,
        context: &RequestContext,
        email: &str,
    ) -> Result<Self, Problem> {
        let account = sign_ups::address_digest(email);
        let mut conn = state.pool.acquire().await?;
        let now = state.clock.now();
        let device =
            known_devices::find_by_email(&mut conn, now, context.device.as_deref(), email).await?;
        drop(conn);
        let from = match &device {
            Some(device) => format!("device:{device}"),
            None => format!("from:{}", context.network_key()),
        };
        let who = format!("{account}:{from}");
        // Successes count here too: checking a password costs the same either way.
        let network = Network(context.network);
        state.limits.count_as(&LOGINS, &who, network).await?;
        let mut counted = Self::from_address(state, context).await?;
        counted
            .add(state, format!("wrong:{who}"), PER_ACCOUNT)
            .await?;
        if device.is_none() {
            counted.add_unknown_browser(state, &account).await?;
        }
        Ok(counted)
    }

    /// An attempt to confirm the password of an account that is signed in.
    pub async fn in_session(state: &State, id: UserId) -> Result<Self, Problem> {
        let mut counted = Self(Vec::new());
        counted
            .add(state, format!("session:{id}"), PER_ACCOUNT)
            .await?;
        Ok(counted)
    }

    /// An attempt from an address. 429 after too many failures.
    pub async fn from_address(state: &State, context: &RequestContext) -> Result<Self, Problem> {
        let mut counted = Self(Vec::new());
        if let Some(network) = context.network {
            counted
                .add(state, format!("address:{network}"), PER_ADDRESS)
                .await?;
        }
        Ok(counted)
    }

    /// Counts an unknown browser; after many failures from such browsers, of any network, they are slowed down.
    async fn add_unknown_browser(&mut self, state: &State, account: &str) -> Result<(), Problem> {
        let key = format!("strangers:{account}");
        if state.limits.take(&key, UNKNOWN_BROWSERS).await?.is_none() {
            self.0.push(key);
            return Ok(());
        }
        self.add(state, format!("slowed:{account}"), UNKNOWN_BROWSERS_SLOWED)
            .await
    }

    async fn add(&mut self, state: &State, key: String, limit: Limit) -> Result<(), Problem> {
        if let Some(wait) = state.limits.take(&key, limit).await? {
            return Err(Problem::from(TooManyFailures::Attempts).retry_after(wait.unsigned_abs()));
        }
        self.0.push(key);
        Ok(())
    }

    /// Takes the counts of a successful attempt back.
    pub async fn succeeded(self, state: &State) -> Result<(), Error> {
        for key in self.0 {
            state.limits.give_back(&key).await?;
        }
        Ok(())
    }
}
