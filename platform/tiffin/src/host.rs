//! Services that run in this process: their routes, relays, consumers and other work.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use anyhow::{Result, ensure};
use axum::Router;
use futures_util::FutureExt;
use sqlx::PgPool;
use tiffin_bus::{Broker, Control, Relay, heads};
use tiffin_chassis::{Env, Readiness, SupervisedTask, Verifier, supervise};
use tiffin_events::{Clock, rights};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use utoipa_axum::router::OpenApiRouter;

use crate::{
    revocation,
    services::{Ground, Parts, Service},
};

/// An outbox row that waits longer than this says that the relay does not get through.
const RELAY_LAG: Duration = Duration::from_secs(30);
/// The interval of looking for the streams.
const LOOK: Duration = Duration::from_secs(1);
/// The first pause; each further one is twice as long, up to [`LOOK`].
const FIRST_LOOK: Duration = Duration::from_millis(50);
const NOT_MADE: &str = "the streams are not made: run `tiffin prepare`";
/// The time that work under way has once the process stops.
const PATIENCE: Duration = Duration::from_secs(15);

/// A service's connection to the broker, as its own user.
#[derive(Clone)]
pub struct Line {
    pub broker: Broker,
    /// Its address, with user and password.
    pub url: String,
    /// Cancelled once the broker has the streams: what works with them begins then.
    pub prepared: CancellationToken,
}

impl Line {
    /// A connection to a broker that has the streams.
    pub fn prepared(broker: Broker, url: String) -> Self {
        let line = Self::new(broker, url);
        line.prepared.cancel();
        line
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
            shared: Line::prepared(broker, url),
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
    /// Starts ending tokens as the user service says; `broker` hears it.
    pub fn new(env: Env, clock: Clock, broker: Broker, verifier: Verifier) -> Self {
        let host = Self {
            env,
            clock,
            verifier,
            stop: CancellationToken::new(),
            tasks: TaskTracker::new(),
        };
        // Before the first request: what was said earlier is not known until the stream is read.
        host.verifier.revocations().listen();
        let with = (
            broker,
            host.verifier.revocations().clone(),
            host.stop.clone(),
        );
        host.keep(SupervisedTask::new(
            "revocations",
            with,
            |(broker, revocations, stop)| revocation::follow(broker, revocations, stop),
        ));
        host
    }

    /// Keeps a loop running until the stop.
    fn keep(&self, task: SupervisedTask) {
        self.tasks.spawn(task.supervise(self.stop.clone()));
    }

    /// Waits for the streams beside all else, for as long as that takes: `tiffin prepare` makes them.
    pub fn wait_for_streams(&self, line: &Line) {
        let with = (line.clone(), self.stop.clone());
        self.keep(SupervisedTask::new(
            "streams",
            with,
            |(line, stop)| async move {
                tokio::select! {
                    () = stop.cancelled() => {}
                    () = streams_are_there(&line) => stop.cancelled().await,
                }
            },
        ));
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
            self.keep_with(line, format!("{} relay", service.name()), relay, Relay::run);
            let control = Control::new(
                service.name(),
                pool.clone(),
                broker.clone(),
                self.clock.clone(),
                &parts.consumers,
            )
            .and_batches(&parts.batches);
            let name = format!("{} control", service.name());
            self.keep_with(line, name, control, Control::run);
        }
        for consumer in parts.consumers {
            let (name, broker) = (consumer.name.clone(), broker.clone());
            self.keep_with(line, name, consumer, move |consumer, stop| {
                consumer.run(broker.clone(), stop)
            });
        }
        for batch in parts.batches {
            let (name, broker) = (batch.name.clone(), broker.clone());
            self.keep_with(line, name, batch, move |batch, stop| {
                batch.run(broker.clone(), stop)
            });
        }
        for work in parts.work {
            self.keep(work);
        }
        Ok(Routes {
            public: parts.routes,
            internal: parts.internal,
        })
    }

    /// Keeps running what needs the streams, once they are there.
    fn keep_with<C, F>(
        &self,
        line: &Line,
        name: String,
        what: C,
        run: impl Fn(C, CancellationToken) -> F + Clone + Send + Sync + 'static,
    ) where
        C: Clone + Send + Sync + 'static,
        F: Future<Output = ()> + Send + 'static,
    {
        let with = (what, line.prepared.clone(), self.stop.clone());
        self.keep(SupervisedTask::new(
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

    /// Stops all work once what is under way has ended.
    pub async fn stop(self) {
        self.stop.cancel();
        self.tasks.close();
        if tokio::time::timeout(PATIENCE, self.tasks.wait())
            .await
            .is_err()
        {
            tracing::warn!(
                tasks = self.tasks.len(),
                "work was still under way at the end"
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

/// Returns once the broker has the streams. Looks soon at first: a start takes a moment to connect. Says
/// once what it waits for where that lasts.
async fn streams_are_there(line: &Line) {
    let (mut awaited, mut missed) = (false, false);
    let mut pause = FIRST_LOOK;
    loop {
        if line.broker.is_connected() {
            let reason = match line.broker.is_prepared().await {
                Ok(true) => break,
                Ok(false) => NOT_MADE.to_owned(),
                Err(error) => error.to_string(),
            };
            if !std::mem::replace(&mut missed, true) {
                tracing::warn!(reason, "the streams are not there yet");
            }
        } else if pause == LOOK && !std::mem::replace(&mut awaited, true) {
            tracing::warn!("waiting for the broker");
        }
        tokio::time::sleep(pause).await;
        pause = LOOK.min(pause * 2);
    }
    if awaited || missed {
        tracing::info!("the streams are there");
    }
    line.prepared.cancel();
}

/// Adds what a service's answers need, its database, and how far its relay is behind.
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

/// Says where a service's database and its streams differ, so that nothing is published there. It answers
/// all the same.
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

/// Adds what tokens are checked with, which answers need, and what they do not: the broker, loops that ended
/// early, ended tokens that are not heard of.
pub fn watch(readiness: &Readiness, line: &Line, verifier: &Verifier) {
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
    let line = line.clone();
    readiness.add_optional("broker", move || {
        let line = line.clone();
        async move {
            line.broker
                .ping()
                .await
                .map_err(|error| error.to_string())?;
            if line.prepared.is_cancelled() {
                Ok(())
            } else {
                Err(NOT_MADE.to_owned())
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
