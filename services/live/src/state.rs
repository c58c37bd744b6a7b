//! The running bridge.

use std::{
    io,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread::JoinHandle,
};

use async_nats::Client;
use tiffin_chassis::{Readiness, Verifier, Work};
use tokio::sync::{self as channel, broadcast::error::RecvError, mpsc};
use tokio_util::sync::CancellationToken;

use crate::{
    config::Config,
    desk::Desk,
    hub::{AccountSockets, Command, Hub},
    stored::Stored,
    upstream::Upstream,
};

/// What the route needs. Cheap to clone; all clones are one bridge.
#[derive(Clone, Debug)]
pub struct State(Arc<Bridge>);

#[derive(Debug)]
struct Bridge {
    config: Config,
    hubs: Vec<Hub>,
    threads: Mutex<Vec<JoinHandle<()>>>,
    next: AtomicUsize,
    shutdown: CancellationToken,
}

impl State {
    /// Starts the bridge. `client` is for reading and publishing; deliveries come on connections of
    /// the hubs' own. When `shutdown` is cancelled sockets are told that the server is going away.
    ///
    /// Has to be called within a Tokio runtime.
    pub fn new(
        mut config: Config,
        client: Client,
        verifier: &Verifier,
        shutdown: CancellationToken,
    ) -> io::Result<Self> {
        if let Some(files) = allow_many_files() {
            // The other half is for requests, databases and the broker.
            config.limits.sockets = config.limits.sockets.min(files / 2);
        }
        let accounts = AccountSockets::default();
        let stored = Stored::new(client);
        let upstream = Upstream::start(stored.clone(), verifier.clock().clone());
        let (mut hubs, mut threads) = (Vec::new(), Vec::new());
        for _ in 0..config.hubs {
            let (sender, questions) = mpsc::unbounded_channel();
            let (hub, thread) = Hub::start(config.limits, verifier, sender, accounts.clone())?;
            let desk = Desk {
                hub: hub.clone(),
                broker: config.broker.clone(),
                stored: stored.clone(),
                verifier: verifier.clone(),
                upstream: upstream.clone(),
            };
            let with = (desk, Arc::new(channel::Mutex::new(questions)));
            let desk = Work::new("live desk", with, |(desk, questions)| desk.run(questions));
            tokio::spawn(desk.keep(shutdown.clone()));
            hubs.push(hub);
            threads.push(thread);
        }
        let with = (hubs.clone(), verifier.clone(), shutdown.clone());
        let tell = Work::new("live revocations", with, |(hubs, verifier, shutdown)| {
            tell(hubs, verifier, shutdown)
        });
        tokio::spawn(tell.keep(shutdown.clone()));
        Ok(Self(Arc::new(Bridge {
            config,
            hubs,
            threads: Mutex::new(threads),
            next: AtomicUsize::new(0),
            shutdown,
        })))
    }

    /// Adds the bridge's check to what must hold before it takes work.
    pub fn watch(&self, readiness: &Readiness) {
        let hubs = self.0.hubs.clone();
        readiness.add("live feed", move || {
            let is_linked = hubs.iter().all(|hub| hub.stats.is_linked());
            let answer = if is_linked {
                Ok(())
            } else {
                Err("not connected to the broker".to_owned())
            };
            Box::pin(std::future::ready(answer))
        });
    }

    /// How many sockets are open.
    pub fn sockets(&self) -> usize {
        self.0.hubs.iter().map(|hub| hub.stats.sockets()).sum()
    }

    /// Waits, after the shutdown, until every socket has said goodbye or had its time to.
    pub async fn stopped(&self) {
        self.0.shutdown.cancelled().await;
        let threads = {
            let mut threads = self
                .0
                .threads
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            std::mem::take(&mut *threads)
        };
        let joined = tokio::task::spawn_blocking(move || {
            for thread in threads {
                // A hub that panicked has said so itself.
                let _ = thread.join();
            }
        });
        let _ = joined.await;
    }

    pub(crate) fn config(&self) -> &Config {
        &self.0.config
    }

    pub(crate) fn is_stopping(&self) -> bool {
        self.0.shutdown.is_cancelled()
    }

    /// The hub of the next socket.
    pub(crate) fn next_hub(&self) -> &Hub {
        let next = self.0.next.fetch_add(1, Ordering::Relaxed);
        &self.0.hubs[next % self.0.hubs.len()]
    }
}

/// A limit of open files below this is worth a word.
const FEW_FILES: u64 = 4_096;

/// Tells the hubs of revocations and of the shutdown.
async fn tell(hubs: Vec<Hub>, verifier: Verifier, shutdown: CancellationToken) {
    let mut ended = verifier.revocations().subscribe();
    loop {
        let revoked = tokio::select! {
            () = shutdown.cancelled() => break,
            revoked = ended.recv() => revoked,
        };
        let user = match revoked {
            Ok(user) => user,
            Err(RecvError::Lagged(_)) => None,
            Err(RecvError::Closed) => break,
        };
        for hub in &hubs {
            hub.tell(Command::Revoked(user));
        }
    }
    shutdown.cancelled().await;
    for hub in &hubs {
        hub.tell(Command::Stop);
    }
}

/// A socket is a file: the soft limit, often 1,024, goes up to the hard one. Returns what it is then;
/// `None` where there is none.
fn allow_many_files() -> Option<usize> {
    use rustix::process::{Resource, getrlimit, setrlimit};
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    if let Err(error) = setrlimit(Resource::Nofile, limit) {
        tracing::warn!(%error, "the limit of open files stays as it is");
    }
    let files = getrlimit(Resource::Nofile).current?;
    if files < FEW_FILES {
        tracing::warn!(
            files,
            "the limit of open files is low: few sockets are taken"
        );
    }
    usize::try_from(files).ok()
}
