//! The loop of a task that looks for work: at an interval, and when it is notified.

use std::{
    f64::consts::GOLDEN_RATIO,
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

/// The pause after a notification that is sent before its transaction commits.
pub const COMMIT_PAUSE: Duration = Duration::from_millis(50);

/// Runs `step` at once and then at the interval, until `shutdown`. The first interval is shorter.
pub async fn repeat<F: Future<Output = ()>>(
    interval: Duration,
    shutdown: &CancellationToken,
    step: impl Fn() -> F,
) {
    let never = (&Notify::new(), Duration::ZERO);
    repeat_or_notified(interval, never, shutdown, step).await;
}

/// Runs `step` at once, then at the interval and some pause after each notification, until `shutdown`. The first
/// interval is shorter by another part for each task of the process: tasks that begin together and poll at the same
/// moment would each hold a database connection.
pub async fn repeat_or_notified<F: Future<Output = ()>>(
    interval: Duration,
    (notify, pause): (&Notify, Duration),
    shutdown: &CancellationToken,
    step: impl Fn() -> F,
) {
    let mut next = interval.mul_f64(first_part());
    while !shutdown.is_cancelled() {
        step().await;
        tokio::select! {
            () = shutdown.cancelled() => {}
            () = notify.notified() => tokio::time::sleep(pause).await,
            () = tokio::time::sleep(next) => next = interval,
        }
    }
}

/// The part of its interval that a task waits first. Multiples of the golden ratio spread any number of tasks evenly.
fn first_part() -> f64 {
    static STARTED: AtomicU32 = AtomicU32::new(0);
    let number = f64::from(STARTED.fetch_add(1, Ordering::Relaxed) + 1);
    (number * GOLDEN_RATIO).fract()
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use tokio::time::Instant;

    use super::*;

    const INTERVAL: Duration = Duration::from_secs(5);

    #[tokio::test(start_paused = true)]
    async fn steps_come_at_once_at_the_interval_and_after_notifications() {
        let (notify, shutdown) = (Notify::new(), CancellationToken::new());
        let start = Instant::now();
        let times = Mutex::new(Vec::new());
        repeat_or_notified(INTERVAL, (&notify, COMMIT_PAUSE), &shutdown, async || {
            let mut times = times.lock().unwrap();
            times.push(start.elapsed());
            match times.len() {
                3 => notify.notify_one(),
                4 => shutdown.cancel(),
                _ => {}
            }
        })
        .await;
        let times = times.into_inner().unwrap();
        assert_eq!(times.len(), 4);
        assert_eq!(times[0], Duration::ZERO);
        assert!(times[1] < INTERVAL, "the first interval is shorter");
        let is_about = |passed: Duration, pause: Duration| {
            (pause..pause + Duration::from_millis(2)).contains(&passed)
        };
        assert!(is_about(times[2].saturating_sub(times[1]), INTERVAL));
        assert!(is_about(times[3].saturating_sub(times[2]), COMMIT_PAUSE));
        repeat(INTERVAL, &shutdown, async || {
            panic!("the shutdown has come")
        })
        .await;
    }
}
