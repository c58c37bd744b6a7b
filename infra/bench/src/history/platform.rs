//! The services that history goes through: the order service's outbox with its relay, and the operator service, which
//! keeps the event log and archives.

use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};
use sqlx::PgPool;
use tempfile::TempDir;
use tiffin_archive::Archive;
use tiffin_bus::{Control, Recorder, Relay, Trimmer, archiver::Window};
use tiffin_events::{Clock, Role, Stream, UserId, services::with_database};
use tiffin_operator::{MIGRATIONS, State, batches, router, tasks};
use tiffin_testkit::{Answer, TestApp, recorder, token, verifier};
use tokio_util::sync::CancellationToken;

use super::models;
use crate::replay::servers::TestServers;

/// The window that stays out of the archive: seconds where a platform has a month, so that there are many months.
const MAX_AGE: Duration = Duration::from_secs(20);
/// The interval between looks at how far the archive has come.
const TRIM_INTERVAL: Duration = Duration::from_secs(5);
pub const POLL_INTERVAL: Duration = Duration::from_millis(200);

pub struct Platform {
    pub servers: TestServers,
    pub archive: Archive,
    /// The order service's database.
    pub order: PgPool,
    /// The operator service's database.
    pub operator: PgPool,
    pub recorder: Recorder,
    app: TestApp,
    _folder: TempDir,
    stop: CancellationToken,
}

impl Platform {
    pub async fn start() -> Result<Self> {
        let folder = TempDir::new()?;
        let archive = Archive::folder(folder.path().to_owned());
        let servers = TestServers::start_with(Some(archive.clone())).await?;
        let (clock, stop) = (Clock::system(), CancellationToken::new());
        let broker = &servers.broker;
        let (mut order, mut operator) = (None, None);
        // Those with read models of orders come later.
        let is_later = |name| name == tiffin_delivery::NAME || models::SERVICES.contains(&name);
        for service in with_database().filter(|it| !is_later(it.name)) {
            let name = format!("tiffin_{}", service.name);
            let is_operator = service.name == tiffin_operator::NAME;
            let migrations = if is_operator {
                &MIGRATIONS
            } else {
                &tiffin_bus::MIGRATIONS
            };
            let pool = servers.database(&name, migrations).await?;
            let relay = Relay::new(pool.clone(), broker.clone(), service.name);
            tokio::spawn(relay.run(stop.clone()));
            let control = Control::new(
                service.name,
                pool.clone(),
                broker.clone(),
                clock.clone(),
                &[],
            );
            tokio::spawn(control.run(stop.clone()));
            match service.name {
                "order" => order = Some(pool),
                _ if is_operator => operator = Some(pool),
                _ => {}
            }
        }
        let order = order.context("the order service's database")?;
        let operator = operator.context("the operator service's database")?;
        let state = State::new(
            operator.clone(),
            broker.clone(),
            verifier(&clock),
            clock.clone(),
            stop.clone(),
        )
        .with_window(Window {
            max_age: MAX_AGE,
            ..Window::default()
        });
        for batch in batches(&state) {
            tokio::spawn(batch.run(broker.clone(), stop.clone()));
        }
        for task in tasks(&state) {
            tokio::spawn(task.supervise(stop.clone()));
        }
        let trimmer = Trimmer::new(order.clone(), broker.clone(), "order");
        tokio::spawn(trim(trimmer, clock.clone(), stop.clone()));
        let (routes, _) = router(state).split_for_parts();
        Ok(Self {
            app: TestApp::start(routes).await,
            recorder: recorder(&clock),
            servers,
            archive,
            order,
            operator,
            _folder: folder,
            stop,
        })
    }

    /// The operator service's state at a time, for what is to happen now.
    pub fn operator_at(&self, clock: Clock) -> State {
        State::new(
            self.operator.clone(),
            self.servers.broker.clone(),
            verifier(&clock),
            clock,
            self.stop.clone(),
        )
    }

    /// The answer to an operator's question.
    pub async fn get(&self, path: &str) -> Result<Value> {
        let call = self.app.get(&format!("/api/v1/operator{path}"));
        accepted(path, call.token(&self.operator_token()).await)
    }

    /// Has operations begun, and waits for the end of each.
    pub async fn finish(&self, path: &str) -> Result<Vec<Value>> {
        self.finish_with(path, json!({ "reason": "a benchmark" }))
            .await
    }

    async fn finish_with(&self, path: &str, body: Value) -> Result<Vec<Value>> {
        let call = self.app.post(&format!("/api/v1/operator{path}"));
        let begun = call.token(&self.operator_token()).json(&body).await;
        let begun = match accepted(path, begun)? {
            Value::Array(all) => all,
            one => vec![one],
        };
        let mut ended = Vec::new();
        for one in begun {
            let id = one["replayId"].as_str().context("an operation's id")?;
            ended.push(self.end_of(id).await?);
        }
        Ok(ended)
    }

    /// Moves everything that was handled to the archive.
    pub async fn archive_all(&self) -> Result<()> {
        let body = json!({ "reason": "a benchmark", "afterDays": 0 });
        self.finish_with("/archive", body).await.map(drop)
    }

    async fn end_of(&self, id: &str) -> Result<Value> {
        loop {
            let operation = self.get(&format!("/replays/{id}")).await?;
            match operation["state"].as_str() {
                Some("running") => tokio::time::sleep(POLL_INTERVAL).await,
                Some("done") => return Ok(operation),
                _ => bail!("an operation failed: {operation}"),
            }
        }
    }

    fn operator_token(&self) -> String {
        let clock = &self.recorder.clock;
        token(clock, UserId(clock.new_id()), Role::Operator).sign()
    }

    /// Messages and bytes that the stream of orders holds.
    pub async fn stream(&self) -> Result<(u64, u64)> {
        let jetstream = &self.servers.broker.jetstream;
        let mut stream = jetstream.get_stream(Stream::Orders.name()).await?;
        let state = &stream.info().await?.state;
        Ok((state.messages, state.bytes))
    }

    /// Segments, and bytes of the archive's files.
    pub async fn archived(&self) -> Result<(usize, u64)> {
        let segments = self.archive.segments(Stream::Orders).await?;
        let bytes = segments.iter().map(|it| it.bytes + it.index_bytes).sum();
        Ok((segments.len(), bytes))
    }

    pub async fn stop(&mut self) {
        self.stop.cancel();
        self.servers.stop().await;
    }
}

/// Trims the order service's outbox until the stop.
async fn trim(trimmer: Trimmer, clock: Clock, stop: CancellationToken) {
    while !stop.is_cancelled() {
        if let Err(error) = trimmer.step(clock.now(), &stop).await {
            eprintln!("the outbox is not trimmed: {error}; trying again");
        }
        tokio::time::sleep(TRIM_INTERVAL).await;
    }
}

fn accepted(path: &str, answer: Answer) -> Result<Value> {
    ensure!(
        answer.status.is_success(),
        "{path}: {} {}",
        answer.status,
        answer.text
    );
    Ok(answer.body)
}

/// Waits until a condition holds.
pub async fn until(mut holds: impl AsyncFnMut() -> Result<bool>) -> Result<()> {
    while !holds().await? {
        tokio::time::sleep(POLL_INTERVAL).await;
    }
    Ok(())
}
