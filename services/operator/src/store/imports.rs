//! Imports, and the events that open ones have stored.

use sqlx::PgConnection;
use tiffin_events::Stream;
use time::OffsetDateTime;
use uuid::Uuid;

/// An open import, which further calls may continue.
#[derive(Clone, Debug)]
pub struct OpenImport {
    pub id: Uuid,
    pub stream: String,
    pub actor: Uuid,
    /// The stream's last stream sequence after this import's last call.
    pub last_sequence: i64,
    pub count: i64,
    pub first_event: Option<Uuid>,
    pub last_event: Option<Uuid>,
    pub hash: String,
}

/// One event that an import has stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportedEvent {
    pub event: Uuid,
    pub aggregate: Uuid,
    pub sequence: i64,
    pub hash: String,
}

/// The open import of a stream, locked until the transaction ends.
pub async fn lock(tx: &mut PgConnection, stream: Stream) -> sqlx::Result<Option<OpenImport>> {
    sqlx::query_as!(
        OpenImport,
        "select id, stream, actor, last_sequence, count, first_event, last_event, hash
         from imports where stream = $1 and is_open for update",
        stream.name(),
    )
    .fetch_optional(tx)
    .await
}

/// Begins an import; false if the stream has an open one.
pub async fn begin(
    tx: &mut PgConnection,
    import: &OpenImport,
    now: OffsetDateTime,
) -> sqlx::Result<bool> {
    let begun = sqlx::query!(
        "insert into imports (id, stream, actor, began_at, updated_at, hash)
         values ($1, $2, $3, $4, $4, $5) on conflict do nothing",
        import.id,
        import.stream,
        import.actor,
        now,
        import.hash,
    )
    .execute(tx)
    .await?;
    Ok(begun.rows_affected() > 0)
}

/// Records the stored events and the import's state afterwards.
pub async fn save_progress(
    tx: &mut PgConnection,
    import: &OpenImport,
    stored: &[ImportedEvent],
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    let events: Vec<Uuid> = stored.iter().map(|one| one.event).collect();
    let aggregates: Vec<Uuid> = stored.iter().map(|one| one.aggregate).collect();
    let sequences: Vec<i64> = stored.iter().map(|one| one.sequence).collect();
    let hashes: Vec<String> = stored.iter().map(|one| one.hash.clone()).collect();
    sqlx::query!(
        "insert into imported (import, event, aggregate, version, hash)
         select $1, * from unnest($2::uuid[], $3::uuid[], $4::bigint[], $5::text[])",
        import.id,
        &events,
        &aggregates,
        &sequences,
        &hashes,
    )
    .execute(&mut *tx)
    .await?;
    sqlx::query!(
        "update imports set last_sequence = $2, count = $3, first_event = $4, last_event = $5, hash = $6,
                updated_at = $7
         where id = $1",
        import.id,
        import.last_sequence,
        import.count,
        import.first_event,
        import.last_event,
        import.hash,
        now,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Ends an import for good.
pub async fn end(tx: &mut PgConnection, id: Uuid) -> sqlx::Result<()> {
    sqlx::query!("update imports set is_open = false where id = $1", id)
        .execute(&mut *tx)
        .await?;
    sqlx::query!("delete from imported where import = $1", id)
        .execute(tx)
        .await?;
    Ok(())
}

/// Those of some events that an import has stored.
pub async fn stored_of(
    tx: &mut PgConnection,
    import: Uuid,
    events: &[Uuid],
) -> sqlx::Result<Vec<ImportedEvent>> {
    let rows = sqlx::query!(
        "select event, aggregate, version, hash from imported
         where import = $1 and event = any ($2)",
        import,
        events,
    )
    .fetch_all(tx)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| ImportedEvent {
            event: row.event,
            aggregate: row.aggregate,
            sequence: row.version,
            hash: row.hash,
        })
        .collect())
}

/// The last sequence of each of some aggregates.
pub async fn last_sequences(
    tx: &mut PgConnection,
    import: Uuid,
    aggregates: &[Uuid],
) -> sqlx::Result<Vec<(Uuid, i64)>> {
    let rows = sqlx::query!(
        r#"select aggregate, max(version) as "version!" from imported
         where import = $1 and aggregate = any ($2) group by aggregate"#,
        import,
        aggregates,
    )
    .fetch_all(tx)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| (row.aggregate, row.version))
        .collect())
}

/// The streams whose open imports had their last call before `then`.
pub async fn abandoned_since(
    tx: &mut PgConnection,
    then: OffsetDateTime,
) -> sqlx::Result<Vec<String>> {
    sqlx::query_scalar!(
        "select stream from imports where is_open and updated_at < $1",
        then,
    )
    .fetch_all(tx)
    .await
}
