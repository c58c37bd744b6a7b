//! Services that run in this process: their routes, relays, consumers and other work.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use anyhow::{Result, ensure};
use axum::Router;
use futures_util::FutureExt;
use sqlx::PgPool;
use tiffin_bus::{Broker, Control, Relay};
use tiffin_chassis::{Env, Readiness, Verifier};
use tiffin_events::{Clock, rights};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use utoipa_axum::router::OpenApiRouter;

use crate::{
    revocation,
    services::{Ground, Parts, Service},
};

/// An outbox row that waits longer than this says that the relay does not get through.
const RELAY_LAG: Duration = Duration::from_secs(30);
/// How long what is in hand may take after the word to stop.
const PATIENCE: Duration = Duration::from_secs(15);

/// A service's connection to the broker, as its own user.
#[derive(Clone)]
pub struct Line {
    pub broker: Broker,
    /// Where it is, user and password included.
    pub url: String,
}

/// The connections of all services of a process.
#[derive(Clone)]
pub struct Lines {
    /// May administer streams.
    pub setup: Broker,
    own: BTreeMap<Service, Line>,
    shared: Line,
}

impl Lines {
    /// One connection for all, on a broker that knows no users of Tiffin's.
    pub fn shared(broker: Broker, url: String) -> Self {
        Self {
            setup: broker.clone(),
            own: BTreeMap::new(),
            shared: Line { broker, url },
        }
    }

    /// Gives a service its own connection.
    pub fn add(&mut self, service: Service, line: Line) {
        self.own.insert(service, line);
    }

    pub fn of(&self, service: Service) -> Line {
        self.own.get(&service).unwrap_or(&self.shared).clone()
    }
}

/// What a service answers.
pub struct Routes {
    pub public: OpenApiRouter,
    pub internal: Router,
}

/// What the services of one process share.
pub struct Host {
    pub env: Env,
    pub clock: Clock,
    pub verifier: Verifier,
    stop: CancellationToken,
    tasks: TaskTracker,
}

impl Host {
    /// Starts ending tokens as the user service says; `broker` hears it.
    pub fn new(env: Env, clock: Clock, broker: Broker, verifier: Verifier) -> Self {
        let host = Self {
            env,
            clock,
            verifier,
            stop: CancellationToken::new(),
            tasks: TaskTracker::new(),
        };
        host.tasks.spawn(revocation::follow(
            broker,
            host.verifier.revocations().clone(),
            host.stop.clone(),
        ));
        host
    }

    /// Starts a service's relay, its ear for operators, consumers and other work. Returns its routes.
    pub fn start(&self, service: Service, pool: Option<&PgPool>, line: &Line) -> Result<Routes> {
        let broker = &line.broker;
        let parts = service.assemble(Ground {
            pool: pool.cloned(),
            broker: broker.clone(),
            verifier: self.verifier.clone(),
            clock: self.clock.clone(),
            env: self.env.clone().with("NATS_URL", line.url.as_str()),
            stop: self.stop.clone(),
        })?;
        require_rights(service, &parts)?;
        if let Some(pool) = pool {
            let relay = Relay::new(pool.clone(), broker.clone(), service.name());
            self.tasks.spawn(relay.run(self.stop.clone()));
            let control = Control::new(
                service.name(),
                pool.clone(),
                broker.clone(),
                self.clock.clone(),
                &parts.consumers,
            );
            self.tasks.spawn(control.run(self.stop.clone()));
        }
        for consumer in parts.consumers {
            self.tasks
                .spawn(consumer.run(broker.clone(), self.stop.clone()));
        }
        for batch in parts.batches {
            self.tasks
                .spawn(batch.run(broker.clone(), self.stop.clone()));
        }
        if let Some(work) = parts.work {
            self.tasks.spawn(work);
        }
        Ok(Routes {
            public: parts.routes,
            internal: parts.internal,
        })
    }

    /// Stops all work, finishing what is in hand.
    pub async fn stop(self) {
        self.stop.cancel();
        self.tasks.close();
        if tokio::time::timeout(PATIENCE, self.tasks.wait())
            .await
            .is_err()
        {
            tracing::warn!(
                tasks = self.tasks.len(),
                "work was still in hand at the end"
            );
        }
    }
}

/// The broker's users are made from a list of what each service follows: a stream that a consumer reads
/// and the list lacks would be refused later, and one too many is a right without a use.
fn require_rights(service: Service, parts: &Parts) -> Result<()> {
    let consumers = parts.consumers.iter().map(|consumer| consumer.stream);
    let batches = parts.batches.iter().map(|batch| batch.stream);
    let read: BTreeSet<_> = consumers.chain(batches).collect();
    let listed: BTreeSet<_> = rights::follows(service.name()).into_iter().collect();
    ensure!(
        read == listed,
        "the {} service reads {read:?}, and `rights::follows` says {listed:?}",
        service.name()
    );
    Ok(())
}

/// Adds the checks of a service's database and relay.
pub fn watch_database(readiness: &Readiness, service: Service, pool: &PgPool) {
    let (database, relay) = service.checks();
    let asked = pool.clone();
    readiness.add(database, move || {
        let pool = asked.clone();
        async move {
            let answer = sqlx::query("select 1").execute(&pool).await;
            answer.map(drop).map_err(|error| error.to_string())
        }
        .boxed()
    });
    let asked = pool.clone();
    readiness.add(relay, move || {
        let pool = asked.clone();
        async move {
            let lag = Relay::lag(&pool).await.map_err(|error| error.to_string())?;
            if lag > RELAY_LAG {
                return Err(format!("events have waited for {} s", lag.as_secs()));
            }
            Ok(())
        }
        .boxed()
    });
}

/// Adds the check of the broker, and what is known of ended tokens.
pub fn watch_broker(readiness: &Readiness, broker: &Broker) {
    let broker = broker.clone();
    readiness.add("broker", move || {
        let broker = broker.clone();
        async move { broker.ping().await.map_err(|error| error.to_string()) }.boxed()
    });
}
