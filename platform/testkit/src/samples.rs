//! The committed samples of every event, and feeding them to consumers.

use std::{collections::HashMap, path::PathBuf};

use sqlx::PgPool;
use tiffin_bus::{Consumer, Received};
use tiffin_events::{
    Envelope, catalogue,
    subject::{self, EventType},
};
use uuid::Uuid;

/// The sample of one type: `tiffin.order.placed.v1`.
pub fn sample(kind: &str) -> Envelope {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../events/catalog/samples");
    let file = folder.join(format!("{kind}.json"));
    let text = std::fs::read_to_string(&file)
        .unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// All samples, in the order in which they follow each other.
pub fn samples() -> Vec<Envelope> {
    let mut all: Vec<Envelope> = catalogue::entries()
        .iter()
        .map(|entry| sample(entry.kind))
        .collect();
    all.sort_by_key(|envelope| (envelope.subject, envelope.sequence));
    all
}

/// The samples' events in three variants: accounts and orders that have ended, ones that are still open, and
/// accounts that were blocked when they were closed.
pub fn histories() -> Vec<Envelope> {
    let variants: [&[&str]; 3] = [&[], &["deleted", "cancelled", "refunded"], &["unblocked"]];
    let mut events = Vec::new();
    for (variant, without) in (0..).zip(variants) {
        let mut sequences: HashMap<Uuid, i64> = HashMap::new();
        for envelope in samples() {
            if without.contains(&EventType::parse(&envelope.kind).event) {
                continue;
            }
            let text = serde_json::to_string(&envelope).expect("an envelope as JSON");
            let text = text.replace("01930000-", &format!("0193000{variant}-"));
            let text = text.replace("ORD-7K3M9QX2", &format!("ORD-7K3M9QX{variant}"));
            let mut envelope: Envelope = serde_json::from_str(&text).expect("an envelope");
            let sequence = sequences.entry(envelope.subject).or_default();
            *sequence += 1;
            envelope.sequence = *sequence;
            events.push(envelope);
        }
    }
    events
}

/// Feeds a consumer every committed sample of what it takes, each twice, and asserts that the second
/// time changes nothing: neither by the consumer's own word nor in any table of the service.
pub async fn feed_samples(consumer: &Consumer, pool: &PgPool) {
    let entries = catalogue::entries();
    let mut delivered = 0;
    for envelope in samples() {
        let taken = entries.iter().any(|entry| {
            let aggregate = EventType::parse(entry.kind).aggregate;
            entry.kind == envelope.kind
                && entry.stream == consumer.stream
                && consumer.subjects.contains(&subject::every(aggregate))
        });
        if !taken {
            continue;
        }
        let kind = envelope.kind.clone();
        let received = Received::new(&envelope, delivered + 1).expect("an envelope");
        let first = consumer.deliver(&received).await;
        assert!(
            matches!(first, Ok(true)),
            "{} on {kind}: {first:?}",
            consumer.name
        );
        let before = content(pool).await;
        let second = consumer.deliver(&received).await;
        assert!(
            matches!(second, Ok(false)),
            "{} on {kind} again: {second:?}",
            consumer.name
        );
        assert_eq!(
            content(pool).await,
            before,
            "{} on {kind} again",
            consumer.name
        );
        delivered += 1;
    }
    assert!(
        delivered > 0,
        "{} takes no event that has a sample",
        consumer.name
    );
}

/// Every row of the service's own tables, as text.
async fn content(pool: &PgPool) -> Vec<(String, String)> {
    let tables = sqlx::query_scalar!(
        "select format('%I.%I', table_schema, table_name) as \"name!\" from information_schema.tables
         where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')
         order by 1"
    )
    .fetch_all(pool)
    .await
    .expect("the tables");
    let mut found = Vec::new();
    for table in tables {
        let sql = format!(
            "select coalesce(string_agg(t::text, E'\\n' order by t::text), '') from {table} t"
        );
        let rows: String = sqlx::query_scalar(sqlx::AssertSqlSafe(sql))
            .fetch_one(pool)
            .await
            .expect("the table's rows");
        found.push((table, rows));
    }
    found
}
