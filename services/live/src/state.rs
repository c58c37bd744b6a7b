//! The running bridge.

use std::{
    io,
    net::IpAddr,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread::JoinHandle,
};

use async_nats::Client;
use axum::extract::FromRef;
use tiffin_chassis::{
    BehindProxy, Network, Readiness, SupervisedTask, Verifier, files,
    slots::{Full, Slot, SlotLimits, Slots},
};
use tokio::sync::{self as channel, broadcast::error::RecvError, mpsc};
use tokio_util::sync::CancellationToken;

use crate::{
    broker_reader::BrokerReader,
    config::Config,
    hub::Hub,
    lookups::Lookups,
    messages::{AccountSockets, Command},
    positions::Positions,
    wire::dial::Servers,
};

/// The state of the route. Cheap to clone; all clones are one bridge.
#[derive(Clone, Debug)]
pub struct State(Arc<Bridge>);

#[derive(Debug)]
struct Bridge {
    config: Config,
    hubs: Vec<Hub>,
    threads: Mutex<Vec<JoinHandle<()>>>,
    next: AtomicUsize,
    /// The sockets of every network.
    networks: Slots<Option<IpAddr>>,
    shutdown: CancellationToken,
}

impl State {
    /// Starts the bridge. `client` is for reading and publishing; the hubs receive messages on their own
    /// connections. When `shutdown` is cancelled, sockets are closed with the reason.
    ///
    /// Must be called within a Tokio runtime.
    pub fn new(
        mut config: Config,
        client: Client,
        verifier: &Verifier,
        shutdown: CancellationToken,
    ) -> io::Result<Self> {
        // The other half is for requests, databases and the broker.
        config.limits.sockets = config.limits.sockets.min(files::limit_of_process() / 2);
        let accounts = AccountSockets::default();
        let reader = BrokerReader::new(client);
        let positions = Positions::start(reader.clone(), verifier.clock().clone());
        let servers = Arc::new(Servers::new(config.broker.clone()));
        let (mut hubs, mut threads) = (Vec::new(), Vec::new());
        for _ in 0..config.hubs {
            let (sender, questions) = mpsc::unbounded_channel();
            let (hub, thread) = Hub::start(config.limits, verifier, sender, accounts.clone())?;
            let lookups = Lookups {
                hub: hub.clone(),
                servers: Arc::clone(&servers),
                reader: reader.clone(),
                verifier: verifier.clone(),
                positions: positions.clone(),
            };
            let with = (lookups, Arc::new(channel::Mutex::new(questions)));
            let lookups = SupervisedTask::new("live lookups", with, |(lookups, questions)| {
                lookups.run(questions)
            });
            tokio::spawn(lookups.supervise(shutdown.clone()));
            hubs.push(hub);
            threads.push(thread);
        }
        let with = (hubs.clone(), verifier.clone(), shutdown.clone());
        let revocations =
            SupervisedTask::new("live revocations", with, |(hubs, verifier, shutdown)| {
                pass_on(hubs, verifier, shutdown)
            });
        tokio::spawn(revocations.supervise(shutdown.clone()));
        Ok(Self(Arc::new(Bridge {
            config,
            hubs,
            threads: Mutex::new(threads),
            next: AtomicUsize::new(0),
            networks: Slots::default(),
            shutdown,
        })))
    }

    /// Adds the bridge's readiness check.
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

    /// The number of open sockets.
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

    /// Takes a slot for one more socket of a network.
    pub(crate) fn take_slot(
        &self,
        Network(network): Network,
    ) -> Result<Slot<Option<IpAddr>>, Full> {
        let limits = self.0.config.limits;
        let slot_limits = SlotLimits {
            all: limits.sockets,
            each: limits.sockets.div_ceil(limits.network_share.max(1)),
        };
        self.0.networks.take(network, 1, slot_limits)
    }

    /// The hub of the next socket.
    pub(crate) fn next_hub(&self) -> &Hub {
        let next = self.0.next.fetch_add(1, Ordering::Relaxed);
        &self.0.hubs[next % self.0.hubs.len()]
    }
}

impl FromRef<State> for BehindProxy {
    fn from_ref(state: &State) -> Self {
        state.config().behind_proxy
    }
}

/// Passes revocations and the shutdown on to the hubs.
async fn pass_on(hubs: Vec<Hub>, verifier: Verifier, shutdown: CancellationToken) {
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
            hub.send(Command::Revoked(user));
        }
    }
    shutdown.cancelled().await;
    for hub in &hubs {
        hub.send(Command::Stop);
    }
}
