use std::sync::{Arc, Mutex, PoisonError};

use time::{Duration, OffsetDateTime};
use uuid::Uuid;

/// The source of the time. It is passed in, so that a test or the demo's past orders can set it.
#[derive(Clone, Debug, Default)]
pub struct Clock(Option<Arc<Mutex<OffsetDateTime>>>);

impl Clock {
    /// The machine's clock.
    pub fn system() -> Self {
        Self(None)
    }

    /// A clock that shows `now` until it is moved.
    pub fn manual(now: OffsetDateTime) -> Self {
        Self(Some(Arc::new(Mutex::new(now))))
    }

    /// The time in UTC, cut to the microsecond that PostgreSQL keeps.
    pub fn now(&self) -> OffsetDateTime {
        let now = match &self.0 {
            Some(held) => *held.lock().unwrap_or_else(PoisonError::into_inner),
            #[expect(
                clippy::disallowed_methods,
                reason = "the one place that reads the machine's clock"
            )]
            None => OffsetDateTime::now_utc(),
        };
        let sub_micro = now.nanosecond() % 1_000;
        now - Duration::nanoseconds(i64::from(sub_micro))
    }

    /// Moves a manual clock forward; the machine's clock is left alone.
    pub fn advance(&self, by: Duration) {
        if let Some(held) = &self.0 {
            *held.lock().unwrap_or_else(PoisonError::into_inner) += by;
        }
    }

    /// A `UUIDv7` (RFC 9562, section 5.7) that carries this clock's time.
    pub fn new_id(&self) -> Uuid {
        if self.0.is_none() {
            #[expect(clippy::disallowed_methods, reason = "the one place that makes ids")]
            return Uuid::now_v7();
        }
        let now = self.now();
        let seconds = u64::try_from(now.unix_timestamp()).unwrap_or_default();
        Uuid::new_v7(uuid::Timestamp::from_unix(
            uuid::NoContext,
            seconds,
            now.nanosecond(),
        ))
    }
}
