//! One consumer's part of a rebuild: its events in order, each aggregate's versions one after the
//! other, whatever fails put aside as the serving consumer puts it aside.

use std::collections::{BTreeMap, HashMap, HashSet};

use sqlx::{PgConnection, PgPool, Postgres, Transaction};
use uuid::Uuid;

use super::{ControlError, tables};
use crate::{Consumer, Failure, Received, received::Stored};

/// How many reasons are kept.
const REASONS: usize = 20;

pub(super) struct Projection<'a> {
    pub consumer: &'a Consumer,
    /// The place in the stream up to which everything is read.
    pub position: u64,
    reached: HashMap<Uuid, i64>,
    /// Events that came before an earlier one of their aggregate, or behind one that failed.
    waiting: HashMap<Uuid, BTreeMap<i64, Received>>,
    /// Aggregates that can't go on, and why.
    blocked: HashMap<Uuid, String>,
    discarded: HashSet<u64>,
    /// What the open transaction has projected: done again where one of the next fails.
    done: Vec<Received>,
}

impl<'a> Projection<'a> {
    pub(super) fn new(consumer: &'a Consumer, discarded: HashSet<u64>) -> Self {
        Self {
            consumer,
            position: 0,
            reached: HashMap::new(),
            waiting: HashMap::new(),
            blocked: HashMap::new(),
            discarded,
            done: Vec::new(),
        }
    }

    pub(super) fn failures(&self) -> impl Iterator<Item = String> {
        let name = &self.consumer.name;
        let reasons = self.blocked.iter().take(REASONS);
        reasons.map(move |(aggregate, reason)| format!("{name}, {aggregate}: {reason}"))
    }

    /// Takes a batch in, within a transaction that the caller commits.
    pub(super) async fn take(
        &mut self,
        pool: &PgPool,
        tx: &mut Transaction<'static, Postgres>,
        schema: &str,
        batch: Vec<Stored>,
    ) -> Result<(), ControlError> {
        self.done.clear();
        for message in batch {
            self.position = message.stream_sequence;
            let is_discarded = self.discarded.contains(&message.stream_sequence);
            match message.read() {
                Ok(event) if is_discarded => {
                    let (aggregate, sequence) = (event.envelope.subject, event.envelope.sequence);
                    self.reach(aggregate, sequence);
                    self.go_on(pool, tx, schema, aggregate).await?;
                }
                Ok(event) => self.event(pool, tx, schema, event).await?,
                Err(_) if is_discarded => {}
                Err(reason) => {
                    if let Some(aggregate) = message.aggregate() {
                        self.blocked.insert(aggregate, reason);
                    }
                }
            }
        }
        Ok(())
    }

    /// At the end of the stream: what waits for versions that are gone for good goes on without them.
    pub(super) async fn flush(
        &mut self,
        pool: &PgPool,
        tx: &mut Transaction<'static, Postgres>,
        schema: &str,
    ) -> Result<(), ControlError> {
        self.done.clear();
        let gaps: Vec<Uuid> = self
            .waiting
            .keys()
            .filter(|aggregate| !self.blocked.contains_key(aggregate))
            .copied()
            .collect();
        for aggregate in gaps {
            while let Some(first) = self.first_waiting(aggregate)
                && !self.blocked.contains_key(&aggregate)
            {
                self.reach(aggregate, first - 1);
                self.go_on(pool, tx, schema, aggregate).await?;
            }
        }
        Ok(())
    }

    fn first_waiting(&self, aggregate: Uuid) -> Option<i64> {
        let (first, _) = self.waiting.get(&aggregate)?.first_key_value()?;
        Some(*first)
    }

    fn reach(&mut self, aggregate: Uuid, sequence: i64) {
        let reached = self.reached.entry(aggregate).or_default();
        *reached = sequence.max(*reached);
        self.blocked.remove(&aggregate);
    }

