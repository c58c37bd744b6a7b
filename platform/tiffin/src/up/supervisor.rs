//! Keeps the broker and the database of `tiffin up` running: one that dies is started again.

use std::{collections::VecDeque, fmt, time::Duration};

use futures_util::future::{BoxFuture, FutureExt};
use tiffin_servers::{Nats, Postgres, ServersError};
use tokio::{sync::watch, task::JoinHandle, time::Instant};
use tokio_util::sync::CancellationToken;

use super::progress;

/// The interval between checks of the servers.
pub(super) const CHECK_INTERVAL: Duration = Duration::from_millis(200);
/// The number of ends within [`ENDS_WINDOW`] that show a fault which another start does not mend.
const MAX_ENDS: usize = 3;
const ENDS_WINDOW: Duration = Duration::from_mins(1);

/// The process ids of the servers; absent where a server is not ours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pids {
    pub nats: Option<u32>,
    pub postgres: Option<u32>,
}

/// The known state of the servers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ServersState {
    Running(Pids),
    /// One of them can't be kept running; the sentence says which and why.
    GaveUp(String),
}

/// Owns the servers until they are stopped.
pub struct ServerSupervisor {
    state: watch::Receiver<ServersState>,
    stop: CancellationToken,
    task: JoinHandle<()>,
}

impl fmt::Debug for ServerSupervisor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServerSupervisor").finish_non_exhaustive()
    }
}

impl ServerSupervisor {
    /// Watches the servers that are ours.
    pub fn start(nats: Option<Nats>, postgres: Option<Postgres>) -> Self {
        let mut servers = Servers {
            nats: nats.map(SupervisedServer::new),
            postgres: postgres.map(SupervisedServer::new),
        };
        let (send, state) = watch::channel(ServersState::Running(servers.pids()));
        let stop = CancellationToken::new();
        let stopped = stop.clone();
        let task = tokio::spawn(async move {
            if let Err(sentence) = servers.run(&send, &stopped).await {
                send.send_replace(ServersState::GaveUp(sentence));
                stopped.cancelled().await;
            }
            servers.stop().await;
        });
        Self { state, stop, task }
    }

    /// The servers' process ids, as far as they run.
    pub fn pids(&self) -> Pids {
        match *self.state.borrow() {
            ServersState::Running(pids) => pids,
            ServersState::GaveUp(_) => Pids::default(),
        }
    }

    /// The states of the servers, as they change.
    pub fn states(&self) -> watch::Receiver<ServersState> {
        self.state.clone()
    }

    /// Stops the servers, the broker first.
    pub async fn stop(self) {
        self.stop.cancel();
        if let Err(error) = self.task.await {
            tracing::error!(%error, "the task that watches the servers ended; stopping without it");
        }
    }
}

struct Servers {
    nats: Option<SupervisedServer<Nats>>,
    postgres: Option<SupervisedServer<Postgres>>,
}

impl Servers {
    /// Starts servers again that end, until `stop`. Fails with a sentence if a server ends too often.
    async fn run(
        &mut self,
        state: &watch::Sender<ServersState>,
        stop: &CancellationToken,
    ) -> Result<(), String> {
        loop {
            tokio::select! {
                () = stop.cancelled() => return Ok(()),
                () = tokio::time::sleep(CHECK_INTERVAL) => {}
            }
            // Side by side: neither waits for the other to recover.
            tokio::try_join!(
                restart_if_ended(&mut self.nats),
                restart_if_ended(&mut self.postgres)
            )?;
            let now = ServersState::Running(self.pids());
            state.send_if_modified(|last| {
                let is_news = *last != now;
                *last = now;
                is_news
            });
        }
    }

    fn pids(&self) -> Pids {
        Pids {
            nats: self
                .nats
                .as_ref()
                .and_then(|supervised| supervised.server.id()),
            postgres: self
                .postgres
                .as_ref()
                .and_then(|supervised| supervised.server.id()),
        }
    }

