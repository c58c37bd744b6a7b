//! The last sequence of each aggregate that a rebuild has projected. The newest are in memory; all are written to
//! a table beside the tables that are rebuilt, and stay with those that it replaces.

use std::collections::HashMap;

use sqlx::{AssertSqlSafe, PgConnection};
use uuid::Uuid;

use crate::consume::snapshot;

/// The number of aggregates that are kept in memory between two batches: some 15 MB.
const CAPACITY: usize = 250_000;

pub(super) struct ProjectedSequences {
    table: String,
    kept: HashMap<Uuid, Sequence>,
    /// The number of aggregates to keep in memory.
    capacity: usize,
    /// True if every aggregate is in memory, so that the table is not read.
    is_complete: bool,
}

#[derive(Clone, Copy)]
struct Sequence {
    number: i64,
    is_saved: bool,
}

impl ProjectedSequences {
    /// The name of a consumer's table, without its schema.
    pub(super) fn table_of(consumer: &str) -> String {
        snapshot::sequences_of(consumer)
    }

    /// No sequences, for a rebuild that begins. Creates its table in `schema`.
    pub(super) async fn begin(
        tx: &mut PgConnection,
        schema: &str,
        consumer: &str,
    ) -> sqlx::Result<Self> {
        let begun = Self {
            is_complete: true,
            ..Self::found(schema, consumer)
        };
        let make = format!(
            "create table {} (aggregate uuid primary key, sequence bigint not null)",
            begun.table
        );
        sqlx::raw_sql(AssertSqlSafe(make)).execute(tx).await?;
        Ok(begun)
    }

    /// The sequences that a rebuild left in `schema`.
    pub(super) fn found(schema: &str, consumer: &str) -> Self {
        Self {
            table: format!("{schema}.{}", Self::table_of(consumer)),
            kept: HashMap::new(),
            capacity: CAPACITY,
            is_complete: false,
        }
    }

    /// The last projected sequence of an aggregate that is loaded or was set since.
    pub(super) fn of(&self, aggregate: Uuid) -> i64 {
        self.kept
            .get(&aggregate)
            .map_or(0, |sequence| sequence.number)
    }

    pub(super) fn set(&mut self, aggregate: Uuid, number: i64) {
        let sequence = Sequence {
            number,
            is_saved: false,
        };
        self.kept.insert(aggregate, sequence);
    }

    /// Loads the sequences of these aggregates, and makes room for them first where memory holds enough.
    pub(super) async fn load(
        &mut self,
        tx: &mut PgConnection,
        mut aggregates: Vec<Uuid>,
    ) -> sqlx::Result<()> {
        if self.kept.len() > self.capacity {
            self.save(tx).await?;
            self.kept.clear();
            self.is_complete = false;
        }
        aggregates.retain(|aggregate| !self.kept.contains_key(aggregate));
        if self.is_complete || aggregates.is_empty() {
            return Ok(());
        }
        let select = format!(
            "select aggregate, sequence from {} where aggregate = any ($1)",
            self.table
        );
        let rows: Vec<(Uuid, i64)> = sqlx::query_as(AssertSqlSafe(select))
            .bind(aggregates)
            .fetch_all(tx)
            .await?;
        for (aggregate, number) in rows {
            let is_saved = true;
            self.kept.insert(aggregate, Sequence { number, is_saved });
        }
        Ok(())
    }

    /// Writes what is only in memory.
    pub(super) async fn save(&mut self, tx: &mut PgConnection) -> sqlx::Result<()> {
        let unsaved = self.kept.iter_mut().filter(|(_, one)| !one.is_saved);
        let (aggregates, numbers): (Vec<Uuid>, Vec<i64>) = unsaved
            .map(|(aggregate, sequence)| {
                sequence.is_saved = true;
                (*aggregate, sequence.number)
            })
            .unzip();
        if aggregates.is_empty() {
            return Ok(());
        }
        let write = format!(
            "insert into {} (aggregate, sequence) select * from unnest($1::uuid[], $2::bigint[])
             on conflict (aggregate) do update set sequence = excluded.sequence",
            self.table
        );
        sqlx::query(AssertSqlSafe(write))
            .bind(aggregates)
            .bind(numbers)
            .execute(tx)
            .await?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use tiffin_testkit::TestDb;

    use super::*;

    #[tokio::test]
    async fn more_aggregates_than_memory_keeps_are_found_again() {
        let db = TestDb::new(&crate::MIGRATIONS).await;
        let mut connection = db.pool.acquire().await.unwrap();
        sqlx::raw_sql("create schema beside")
            .execute(&mut *connection)
            .await
            .unwrap();
        let consumer = "bench_DRIVERS";
        let mut sequences = ProjectedSequences::begin(&mut connection, "beside", consumer)
            .await
            .unwrap();
        sequences.capacity = 4;
        let aggregates: Vec<Uuid> = (0..20).map(Uuid::from_u128).collect();
        let mut expected = HashMap::new();
        // Every aggregate comes again after it has left memory.
        for round in 1..=3 {
            for batch in aggregates.chunks(3) {
                sequences
                    .load(&mut connection, batch.to_vec())
                    .await
                    .unwrap();
                for aggregate in batch {
                    let before = expected.get(aggregate).copied().unwrap_or_default();
                    assert_eq!(sequences.of(*aggregate), before);
                    sequences.set(*aggregate, round);
                    expected.insert(*aggregate, round);
                }
                assert!(sequences.kept.len() <= 4 + 3);
            }
        }
        sequences.save(&mut connection).await.unwrap();
        let mut found = ProjectedSequences::found("beside", consumer);
        found
            .load(&mut connection, aggregates.clone())
            .await
            .unwrap();
        for aggregate in aggregates {
            assert_eq!(found.of(aggregate), 3);
        }
    }
}