    async fn event(
        &mut self,
        pool: &PgPool,
        tx: &mut Transaction<'static, Postgres>,
        schema: &str,
        event: Received,
    ) -> Result<(), ControlError> {
        let (aggregate, sequence) = (event.envelope.subject, event.envelope.sequence);
        let reached = self.reached.get(&aggregate).copied().unwrap_or_default();
        if sequence <= reached {
            return Ok(());
        }
        if sequence > reached + 1 {
            let waiting = self.waiting.entry(aggregate).or_default();
            waiting.entry(sequence).or_insert(event);
            return Ok(());
        }
        if self.project(pool, tx, schema, event).await? {
            self.go_on(pool, tx, schema, aggregate).await?;
        }
        Ok(())
    }

    /// Projects what waited for the version that is reached now.
    async fn go_on(
        &mut self,
        pool: &PgPool,
        tx: &mut Transaction<'static, Postgres>,
        schema: &str,
        aggregate: Uuid,
    ) -> Result<(), ControlError> {
        while let Some(waiting) = self.waiting.get_mut(&aggregate) {
            let Some(next) = waiting.first_entry() else {
                self.waiting.remove(&aggregate);
                break;
            };
            let reached = self.reached.get(&aggregate).copied().unwrap_or_default();
            if *next.key() > reached + 1 {
                break;
            }
            let event = next.remove();
            if event.envelope.sequence == reached + 1
                && !self.project(pool, tx, schema, event).await?
            {
                break;
            }
        }
        Ok(())
    }

    /// Returns whether it was projected; if not, its aggregate is blocked, and the transaction begun
    /// anew with what it had done.
    async fn project(
        &mut self,
        pool: &PgPool,
        tx: &mut Transaction<'static, Postgres>,
        schema: &str,
        mut event: Received,
    ) -> Result<bool, ControlError> {
        event.replay = Some("rebuild".to_owned());
        let aggregate = event.envelope.subject;
        match self.consumer.project(tx, &event).await {
            Ok(()) => {
                self.reach(aggregate, event.envelope.sequence);
                self.done.push(event);
                Ok(true)
            }
            Err(Failure::Outage(reason)) => Err(Failure::Outage(reason).into()),
            Err(Failure::Retry(reason) | Failure::Reject(reason)) => {
                self.blocked.insert(aggregate, reason);
                let fresh = tables::begin(pool, schema).await?;
                std::mem::replace(tx, fresh).rollback().await?;
                for event in &self.done {
                    self.consumer.project(tx, event).await?;
                }
                Ok(false)
            }
        }
    }

    /// Of how many aggregates this has reached more than the serving consumer.
    pub(super) async fn ahead_of_serving(&self, tx: &mut PgConnection) -> sqlx::Result<i64> {
        let (aggregates, sequences) = self.versions();
        sqlx::query_scalar!(
            r#"select count(*) as "ahead!"
             from unnest($2::uuid[], $3::bigint[]) as n (aggregate, sequence)
             left join bus.reached r on r.consumer = $1 and r.aggregate = n.aggregate
             where n.sequence > coalesce(r.sequence, 0)"#,
            self.consumer.name,
            &aggregates,
            &sequences,
        )
        .fetch_one(tx)
        .await
    }

    /// What the rebuilt model holds, the serving consumer need not apply again.
    pub(super) async fn keep_reached(&self, tx: &mut PgConnection) -> sqlx::Result<()> {
        let (aggregates, sequences) = self.versions();
        sqlx::query!(
            "insert into bus.reached (consumer, aggregate, sequence)
             select $1, aggregate, sequence
             from unnest($2::uuid[], $3::bigint[]) as n (aggregate, sequence)
             on conflict (consumer, aggregate)
             do update set sequence = greatest(reached.sequence, excluded.sequence)",
            self.consumer.name,
            &aggregates,
            &sequences,
        )
        .execute(tx)
        .await?;
        Ok(())
    }

    fn versions(&self) -> (Vec<Uuid>, Vec<i64>) {
        self.reached
            .iter()
            .map(|(id, version)| (*id, *version))
            .unzip()
    }
}
