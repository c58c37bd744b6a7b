//! The session of a user: its beginning, renewals and end, and the proofs that some calls ask for.

use anyhow::Result;
use reqwest::{Response, StatusCode, header};
use serde_json::Value;

use super::{
    Client,
    failure::{Exit, Failure},
    read, require_success,
    session::Session,
};

/// The cookie that carries the refresh token.
const COOKIE: &str = "tiffin_refresh";

/// The rights of a session's user.
pub struct Rights {
    pub is_operator: bool,
    pub is_owner: bool,
    /// True if two-step sign-in has to be turned on before anything else.
    pub must_enrol: bool,
}

impl Client {
    /// Renews the access token with the stored refresh token, unless another command has renewed it meanwhile.
    pub(super) async fn renew(&self, stale: &str) -> Result<String> {
        let sessions = self.sessions.lock()?;
        let session = sessions
            .find(&self.url)?
            .ok_or_else(|| self.not_signed_in())?;
        let session = if session.token == stale {
            let refresh = self
                .user("refresh")
                .await?
                .header(header::COOKIE, cookie(&session));
            let answer = refresh.send().await.map_err(Failure::from)?;
            if answer.status() == StatusCode::UNAUTHORIZED {
                sessions.remove(&self.url)?;
                let (url, command) = (&self.url, self.sessions.command);
                let message =
                    format!("Your session at {url} has ended. Run: {command} --url {url}");
                return Err(Failure::new(Exit::NotAllowed, message).into());
            }
            let (renewed, _) = signed_in(require_success(answer).await?).await?;
            sessions.save(&self.url, renewed.clone())?;
            renewed
        } else {
            session
        };
        if let Ok(mut token) = self.token.lock() {
            *token = Some(session.token.clone());
        }
        Ok(session.token)
    }

    /// Signs in, with a code of the authenticator app where the account asks for one. Returns the session
    /// and the rights of its user.
    pub async fn sign_in(&self, email: &str, password: &str) -> Result<(Session, Rights)> {
        let body = serde_json::json!({ "email": email, "password": password });
        let request = self.user("login").await?.json(&body);
        let answer = request.send().await.map_err(Failure::from)?;
        let answer = match require_success(answer).await {
            Ok(answer) => answer,
            Err(Failure {
                challenge: Some(challenge),
                ..
            }) => {
                let code = self.proof_input.code()?;
                let body = serde_json::json!({ "challenge": challenge, "code": code });
                let request = self.user("login/second-factor").await?.json(&body);
                require_success(request.send().await.map_err(Failure::from)?).await?
            }
            Err(failure) => return Err(failure.into()),
        };
        Ok(signed_in(answer).await?)
    }

    pub fn save_session(&self, session: Session) -> Result<()> {
        self.sessions.lock()?.save(&self.url, session)
    }

    /// Ends the stored session, here and on the platform. Returns its e-mail address.
    pub async fn sign_out(&self) -> Result<Option<String>> {
        let sessions = self.sessions.lock()?;
        let Some(session) = sessions.find(&self.url)? else {
            return Ok(None);
        };
        sessions.remove(&self.url)?;
        self.end(&session).await?;
        Ok(Some(session.email))
    }

    /// Ends a session on the platform.
    pub async fn end(&self, session: &Session) -> Result<()> {
        let request = self
            .user("logout")
            .await?
            .header(header::COOKIE, cookie(session));
        require_success(request.send().await.map_err(Failure::from)?).await?;
        Ok(())
    }

    /// Sends a proof of the user; the token of the answer contains its time.
    pub(super) async fn send_proof(&self) -> Result<()> {
        let token = self.token()?;
        let sessions = match &self.given_token {
            Some(_) => None,
            None => Some(self.sessions.lock()?),
        };
        let stored = match &sessions {
            Some(sessions) => sessions.find(&self.url)?,
            None => None,
        };
        let status = self.user_url("second-factor").await?;
        let status = self.http.get(status).bearer_auth(&token).send().await;
        let status: Value = read(require_success(status.map_err(Failure::from)?).await?).await?;
        let body = self.proof_input.body(status["isOn"] == true)?;
        let mut request = self.user("confirm").await?.bearer_auth(&token).json(&body);
        if let Some(session) = &stored {
            request = request.header(header::COOKIE, cookie(session));
        }
        let answer = require_success(request.send().await.map_err(Failure::from)?).await?;
        let answer: Value = read(answer).await?;
        let token = answer["token"].as_str().unwrap_or_default().to_owned();
        if let (Some(sessions), Some(session)) = (sessions, stored) {
            let token = token.clone();
            sessions.save(&self.url, Session { token, ..session })?;
        }
        if let Ok(mut known) = self.token.lock() {
            *known = Some(token);
        }
        Ok(())
    }
}

fn cookie(session: &Session) -> String {
    format!("{COOKIE}={}", session.refresh)
}

/// The session of a sign-in's answer, and the rights of its user.
async fn signed_in(answer: Response) -> Result<(Session, Rights), Failure> {
    let refresh = answer
        .headers()
        .get_all(header::SET_COOKIE)
        .iter()
        .filter_map(|set| set.to_str().ok()?.split(';').next()?.split_once('='))
        .find(|(name, _)| *name == COOKIE)
        .map(|(_, value)| value.to_owned());
    let body: Value = read(answer).await?;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let session = Session {
        email: text(&body["user"]["email"]),
        token: text(&body["token"]),
        refresh: refresh.unwrap_or_default(),
    };
    let rights = Rights {
        is_operator: body["user"]["isOperator"] == true,
        is_owner: body["user"]["role"] == "restaurant",
        must_enrol: body["user"]["mustEnrol"] == true,
    };
    Ok((session, rights))
}
