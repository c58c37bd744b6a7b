//! Tasks that run for as long as the process does. One that panics or ends early is restarted after a growing pause,
//! counted (`tiffin_restarts_total`), and named by `/readyz` until it has run steadily for a minute.

use std::{
    any::Any,
    borrow::Cow,
    collections::BTreeMap,
    fmt,
    panic::AssertUnwindSafe,
    sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use futures_util::{FutureExt, future::BoxFuture};
use metrics::counter;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::Readiness;

/// The pause before the first restart of a task.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
/// The longest pause before a restart.
const MAX_PAUSE: Duration = Duration::from_secs(30);
/// The time after which a restarted task counts as steady.
const STEADY_AFTER: Duration = Duration::from_mins(1);

/// The tasks of this process that ended early, with the reasons.
static EARLY_ENDS: LazyLock<EarlyEnds> = LazyLock::new(EarlyEnds::default);

/// A task and its name.
#[derive(Clone)]
pub struct SupervisedTask {
    name: Cow<'static, str>,
    start: Arc<dyn Fn() -> BoxFuture<'static, ()> + Send + Sync>,
}

impl fmt::Debug for SupervisedTask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SupervisedTask")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

impl SupervisedTask {
    /// A task that gets a copy of `with` at each start.
    pub fn new<C, F>(
        name: impl Into<Cow<'static, str>>,
        with: C,
        run: impl Fn(C) -> F + Send + Sync + 'static,
    ) -> Self
    where
        C: Clone + Send + Sync + 'static,
        F: Future<Output = ()> + Send + 'static,
    {
        Self {
            name: name.into(),
            start: Arc::new(move || run(with.clone()).boxed()),
        }
    }

    /// Runs the task until `stop`, with as many restarts as it takes.
    pub async fn supervise(self, stop: CancellationToken) {
        self.supervise_in(&EARLY_ENDS, stop).await;
    }

    async fn supervise_in(self, early_ends: &EarlyEnds, stop: CancellationToken) {
        let mut pause = FIRST_PAUSE;
        loop {
            let began = Instant::now();
            let run = AssertUnwindSafe(async { (self.start)().await });
            let reason = match run.catch_unwind().await {
                _ if stop.is_cancelled() => return,
                Ok(()) => "ended early".to_owned(),
                Err(panic) => format!("panicked: {}", text(panic.as_ref())),
            };
            if began.elapsed() >= STEADY_AFTER {
                pause = FIRST_PAUSE;
            }
            counter!("tiffin_restarts_total", "task" => self.name.clone()).increment(1);
            tracing::error!(
                task = %self.name,
                reason,
                pause = pause.as_secs_f32(),
                "a task ended early and is restarted after a pause"
            );
            early_ends.record(&self.name, reason);
            tokio::select! {
                () = stop.cancelled() => return,
                () = tokio::time::sleep(pause) => {}
            }
            pause = (pause * 2).min(MAX_PAUSE);
        }
    }
}

/// The message of a panic.
fn text(panic: &(dyn Any + Send)) -> &str {
    let literal = panic.downcast_ref::<&str>().copied();
    literal
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("without a message")
}

/// Has `/readyz` name the tasks of this process that ended early.
pub fn add_check(readiness: &Readiness) {
    readiness.add_optional("tasks", || std::future::ready(EARLY_ENDS.check()).boxed());
}

#[derive(Default)]
struct EarlyEnds(Mutex<BTreeMap<String, EarlyEnd>>);

struct EarlyEnd {
    reason: String,
    times: u32,
    last: Instant,
}

impl EarlyEnds {
    fn record(&self, name: &str, reason: String) {
        let mut all = self.recent();
        let times = all.get(name).map_or(0, |end| end.times) + 1;
        let last = Instant::now();
        all.insert(
            name.to_owned(),
            EarlyEnd {
                reason,
                times,
                last,
            },
        );
    }

    /// Fails with a sentence for each task that ended early.
    fn check(&self) -> Result<(), String> {
        let all = self.recent();
        if all.is_empty() {
            return Ok(());
        }
        let sentences: Vec<_> = all
            .iter()
            .map(|(name, it)| format!("{name} {} ({} times lately)", it.reason, it.times))
            .collect();
        Err(sentences.join("; "))
    }

    /// The early ends of tasks that have not run steadily since.
    fn recent(&self) -> MutexGuard<'_, BTreeMap<String, EarlyEnd>> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|_, end| end.last.elapsed() < STEADY_AFTER + MAX_PAUSE);
        all
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    /// A task that panics so often and then runs, and the number of its starts.
    fn panics(times: u32, stop: &CancellationToken) -> (SupervisedTask, Arc<AtomicU32>) {
        let begun = Arc::new(AtomicU32::new(0));
        let with = (Arc::clone(&begun), stop.clone());
        let task = SupervisedTask::new("a worker", with, move |(begun, stop)| async move {
            assert!(begun.fetch_add(1, Ordering::SeqCst) >= times, "a mistake");
            stop.cancelled().await;
        });
        (task, begun)
    }

    async fn until(begun: &AtomicU32, times: u32) {
        while begun.load(Ordering::SeqCst) < times {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    #[tokio::test]
    async fn a_task_that_panics_is_restarted_and_named() {
        let (stop, early_ends) = (CancellationToken::new(), EarlyEnds::default());
        let (task, begun) = panics(2, &stop);
        let observe = async {
            until(&begun, 3).await;
            let said = early_ends.check().unwrap_err();
            assert_eq!(said, "a worker panicked: a mistake (2 times lately)");
            stop.cancel();
        };
        tokio::join!(task.supervise_in(&early_ends, stop.clone()), observe);
        assert_eq!(begun.load(Ordering::SeqCst), 3);
    }

    #[tokio::test]
    async fn one_that_keeps_panicking_is_visible_and_ends_with_the_stop() {
        let stop = CancellationToken::new();
        let (task, begun) = panics(u32::MAX, &stop);
        let readiness = Readiness::default();
        add_check(&readiness);
        let kept = tokio::spawn(task.supervise(stop.clone()));
        until(&begun, 4).await;
        let (status, answer) = crate::health::tests::ask(&readiness, "/readyz").await;
        assert_eq!((status, &answer["status"]), (200, &"degraded".into()));
        let said = answer["checks"]["tasks"].as_str().unwrap();
        assert!(said.starts_with("a worker panicked: a mistake"), "{said}");
        let metrics = crate::telemetry::metrics().render();
        assert!(
            metrics.contains("tiffin_restarts_total{task=\"a worker\"}"),
            "{metrics}"
        );
        stop.cancel();
        kept.await.unwrap();
    }

    #[tokio::test]
    async fn a_task_that_ends_early_is_restarted() {
        let (stop, early_ends) = (CancellationToken::new(), EarlyEnds::default());
        let begun = Arc::new(AtomicU32::new(0));
        let task = SupervisedTask::new("a relay", Arc::clone(&begun), |begun| async move {
            begun.fetch_add(1, Ordering::SeqCst);
        });
        let observe = async {
            until(&begun, 2).await;
            let said = early_ends.check().unwrap_err();
            assert!(said.starts_with("a relay ended early"), "{said}");
            stop.cancel();
        };
        tokio::join!(task.supervise_in(&early_ends, stop.clone()), observe);
    }
}
