//! Services that run in this process: their routes, relays, consumers and other work.

use std::time::Duration;

use anyhow::Result;
use futures_util::FutureExt;
use sqlx::PgPool;
use tiffin_bus::{Broker, Control, Relay};
use tiffin_chassis::{Env, Readiness, Verifier};
use tiffin_events::Clock;
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use utoipa_axum::router::OpenApiRouter;

use crate::{
    revocation,
    services::{Ground, Service},
};

/// An outbox row that waits longer than this says that the relay does not get through.
const RELAY_LAG: Duration = Duration::from_secs(30);
/// How long what is in hand may take after the word to stop.
const PATIENCE: Duration = Duration::from_secs(15);

/// What the services of one process share.
pub struct Host {
    pub env: Env,
    pub clock: Clock,
    pub broker: Broker,
    pub verifier: Verifier,
    stop: CancellationToken,
    tasks: TaskTracker,
}

impl Host {
    /// Starts ending tokens by the accounts' events.
    pub fn new(env: Env, clock: Clock, broker: Broker, verifier: Verifier) -> Self {
        let host = Self {
            env,
            clock,
            broker,
            verifier,
            stop: CancellationToken::new(),
            tasks: TaskTracker::new(),
        };
        host.tasks.spawn(revocation::follow(
            host.broker.clone(),
            host.clock.clone(),
            host.verifier.revocations().clone(),
            host.stop.clone(),
        ));
        host
    }

    /// Starts a service's relay, its ear for operators, consumers and other work. Returns its routes.
    pub fn start(&self, service: Service, pool: Option<&PgPool>) -> Result<OpenApiRouter> {
        let parts = service.assemble(Ground {
            pool: pool.cloned(),
            broker: self.broker.clone(),
            verifier: self.verifier.clone(),
            clock: self.clock.clone(),
            env: self.env.clone(),
            stop: self.stop.clone(),
        })?;
        if let Some(pool) = pool {
            let relay = Relay::new(pool.clone(), self.broker.clone(), service.name());
            self.tasks.spawn(relay.run(self.stop.clone()));
            let control = Control::new(
                service.name(),
                pool.clone(),
                self.broker.clone(),
                self.clock.clone(),
                &parts.consumers,
            );
            self.tasks.spawn(control.run(self.stop.clone()));
        }
        for consumer in parts.consumers {
            self.tasks
                .spawn(consumer.run(self.broker.clone(), self.stop.clone()));
        }
        for batch in parts.batches {
            self.tasks
                .spawn(batch.run(self.broker.clone(), self.stop.clone()));
        }
        if let Some(work) = parts.work {
            self.tasks.spawn(work);
        }
        Ok(parts.routes)
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

/// Adds the check of the broker.
pub fn watch_broker(readiness: &Readiness, broker: &Broker) {
    let broker = broker.clone();
    readiness.add("broker", move || {
        let broker = broker.clone();
        async move { broker.ping().await.map_err(|error| error.to_string()) }.boxed()
    });
}
