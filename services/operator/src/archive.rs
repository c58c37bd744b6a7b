//! The archive: the move of old events there, and its verification.

use std::time::Duration;

use serde_json::{Value, json};
use sqlx::{PgConnection, Postgres, Transaction};
use tiffin_archive::{Archive, Report, Segment};
use tiffin_bus::{archiver, archiver::Window, history::OperationState};
use tiffin_events::Stream;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use crate::{Error, State, local_operations, operation::Operation};

/// The name of the archive among what is verified.
pub const ARCHIVE: &str = "archive";
/// The interval between looks at the streams.
pub const INTERVAL: Duration = Duration::from_mins(1);
/// The interval between attempts to get the archiver's lock.
const LOCK_INTERVAL: Duration = Duration::from_millis(500);
/// The advisory lock of the process that archives.
const ARCHIVER_LOCK: i64 = 0x7469_6666_6172;

/// The archived streams.
pub fn streams() -> impl Iterator<Item = Stream> {
    Stream::ALL
        .into_iter()
        .filter(|stream| stream.is_archived())
}

/// Moves to the archive what left the window, unless another process is at it.
pub async fn archive_old(state: &State) -> Result<(), Error> {
    let Some(archive) = &state.broker.archive else {
        return Ok(());
    };
    let mut tx = tiffin_database::begin(&state.pool).await?;
    if !is_archiver(&mut tx).await? {
        return Ok(());
    }
    for stream in streams() {
        while archive_one(state, archive, stream, state.window)
            .await?
            .is_some()
        {
            if state.stop.is_cancelled() {
                return Ok(());
            }
        }
    }
    tx.commit().await?;
    Ok(())
}

async fn archive_one(
    state: &State,
    archive: &Archive,
    stream: Stream,
    window: Window,
) -> Result<Option<Segment>, Error> {
    let now = state.clock.now();
    let moved = archiver::step(&state.broker, archive, stream, window, now).await?;
    if moved.is_some() {
        archive.remove_leftovers(stream, now).await?;
    }
    Ok(moved)
}

/// Starts archiving events outside `window`, in this process. Waits while another process archives.
pub fn start_run(state: &State, operation: Operation, archive: Archive, window: Window) {
    let stop = local_operations::begin(state, operation.id);
    let own = state.clone();
    state.tasks.spawn(async move {
        let mut moved = 0;
        let ended = run(&own, &operation, &archive, window, &stop, &mut moved).await;
        local_operations::end(&own, operation, |it| {
            (it.total, it.handled) = (moved, moved);
            (it.state, it.report) = match ended {
                Ok(()) if stop.is_cancelled() => (OperationState::Cancelled, None),
                Ok(()) => (OperationState::Done, None),
                Err(error) => (
                    OperationState::Failed,
                    Some(json!({ "error": error.to_string() })),
                ),
            };
        })
        .await;
    });
}

async fn run(
    state: &State,
    operation: &Operation,
    archive: &Archive,
    window: Window,
    stop: &CancellationToken,
    moved: &mut i64,
) -> Result<(), Error> {
    let Some(tx) = wait_for_lock(state, stop).await? else {
        return Ok(());
    };
    for stream in streams() {
        while let Some(segment) = archive_one(state, archive, stream, window).await? {
            *moved += i64::try_from(segment.count).unwrap_or(i64::MAX);
            let saved = local_operations::save_progress(state, operation.clone(), |it| {
                (it.total, it.handled) = (*moved, *moved);
            });
            if !saved.await?.is_under_way() {
                stop.cancel();
            }
            if stop.is_cancelled() {
                return Ok(());
            }
        }
    }
    tx.commit().await?;
    Ok(())
}

/// The transaction with the archiver's lock; `None` if it was stopped before. It holds no connection while it waits.
async fn wait_for_lock(
    state: &State,
    stop: &CancellationToken,
) -> Result<Option<Transaction<'static, Postgres>>, Error> {
    loop {
        let mut tx = tiffin_database::begin(&state.pool).await?;
        if is_archiver(&mut tx).await? {
            return Ok(Some(tx));
        }
        tx.rollback().await?;
        if stop
            .run_until_cancelled(sleep(LOCK_INTERVAL))
            .await
            .is_none()
        {
            return Ok(None);
        }
    }
}

/// Takes the lock of the archiver until the transaction ends; false if another process has it.
async fn is_archiver(tx: &mut PgConnection) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"select pg_try_advisory_xact_lock($1) as "locked!""#,
        ARCHIVER_LOCK
    )
    .fetch_one(tx)
    .await
}

/// The number of archived events, by the manifests that can be read.
pub async fn count(archive: &Archive) -> u64 {
    let mut count = 0;
    for stream in streams() {
        count += entered(archive, stream).await;
    }
    count
}

/// The number of events that the manifest of a stream says; 0 if it can't be read.
async fn entered(archive: &Archive, stream: Stream) -> u64 {
    let segments = archive.segments(stream).await.unwrap_or_default();
    segments.iter().map(|segment| segment.count).sum()
}

/// A verified stream, with the number of events that its manifest says.
struct Verified {
    stream: Stream,
    entered: u64,
    report: Report,
}

/// Starts a verification in this process.
pub fn start_check(state: &State, operation: Operation, archive: Archive) {
    let stop = local_operations::begin(state, operation.id);
    let own = state.clone();
    state.tasks.spawn(async move {
        let checked = check(&archive, &stop).await;
        local_operations::end(&own, operation, |it| match checked {
            Ok(all) => {
                let messages: u64 = all.iter().map(|one| one.report.messages).sum();
                it.handled = i64::try_from(messages).unwrap_or(i64::MAX);
                it.state = if stop.is_cancelled() {
                    OperationState::Cancelled
                } else {
                    OperationState::Done
                };
                it.report = Some(report(&all));
            }
            Err(error) => {
                it.state = OperationState::Failed;
                it.report = Some(json!({ "error": error.to_string() }));
            }
        })
        .await;
    });
}

async fn check(archive: &Archive, stop: &CancellationToken) -> Result<Vec<Verified>, Error> {
    let mut all = Vec::new();
    for stream in streams() {
        let entered = entered(archive, stream).await;
        let report = archive.verify(stream, |_| {}, stop).await?;
        all.push(Verified {
            stream,
            entered,
            report,
        });
    }
    Ok(all)
}

/// The result as other verifications have it: a row for each stream, and each finding with its place.
fn report(all: &[Verified]) -> Value {
    let tables = all.iter().map(|one| {
        json!({
            "table": one.stream.name(), "equal": one.report.findings.is_empty(),
            "servingRows": one.entered, "rebuiltRows": one.report.messages,
            "servingHash": one.report.chain, "rebuiltHash": one.report.chain,
        })
    });
    let failures = all.iter().flat_map(|Verified { stream, report, .. }| {
        let findings = report.findings.iter();
        findings.map(move |finding| format!("{stream}, {}: {}", finding.file, finding.problem))
    });
    let equal = all.iter().all(|one| one.report.findings.is_empty());
    json!({
        "equal": equal,
        "tables": tables.collect::<Vec<_>>(),
        "failures": failures.collect::<Vec<_>>(),
    })
}
