use axum::extract::FromRef;
use sqlx::PgPool;
use tiffin_bus::{Cause, Recorder};
use tiffin_chassis::{Caller, Env, Limits, TimeZone, Verifier, env::EnvError, telemetry};
use tiffin_events::Clock;
use time::{Duration, OffsetDateTime};

use crate::deadline::Deadline;

/// The state that every request and every consumer of this service needs. Cheap to clone.
#[derive(Clone, Debug)]
pub struct State {
    pub(crate) pool: PgPool,
    pub(crate) verifier: Verifier,
    pub(crate) clock: Clock,
    pub(crate) recorder: Recorder,
    pub(crate) time_zone: TimeZone,
    limits: Limits,
    answer_time: Option<Duration>,
}

/// The minutes in which restaurants answer that did not choose other ones.
const ANSWER_MINUTES: u16 = 10;

impl State {
    /// Reads its settings from `env`: those of [`Limits::new`], `TIFFIN_TIME_ZONE`, and `TIFFIN_ANSWER_MINUTES`. With 0,
    /// only orders of restaurants that chose their minutes have a deadline.
    pub fn new(
        pool: PgPool,
        verifier: Verifier,
        recorder: Recorder,
        env: &Env,
    ) -> Result<Self, EnvError> {
        let minutes = env
            .parse("TIFFIN_ANSWER_MINUTES")?
            .unwrap_or(ANSWER_MINUTES);
        let clock = recorder.clock.clone();
        Ok(Self {
            answer_time: (minutes > 0).then(|| Duration::minutes(minutes.into())),
            time_zone: TimeZone::read(env)?,
            limits: Limits::new(pool.clone(), clock.clone(), env)?,
            pool,
            verifier,
            clock,
            recorder,
        })
    }

    /// The deadline of an order that is placed now at a restaurant that chose these minutes.
    pub(crate) fn deadline(&self, minutes: Option<i32>, now: OffsetDateTime) -> Option<Deadline> {
        let chosen = minutes.map(|minutes| Duration::minutes(minutes.into()));
        let time = chosen.or(self.answer_time)?;
        Some(Deadline::after(time, now))
    }

    /// The cause of a request's change: its caller, within its trace.
    pub(crate) fn cause(caller: &Caller) -> Cause {
        Cause::user(caller.id, telemetry::traceparent())
    }
}

impl FromRef<State> for Verifier {
    fn from_ref(state: &State) -> Self {
        state.verifier.clone()
    }
}

impl FromRef<State> for Limits {
    fn from_ref(state: &State) -> Self {
        state.limits.clone()
    }
}
