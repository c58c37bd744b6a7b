//! Builds a read model again from its snapshot, or from the first event, in a schema beside the one in use, compares
//! the two, and swaps them (a rebuild) or discards the new one (a verification). The new one holds exactly what the
//! serving consumer has handled.
//!
//! The comparison holds up no consumer: both sides are read as of one moment. The swap uses the connection
//! that holds the lock on the operation: a process that lost the lock swaps nothing.

mod archived;
mod start;

use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::{
    Control, ControlError, MAX_REASONS, Operation, OperationKind, OperationState,
    model::Model,
    operations::{self, Step},
    projected_sequences::ProjectedSequences,
    projection::{Batch, Projection},
    snapshots::{self, Snapshot},
    tables::{self, Fingerprint},
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

    /// Brings the new tables exactly as far as those that serve and says how they differ. Consumers are
    /// paused until the compared moment is fixed, and go on while the tables are read.
    async fn compare(
        &self,
        lock_holder: &mut PgConnection,
        projections: &mut [Projection<'_>],
    ) -> Result<Value, ControlError> {
        // Taken first: paused consumers may have all others.
        let mut reader = self.control.pool.acquire().await?;
        // A transaction that is cancelled while it begins stays open.
        reader.close_on_drop();
        let mut pause = lock_holder.begin().await?;
        pause_consumers(&mut pause).await?;
        let mut tx = reader.begin().await?;
        tables::lock(&mut tx, self.schema, &self.model.tables).await?;
        for projection in projections.iter_mut() {
            read_rest(self.control, projection, &mut tx).await?;
        }
        tx.commit().await?;
        let mut moment = reader
            .begin_with("begin isolation level repeatable read, read only")
            .await?;
        // The first query fixes what the others see.
        tables::lock(&mut moment, self.schema, &self.model.tables).await?;
        let failures = failures(&mut moment, projections).await?;
        pause.rollback().await?;
        let mut compared = Vec::new();
        for table in &self.model.tables {
            let serving = Fingerprint::of(&mut moment, "public", table).await?;
            let rebuilt = Fingerprint::of(&mut moment, self.schema, table).await?;
            compared.push((*table, serving, rebuilt));
        }
        moment.rollback().await?;
        let equal = compared
            .iter()
            .all(|(_, serving, rebuilt)| serving == rebuilt);
        let tables: Vec<Value> = compared
            .iter()
            .map(|(table, serving, rebuilt)| {
                json!({
                    "table": table, "equal": serving == rebuilt,
                    "servingRows": serving.rows, "rebuiltRows": rebuilt.rows,
                    "servingHash": serving.hash, "rebuiltHash": rebuilt.hash,
                })
            })
            .collect();
        let behind: usize = projections.iter().map(Projection::behind).sum();
        Ok(json!({
            "equal": equal, "tables": tables, "failures": failures,
            // Aggregates with events that the serving consumer has yet to handle.
            "servingWasBehindBy": behind,
        }))
    }

    /// The last events and the swap, while no consumer of this service applies anything; with it the operation
    /// ends. All of it is done by the connection that holds the lock on the operation.
    async fn finish(
        &self,
        lock_holder: &mut PgConnection,
        projections: &mut [Projection<'_>],
        mut report: Value,
    ) -> Result<Option<Value>, ControlError> {
        let mut tx = lock_holder.begin().await?;
        tables::lock(&mut tx, self.schema, &self.model.tables).await?;
        pause_consumers(&mut tx).await?;
        if !operations::is_under_way(&mut *tx, self.operation.id).await? {
            return Ok(None);
        }
        for projection in projections.iter_mut() {
            read_rest(self.control, projection, &mut tx).await?;
        }
        report["failures"] = json!(failures(&mut tx, projections).await?);
        for projection in projections.iter_mut() {
            projection.save_serving(&mut tx).await?;
        }
        swap(&mut tx, self.control, self.model, projections, self.schema).await?;
        let done = Some(report.clone());
        operations::end(&mut *tx, self.operation.id, OperationState::Done, done).await?;
        tx.commit().await?;
        Ok(Some(report))
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

/// The events that could not be projected, here or by the serving consumer before.
async fn failures(
    tx: &mut PgConnection,
    projections: &[Projection<'_>],
) -> sqlx::Result<Vec<String>> {
    let mut failures = Vec::new();
    for projection in projections {
        let name = &projection.consumer.name;
        let blocked = sqlx::query!(
            "select aggregate, reason from bus.blocked where consumer = $1 order by blocked_at",
            name
        )
        .fetch_all(&mut *tx)
        .await?;
        let blocked = blocked
            .iter()
            .map(|row| (row.aggregate, row.reason.as_str()));
        let all = blocked.chain(projection.failures());
        failures.extend(all.map(|(aggregate, reason)| format!("{name}, {aggregate}: {reason}")));
    }
    failures.truncate(MAX_REASONS);
    Ok(failures)
}

/// Puts the new tables in the place of the serving ones, which stay in schema `replaced`.
async fn swap(
    tx: &mut PgConnection,
    control: &Control,
    model: &Model<'_>,
    projections: &[Projection<'_>],
    schema: &str,
) -> Result<(), ControlError> {
    let names: Vec<String> = model.consumers.iter().map(|one| one.name.clone()).collect();
    let beside: Vec<String> = names
        .iter()
        .map(|name| ProjectedSequences::table_of(name))
        .collect();
    tables::replace(tx, schema, &model.tables, &beside).await?;
    let sequences: Vec<i64> = projections
        .iter()
        .map(|projection| i64::try_from(projection.resume_from()).unwrap_or(i64::MAX))
        .collect();
    sqlx::query!("delete from bus.replaced where consumer = any ($1)", &names)
        .execute(&mut *tx)
        .await?;
    sqlx::query!(
        "insert into bus.replaced (consumer, position, replaced_at)
         select consumer, position, $3 from unnest($1::text[], $2::bigint[]) as n (consumer, position)",
        &names,
        &sequences,
        control.clock.now(),
    )
    .execute(&mut *tx)
    .await?;
    Ok(())
}
