//! Imports: an export is put into a stream that was empty when the import began, call by call.
//!
//! An import is an operation that takes time. The audit records its start before anything is stored, and
//! its end with the number of stored events. Only the same import may continue, and only while nothing else
//! was published to the stream.

pub mod check;
mod seal;
mod sequence;

use sqlx::PgConnection;
use tiffin_bus::{
    Cause,
    history::OperationState,
    read::{self, Logged},
    write,
};
use tiffin_chassis::Caller;
use tiffin_events::{Stream, operation::ImportedV1};
use uuid::Uuid;

use crate::{
    Error, NAME, State, chain,
    error::Refusal,
    operation::Operation,
    sealed,
    store::{
        imports::{self, ImportedEvent, OpenImport},
        operations,
    },
};
use check::Line;
use sequence::{NewLines, SequenceError, StoredEvents};

/// The name of imports among operations.
pub const VERB: &str = "import";
/// The longest time that an import may wait for its next call.
const CALL_TIMEOUT: time::Duration = time::Duration::hours(1);

/// One call of an import: the lines with their numbers, and the parameters.
#[derive(Debug)]
pub struct Call {
    pub stream: Stream,
    pub reason: String,
    /// The import to continue; by default the caller's open one, or else a new one.
    pub import: Option<Uuid>,
    /// True if more calls follow.
    pub more: bool,
    pub lines: Vec<(usize, Line)>,
}

/// The state of an import after a call.
#[derive(Debug)]
pub struct CallResult {
    pub id: Uuid,
    /// The number of events that this call stored.
    pub stored: u64,
    pub is_open: bool,
}

/// Handles one call. A refused call has stored nothing.
pub async fn handle_call(
    state: &State,
    caller: &Caller,
    mut call: Call,
) -> Result<CallResult, Error> {
    let Call { stream, more, .. } = call;
    if !stream.takes_imports() {
        return Err(Refusal::TakesNoImports { stream }.into());
    }
    seal::open_lines(&state.broker.keys, &mut call.lines).await?;
    if let Some(open) = open_import(state, caller, &call).await? {
        catch_up(state, open).await?;
    }
    let (id, new_lines) = begin(state, caller, call).await?;
    let stored = u64::try_from(new_lines.len()).unwrap_or(u64::MAX);
    if !new_lines.is_empty()
        && let Err(error) = store(state, stream, id, new_lines).await
    {
        // The import ends if something else was published meanwhile.
        let mut tx = tiffin_database::begin(&state.pool).await?;
        let open = imports::lock(&mut tx, stream)
            .await?
            .filter(|open| open.id == id);
        drop(tx);
        if let Some(open) = open {
            catch_up(state, open).await?;
        }
        return Err(error);
    }
    if !more {
        end(state, stream, id, OperationState::Done).await?;
    }
    Ok(CallResult {
        id,
        stored,
        is_open: more,
    })
}

/// The stream's open import, if there is one; refused if it is not the named one or not the caller's.
async fn open_import(
    state: &State,
    caller: &Caller,
    call: &Call,
) -> Result<Option<OpenImport>, Error> {
    let mut tx = tiffin_database::begin(&state.pool).await?;
    let open = imports::lock(&mut tx, call.stream).await?;
    let found = open.as_ref();
    match call.import {
        Some(id) if found.is_none_or(|open| open.id != id) => {
            Err(Refusal::ImportEnded { id }.into())
        }
        _ if found.is_some_and(|open| open.actor != caller.id.0) => Err(Refusal::ImportOfAnother {
            stream: call.stream,
        }
        .into()),
        _ => Ok(open),
    }
}

/// Records the events that a call stored before its process ended, and ends the import if other events
/// follow them in the stream.
async fn catch_up(state: &State, open: OpenImport) -> Result<(), Error> {
    let stream: Stream = open.stream.parse().map_err(|_| Refusal::NoStream {
        name: open.stream.clone(),
    })?;
    let mut tx = tiffin_database::begin(&state.pool).await?;
    let Some(mut open) = imports::lock(&mut tx, stream)
        .await?
        .filter(|now| now.id == open.id)
    else {
        return Err(Refusal::ImportEnded { id: open.id }.into());
    };
    let last = unsigned(open.last_sequence);
    let mut unrecorded = write::stored_by(&state.broker, stream, open.id, last).await?;
    for event in &mut unrecorded {
        sealed::open(&state.broker.keys, &mut event.envelope).await?;
    }
    let recorded: Vec<ImportedEvent> = unrecorded
        .iter()
        .map(sequence::imported_event)
        .collect::<Result<_, _>>()?;
    let end_of_own = last + u64::try_from(unrecorded.len()).unwrap_or_default();
    if unrecorded.is_empty() {
        tx.rollback().await?;
    } else {
        open.add(&recorded, end_of_own);
        imports::save_progress(&mut tx, &open, &recorded, state.clock.now()).await?;
        tx.commit().await?;
    }
    if read::last(&state.broker, stream).await? == end_of_own {
        return Ok(());
    }
    end(state, stream, open.id, OperationState::Failed).await?;
    Err(Refusal::ImportDisturbed {
        stream,
        seq: end_of_own,
    }
    .into())
}

