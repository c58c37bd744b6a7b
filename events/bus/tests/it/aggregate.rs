//! The write path of an aggregate, with a row that counts.

use sqlx::PgConnection;
use tiffin_bus::{
    Aggregate, Cause, Change, Outgoing, StoredAggregate, change, record, seal::SealError,
};
use tiffin_events::{
    UserId,
    driver::{DriverEvent, DriverRefV1},
};
use tiffin_testkit::recorder;
use uuid::Uuid;

use crate::bench::Bench;

#[derive(Clone, Debug, PartialEq)]
struct Counter {
    id: Uuid,
    owner: UserId,
    value: i64,
    version: i64,
}

#[derive(Debug, thiserror::Error)]
enum Error {
    #[error("refused")]
    Refused(#[from] Refusal),
    #[error(transparent)]
    Database(#[from] sqlx::Error),
    #[error(transparent)]
    Encoding(#[from] serde_json::Error),
    #[error(transparent)]
    Seal(#[from] SealError),
}

#[derive(Debug, thiserror::Error)]
#[error("the count is full")]
struct Refusal;

impl Aggregate for Counter {
    type Event = DriverEvent;
    type Error = Error;

    fn id(&self) -> Uuid {
        self.id
    }

    fn version(&self) -> i64 {
        self.version
    }

    fn concerned(&self, _event: &DriverEvent) -> Vec<UserId> {
        vec![self.owner]
    }

    fn order(&self) -> Option<Uuid> {
        Some(self.id)
    }

    async fn ahead_of_events(
        &self,
        _tx: &mut PgConnection,
        change: &Change<'_, Self>,
    ) -> Result<Vec<Outgoing>, Error> {
        if change
            .before
            .is_some_and(|before| before.owner == self.owner)
        {
            return Ok(Vec::new());
        }
        let entry = Outgoing::entry(change.clock, "bench.counter", self.id, &self.owner)?;
        Ok(vec![entry])
    }
}

impl StoredAggregate for Counter {
    type Key = Uuid;
    type Refusal = Refusal;

    fn version_mut(&mut self) -> &mut i64 {
        &mut self.version
    }

    async fn lock(tx: &mut PgConnection, id: Uuid) -> Result<Self, Error> {
        let row: (Uuid, Uuid, i64, i64) = sqlx::query_as(
            "select id, owner, value, version from counters where id = $1 for update",
        )
        .bind(id)
        .fetch_one(tx)
        .await?;
        Ok(Self {
            id: row.0,
            owner: UserId(row.1),
            value: row.2,
            version: row.3,
        })
    }

    async fn save(&self, tx: &mut PgConnection, before: &Self) -> Result<(), Error> {
        assert_ne!(self, before, "only differences are saved");
        sqlx::query("update counters set owner = $2, value = $3, version = $4 where id = $1")
            .bind(self.id)
            .bind(self.owner.0)
            .bind(self.value)
            .bind(self.version)
            .execute(tx)
            .await?;
        Ok(())
    }
}

impl Counter {
    fn event(&self) -> DriverEvent {
        DriverEvent::Available(DriverRefV1 {
            driver_id: self.owner,
        })
    }
}

/// An event or entry as the outbox holds it.
#[derive(Debug, PartialEq)]
struct Row {
    subject: String,
    sequence: Option<i64>,
    order: Option<Uuid>,
    audience: Vec<Uuid>,
}

/// A bench with one counter, which its first event made.
async fn counter() -> (Bench, Counter) {
    let bench = Bench::new().await;
    sqlx::raw_sql(
        "create table counters (id uuid primary key, owner uuid, value bigint, version bigint)",
    )
    .execute(bench.pool())
    .await
    .unwrap();
    let counter = Counter {
        id: bench.clock.new_id(),
        owner: UserId(bench.clock.new_id()),
        value: 1,
        version: 1,
    };
    sqlx::query("insert into counters values ($1, $2, 1, 1)")
        .bind(counter.id)
        .bind(counter.owner.0)
        .execute(bench.pool())
        .await
        .unwrap();
    let mut tx = tiffin_database::begin(bench.pool()).await.unwrap();
    let events = [counter.event()];
    record(
        &mut tx,
        &recorder(&bench.clock),
        &cause(),
        None,
        &counter,
        &events,
    )
    .await
    .unwrap();
    tx.commit().await.unwrap();
    (bench, counter)
}

fn cause() -> Cause {
    Cause::service("bench")
}

async fn outbox(bench: &Bench) -> Vec<Row> {
    let rows: Vec<(String, String, Vec<Uuid>)> =
        sqlx::query_as("select subject, body, audience from bus.outbox order by id")
            .fetch_all(bench.pool())
            .await
            .unwrap();
    let row = |(subject, body, audience): (String, String, Vec<Uuid>)| {
        let body: serde_json::Value = serde_json::from_str(&body).unwrap();
        Row {
            subject: subject.rsplit('.').next().unwrap().to_owned(),
            sequence: body.get("sequence").and_then(serde_json::Value::as_i64),
            order: body
                .get("correlationid")
                .map(|id| id.as_str().unwrap().parse().unwrap()),
            audience,
        }
    };
    rows.into_iter().map(row).collect()
}

/// Runs a change in a separate transaction, which is committed whatever the change says.
async fn changed(
    bench: &Bench,
    id: Uuid,
    transition: impl FnOnce(&mut Counter) -> Result<Vec<DriverEvent>, Refusal>,
) -> Result<Counter, Error> {
    let mut tx = tiffin_database::begin(bench.pool()).await.unwrap();
    let changed = change(&mut tx, &recorder(&bench.clock), &cause(), id, transition).await;
    tx.commit().await.unwrap();
    changed
}

async fn stored(bench: &Bench, id: Uuid) -> Counter {
    let mut tx = bench.pool().acquire().await.unwrap();
    Counter::lock(&mut tx, id).await.unwrap()
}

#[tokio::test]
async fn events_are_numbered_and_reach_the_accounts_of_both_states() {
    let (bench, counter) = counter().await;
    let (before, after) = (counter.owner, UserId(bench.clock.new_id()));
    let result = changed(&bench, counter.id, |counter: &mut Counter| {
        counter.value += 2;
        counter.owner = after;
        Ok(vec![counter.event(), counter.event()])
    })
    .await
    .unwrap();
    assert_eq!(result.version, 3);
    assert_eq!(stored(&bench, counter.id).await, result);
    let event = |sequence, audience: &[UserId]| Row {
        subject: "available".to_owned(),
        sequence: Some(sequence),
        order: Some(counter.id),
        audience: audience.iter().map(|user| user.0).collect(),
    };
    let entry = || Row {
        subject: "counter".to_owned(),
        sequence: None,
        order: None,
        audience: Vec::new(),
    };
    let expected = [
        entry(),
        event(1, &[before]),
        entry(),
        event(2, &[after, before]),
        event(3, &[after, before]),
    ];
    assert_eq!(outbox(&bench).await, expected);
}

#[tokio::test]
async fn a_refusal_saves_nothing_even_if_the_transition_changed_the_state() {
    let (bench, counter) = counter().await;
    let refused = changed(&bench, counter.id, |counter: &mut Counter| {
        counter.value += 1;
        Err(Refusal)
    });
    assert!(matches!(refused.await, Err(Error::Refused(_))));
    assert_eq!(stored(&bench, counter.id).await, counter);
    assert_eq!(outbox(&bench).await.len(), 2);
}

#[tokio::test]
async fn a_change_without_events_is_saved_under_the_same_version() {
    let (bench, counter) = counter().await;
    let same = changed(&bench, counter.id, |_: &mut Counter| Ok(Vec::new()));
    assert_eq!(same.await.unwrap(), counter);
    let silent = changed(&bench, counter.id, |counter: &mut Counter| {
        counter.value = 9;
        Ok(Vec::new())
    });
    let silent = silent.await.unwrap();
    assert_eq!((silent.value, silent.version), (9, 1));
    assert_eq!(stored(&bench, counter.id).await, silent);
    assert_eq!(outbox(&bench).await.len(), 2);
}
