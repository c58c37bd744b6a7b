//! Builds a read model again from its snapshot, or from the first event, in a schema beside the one in use, compares
//! the two, and swaps them (a rebuild) or discards the new one (a verification). The new one holds exactly what the
//! serving consumer has handled.
//!
//! The comparison holds up no consumer: both sides are read as of one moment. The swap uses the connection
//! that holds the lock on the operation: a process that lost the lock swaps nothing.

mod archived;
mod compare;
mod start;
mod swap;

use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, PgConnection};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::{
    Control, ControlError, Operation, OperationKind, OperationState,
    model::Model,
    operations::{self, Step},
    projection::{Batch, Projection},
    snapshots::{self, Snapshot},
    tables,
};
use crate::{
    BrokerError, Consumer,
    consume::stream_reader::{self, BATCH, StreamReader},
};

/// Messages that are projected at once, in a transaction.
pub(super) const ROUND: usize = 5_000;

/// Counts the events to read, and begins.
pub(super) async fn begin(
    control: &Control,
    consumer: &Consumer,
    (id, kind): (Uuid, OperationKind),
    from_first_event: bool,
) -> Result<Operation, ControlError> {
    let model = Model::of(&control.consumers, consumer)?;
    for one in &model.consumers {
        operations::none_under_way(&control.pool, &one.name, id).await?;
    }
    let mut connection = control.pool.acquire().await?;
    let found = snapshots::usable(&mut connection, control, &model, from_first_event).await;
    drop(connection);
    let snapshot = found.as_ref().ok();
    let total = count(control, &model, snapshot).await?;
    let named = (id, model.name(), kind);
    let spec = json!({
        "consumer": consumer.name, "fromFirstEvent": from_first_event,
        "after": snapshot.map(Snapshot::positions),
    });
    operations::begin(&control.pool, control.clock.now(), named, spec, (total, 0)).await
}

/// The number of events after a snapshot.
async fn count(
    control: &Control,
    model: &Model<'_>,
    snapshot: Option<&Snapshot>,
) -> Result<i64, BrokerError> {
    let mut total = 0;
    for one in &model.consumers {
        let last = stream_reader::last(&control.broker, one.stream).await?;
        let from = snapshot.map_or(0, |snapshot| snapshot.position_of(one)) + 1;
        total +=
            stream_reader::count(&control.broker, one.stream, &one.subjects, (from, last)).await?;
    }
    Ok(i64::try_from(total).unwrap_or(i64::MAX))
}

/// Builds the new read model, compares it, and swaps or discards it. The `lock_holder` holds the lock on the operation.
pub(super) async fn run(
    control: &Control,
    operation: &Operation,
    spec: &Value,
    lock_holder: &mut PgConnection,
    stop: &CancellationToken,
) -> Result<(), ControlError> {
    let model = Model::of(&control.consumers, control.consumer(&operation.target)?)?;
    // Each attempt has its own: another process may have lost its lock on the operation and not know it yet.
    let schema = own_schema(control, &model.schemas());
    let mut tx = tiffin_database::begin(&control.pool).await?;
    tables::drop_leftovers(&mut tx, &model.schemas()).await?;
    tables::create(&mut tx, &schema, &model.tables).await?;
    tx.commit().await?;
    let attempt = Attempt {
        control,
        operation,
        spec,
        model: &model,
        schema: &schema,
        stop,
    };
    let built = attempt.build(lock_holder).await;
    if !matches!(built, Ok(Some(_))) || operation.kind == OperationKind::Verify {
        let drop = format!("drop schema if exists {schema} cascade");
        sqlx::raw_sql(AssertSqlSafe(drop))
            .execute(&control.pool)
            .await?;
    }
    if let Some(report) = built? {
        operations::end(
            &control.pool,
            operation.id,
            OperationState::Done,
            Some(report),
        )
        .await?;
    }
    Ok(())
}

/// A name that no other attempt has: the random end of a new id.
fn own_schema(control: &Control, prefix: &str) -> String {
    let id = control.clock.new_id().simple().to_string();
    format!("{prefix}{}", &id[20..])
}

/// One attempt at an operation.
struct Attempt<'a> {
    control: &'a Control,
    operation: &'a Operation,
    spec: &'a Value,
    model: &'a Model<'a>,
    schema: &'a str,
    stop: &'a CancellationToken,
}

