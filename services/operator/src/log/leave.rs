//! The log stays at the window's size: it makes months ahead, and lets go of those that the archive holds.

use sqlx::PgConnection;
use tiffin_bus::fault;

use super::{months, months::Span, record};
use crate::{
    Error, State,
    store::{archived, log_months},
};

/// Makes this month's partition and the next, and drops those of past months that lie in the archive as a whole. Does
/// nothing while another process does so. A process that dies in between leaves a table that is no partition, or half of
/// one; the next step drops it.
pub async fn keep_window(state: &State) -> Result<(), Error> {
    let mut keeper = tiffin_database::begin(&state.pool).await?;
    if !log_months::is_keeper(&mut keeper).await? {
        return Ok(());
    }
    finish_started(state).await?;
    let this_month = Span::of(state.clock.now());
    let mut tx = tiffin_database::begin(&state.pool).await?;
    let ahead: Vec<_> = [this_month, this_month.next()]
        .into_iter()
        .filter_map(|span| span.begins)
        .collect();
    months::make(&mut tx, &ahead).await?;
    tx.commit().await?;
    record::adopt_lost(state).await?;
    let past = past(state, this_month).await?;
    if !past.is_empty() {
        record::record_archived(state).await?;
    }
    for name in past {
        // Months leave in order: the log has everything from its start on.
        if !let_go(state, &name).await? {
            break;
        }
    }
    keeper.commit().await?;
    Ok(())
}

/// The partitions of months that are over, the oldest first.
async fn past(state: &State, this_month: Span) -> Result<Vec<String>, Error> {
    let mut connection = state.pool.acquire().await?;
    let tables = log_months::all(&mut connection).await?;
    let attached = tables.into_iter().filter(|table| table.is_attached);
    let mut spans: Vec<(Span, String)> = attached
        .filter_map(|table| Some((Span::named(&table.name)?, table.name)))
        .filter(|(span, _)| this_month.begins.is_some_and(|begins| span.ends <= begins))
        .collect();
    spans.sort_unstable();
    Ok(spans.into_iter().map(|(_, name)| name).collect())
}

/// Ends what an earlier process began.
async fn finish_started(state: &State) -> Result<(), Error> {
    let mut connection = state.pool.acquire().await?;
    let tables = log_months::all(&mut connection).await?;
    drop(connection);
    for table in tables.into_iter().filter(|table| !table.is_attached) {
        if table.is_half_detached {
            log_months::finish_detaching(&state.pool, &table.name).await?;
        }
        settle(state, &table.name).await?;
    }
    Ok(())
}

/// Detaches and drops a partition if the archive holds all of it. False if it does not yet.
async fn let_go(state: &State, name: &str) -> Result<bool, Error> {
    let mut tx = tiffin_database::begin(&state.pool).await?;
    if !hand_over(&mut tx, name).await? {
        return Ok(false);
    }
    fault::point("log", "before_hand_over").await;
    tx.commit().await?;
    // From here on the archive answers for its events, whether or not the table is there.
    fault::point("log", "before_detach").await;
    log_months::detach(&state.pool, name).await?;
    fault::point("log", "before_drop").await;
    settle(state, name).await?;
    Ok(true)
}

/// Moves the starts of the log behind a partition's events. False if the archive lacks one of them.
async fn hand_over(tx: &mut PgConnection, name: &str) -> Result<bool, Error> {
    for (stream, last) in log_months::last_sequences(tx, name).await? {
        let archived = archived::last(tx, stream).await?;
        if archived.is_none_or(|(_, end)| end < last) {
            return Ok(false);
        }
        archived::move_start(tx, stream, last + 1).await?;
    }
    Ok(true)
}

async fn settle(state: &State, name: &str) -> Result<(), Error> {
    let mut tx = tiffin_database::begin(&state.pool).await?;
    log_months::lock(&mut tx).await?;
    let tables = log_months::all(&mut tx).await?;
    // A consumer may have settled it.
    if tables.iter().any(|it| it.name == name && !it.is_attached) {
        months::settle_detached(&mut tx, name).await?;
    }
    tx.commit().await?;
    Ok(())
}
