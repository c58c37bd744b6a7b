//! The outbox after a test's work, read as the relay would.

use serde_json::Value;
use sqlx::PgPool;
use tiffin_bus::seal::Keys;
use tiffin_events::{Envelope, UserId, subject};
use uuid::Uuid;

use crate::TestKeys;

/// One row: an event or an entry of the audience bucket.
#[derive(Clone, Debug)]
pub struct OutboxRow {
    pub subject: String,
    pub body: Value,
    /// The accounts that get it on their live feed.
    pub audience: Vec<UserId>,
}

/// One entry of the audience bucket.
#[derive(Clone, Debug)]
pub struct AudienceEntry {
    pub key: String,
    pub value: Value,
}

/// The events that are not published yet, in order; they count as published from here on. Entries of
/// the audience bucket and revocations among them are dropped. Personal fields are opened with the keys of
/// [`recorder`](crate::recorder).
pub async fn drain_outbox(pool: &PgPool) -> Vec<Envelope> {
    let mut events = drain_sealed(pool).await;
    let keys = Keys::new(TestKeys::of_process());
    keys.open(&mut events).await.expect("the personal fields");
    events
}

/// The same with personal fields as the outbox has them.
pub async fn drain_sealed(pool: &PgPool) -> Vec<Envelope> {
    let rows = drain_rows(pool).await;
    rows.into_iter()
        .filter(|row| row.subject.starts_with("tiffin."))
        .map(|row| serde_json::from_value(row.body).expect("an envelope"))
        .collect()
}

/// The entries of the audience bucket that are not published yet, in order; they and the events
/// among them count as published from here on.
pub async fn drain_entries(pool: &PgPool) -> Vec<AudienceEntry> {
    let rows = drain_rows(pool).await;
    rows.into_iter()
        .filter_map(|row| {
            let key = row.subject.strip_prefix(&subject::audience(""))?.to_owned();
            Some(AudienceEntry {
                key,
                value: row.body,
            })
        })
        .collect()
}

/// All rows that are not published yet, in order; they count as published from here on.
pub async fn drain_rows(pool: &PgPool) -> Vec<OutboxRow> {
    let rows = sqlx::query!(
        "with drained as (
             update bus.outbox set published_at = now() where published_at is null
             returning id, subject, body, audience
         )
         select subject as \"subject!\", body as \"body!\", audience as \"audience!: Vec<Uuid>\"
         from drained order by id"
    )
    .fetch_all(pool)
    .await
    .expect("the outbox");
    rows.into_iter()
        .map(|row| OutboxRow {
            subject: row.subject,
            body: serde_json::from_str(&row.body).expect("a body of JSON"),
            audience: row.audience.into_iter().map(UserId).collect(),
        })
        .collect()
}
