//! The services on the real databases and broker, with a clock that is set to the past and moved by hand. They are
//! called without a network.

use std::{collections::BTreeMap, time::Duration as Pause};

use anyhow::{Context, Result, bail, ensure};
use axum::{Router, body::Body};
use http::{Method, Request, StatusCode, header};
use serde_json::{Value, json};
use sqlx::PgPool;
use tiffin_bus::Recorder;
use tiffin_chassis::{
    Claims, Env, Revocations, TimeZone, Verifier, server,
    token::{AUDIENCE, ISSUER},
};
use tiffin_events::{Clock, Role, UserId};
use time::{Duration, OffsetDateTime};
use tokio::time::Instant;
use tower::ServiceExt;

use crate::{
    database,
    host::{BrokerConnections, Host},
    services::Service,
};

/// The longest time that the effects of an event may take.
const EVENT_TIMEOUT: Pause = Pause::from_secs(20);

pub struct DemoPlatform {
    pub clock: Clock,
    pub recorder: Recorder,
    pub time_zone: TimeZone,
    pools: BTreeMap<Service, PgPool>,
    keys: tiffin_user::Keys,
    host: Host,
    routes: Router,
}

/// An account of the demo.
#[derive(Clone, Debug)]
pub struct DemoAccount {
    pub id: UserId,
    pub role: Role,
    pub email: String,
}

impl DemoPlatform {
    /// Starts every service that has a database, with its clock at `opening`.
    pub async fn start(
        env: Env,
        broker_connections: &BrokerConnections,
        databases: &BTreeMap<Service, String>,
        opening: OffsetDateTime,
    ) -> Result<Self> {
        let time_zone = TimeZone::read(&env)?;
        let mut pools = BTreeMap::new();
        for (service, url) in databases {
            pools.insert(
                *service,
                database::pool(url, service.name(), database::COMMAND_CONNECTIONS)?,
            );
        }
        let users = pools
            .get(&Service::User)
            .context("there is no user database")?;
        // The platform goes on signing with this key, so it is no older than the platform.
        let seal = tiffin_user::Seal::read(&env)?;
        let keys = tiffin_user::Keys::new(users.clone(), Clock::system(), seal);
        let jwks = serde_json::to_value(keys.current().await?.jwks())?;
        let clock = Clock::manual(opening);
        let recorder = crate::keys::recorder(users, &clock, &env)?;
        let verifier = Verifier::with_keys(&jwks, clock.clone(), Revocations::default());
        // Orders that wait when the demo opens are not refused because its day is over.
        let env = env.with("TIFFIN_ANSWER_MINUTES", "0");
        let host = Host::new(
            env,
            clock.clone(),
            broker_connections.of(Service::User).broker,
            verifier,
        );
        let mut routes = Router::new();
        for (service, pool) in &pools {
            let started = host.start(*service, Some(pool), &broker_connections.of(*service))?;
            let (own, _) = started.public.split_for_parts();
            routes = routes.merge(own);
        }
        Ok(Self {
            clock,
            recorder,
            time_zone,
            pools,
            keys,
            host,
            routes: server::harden("demo", routes),
        })
    }

    pub fn pool(&self, service: Service) -> Result<&PgPool> {
        self.pools
            .get(&service)
            .context("this service has no database")
    }

    /// Moves the clock on to `moment`; it never goes back.
    pub fn wait_until(&self, moment: OffsetDateTime) {
        self.clock
            .advance((moment - self.clock.now()).max(Duration::ZERO));
    }

    /// The answer to an account's request; a refusal is an error.
    pub async fn call(
        &self,
        account: &DemoAccount,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> Result<Value> {
        let (status, answer) = self.ask(account, method.clone(), path, body).await?;
        ensure!(
            status.is_success(),
            "{method} {path} by {}: {status} {}",
            account.email,
            answer["message"]
        );
        Ok(answer)
    }

    async fn ask(
        &self,
        account: &DemoAccount,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> Result<(StatusCode, Value)> {
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header(
                header::AUTHORIZATION,
                format!("Bearer {}", self.token(account).await?),
            )
            .header(header::CONTENT_TYPE, "application/json")
            .body(body.map_or_else(Body::empty, |body| Body::from(body.to_string())))?;
        let response = self.routes.clone().oneshot(request).await?;
        let status = response.status();
        let bytes = axum::body::to_bytes(response.into_body(), usize::MAX).await?;
        Ok((
            status,
            serde_json::from_slice(&bytes).unwrap_or(json!(null)),
        ))
    }

    /// Repeats a request until `wanted` accepts its answer, because services learn of changes by events.
    pub async fn poll_until<T>(
        &self,
        account: &DemoAccount,
        path: &str,
        mut wanted: impl FnMut(&Value) -> Option<T>,
    ) -> Result<T> {
        let began = Instant::now();
        loop {
            let answer = self.call(account, Method::GET, path, None).await?;
            if let Some(found) = wanted(&answer) {
                return Ok(found);
            }
            if began.elapsed() > EVENT_TIMEOUT {
                bail!("{path} did not show the expected result within {EVENT_TIMEOUT:?}");
            }
            tokio::time::sleep(Pause::from_millis(5)).await;
        }
    }

    /// Repeats a request until it is not refused, because services learn of changes by events.
    pub async fn eventually(
        &self,
        account: &DemoAccount,
        method: Method,
        path: &str,
        body: &Value,
    ) -> Result<Value> {
        let began = Instant::now();
        loop {
            let answer = self
                .call(account, method.clone(), path, Some(body.clone()))
                .await;
            if answer.is_ok() || began.elapsed() > EVENT_TIMEOUT {
                return answer;
            }
            tokio::time::sleep(Pause::from_millis(20)).await;
        }
    }

    async fn token(&self, account: &DemoAccount) -> Result<String> {
        let now = self.clock.now().unix_timestamp();
        let claims = Claims {
            iss: ISSUER.to_owned(),
            aud: AUDIENCE.to_owned(),
            sub: account.id,
            role: account.role,
            email: account.email.clone(),
            verified: true,
            operator: false,
            enrol: false,
            auth_time: None,
            amr: Vec::new(),
            iat: now,
            nbf: now,
            exp: now + 60,
            jti: self.clock.new_id(),
        };
        Ok(self.keys.current().await?.sign(&claims)?)
    }

    /// Stops the services and closes their pools.
    pub async fn close(self) {
        self.host.stop().await;
        for pool in self.pools.into_values() {
            pool.close().await;
        }
    }
}
