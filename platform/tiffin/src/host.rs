//! Services that run in this process: their routes, relays, consumers and other tasks.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use anyhow::{Result, ensure};
use axum::Router;
use futures_util::FutureExt;
use sqlx::PgPool;
use tiffin_bus::{Broker, Control, Relay, heads, personal::Responder};
use tiffin_chassis::{Env, Readiness, SupervisedTask, Verifier, supervise};
use tiffin_events::{Clock, rights};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use utoipa_axum::router::OpenApiRouter;

use crate::{
    revocation,
    services::{Dependencies, Parts, Service},
    trim::Trimming,
};

/// The age of an outbox row from which on the relay counts as stuck.
const RELAY_LAG: Duration = Duration::from_secs(30);
/// The longest pause between checks for the streams.
const MAX_POLL_INTERVAL: Duration = Duration::from_secs(1);
/// The first pause; each further one is twice as long.
const MIN_POLL_INTERVAL: Duration = Duration::from_millis(50);
const NO_STREAMS: &str = "the streams do not exist: run `tiffin prepare`";
/// The longest wait for tasks under way once the process stops.
const STOP_TIMEOUT: Duration = Duration::from_secs(15);

/// A service's connection to the broker, as its own user.
#[derive(Clone)]
pub struct BrokerConnection {
    pub broker: Broker,
    /// Its address, with user and password.
    pub url: String,
    /// Cancelled once the broker has the streams; tasks that need them begin then.
    pub prepared: CancellationToken,
}

impl BrokerConnection {
    /// A connection to a broker that has the streams.
    pub fn prepared(broker: Broker, url: String) -> Self {
        let connection = Self::new(broker, url);
        connection.prepared.cancel();
        connection
    }

    /// A connection to a broker that may be away.
    pub fn new(broker: Broker, url: String) -> Self {
        Self {
            broker,
            url,
            prepared: CancellationToken::new(),
        }
    }
}

/// The connections of all services of a process.
#[derive(Clone)]
pub struct BrokerConnections {
    /// May administer streams.
    pub setup: Broker,
    own: BTreeMap<Service, BrokerConnection>,
    shared: BrokerConnection,
}

impl BrokerConnections {
    /// One connection for all, on a broker that knows no users of Tiffin's.
    pub fn shared(broker: Broker, url: String) -> Self {
        Self {
            setup: broker.clone(),
            own: BTreeMap::new(),
            shared: BrokerConnection::prepared(broker, url),
        }
    }

    /// Gives a service its own connection.
    pub fn add(&mut self, service: Service, connection: BrokerConnection) {
        self.own.insert(service, connection);
    }

    pub fn of(&self, service: Service) -> BrokerConnection {
        self.own.get(&service).unwrap_or(&self.shared).clone()
    }
}

/// The routes of a service.
pub struct Routes {
    pub public: OpenApiRouter,
    pub internal: Router,
}

/// The state that the services of one process share.
pub struct Host {
    pub env: Env,
    pub clock: Clock,
    pub verifier: Verifier,
    stop: CancellationToken,
    tasks: TaskTracker,
}

impl Host {
    /// Follows the revocations that the user service publishes, over `broker`.
    pub fn new(env: Env, clock: Clock, broker: Broker, verifier: Verifier) -> Self {
        let host = Self {
            env,
            clock,
            verifier,
            stop: CancellationToken::new(),
            tasks: TaskTracker::new(),
        };
        // Before the first request: earlier revocations are not known until the stream is read.
        host.verifier.revocations().listen();
        let with = (
            broker,
            host.verifier.revocations().clone(),
            host.stop.clone(),
        );
        host.supervise(SupervisedTask::new(
            "revocations",
            with,
            |(broker, revocations, stop)| revocation::follow(broker, revocations, stop),
        ));
        host
    }

    /// Keeps a task running until the stop.
    fn supervise(&self, task: SupervisedTask) {
        self.tasks.spawn(task.supervise(self.stop.clone()));
    }

    /// Waits in the background until the streams exist: `tiffin prepare` creates them.
    pub fn wait_for_streams(&self, connection: &BrokerConnection) {
        let with = (connection.clone(), self.stop.clone());
        self.supervise(SupervisedTask::new(
            "streams",
            with,
            |(connection, stop)| async move {
                tokio::select! {
                    () = stop.cancelled() => {}
                    () = streams_are_there(&connection) => stop.cancelled().await,
                }
            },
        ));
    }

    /// Starts a service's relay, its control listener, consumers and other tasks. Returns its routes.
    pub fn start(
        &self,
        service: Service,
        pool: Option<&PgPool>,
        connection: &BrokerConnection,
    ) -> Result<Routes> {
        let broker = &connection.broker;
        let parts = service.assemble(Dependencies {
            pool: pool.cloned(),
            broker: broker.clone(),
            verifier: self.verifier.clone(),
            clock: self.clock.clone(),
            env: self.env.clone().with("NATS_URL", connection.url.as_str()),
            stop: self.stop.clone(),
        })?;
        require_rights(service, &parts)?;
        if let Some(pool) = pool {
            let relay = Relay::new(pool.clone(), broker.clone(), service.name());
            self.supervise_once_prepared(
                connection,
                format!("{} relay", service.name()),
                relay,
                Relay::run,
            );
            if let Some(trimming) = Trimming::new(service, pool, broker, &self.clock) {
                self.supervise_once_prepared(connection, trimming.name(), trimming, Trimming::run);
            }
            let control = Control::new(
                service.name(),
                pool.clone(),
                broker.clone(),
                self.clock.clone(),
                &parts.consumers,
            )
            .and_batches(&parts.batches);
            let name = format!("{} control", service.name());
            self.supervise_once_prepared(connection, name, control, Control::run);
            if let Some(personal) = service.personal() {
                let (pool, broker) = (pool.clone(), broker.clone());
                let responder = Responder::new(service.name(), pool, broker, personal, parts.files);
                let name = format!("{} copies", service.name());
                self.supervise_once_prepared(connection, name, responder, Responder::run);
            }
        }
        for consumer in parts.consumers {
            let (name, broker) = (consumer.name.clone(), broker.clone());
            self.supervise_once_prepared(connection, name, consumer, move |consumer, stop| {
                consumer.run(broker.clone(), stop)
            });
        }
        for batch in parts.batches {
            let (name, broker) = (batch.name.clone(), broker.clone());
            self.supervise_once_prepared(connection, name, batch, move |batch, stop| {
                batch.run(broker.clone(), stop)
            });
        }
        for work in parts.work {
            self.supervise(work);
        }
        Ok(Routes {
            public: parts.routes,
            internal: parts.internal,
        })
    }

