//! Keeps the broker and the database of `tiffin up` running: one that dies is started again.

use std::{collections::VecDeque, fmt, time::Duration};

use futures_util::future::{BoxFuture, FutureExt};
use tiffin_servers::{Nats, Postgres, ServersError};
use tokio::{sync::watch, task::JoinHandle, time::Instant};
use tokio_util::sync::CancellationToken;

use super::progress;

/// The interval of looking at the servers.
const LOOK: Duration = Duration::from_millis(200);
/// A server that ends this often ...
const MOST_ENDS: usize = 3;
/// ... within this time has a fault that another start does not mend.
const WITHIN: Duration = Duration::from_mins(1);

/// The process ids of the servers; absent where a server is not ours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pids {
    pub nats: Option<u32>,
    pub postgres: Option<u32>,
}

/// The known state of the servers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    Running(Pids),
    /// One of them can't be kept running; the sentence says which and why.
    GaveUp(String),
}

/// Owns the servers until they are stopped.
pub struct Keeper {
    state: watch::Receiver<State>,
    stop: CancellationToken,
    task: JoinHandle<()>,
}

impl fmt::Debug for Keeper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Keeper").finish_non_exhaustive()
    }
}

impl Keeper {
    /// Watches the servers that are ours.
    pub fn start(nats: Option<Nats>, postgres: Option<Postgres>) -> Self {
        let mut servers = Servers {
            nats: nats.map(Kept::new),
            postgres: postgres.map(Kept::new),
        };
        let (send, state) = watch::channel(State::Running(servers.pids()));
        let stop = CancellationToken::new();
        let stopped = stop.clone();
        let task = tokio::spawn(async move {
            if let Err(sentence) = servers.keep(&send, &stopped).await {
                send.send_replace(State::GaveUp(sentence));
                stopped.cancelled().await;
            }
            servers.stop().await;
        });
        Self { state, stop, task }
    }

    /// The servers' process ids, as far as they run.
    pub fn pids(&self) -> Pids {
        match *self.state.borrow() {
            State::Running(pids) => pids,
            State::GaveUp(_) => Pids::default(),
        }
    }

    /// Follows what becomes of the servers.
    pub fn states(&self) -> watch::Receiver<State> {
        self.state.clone()
    }

    /// Stops the servers, the broker first.
    pub async fn stop(self) {
        self.stop.cancel();
        if let Err(error) = self.task.await {
            tracing::error!(%error, "the servers' keeper ended by itself");
        }
    }
}

struct Servers {
    nats: Option<Kept<Nats>>,
    postgres: Option<Kept<Postgres>>,
}

impl Servers {
    /// Starts again what ends, until `stop`. Fails with a sentence once that does not help.
    async fn keep(
        &mut self,
        state: &watch::Sender<State>,
        stop: &CancellationToken,
    ) -> Result<(), String> {
        loop {
            tokio::select! {
                () = stop.cancelled() => return Ok(()),
                () = tokio::time::sleep(LOOK) => {}
            }
            // Side by side: neither waits for the other to recover.
            tokio::try_join!(look(&mut self.nats), look(&mut self.postgres))?;
            let now = State::Running(self.pids());
            state.send_if_modified(|known| {
                let is_news = *known != now;
                *known = now;
                is_news
            });
        }
    }

    fn pids(&self) -> Pids {
        Pids {
            nats: self.nats.as_ref().and_then(|kept| kept.server.id()),
            postgres: self.postgres.as_ref().and_then(|kept| kept.server.id()),
        }
    }

    async fn stop(self) {
        if let Some(mut kept) = self.nats {
            kept.server.stop().await;
        }
        if let Some(mut kept) = self.postgres {
            kept.server.stop().await;
        }
    }
}

async fn look<S: Server>(kept: &mut Option<Kept<S>>) -> Result<(), String> {
    match kept {
        Some(kept) => kept.look().await,
        None => Ok(()),
    }
}

/// One of the two servers.
trait Server: Send {
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

struct Kept<S> {
    server: S,
    /// The times of its latest ends.
    ends: VecDeque<Instant>,
}

impl<S: Server> Kept<S> {
    fn new(server: S) -> Self {
        Self {
            server,
            ends: VecDeque::new(),
        }
    }

    /// Starts the server again if it has ended.
    async fn look(&mut self) -> Result<(), String> {
        let Some(status) = self.server.ended() else {
            return Ok(());
        };
        let now = Instant::now();
        self.ends.retain(|end| now - *end < WITHIN);
        self.ends.push_back(now);
        let name = S::NAME;
        let ends = self.ends.len();
        if ends >= MOST_ENDS {
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
    struct Dying;

    impl Server for Dying {
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
        let mut kept = Kept::new(Dying);
        for _ in 0..5 {
            kept.look().await.unwrap();
            tokio::time::advance(Duration::from_secs(31)).await;
        }
        kept.look().await.unwrap();
        let sentence = kept.look().await.unwrap_err();
        assert_eq!(
            sentence,
            "it ended 3 times within a minute, the last time with signal: 9."
        );
    }
}