    async fn stop(self) {
        if let Some(mut supervised) = self.nats {
            supervised.server.stop().await;
        }
        if let Some(mut supervised) = self.postgres {
            supervised.server.stop().await;
        }
    }
}

async fn restart_if_ended<S: Server>(
    supervised: &mut Option<SupervisedServer<S>>,
) -> Result<(), String> {
    match supervised {
        Some(supervised) => supervised.restart_if_ended().await,
        None => Ok(()),
    }
}

/// A server of ours that can be started again.
pub(super) trait Server: Send {
    const NAME: &'static str;
    fn id(&self) -> Option<u32>;
    fn ended(&mut self) -> Option<String>;
    fn start_again(&mut self) -> BoxFuture<'_, Result<(), ServersError>>;
}

impl Server for Nats {
    const NAME: &'static str = "nats-server";

    fn id(&self) -> Option<u32> {
        self.pid()
    }

    fn ended(&mut self) -> Option<String> {
        Nats::ended(self).map(|status| status.to_string())
    }

    fn start_again(&mut self) -> BoxFuture<'_, Result<(), ServersError>> {
        Nats::start_again(self).boxed()
    }
}

impl Server for Postgres {
    const NAME: &'static str = "PostgreSQL";

    fn id(&self) -> Option<u32> {
        self.pid()
    }

    fn ended(&mut self) -> Option<String> {
        Postgres::ended(self).map(|status| status.to_string())
    }

    fn start_again(&mut self) -> BoxFuture<'_, Result<(), ServersError>> {
        Postgres::start_again(self).boxed()
    }
}

pub(super) struct SupervisedServer<S> {
    pub server: S,
    /// The times of its latest ends.
    ends: VecDeque<Instant>,
}

impl<S: Server> SupervisedServer<S> {
    pub fn new(server: S) -> Self {
        Self {
            server,
            ends: VecDeque::new(),
        }
    }

    /// Starts the server again if it has ended.
    pub async fn restart_if_ended(&mut self) -> Result<(), String> {
        let Some(status) = self.server.ended() else {
            return Ok(());
        };
        let now = Instant::now();
        self.ends.retain(|end| now - *end < ENDS_WINDOW);
        self.ends.push_back(now);
        let name = S::NAME;
        let ends = self.ends.len();
        if ends >= MAX_ENDS {
            return Err(format!(
                "{name} ended {ends} times within a minute, the last time with {status}."
            ));
        }
        progress::note(&format!("{name} ended with {status}: starting it again"));
        // The first start comes at once; a second within a minute waits.
        tokio::time::sleep(Duration::from_secs(ends as u64 - 1)).await;
        self.server
            .start_again()
            .await
            .map_err(|error| format!("{name} can't be started again: {error}"))?;
        progress::note(&format!("{name} runs again"));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A server that has always ended.
    struct EndedServer;

    impl Server for EndedServer {
        const NAME: &'static str = "it";

        fn id(&self) -> Option<u32> {
            None
        }

        fn ended(&mut self) -> Option<String> {
            Some("signal: 9".to_owned())
        }

        fn start_again(&mut self) -> BoxFuture<'_, Result<(), ServersError>> {
            async { Ok(()) }.boxed()
        }
    }

    #[tokio::test(start_paused = true)]
    async fn three_ends_within_a_minute_are_too_many_and_in_more_time_are_not() {
        let mut supervised = SupervisedServer::new(EndedServer);
        for _ in 0..5 {
            supervised.restart_if_ended().await.unwrap();
            tokio::time::advance(Duration::from_secs(31)).await;
        }
        supervised.restart_if_ended().await.unwrap();
        let sentence = supervised.restart_if_ended().await.unwrap_err();
        assert_eq!(
            sentence,
            "it ended 3 times within a minute, the last time with signal: 9."
        );
    }
}
