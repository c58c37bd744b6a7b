//! Loops that run for as long as the process does. One that panics or ends early is begun again after a
//! growing pause, counted (`tiffin_restarts_total`), and named by `/readyz` until it has run steadily for a
//! minute.

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

/// The pauses before a loop is begun again: the first, and the longest.
const PAUSES: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(30));
/// A loop that has run for so long since its last end is well again.
const STEADY: Duration = Duration::from_mins(1);

/// The loops that ended early in this process, with the reasons.
static TROUBLES: LazyLock<Troubles> = LazyLock::new(Troubles::default);

/// A loop and its name.
#[derive(Clone)]
pub struct Work {
    name: Cow<'static, str>,
    begin: Arc<dyn Fn() -> BoxFuture<'static, ()> + Send + Sync>,
}

impl fmt::Debug for Work {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Work")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

impl Work {
    /// A loop that takes a copy of `with` each time it is begun.
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
            begin: Arc::new(move || run(with.clone()).boxed()),
        }
    }

    /// Runs it until `stop`, however often that takes to begin it.
    pub async fn keep(self, stop: CancellationToken) {
        self.keep_in(&TROUBLES, stop).await;
    }

    async fn keep_in(self, troubles: &Troubles, stop: CancellationToken) {
        let mut pause = PAUSES.0;
        loop {
            let began = Instant::now();
            let work = AssertUnwindSafe(async { (self.begin)().await });
            let reason = match work.catch_unwind().await {
                _ if stop.is_cancelled() => return,
                Ok(()) => "ended early".to_owned(),
                Err(panic) => format!("panicked: {}", text(panic.as_ref())),
            };
            if began.elapsed() >= STEADY {
                pause = PAUSES.0;
            }
            counter!("tiffin_restarts_total", "task" => self.name.clone()).increment(1);
            tracing::error!(
                task = %self.name,
                reason,
                pause = pause.as_secs_f32(),
                "a task is begun again"
            );
            troubles.note(&self.name, reason);
            tokio::select! {
                () = stop.cancelled() => return,
                () = tokio::time::sleep(pause) => {}
            }
            pause = (pause * 2).min(PAUSES.1);
        }
    }
}

/// The message of a panic.
fn text(panic: &(dyn Any + Send)) -> &str {
    let literal = panic.downcast_ref::<&str>().copied();
    literal
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("without a word")
}

/// Has `/readyz` name what ended early in this process.
pub fn note(readiness: &Readiness) {
    readiness.note("tasks", || std::future::ready(TROUBLES.verdict()).boxed());
}

#[derive(Default)]
struct Troubles(Mutex<BTreeMap<String, Trouble>>);

struct Trouble {
    reason: String,
    times: u32,
    last: Instant,
}

impl Troubles {
    fn note(&self, name: &str, reason: String) {
        let mut all = self.lately();
        let times = all.get(name).map_or(0, |trouble| trouble.times) + 1;
        let last = Instant::now();
        all.insert(
            name.to_owned(),
            Trouble {
                reason,
                times,
                last,
            },
        );
    }

    /// Fails with a sentence a loop that ended early.
    fn verdict(&self) -> Result<(), String> {
        let all = self.lately();
        if all.is_empty() {
            return Ok(());
        }
        let sentences: Vec<_> = all
            .iter()
            .map(|(name, it)| format!("{name} {} ({} times lately)", it.reason, it.times))
            .collect();
        Err(sentences.join("; "))
    }

    /// Forgets what has run steadily since.
    fn lately(&self) -> MutexGuard<'_, BTreeMap<String, Trouble>> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|_, trouble| trouble.last.elapsed() < STEADY + PAUSES.1);
        all
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    /// A loop that panics so often and then runs, and how often it was begun.
    fn panics(times: u32, stop: &CancellationToken) -> (Work, Arc<AtomicU32>) {
        let begun = Arc::new(AtomicU32::new(0));
        let with = (Arc::clone(&begun), stop.clone());
        let work = Work::new("a worker", with, move |(begun, stop)| async move {
            assert!(begun.fetch_add(1, Ordering::SeqCst) >= times, "a mistake");
            stop.cancelled().await;
        });
        (work, begun)
    }

    async fn until(begun: &AtomicU32, times: u32) {
        while begun.load(Ordering::SeqCst) < times {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    #[tokio::test]
    async fn a_loop_that_panics_comes_back_and_is_named() {
        let (stop, troubles) = (CancellationToken::new(), Troubles::default());
        let (work, begun) = panics(2, &stop);
        let observe = async {
            until(&begun, 3).await;
            let said = troubles.verdict().unwrap_err();
            assert_eq!(said, "a worker panicked: a mistake (2 times lately)");
            stop.cancel();
        };
        tokio::join!(work.keep_in(&troubles, stop.clone()), observe);
        assert_eq!(begun.load(Ordering::SeqCst), 3);
    }

    #[tokio::test]
    async fn one_that_keeps_panicking_is_visible_and_ends_with_the_stop() {
        let stop = CancellationToken::new();
        let (work, begun) = panics(u32::MAX, &stop);
        let readiness = Readiness::default();
        note(&readiness);
        let kept = tokio::spawn(work.keep(stop.clone()));
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
    async fn a_loop_that_ends_early_is_begun_again() {
        let (stop, troubles) = (CancellationToken::new(), Troubles::default());
        let begun = Arc::new(AtomicU32::new(0));
        let work = Work::new("a relay", Arc::clone(&begun), |begun| async move {
            begun.fetch_add(1, Ordering::SeqCst);
        });
        let observe = async {
            until(&begun, 2).await;
            let said = troubles.verdict().unwrap_err();
            assert!(said.starts_with("a relay ended early"), "{said}");
            stop.cancel();
        };
        tokio::join!(work.keep_in(&troubles, stop.clone()), observe);
    }
}
