//! The operator's routes, and a "driver" service whose consumers keep a tally.

use std::time::Duration;

use futures_util::future::BoxFuture;
use serde_json::{Value, json};
use sqlx::PgConnection;
use tempfile::TempDir;
use tiffin_archive::Archive;
use tiffin_bus::{Cause, Consumer, Control, Failure, Handler, Outgoing, Received, Relay, outbox};
use tiffin_events::{
    Clock, Role, Stream, UserId,
    driver::{DriverEvent, DriverRefV1},
};
use tiffin_operator::{MIGRATIONS, State, batches, router, tasks};
use tiffin_testkit::{Answer, TestApp, TestDb, TestNats, recorder, token, verifier};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use uuid::Uuid;

/// The bytes that the broker's disk may hold, as the operator service has it from its settings.
pub const BROKER_DISK: u64 = 1 << 30;
/// The consumer that replays go to.
pub const CONSUMER: &str = "driver_DRIVERS";

pub struct Fixture {
    pub app: TestApp,
    pub nats: TestNats,
    pub clock: Clock,
    /// An operator's token.
    pub admin: String,
    /// The description of the routes.
    pub api: Value,
    /// The operator service's database.
    pub db: TestDb,
    /// The driver service's database.
    pub driver: TestDb,
    tasks: TaskTracker,
    stop: CancellationToken,
    pub archive: TempDir,
}

impl Fixture {
    pub async fn new() -> Self {
        let db = TestDb::new(&MIGRATIONS).await;
        let driver = TestDb::new(&tiffin_bus::MIGRATIONS).await;
        sqlx::raw_sql(
            "create table tally (n bigserial primary key, aggregate uuid, sequence bigint, first_name text)",
        )
        .execute(&driver.pool)
        .await
        .unwrap();
        let mut nats = TestNats::durable().await;
        let archive = TempDir::new().unwrap();
        let folder = Archive::folder(archive.path().to_owned());
        nats.broker = nats.broker.with_archive(Some(folder));
        let clock = Clock::system();
        let (tasks_, stop) = (TaskTracker::new(), CancellationToken::new());
        let state = State::new(
            db.pool.clone(),
            nats.broker.clone(),
            verifier(&clock),
            clock.clone(),
            stop.clone(),
        )
        .with_broker_disk(Some(BROKER_DISK));
        for batch in batches(&state) {
            tasks_.spawn(batch.run(nats.broker.clone(), stop.clone()));
        }
        for (pool, service) in [(&db.pool, "operator"), (&driver.pool, "driver")] {
            let relay = Relay::new(pool.clone(), nats.broker.clone(), service);
            tasks_.spawn(relay.run(stop.clone()));
        }
        for work in tasks(&state) {
            tasks_.spawn(work.supervise(stop.clone()));
        }
        let (routes, api) = router(state).split_for_parts();
        let fixture = Self {
            app: TestApp::described(routes, &api).await,
            api: serde_json::to_value(api).unwrap(),
            nats,
            admin: token(&clock, UserId(clock.new_id()), Role::Operator).sign(),
            clock,
            db,
            driver,
            archive,
            tasks: tasks_,
            stop,
        };
        fixture.serve_drivers();
        fixture
    }

    /// Starts another process of the operator service beside the first.
    pub fn second(&self) {
        let state = State::new(
            self.db.pool.clone(),
            self.nats.broker.clone(),
            verifier(&self.clock),
            self.clock.clone(),
            self.stop.clone(),
        );
        for work in tasks(&state) {
            self.tasks.spawn(work.supervise(self.stop.clone()));
        }
    }

    /// Starts the driver service's consumers, and the control listeners of both services.
    fn serve_drivers(&self) {
        let [drivers, users] = [Stream::Drivers, Stream::Users].map(|stream| {
            let (pool, clock) = (self.driver.pool.clone(), self.clock.clone());
            Consumer::new("driver", stream, pool, clock, TallyHandler)
        });
        let consumers = [drivers, users.only(&["user"])];
        for (service, pool, consumers) in [
            ("driver", &self.driver.pool, &consumers[..]),
            ("operator", &self.db.pool, &[]),
        ] {
            let (pool, broker) = (pool.clone(), self.nats.broker.clone());
            let control = Control::new(service, pool, broker, self.clock.clone(), consumers);
            self.tasks.spawn(control.run(self.stop.clone()));
        }
        for consumer in consumers {
            let broker = self.nats.broker.clone();
            self.tasks.spawn(consumer.run(broker, self.stop.clone()));
        }
    }

    /// Appends `count` events of one driver to the outbox, from sequence 1 on.
    pub async fn change(&self, driver: Uuid, count: i64) {
        let mut tx = tiffin_database::begin(&self.driver.pool).await.unwrap();
        let event = DriverEvent::Available(DriverRefV1 {
            driver_id: UserId(driver),
        });
        let cause = Cause::service("driver");
        let recorder = recorder(&self.clock);
        let mut outgoing = Vec::new();
        for sequence in 1..=count {
            let row = Outgoing::event(&recorder, &cause, driver, sequence, &event).await;
            outgoing.push(row.unwrap());
        }
        outbox::append(&mut tx, &outgoing).await.unwrap();
        tx.commit().await.unwrap();
    }