    /// Keeps a task running that needs the streams, once the broker has them.
    fn supervise_once_prepared<C, F>(
        &self,
        connection: &BrokerConnection,
        name: String,
        what: C,
        run: impl Fn(C, CancellationToken) -> F + Clone + Send + Sync + 'static,
    ) where
        C: Clone + Send + Sync + 'static,
        F: Future<Output = ()> + Send + 'static,
    {
        let with = (what, connection.prepared.clone(), self.stop.clone());
        self.supervise(SupervisedTask::new(
            name,
            with,
            move |(what, prepared, stop)| {
                let run = run.clone();
                async move {
                    tokio::select! {
                        () = stop.cancelled() => return,
                        () = prepared.cancelled() => {}
                    }
                    run(what, stop).await;
                }
            },
        ));
    }

    /// Stops all tasks and waits for those under way.
    pub async fn stop(self) {
        self.stop.cancel();
        self.tasks.close();
        if tokio::time::timeout(STOP_TIMEOUT, self.tasks.wait())
            .await
            .is_err()
        {
            tracing::warn!(
                tasks = self.tasks.len(),
                "tasks are still under way; stopping without them"
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

/// Returns once the broker has the streams. The first checks follow each other closely, because a start takes a
/// moment to connect. A longer wait is logged once.
async fn streams_are_there(connection: &BrokerConnection) {
    let (mut awaited, mut missed) = (false, false);
    let mut pause = MIN_POLL_INTERVAL;
    loop {
        if connection.broker.is_connected() {
            let reason = match connection.broker.is_prepared().await {
                Ok(true) => break,
                Ok(false) => NO_STREAMS.to_owned(),
                Err(error) => error.to_string(),
            };
            if !std::mem::replace(&mut missed, true) {
                tracing::warn!(reason, "the streams are not there yet");
            }
        } else if pause == MAX_POLL_INTERVAL && !std::mem::replace(&mut awaited, true) {
            tracing::warn!("waiting for the broker");
        }
        tokio::time::sleep(pause).await;
        pause = MAX_POLL_INTERVAL.min(pause * 2);
    }
    if awaited || missed {
        tracing::info!("the streams are there");
    }
    connection.prepared.cancel();
}

/// Adds a service's database to its readiness, and a note on the lag of its relay.
pub fn watch_database(readiness: &Readiness, service: Service, pool: &PgPool) {
    let (database, relay) = (service.row().database_check, service.row().relay_check);
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
    readiness.add_optional(relay, move || {
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

/// Adds a note if a service's database and its streams differ, so that its relay publishes nothing there. The
/// service stays ready.
pub fn watch_history(readiness: &Readiness, service: Service, pool: &PgPool) {
    let asked = pool.clone();
    readiness.add_optional(service.row().history_check, move || {
        let pool = asked.clone();
        async move {
            let trouble = heads::trouble(&pool).await;
            let trouble = trouble.map_err(|error| error.to_string())?;
            trouble.map_or(Ok(()), Err)
        }
        .boxed()
    });
}

/// Adds the keys for tokens to the readiness, and notes on the broker, on tasks that ended early and on silent
/// revocations.
pub fn watch(readiness: &Readiness, connection: &BrokerConnection, verifier: &Verifier) {
    let asked = verifier.clone();
    readiness.add("keys", move || {
        let verifier = asked.clone();
        async move {
            if verifier.has_keys().await {
                Ok(())
            } else {
                Err("the keys to check tokens with can't be fetched".to_owned())
            }
        }
        .boxed()
    });
    let connection = connection.clone();
    readiness.add_optional("broker", move || {
        let connection = connection.clone();
        async move {
            connection
                .broker
                .ping()
                .await
                .map_err(|error| error.to_string())?;
            if connection.prepared.is_cancelled() {
                Ok(())
            } else {
                Err(NO_STREAMS.to_owned())
            }
        }
        .boxed()
    });
    revocation::note(readiness, verifier.revocations());
    supervise::add_check(readiness);
}

#[cfg(test)]
mod tests {
    use tiffin_chassis::{Revocations, Verifier};
    use time::Duration;

    use super::*;

    #[tokio::test]
    async fn old_tokens_are_doubtful_before_the_first_request_can_come() {
        let clock = Clock::system();
        let jwks = "http://127.0.0.1:1/jwks.json".parse().unwrap();
        let verifier = Verifier::new(jwks, clock.clone(), Revocations::default());
        let broker = Broker::begin("nats://127.0.0.1:1", "test").await.unwrap();
        let host = Host::new(Env::default(), clock.clone(), broker, verifier);
        // None of its tasks has run yet.
        let (revocations, now) = (host.verifier.revocations(), clock.now());
        assert!(revocations.is_doubtful(now - Duration::seconds(61), now));
        assert!(!revocations.is_doubtful(now - Duration::seconds(30), now));
        host.stop().await;
    }
}
