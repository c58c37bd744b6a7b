//! The search words of the event log.

use serde_json::Value;
use sqlx::PgConnection;

/// An event without search words.
#[derive(Debug)]
pub struct Unread {
    pub stream: String,
    pub seq: i64,
    pub envelope: Value,
}

/// Events without search words, locked until the transaction ends.
pub async fn without_words(tx: &mut PgConnection, limit: i64) -> sqlx::Result<Vec<Unread>> {
    sqlx::query_as!(
        Unread,
        "select stream, seq, envelope from events where words is null
         order by stream, seq limit $1 for update skip locked",
        limit,
    )
    .fetch_all(tx)
    .await
}

/// Saves the search words of some events, taken from their masked payloads.
pub async fn save_words(
    tx: &mut PgConnection,
    (streams, sequences, shown): (&[String], &[i64], &[Value]),
) -> sqlx::Result<()> {
    sqlx::query!(
        r#"update events e set words = jsonb_to_tsvector('simple', r.shown, '["string", "numeric"]')
         from unnest($1::text[], $2::bigint[], $3::jsonb[]) as r (stream, seq, shown)
         where e.stream = r.stream and e.seq = r.seq"#,
        streams,
        sequences,
        shown,
    )
    .execute(tx)
    .await?;
    Ok(())
}
