//! A broker and a database server, configured as the platform configures them, and a service that carries out
//! operators' commands on them.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};
use sqlx::{
    AssertSqlSafe, Connection, Executor, PgConnection, PgPool, migrate::Migrator,
    postgres::PgPoolOptions,
};
use tiffin_archive::Archive;
use tiffin_bus::{
    Broker, Consumer, Control,
    history::{Answer, Command, Operation, OperationState},
    seal::Keys,
};
use tiffin_events::{Clock, subject};
use tiffin_servers::{Durability, Home, Servers};
use tiffin_testkit::TestKeys;
use tokio_util::sync::CancellationToken;

pub struct TestServers {
    pub broker: Broker,
    servers: Servers,
    _home: Home,
}

impl TestServers {
    pub async fn start() -> Result<Self> {
        Self::start_with(None).await
    }

    /// The same, whose broker has an archive.
    pub async fn start_with(archive: Option<Archive>) -> Result<Self> {
        let packages = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.tiffin/servers");
        let home = Home::temporary(&packages)?;
        let report = |line: &str| println!("{line}");
        let servers = Servers::start(&home, Durability::Full, &report).await?;
        let broker = Broker::connect(&servers.nats.url(), "bench").await?;
        let broker = broker
            .with_archive(archive)
            .with_keys(Keys::new(TestKeys::of_process()));
        broker.prepare().await?;
        Ok(Self {
            broker,
            servers,
            _home: home,
        })
    }

    /// A service's database, with as many connections as the service would have.
    pub async fn database(&self, name: &str, migrations: &'static Migrator) -> Result<PgPool> {
        let mut main = PgConnection::connect(&self.servers.postgres.url("postgres")).await?;
        main.execute(AssertSqlSafe(format!("create database {name}")))
            .await?;
        let url = self.servers.postgres.url(name);
        let mut own = PgConnection::connect(&url).await?;
        for migrator in [
            &tiffin_bus::MIGRATIONS,
            &tiffin_chassis::MIGRATIONS,
            migrations,
        ] {
            migrator.run(&mut own).await?;
        }
        Ok(PgPoolOptions::new()
            .max_connections(5)
            .connect(&url)
            .await?)
    }

    pub async fn stop(&mut self) {
        self.servers.stop().await;
    }
}

/// A service that carries out operators' commands, and nothing else.
pub struct Service<'a> {
    name: &'static str,
    servers: &'a TestServers,
    stop: CancellationToken,
}

impl<'a> Service<'a> {
    pub fn start(
        servers: &'a TestServers,
        name: &'static str,
        pool: &PgPool,
        consumers: &[Consumer],
    ) -> Self {
        let control = Control::new(
            name,
            pool.clone(),
            servers.broker.clone(),
            Clock::system(),
            consumers,
        );
        let stop = CancellationToken::new();
        tokio::spawn(control.run(stop.clone()));
        Self {
            name,
            servers,
            stop,
        }
    }

    /// Waits until it answers operators.
    pub async fn ready(&self) -> Result<()> {
        for _ in 0..100 {
            if self.ask(&Command::Describe).await.is_ok() {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        bail!("{} does not answer", self.name)
    }

    /// Has an operation carried out to its end.
    pub async fn finish(&self, command: &Command) -> Result<Operation> {
        let mut operation = as_operation(self.ask(command).await?)?;
        while operation.state == OperationState::Running {
            tokio::time::sleep(Duration::from_millis(20)).await;
            operation = as_operation(self.ask(&Command::Status { id: operation.id }).await?)?;
        }
        ensure!(
            operation.state == OperationState::Done,
            "{:?}: {:?}",
            operation.state,
            operation.report
        );
        Ok(operation)
    }

    /// Rebuilds a read model. Returns the report and the seconds. With `events` it reads at least so many, from the
    /// first one on; without, it must start from a snapshot. No event may fail, or need to be projected alone.
    pub async fn rebuild(&self, consumer: &str, events: Option<u64>) -> Result<(Value, f64)> {
        let command = Command::Rebuild {
            id: Clock::system().new_id(),
            consumer: consumer.to_owned(),
            from_first_event: events.is_some(),
        };
        let began = Instant::now();
        let operation = self.finish(&command).await?;
        let seconds = began.elapsed().as_secs_f64();
        let report = operation.report.context("a rebuild has a report")?;
        ensure!(
            report["failures"] == json!([]) && report["projectedOneByOne"] == 0,
            "{consumer}: {report}"
        );
        let read = u64::try_from(operation.handled)?;
        match events {
            Some(events) => ensure!(
                read >= events,
                "{consumer}: {read} of {events} events were read"
            ),
            None => ensure!(report["snapshot"]["used"] == true, "{consumer}: {report}"),
        }
        Ok((report, seconds))
    }

    async fn ask(&self, command: &Command) -> Result<Answer> {
        let body = serde_json::to_vec(command)?;
        let asked = self
            .servers
            .broker
            .client
            .request(subject::control(self.name), body.into());
        let answer = asked.await.context("the service does not answer")?;
        Ok(serde_json::from_slice(&answer.payload)?)
    }
}

impl Drop for Service<'_> {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

fn as_operation(answer: Answer) -> Result<Operation> {
    match answer {
        Answer::Operation(operation) => Ok(operation),
        other => bail!("{other:?}"),
    }
}