/// Checks that the lines continue the import, and begins and records a new one if none is open. Returns the
/// import and the lines that it has not stored yet.
async fn begin(state: &State, caller: &Caller, call: Call) -> Result<(Uuid, NewLines), Error> {
    let Call {
        stream,
        reason,
        import,
        lines,
        ..
    } = call;
    let mut tx = tiffin_database::begin(&state.pool).await?;
    let open = imports::lock(&mut tx, stream).await?;
    if let Some(id) = import
        && open.as_ref().is_none_or(|open| open.id != id)
    {
        return Err(Refusal::ImportEnded { id }.into());
    }
    if open.is_none() && read::last(&state.broker, stream).await? > 0 {
        return Err(Refusal::NotEmpty { stream }.into());
    }
    let (numbers, lines): (Vec<usize>, Vec<Line>) = lines.into_iter().unzip();
    let stored = match &open {
        Some(open) => StoredEvents::read(&mut tx, open.id, &lines).await?,
        None => StoredEvents::default(),
    };
    let lines = numbers.into_iter().zip(lines).collect();
    let new_lines = stored
        .new_lines(stream, lines)
        .map_err(|error| match error {
            SequenceError::Line(line, reason) => Error::from(Refusal::BadLine { line, reason }),
            SequenceError::Encoding(error) => error.into(),
        })?;
    if let Some(open) = open {
        return Ok((open.id, new_lines));
    }
    let mut operation = state.operation(caller, VERB, stream.name().to_owned(), reason);
    operation.stream = Some(stream.name().to_owned());
    operation.state = OperationState::Running;
    let new = OpenImport {
        id: operation.id,
        stream: stream.name().to_owned(),
        actor: caller.id.0,
        last_sequence: 0,
        count: 0,
        first_event: None,
        last_event: None,
        hash: String::new(),
    };
    if !imports::begin(&mut tx, &new, state.clock.now()).await? {
        return Err(Refusal::ImportOfAnother { stream }.into());
    }
    operations::begin(&mut tx, state, &State::cause(caller), &operation).await?;
    tx.commit().await?;
    Ok((new.id, new_lines))
}

/// Publishes new lines behind the import's stored events, and records them.
async fn store(state: &State, stream: Stream, id: Uuid, new_lines: NewLines) -> Result<(), Error> {
    let mut tx = tiffin_database::begin(&state.pool).await?;
    let mut open = imports::lock(&mut tx, stream)
        .await?
        .filter(|open| open.id == id)
        .ok_or(Refusal::ImportEnded { id })?;
    let (mut events, recorded): (Vec<Logged>, Vec<ImportedEvent>) = new_lines.into_iter().unzip();
    for event in &mut events {
        seal::seal(&state.broker.keys, event).await?;
    }
    let last = unsigned(open.last_sequence);
    let last = write::append(&state.broker, stream, &events, id, last)
        .await
        .map_err(|error| match error {
            write::WriteError::Moved(_) | write::WriteError::Duplicate { .. } => {
                Refusal::ImportDisturbed { stream, seq: last }.into()
            }
            write::WriteError::Broker(error) => Error::from(error),
        })?;
    open.add(&recorded, last);
    imports::save_progress(&mut tx, &open, &recorded, state.clock.now()).await?;
    tx.commit().await?;
    Ok(())
}

/// Ends an import and records what it stored.
pub async fn end(
    state: &State,
    stream: Stream,
    id: Uuid,
    outcome: OperationState,
) -> Result<(), Error> {
    let mut tx = tiffin_database::begin(&state.pool).await?;
    if let Some(open) = imports::lock(&mut tx, stream)
        .await?
        .filter(|open| open.id == id)
    {
        close(&mut tx, state, &open, outcome).await?;
        tx.commit().await?;
    }
    Ok(())
}

async fn close(
    tx: &mut PgConnection,
    state: &State,
    open: &OpenImport,
    outcome: OperationState,
) -> Result<(), Error> {
    imports::end(tx, open.id).await?;
    let imported = serde_json::to_value(ImportedV1 {
        count: open.count,
        first: open.first_event,
        last: open.last_event,
        hash: open.hash.clone(),
    })?;
    let step = |it: &mut Operation| {
        it.handled = open.count;
        it.total = open.count;
        it.state = outcome;
        it.report = Some(serde_json::json!({ "imported": imported }));
    };
    operations::change(tx, state, &Cause::service(NAME), open.id, step).await?;
    Ok(())
}

/// Ends imports whose next call has not come in time.
pub async fn end_abandoned(state: &State) -> Result<(), Error> {
    let mut connection = state.pool.acquire().await?;
    let abandoned =
        imports::abandoned_since(&mut connection, state.clock.now() - CALL_TIMEOUT).await?;
    drop(connection);
    for stream in abandoned
        .iter()
        .filter_map(|name| name.parse::<Stream>().ok())
    {
        let mut tx = tiffin_database::begin(&state.pool).await?;
        if let Some(open) = imports::lock(&mut tx, stream).await? {
            close(&mut tx, state, &open, OperationState::Failed).await?;
            tx.commit().await?;
        }
    }
    Ok(())
}

impl OpenImport {
    /// Adds stored events, the last of them at the stream sequence `last`.
    fn add(&mut self, stored: &[ImportedEvent], last: u64) {
        for one in stored {
            self.count += 1;
            self.first_event.get_or_insert(one.event);
            self.last_event = Some(one.event);
            self.hash = chain::hash(format!("{}{}", self.hash, one.hash).as_bytes());
        }
        self.last_sequence = i64::try_from(last).unwrap_or(i64::MAX);
    }
}

fn unsigned(sequence: i64) -> u64 {
    u64::try_from(sequence).unwrap_or_default()
}
