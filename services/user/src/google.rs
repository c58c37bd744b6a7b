//! Sign-in with Google: the issuer confirms the owner of an access token that a browser got from it.

use reqwest::{Client, StatusCode};
use serde::{Deserialize, de::DeserializeOwned};
use tiffin_chassis::{Env, env::EnvError, refusals};
use url::Url;

use crate::{rules, user::Profile};

/// Google's addresses for a token's owner (`tokeninfo`) and profile (`userinfo`).
const ISSUER: &str = "https://www.googleapis.com/oauth2/v3";
/// The longest wait for the issuer's answer.
const REPLY_TIMEOUT: std::time::Duration = std::time::Duration::from_secs(5);
/// More than this is no token.
const LONGEST_TOKEN: usize = 4096;

/// Asks the issuer.
#[derive(Clone, Debug)]
pub(crate) struct Google {
    http: Client,
    /// Without a slash at its end.
    issuer: String,
    client_id: String,
}

/// The owner of a token: an e-mail address that the issuer has verified, in lower case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GoogleAccount {
    subject: String,
    pub email: String,
}

refusals! {
    /// The reason why a sign-in failed.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) enum GoogleError {
        /// The issuer does not know the token, or gave it to another application.
        Refused =
            401, "user.google-refused", "Google did not confirm who you are. Please try again.";
        Unverified =
            403, "user.google-email-unverified", "Google has not verified your email address.";
        Away = 503, "user.google-away", "Google can't be reached. Please try again in a moment.";
        NotSetUp = 404, "user.google-not-set-up", "Signing in with Google is not set up here.";
        NoToken =
            422, "user.google-token-required",
            "Please sign in with Google again.", at "accessToken";
    }
}

#[derive(Deserialize)]
struct TokenInfo {
    #[serde(default)]
    aud: String,
    #[serde(default)]
    sub: String,
    #[serde(default)]
    email: String,
    #[serde(default)]
    email_verified: Flag,
}

/// A truth value, which the issuer also writes as a word.
#[derive(Default, Deserialize, PartialEq, Eq)]
#[serde(from = "serde_json::Value")]
struct Flag(bool);

impl From<serde_json::Value> for Flag {
    fn from(value: serde_json::Value) -> Self {
        Self(value == true || value == "true")
    }
}

#[derive(Deserialize)]
struct UserInfo {
    #[serde(default)]
    sub: String,
    #[serde(default)]
    given_name: String,
    #[serde(default)]
    family_name: String,
    #[serde(default)]
    name: String,
    #[serde(default)]
    picture: String,
}

impl Google {
    /// `TIFFIN_GOOGLE_CLIENT_ID`, without which there is no such sign-in, and `TIFFIN_GOOGLE_ISSUER`.
    pub fn new(env: &Env) -> Result<Option<Self>, EnvError> {
        let issuer: Option<Url> = env.parse("TIFFIN_GOOGLE_ISSUER")?;
        let Some(client_id) = env.get("TIFFIN_GOOGLE_CLIENT_ID") else {
            return Ok(None);
        };
        let issuer = issuer.map_or_else(|| ISSUER.to_owned(), String::from);
        Ok(Some(Self {
            http: Client::builder()
                .timeout(REPLY_TIMEOUT)
                .build()
                .unwrap_or_default(),
            issuer: issuer.trim_end_matches('/').to_owned(),
            client_id: client_id.to_owned(),
        }))
    }

    /// The owner of the token, if the issuer gave it to this application.
    pub async fn owner(&self, token: &str) -> Result<GoogleAccount, GoogleError> {
        let plausible = !token.is_empty()
            && token.len() <= LONGEST_TOKEN
            && token.bytes().all(|byte| byte.is_ascii_graphic());
        if !plausible {
            return Err(GoogleError::Refused);
        }
        let request = self.http.get(format!("{}/tokeninfo", self.issuer));
        let info: TokenInfo = send(request.query(&[("access_token", token)])).await?;
        if info.aud != self.client_id || info.sub.is_empty() {
            return Err(GoogleError::Refused);
        }
        match rules::email(&info.email) {
            Ok(email) if info.email_verified == Flag(true) => Ok(GoogleAccount {
                subject: info.sub,
                email,
            }),
            _ => Err(GoogleError::Unverified),
        }
    }

    /// The profile of the token's owner, for a new account.
    pub async fn profile(
        &self,
        token: &str,
        account: &GoogleAccount,
    ) -> Result<Profile, GoogleError> {
        let request = self.http.get(format!("{}/userinfo", self.issuer));
        let info: UserInfo = send(request.bearer_auth(token)).await?;
        if info.sub != account.subject {
            return Err(GoogleError::Refused);
        }
        let first = if info.given_name.is_empty() {
            &info.name
        } else {
            &info.given_name
        };
        Ok(Profile {
            first_name: rules::name(first).unwrap_or_default(),
            last_name: rules::name(&info.family_name).unwrap_or_default(),
            image: rules::image(&info.picture).ok(),
            ..Profile::default()
        })
    }
}

/// Sends a request. A failure is logged without the address, which may hold the token.
async fn send<T: DeserializeOwned>(request: reqwest::RequestBuilder) -> Result<T, GoogleError> {
    let unreachable = |error: reqwest::Error| {
        tracing::warn!(error = %error.without_url(), "the issuer of sign-ins can't be asked");
        GoogleError::Away
    };
    let response = request.send().await.map_err(unreachable)?;
    let status = response.status();
    if status.is_client_error() && status != StatusCode::TOO_MANY_REQUESTS {
        return Err(GoogleError::Refused);
    }
    response
        .error_for_status()
        .map_err(unreachable)?
        .json()
        .await
        .map_err(unreachable)
}
