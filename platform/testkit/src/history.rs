//! Read models that are rebuilt from streams, by the control that operators use.

use std::time::Duration;

use serde_json::Value;
use sqlx::PgPool;
use tiffin_bus::{
    Consumer, Control, Received, erase,
    history::{Answer, Command, Description, Operation, OperationState},
};
use tiffin_events::{
    Clock, Envelope,
    subject::{self, EventType},
    user::UserEvent,
};
use tokio_util::sync::{CancellationToken, DropGuard};
use uuid::Uuid;

use crate::TestNats;

/// A service's events in real streams, and its control.
#[derive(Debug)]
pub struct History {
    service: &'static str,
    consumers: Vec<Consumer>,
    pool: PgPool,
    nats: TestNats,
    _stop: DropGuard,
}

impl History {
    pub async fn new(service: &'static str, pool: &PgPool, consumers: &[Consumer]) -> Self {
        let (nats, stop) = (TestNats::start().await, CancellationToken::new());
        let (pool, broker) = (pool.clone(), nats.broker.clone());
        let control = Control::new(service, pool.clone(), broker, Clock::system(), consumers);
        tokio::spawn(control.run(stop.clone()));
        Self {
            service,
            consumers: consumers.to_vec(),
            pool,
            nats,
            _stop: stop.drop_guard(),
        }
    }

    /// Puts an event into its stream and feeds it to the consumer that takes it, if one does.
    pub async fn deliver(&self, envelope: &Envelope) {
        let kind = EventType::parse(&envelope.kind);
        let every = subject::every(kind.aggregate);
        let mut takers = self.consumers.iter();
        let Some(consumer) = takers.find(|one| one.subjects.contains(&every)) else {
            return;
        };
        let body = serde_json::to_vec(envelope).expect("an envelope as JSON");
        let subject = subject::event(kind.aggregate, envelope.subject, kind.event);
        let stored = self
            .nats
            .broker
            .jetstream
            .publish(subject, body.into())
            .await;
        let sequence = stored
            .expect("the broker")
            .await
            .expect("an acknowledgement")
            .sequence;
        let received = Received::new(envelope, sequence).expect("an envelope");
        let delivered = consumer.deliver(&received).await;
        delivered.unwrap_or_else(|error| panic!("{}: {error}", envelope.kind));
    }

    /// Rebuilds every read model beside the serving one: the rows are the same. Then after the erasure of
    /// closed accounts; then with the serving tables emptied, whose place the rebuilt ones take.
    pub async fn rebuild_all(&self) {
        let models = self.read_models().await;
        for (consumer, _) in &models {
            self.verify(consumer).await;
        }
        self.erase_closed_accounts().await;
        for (consumer, tables) in &models {
            let before = self.verify(consumer).await;
            for table in tables {
                let empty = format!("delete from {table}");
                sqlx::query(sqlx::AssertSqlSafe(empty))
                    .execute(&self.pool)
                    .await
                    .unwrap_or_else(|error| panic!("{table}: {error}"));
            }
            let id = Clock::system().new_id();
            let consumer = consumer.clone();
            self.run(
                id,
                &Command::Rebuild {
                    id,
                    consumer: consumer.clone(),
                    from_first_event: false,
                },
            )
            .await;
            assert_eq!(self.verify(&consumer).await, before);
        }
    }

    /// Rebuilds a read model and swaps it in; the old one is kept.
    pub async fn rebuild(&self, consumer: &str) {
        let id = Clock::system().new_id();
        let consumer = consumer.to_owned();
        let from_first_event = false;
        let command = Command::Rebuild {
            id,
            consumer,
            from_first_event,
        };
        self.run(id, &command).await;
    }

    /// Checks a read model against a rebuilt one: they are equal. Returns the content of the tables.
    pub async fn verify(&self, consumer: &str) -> Value {
        let id = Clock::system().new_id();
        let consumer = consumer.to_owned();
        let from_first_event = false;
        let command = Command::Verify {
            id,
            consumer,
            from_first_event,
        };
        let mut report = self.run(id, &command).await;
        assert_eq!(report["equal"], true, "{report:#}");
        assert_eq!(report["projectedOneByOne"], 0, "{report:#}");
        report["tables"].take()
    }

    /// The consumers that keep a read model, with its tables.
    async fn read_models(&self) -> Vec<(String, Vec<String>)> {
        let Answer::Service(Description { consumers, .. }) = self.ask(&Command::Describe).await
        else {
            panic!("it does not describe itself");
        };
        let keeping = consumers.into_iter().filter(|one| !one.tables.is_empty());
        keeping.map(|one| (one.name, one.tables)).collect()
    }

    /// Removes the events of closed accounts from streams, up to their deletion.
    async fn erase_closed_accounts(&self) {
        let accounts = sqlx::query_scalar!("select distinct aggregate from bus.reached")
            .fetch_all(&self.pool)
            .await
            .expect("the aggregates");
        for id in accounts {
            erase::before::<UserEvent>(&self.pool, &self.nats.broker, id, UserEvent::DELETED)
                .await
                .expect("the erasure");
        }
    }

    /// Runs an operation that takes time, and returns its report.
    async fn run(&self, id: Uuid, command: &Command) -> Value {
        let mut answer = self.ask(command).await;
        loop {
            match answer {
                Answer::Operation(Operation {
                    state: OperationState::Running,
                    ..
                }) => {}
                Answer::Operation(Operation {
                    state: OperationState::Done,
                    report,
                    ..
                }) => {
                    return report.unwrap_or_default();
                }
                other => panic!("{other:?}"),
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
            answer = self.ask(&Command::Status { id }).await;
        }
    }

    async fn ask(&self, command: &Command) -> Answer {
        let body = serde_json::to_vec(command).expect("a command as JSON");
        let control = subject::control(self.service);
        for _ in 0..500 {
            let client = &self.nats.broker.client;
            if let Ok(answer) = client.request(control.clone(), body.clone().into()).await {
                return serde_json::from_slice(&answer.payload).expect("an answer");
            }
            // It has only just been started.
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("{} does not answer", self.service);
    }
}
