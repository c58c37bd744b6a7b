//! The loop of a task that looks for work: at an interval, and when it is notified.

use std::time::Duration;

use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

/// The pause after a notification that is sent before its transaction commits.
pub const COMMIT_PAUSE: Duration = Duration::from_millis(50);

/// Runs `step` at once and then at the interval, until `shutdown`.
pub async fn repeat<F: Future<Output = ()>>(
    interval: Duration,
    shutdown: &CancellationToken,
    step: impl Fn() -> F,
) {
    let never = (&Notify::new(), Duration::ZERO);
    repeat_or_notified(interval, never, shutdown, step).await;
}

/// Runs `step` at once, then at the interval and some pause after each notification, until `shutdown`.
pub async fn repeat_or_notified<F: Future<Output = ()>>(
    interval: Duration,
    (notify, pause): (&Notify, Duration),
    shutdown: &CancellationToken,
    step: impl Fn() -> F,
) {
    while !shutdown.is_cancelled() {
        step().await;
        tokio::select! {
            () = shutdown.cancelled() => {}
            () = notify.notified() => tokio::time::sleep(pause).await,
            () = tokio::time::sleep(interval) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use tokio::time::Instant;

    use super::*;

    const INTERVAL: Duration = Duration::from_secs(5);

    #[tokio::test(start_paused = true)]
    async fn steps_come_at_once_at_the_interval_and_after_notifications() {
        let (notify, shutdown, steps) =
            (Notify::new(), CancellationToken::new(), AtomicU32::new(0));
        let start = Instant::now();
        repeat_or_notified(
            INTERVAL,
            (&notify, COMMIT_PAUSE),
            &shutdown,
            async || match steps.fetch_add(1, Ordering::SeqCst) {
                0 => assert_eq!(start.elapsed(), Duration::ZERO),
                1 => {
                    assert_eq!(start.elapsed(), INTERVAL);
                    notify.notify_one();
                }
                _ => {
                    assert_eq!(start.elapsed(), INTERVAL + COMMIT_PAUSE);
                    shutdown.cancel();
                }
            },
        )
        .await;
        assert_eq!(steps.load(Ordering::SeqCst), 3);
        repeat(INTERVAL, &shutdown, || async {
            panic!("the shutdown has come")
        })
        .await;
    }
}