    /// Publishes an event directly, without an outbox.
    pub async fn publish(&self, subject: String, event: &Value) {
        let body = serde_json::to_vec(event).unwrap();
        let jetstream = &self.nats.broker.jetstream;
        let mut headers = async_nats::HeaderMap::new();
        headers.insert(tiffin_events::CORRECTION_HEADER, "1");
        jetstream
            .publish_with_headers(subject, headers, body.into())
            .await
            .unwrap()
            .await
            .unwrap();
    }

    pub async fn effects(&self) -> i64 {
        sqlx::query_scalar("select count(*) from tally")
            .fetch_one(&self.driver.pool)
            .await
            .unwrap()
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.app
            .get(&format!("/api/v1/operator{path}"))
            .token(&self.admin)
            .await
    }

    pub async fn post(&self, path: &str, body: Value) -> Answer {
        let call = self.app.post(&format!("/api/v1/operator{path}"));
        call.token(&self.admin).json(&body).await
    }

    /// Begins a verification or a rebuild (`verb`) of a model, and returns the operation at its end.
    pub async fn ended(&self, model: &str, verb: &str) -> Value {
        let path = format!("/projections/{model}/{verb}");
        let begun = self.post(&path, json!({ "reason": "a test" })).await;
        assert_eq!(begun.status, 202, "{}", begun.text);
        self.end_of(&begun).await
    }

    /// An operation that has begun, once it is done.
    pub async fn end_of(&self, begun: &Answer) -> Value {
        let operation = self.outcome_of(begun).await;
        assert_eq!(operation["state"], "done", "{operation}");
        operation
    }

    /// An operation that has begun, once it is done or has failed.
    pub async fn outcome_of(&self, begun: &Answer) -> Value {
        let path = format!("/replays/{}", begun.body["replayId"].as_str().unwrap());
        eventually("the operation ended", async || {
            self.get(&path).await.body["state"] != "running"
        })
        .await;
        self.get(&path).await.body
    }

    pub async fn delete(&self, path: &str) -> Answer {
        self.app
            .delete(&format!("/api/v1/operator{path}"))
            .token(&self.admin)
            .await
    }

    /// The verbs of the recorded operations.
    pub async fn verbs(&self) -> Vec<String> {
        sqlx::query_scalar("select verb from operations order by id")
            .fetch_all(&self.db.pool)
            .await
            .unwrap()
    }

    /// The operations as the audit's events show them: verb, the last word of each event's type, and the error of
    /// its end.
    pub async fn audit(&self) -> Vec<(String, Vec<String>, Option<String>)> {
        sqlx::query_as(
            "select body::jsonb #>> '{data,verb}',
                    array_agg(split_part(body::jsonb ->> 'type', '.', 3) order by id),
                    max(body::jsonb #>> '{data,error}')
             from bus.outbox where subject like 'tiffin.operation.%'
             group by body::jsonb ->> 'subject', body::jsonb #>> '{data,verb}' order by min(id)",
        )
        .fetch_all(&self.db.pool)
        .await
        .unwrap()
    }

    pub async fn end(self) {
        self.stop.cancel();
        self.tasks.close();
        self.tasks.wait().await;
    }
}

/// The request to replay all of DRIVERS to the tally.
pub fn replay_all() -> Value {
    json!({ "stream": "DRIVERS", "reason": "a test", "target": { "consumer": CONSUMER } })
}

/// Waits until a condition holds, up to the minute that a slow machine may need.
pub async fn eventually<F: AsyncFnMut() -> bool>(what: &str, mut holds: F) {
    for _ in 0..600 {
        if holds().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("{what} did not come true within a minute");
}

/// A handler that records each event. An event with a field `poison` fails.
struct TallyHandler;

impl Handler for TallyHandler {
    fn handle<'a>(
        &'a self,
        tx: &'a mut PgConnection,
        events: &'a [Received],
    ) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async move {
            for event in events {
                let data: Value = serde_json::from_str(event.envelope.data.get())?;
                if data.get("poison").is_some() {
                    return Err(Failure::Reject("it is poison".to_owned()));
                }
                let name = data.get("firstName").and_then(Value::as_str);
                sqlx::query(
                    "insert into tally (aggregate, sequence, first_name) values ($1, $2, $3)",
                )
                .bind(event.envelope.subject)
                .bind(event.envelope.sequence)
                .bind(name)
                .execute(&mut *tx)
                .await?;
            }
            Ok(())
        })
    }
}

/// An answer that is a list.
pub trait List {
    fn list(self) -> Vec<Value>;
}

impl List for Answer {
    fn list(self) -> Vec<Value> {
        serde_json::from_value(self.body).unwrap()
    }
}