impl Attempt<'_> {
    /// The report; `None` where it was stopped.
    async fn build(&self, lock_holder: &mut PgConnection) -> Result<Option<Value>, ControlError> {
        let (mut projections, start) = self.start().await?;
        if !self.read_archived(&mut projections, &start).await? {
            return Ok(None);
        }
        // Everything there is, while the serving model goes on; then what came meanwhile.
        if !self.catch_up(&mut projections).await? {
            return Ok(None);
        }
        let mut tx = tiffin_database::begin(&self.control.pool).await?;
        tables::create_indexes(&mut tx, self.schema, &self.model.tables).await?;
        tx.commit().await?;
        if !self.catch_up(&mut projections).await? {
            return Ok(None);
        }
        let mut report = self.compare(lock_holder, &mut projections).await?;
        report["snapshot"] = start.report;
        if self.operation.kind == OperationKind::Verify {
            return Ok(Some(report));
        }
        if !self.catch_up(&mut projections).await? {
            return Ok(None);
        }
        // Now, so that little of it is left to do while consumers are paused.
        let mut tx = tiffin_database::begin(&self.control.pool).await?;
        for projection in &mut projections {
            projection.save(&mut tx).await?;
        }
        tx.commit().await?;
        self.finish(lock_holder, &mut projections, report).await
    }

    /// Reads the streams to their ends. Returns whether it got there.
    async fn catch_up(&self, projections: &mut [Projection<'_>]) -> Result<bool, ControlError> {
        for projection in projections {
            if !self.catch_up_with(projection).await? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Reads a projection's stream to its end.
    async fn catch_up_with(&self, projection: &mut Projection<'_>) -> Result<bool, ControlError> {
        let stream = projection.consumer.stream;
        let last = stream_reader::last(&self.control.broker, stream).await?;
        self.catch_up_to(projection, last).await
    }

    /// Reads a projection's stream up to a stream sequence, a transaction a batch.
    async fn catch_up_to(
        &self,
        projection: &mut Projection<'_>,
        last: u64,
    ) -> Result<bool, ControlError> {
        let (control, operation) = (self.control, self.operation);
        let mut reader = read_from_position(control, projection, last).await?;
        loop {
            let round = reader.next(ROUND).await?;
            if round.is_empty() {
                break;
            }
            let read = i64::try_from(round.len()).unwrap_or(i64::MAX);
            let batch = Batch::read(&round, &control.broker.keys).await?;
            let mut tx = tiffin_database::begin(&control.pool).await?;
            tables::lock(&mut tx, self.schema, &self.model.tables).await?;
            projection.project_batch(&mut tx, batch).await?;
            tx.commit().await?;
            let batch_done = Step {
                handled: read,
                ..Step::default()
            };
            let sequence = i64::try_from(projection.position).unwrap_or(i64::MAX);
            let now = control.clock.now();
            let state =
                operations::save_progress(&control.pool, operation.id, sequence, batch_done, now)
                    .await?;
            control.report(operation.id).await;
            if state != OperationState::Running || self.stop.is_cancelled() {
                return Ok(false);
            }
        }
        projection.position = projection.position.max(last);
        Ok(true)
    }
}

/// Keeps the consumers of this service from applying events until the transaction ends.
pub(super) async fn pause_consumers(tx: &mut PgConnection) -> sqlx::Result<()> {
    sqlx::query!("lock table bus.reached in exclusive mode")
        .execute(tx)
        .await?;
    Ok(())
}

/// A reader of what is left of a projection's stream up to a stream sequence.
pub(super) async fn read_from_position(
    control: &Control,
    projection: &Projection<'_>,
    last: u64,
) -> Result<StreamReader, BrokerError> {
    let (broker, consumer) = (&control.broker, projection.consumer);
    let range = (projection.position + 1, last);
    let subjects = &consumer.subjects;
    StreamReader::open(broker, consumer.stream, subjects, range, BATCH).await
}

/// Reads the rest of a projection's stream in one transaction, while no consumer of this service applies
/// anything. The rest is small: the end was reached a moment ago.
pub(super) async fn read_rest(
    control: &Control,
    projection: &mut Projection<'_>,
    tx: &mut PgConnection,
) -> Result<(), ControlError> {
    let last = stream_reader::last(&control.broker, projection.consumer.stream).await?;
    let mut reader = read_from_position(control, projection, last).await?;
    loop {
        let round = reader.next(ROUND).await?;
        if round.is_empty() {
            break;
        }
        let batch = Batch::read(&round, &control.broker.keys).await?;
        projection.project_batch(tx, batch).await?;
    }
    projection.position = projection.position.max(last);
    projection.finish(tx).await
}
