//! A workbench: a database with an outbox, a broker, and a consumer that keeps a tally.

use std::{
    process::{Command as Process, Stdio},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    time::Duration,
};

use async_nats::client::RequestErrorKind;
use futures_util::{FutureExt, future::BoxFuture};
use sqlx::{AssertSqlSafe, PgConnection, PgPool};
use tiffin_bus::{
    Broker, Cause, Consumer, Control, Failure, Handler, Outgoing, Received, Relay,
    history::{Answer, Command},
    outbox,
};
use tiffin_events::{
    Clock, Stream, UserId,
    driver::{DriverEvent, DriverRefV1},
    subject,
};
use tiffin_testkit::{TestDb, TestNats, recorder};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use uuid::Uuid;

/// Another process on a bench's database and broker, which runs an ignored test that a test kills.
pub fn process(bench: &Bench, test: &str) -> Process {
    let mut process = Process::new(std::env::current_exe().unwrap());
    process
        .args(["--exact", test, "--ignored"])
        .env("DATABASE_URL", &bench.db.url)
        .env("NATS_URL", bench.nats.url())
        .stdout(Stdio::null());
    process
}

/// Connects to the database and the broker that [`process`] names.
pub async fn connect() -> (PgPool, Broker) {
    let url = |name: &str| std::env::var(name).unwrap();
    let pool = PgPool::connect(&url("DATABASE_URL")).await.unwrap();
    (
        pool,
        Broker::connect(&url("NATS_URL"), "bench").await.unwrap(),
    )
}

pub struct Bench {
    pub db: TestDb,
    pub nats: TestNats,
    pub broker: Broker,
    pub clock: Clock,
    tasks: TaskTracker,
    stop: CancellationToken,
}

impl Bench {
    pub async fn new() -> Self {
        // What the bus says is shown with a test that fails.
        let _ = tracing_subscriber::fmt().with_test_writer().try_init();
        tiffin_chassis::telemetry::metrics();
        let db = TestDb::new(&tiffin_bus::MIGRATIONS).await;
        sqlx::raw_sql(
            "create table tally (n bigserial primary key, aggregate uuid, sequence bigint, event_id uuid);
             create table standing (
                 aggregate uuid not null, sequence bigint not null, event_id uuid not null,
                 constraint standing_pkey primary key (aggregate),
                 constraint standing_sequence_check check (sequence > 0)
             );
             create index standing_sequence_idx on standing (sequence)",
        )
        .execute(&db.pool)
        .await
        .unwrap();
        let nats = TestNats::durable().await;
        let broker = nats.broker.clone();
        let (tasks, stop) = (TaskTracker::new(), CancellationToken::new());
        Self {
            db,
            nats,
            broker,
            clock: Clock::system(),
            tasks,
            stop,
        }
    }

    pub fn pool(&self) -> &PgPool {
        &self.db.pool
    }

    /// Starts a relay; it stops when the token is cancelled.
    pub fn relay(&self) -> CancellationToken {
        self.relay_of(&self.broker, "bench")
    }

    /// The same with another connection, under another name.
    pub fn relay_of(&self, broker: &Broker, name: &'static str) -> CancellationToken {
        let stop = self.stop.child_token();
        let relay = Relay::new(self.db.pool.clone(), broker.clone(), name);
        self.tasks.spawn(relay.run(stop.clone()));
        stop
    }

    /// Starts the tallying consumer; it stops when the token is cancelled.
    pub fn consume(&self, handler: Tally) -> CancellationToken {
        self.consume_as(consumer(self.pool(), handler))
    }

    /// Starts a consumer; it stops when the token is cancelled.
    pub fn consume_as(&self, consumer: Consumer) -> CancellationToken {
        let stop = self.stop.child_token();
        self.tasks
            .spawn(consumer.run(self.broker.clone(), stop.clone()));
        stop
    }

    /// Starts the part that carries out operators' commands; it stops when the token is cancelled.
    pub fn control(&self) -> CancellationToken {
        self.control_of(consumer(self.pool(), Tally::default()))
    }

