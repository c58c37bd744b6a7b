//! The task that keeps a service's outbox to what the archive lacks.

use std::time::Duration;

use sqlx::PgPool;
use tiffin_bus::{Broker, Trimmer};
use tiffin_chassis::repeat::repeat;
use tiffin_events::Clock;
use tokio_util::sync::CancellationToken;

use crate::services::Service;

/// The interval between looks at how far the archive has come.
const INTERVAL: Duration = Duration::from_mins(5);

/// The trimming of one service's outbox.
#[derive(Clone)]
pub struct Trimming {
    service: Service,
    trimmer: Trimmer,
    clock: Clock,
}

impl Trimming {
    /// The task, where there is an archive.
    pub fn new(service: Service, pool: &PgPool, broker: &Broker, clock: &Clock) -> Option<Self> {
        broker.archive.as_ref()?;
        Some(Self {
            service,
            trimmer: Trimmer::new(pool.clone(), broker.clone(), service.name()),
            clock: clock.clone(),
        })
    }

    pub fn name(&self) -> String {
        format!("{} outbox", self.service.name())
    }

    /// Trims until `stop`. A pass that fails is logged, and the next one goes on.
    pub async fn run(self, stop: CancellationToken) {
        repeat(INTERVAL, &stop, || async {
            if let Err(error) = self.trimmer.step(self.clock.now(), &stop).await {
                let service = self.service.name();
                tracing::warn!(service, %error, "the outbox is not trimmed; trying again");
            }
        })
        .await;
    }
}
