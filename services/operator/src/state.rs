use std::{
    collections::HashMap,
    fmt,
    sync::{Arc, Mutex},
};

use axum::extract::FromRef;
use sqlx::PgPool;
use tiffin_bus::{Broker, Cause, Recorder, archiver::Window};
use tiffin_chassis::{Caller, Verifier, telemetry};
use tiffin_events::Clock;
use tokio::sync::Notify;
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use uuid::Uuid;

use crate::dead_letters::{AccountDeadLetters, DeadLetterCache};

/// The parts that every request and consumer of this service needs. Cheap to clone.
#[derive(Clone)]
pub struct State {
    pub(crate) pool: PgPool,
    pub(crate) broker: Broker,
    /// The events that stay out of the archive.
    pub(crate) window: Window,
    pub(crate) verifier: Verifier,
    pub(crate) clock: Clock,
    /// The tokens that stop the tasks of this process.
    pub(crate) running: Arc<Mutex<HashMap<Uuid, CancellationToken>>>,
    pub(crate) tasks: TaskTracker,
    /// Notified when this process has begun an operation.
    pub(crate) begun: Arc<Notify>,
    pub(crate) dead_letters: Arc<tokio::sync::Mutex<DeadLetterCache>>,
    pub(crate) account_dead_letters: Arc<tokio::sync::Mutex<AccountDeadLetters>>,
    pub(crate) stop: CancellationToken,
    /// The bytes that the broker's disk may hold, where an operator's settings say it.
    pub(crate) broker_disk: Option<u64>,
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("State").finish_non_exhaustive()
    }
}

impl State {
    pub fn new(
        pool: PgPool,
        broker: Broker,
        verifier: Verifier,
        clock: Clock,
        stop: CancellationToken,
    ) -> Self {
        Self {
            pool,
            broker,
            window: Window::default(),
            verifier,
            clock,
            running: Arc::default(),
            tasks: TaskTracker::new(),
            begun: Arc::default(),
            dead_letters: Arc::default(),
            account_dead_letters: Arc::default(),
            stop,
            broker_disk: None,
        }
    }

    /// The same state, which archives events that leave this window.
    #[must_use]
    pub fn with_window(mut self, window: Window) -> Self {
        self.window = window;
        self
    }

    /// The same state, for a broker whose disk may hold so many bytes.
    #[must_use]
    pub fn with_broker_disk(mut self, bytes: Option<u64>) -> Self {
        self.broker_disk = bytes;
        self
    }

    /// The means of recording events.
    pub(crate) fn recorder(&self) -> Recorder {
        Recorder::new(self.clock.clone(), self.broker.keys.clone())
    }

    /// The cause of a request's changes: its caller, within its trace.
    pub(crate) fn cause(caller: &Caller) -> Cause {
        Cause::user(caller.id, telemetry::traceparent())
    }
}

impl FromRef<State> for Verifier {
    fn from_ref(state: &State) -> Self {
        state.verifier.clone()
    }
}