    /// The same for another consumer.
    pub fn control_of(&self, consumer: Consumer) -> CancellationToken {
        self.control_of_all(&[consumer])
    }

    /// The same for more consumers.
    pub fn control_of_all(&self, consumers: &[Consumer]) -> CancellationToken {
        let stop = self.stop.child_token();
        let control = Control::new(
            "bench",
            self.db.pool.clone(),
            self.broker.clone(),
            self.clock.clone(),
            consumers,
        );
        self.tasks.spawn(control.run(stop.clone()));
        stop
    }

    /// Sends an operator's command and returns the answer.
    pub async fn ask(&self, command: &Command) -> Answer {
        let body = serde_json::to_vec(command).unwrap();
        loop {
            let asked = self
                .broker
                .client
                .request(subject::control("bench"), body.clone().into());
            match asked.await {
                Ok(answer) => return serde_json::from_slice(&answer.payload).unwrap(),
                // It has only just been started.
                Err(error) if error.kind() == RequestErrorKind::NoResponders => {
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
                // It was killed with the question in its hands. A command has an id: one that
                // is asked twice is one.
                Err(error) if error.kind() == RequestErrorKind::TimedOut => {}
                Err(error) => panic!("{error}"),
            }
        }
    }

    /// One change: an event of `driver` at version `sequence`, committed on its own.
    pub async fn change(&self, driver: Uuid, sequence: i64) {
        let mut tx = tiffin_database::begin(&self.db.pool).await.unwrap();
        outbox::append(&mut tx, &[self.event(driver, sequence)])
            .await
            .unwrap();
        tx.commit().await.unwrap();
    }

    pub fn event(&self, driver: Uuid, sequence: i64) -> Outgoing {
        let event = DriverEvent::Available(DriverRefV1 {
            driver_id: UserId(driver),
        });
        let (recorder, cause) = (recorder(&self.clock), Cause::service("bench"));
        let event = Outgoing::event(&recorder, &cause, driver, sequence, &event);
        // A driver's event has no personal fields, so nothing is waited for.
        event.now_or_never().unwrap().unwrap()
    }

    /// Publishes a body that no relay made.
    pub async fn publish(&self, subject: String, body: Vec<u8>) {
        self.broker
            .jetstream
            .publish(subject, body.into())
            .await
            .unwrap()
            .await
            .unwrap();
    }

    /// The number of rows that wait in the outbox.
    pub async fn waiting(&self) -> i64 {
        sqlx::query_scalar("select count(*) from bus.outbox where published_at is null")
            .fetch_one(self.pool())
            .await
            .unwrap()
    }

    /// The versions that took effect, in the order in which they did, of one aggregate.
    pub async fn tally(&self, aggregate: Uuid) -> Vec<i64> {
        sqlx::query_scalar("select sequence from tally where aggregate = $1 order by n")
            .bind(aggregate)
            .fetch_all(self.pool())
            .await
            .unwrap()
    }

    /// The number of all effects.
    pub async fn effects(&self) -> i64 {
        sqlx::query_scalar("select count(*) from tally")
            .fetch_one(self.pool())
            .await
            .unwrap()
    }

    /// The number of messages in a stream.
    pub async fn stored(&self, stream: Stream) -> u64 {
        let mut stream = self
            .broker
            .jetstream
            .get_stream(stream.name())
            .await
            .unwrap();
        stream.info().await.unwrap().state.messages
    }

    pub async fn end(self) {
        self.stop.cancel();
        self.tasks.close();
        self.tasks.wait().await;
    }
}

/// The consumer that every test here is about.
pub fn consumer(pool: &PgPool, handler: Tally) -> Consumer {
    let clock = Clock::system();
    Consumer::new("bench", Stream::Drivers, pool.clone(), clock, handler).projects(&["standing"])
}

/// Waits for something to become true, for as long as a slow machine may need.
pub async fn eventually<F: AsyncFnMut() -> bool>(what: &str, mut holds: F) {
    // Messages of a consumer that stopped come again after ten seconds each time, on a busy machine after more.
    for _ in 0..1_800 {
        if holds().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("{what} did not come true within three minutes");
}

/// A handler that writes each effect down, after as many failures as it is set to.
#[derive(Clone, Default)]
pub struct Tally {
    /// The aggregate whose events fail.
    pub poison: Option<Uuid>,
    /// The number of failures before they work; they always fail without it.
    pub failures: Option<Arc<AtomicU32>>,
    /// The one aggregate whose events work while this holds; those of all others fail.
    pub only: Option<(Uuid, Arc<AtomicBool>)>,
    /// The aggregate whose events make the handler panic while this holds.
    pub panics: Option<(Uuid, Arc<AtomicBool>)>,
    /// Aggregates whose events the database refuses with this code, so many times.
    pub refused: Vec<(Uuid, &'static str, Arc<AtomicU32>)>,
}

impl Tally {
    async fn take(&self, tx: &mut PgConnection, event: &Received) -> Result<(), Failure> {
        let envelope = &event.envelope;
        if is_poison(event) {
            return Err(Failure::Reject("it is poison".to_owned()));
        }
        if let Some((healthy, fails)) = &self.only
            && *healthy != envelope.subject
            && fails.load(Ordering::SeqCst)
        {
            return Err(Failure::Retry("a table is not there".to_owned()));
        }
        if let Some((ill, panics)) = &self.panics
            && *ill == envelope.subject
        {
            assert!(!panics.load(Ordering::SeqCst), "the handler has a fault");
        }
        let mut refused = self.refused.iter();
        if let Some((_, code, left)) = refused.find(|(id, ..)| *id == envelope.subject)
            && takes_one(left)
        {
            let raise = format!("do $$ begin raise 'refused' using errcode = '{code}'; end $$");
            sqlx::raw_sql(AssertSqlSafe(raise))
                .execute(&mut *tx)
                .await?;
        }
        if self.poison == Some(envelope.subject) {
            match &self.failures {
                None => return Err(Failure::Reject("it is poison".to_owned())),
                Some(left) => {
                    if takes_one(left) {
                        return Err(Failure::Retry("not yet".to_owned()));
                    }
                }
            }
        }
        sqlx::query("insert into tally (aggregate, sequence, event_id) values ($1, $2, $3)")
            .bind(envelope.subject)
            .bind(envelope.sequence)
            .bind(envelope.id)
            .execute(&mut *tx)
            .await?;
        stand(tx, event).await
    }
}

impl Handler for Tally {
    fn handle<'a>(
        &'a self,
        tx: &'a mut PgConnection,
        events: &'a [Received],
    ) -> BoxFuture<'a, Result<(), Failure>> {
        async move {
            for event in events {
                self.take(tx, event).await?;
            }
            Ok(())
        }
        .boxed()
    }

    fn project<'a>(
        &'a self,
        tx: &'a mut PgConnection,
        events: &'a [Received],
    ) -> BoxFuture<'a, Result<(), Failure>> {
        async move {
            for event in events {
                if is_poison(event) {
                    return Err(Failure::Reject("it is poison".to_owned()));
                }
                stand(tx, event).await?;
            }
            Ok(())
        }
        .boxed()
    }
}

/// True until it was asked so many times.
fn takes_one(left: &AtomicU32) -> bool {
    let take = |left: u32| left.checked_sub(1);
    left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, take)
        .is_ok()
}

/// True for an event that no handler can handle.
fn is_poison(event: &Received) -> bool {
    event.envelope.data.get().contains("poison")
}

/// The read model: the last event of each aggregate.
pub async fn stand(tx: &mut PgConnection, event: &Received) -> Result<(), Failure> {
    sqlx::query(
        "insert into standing (aggregate, sequence, event_id) values ($1, $2, $3)
         on conflict (aggregate) do update set sequence = $2, event_id = $3",
    )
    .bind(event.envelope.subject)
    .bind(event.envelope.sequence)
    .bind(event.envelope.id)
    .execute(tx)
    .await?;
    Ok(())
}
