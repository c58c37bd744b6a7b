mod error;

use std::{sync::Arc, time::Duration};

use async_nats::{
    ConnectOptions, ServerAddr,
    connection::State,
    jetstream::{
        self, Message,
        consumer::{
            DeliverPolicy,
            pull::{Ordered, OrderedConfig},
        },
        context::GetStreamErrorKind,
        stream::Config,
    },
};
use futures_util::StreamExt;
use tiffin_archive::Archive;
use tiffin_events::{Clock, Stream, audience, revocation, rights};
use tracing::{info, warn};

pub use self::error::BrokerError;
use crate::{
    caps::{self, Caps},
    seal::Keys,
};

/// A connection to NATS with its JetStream context. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Broker {
    pub client: async_nats::Client,
    pub jetstream: jetstream::Context,
    /// The caps of streams that this process makes.
    pub caps: Arc<Caps>,
    /// The archive of its streams' old events, where there is one.
    pub archive: Option<Archive>,
    /// The keys of personal fields.
    pub keys: Keys,
}

/// The time-out of a request to the broker.
pub(crate) const REQUEST_TIMEOUT: Duration = Duration::from_secs(5);

impl Broker {
    /// Connects to one of the servers of `url`, which commas separate, and retries with back-off until it succeeds. Logs
    /// once what it waits for. A connection that is lost later is restored by the client. An invalid address is an error.
    pub async fn connect(url: &str, service: &str) -> Result<Self, BrokerError> {
        let servers = servers(url)?;
        let mut is_reported = false;
        let mut pause = Duration::from_millis(100);
        loop {
            match Self::options(&servers, service).connect(&servers).await {
                Ok(client) => {
                    if is_reported {
                        info!(service, "the broker is there");
                    }
                    return Ok(Self::from_client(client));
                }
                Err(error) => {
                    if !is_reported {
                        warn!(service, %error, "waiting for the broker");
                        is_reported = true;
                    }
                    tokio::time::sleep(pause).await;
                    pause = (pause * 2).min(Duration::from_secs(5));
                }
            }
        }
    }

    /// Begins to connect and returns at once. Requests fail until the broker is there. An invalid address is an error.
    pub async fn begin(url: &str, service: &str) -> Result<Self, BrokerError> {
        let servers = servers(url)?;
        let options = Self::options(&servers, service).retry_on_initial_connect();
        let client = options.connect(servers).await?;
        Ok(Self::from_client(client))
    }

    /// True while there is a connection.
    pub fn is_connected(&self) -> bool {
        self.client.connection_state() == State::Connected
    }

    /// Uses a connection that is there already.
    pub fn from_client(client: async_nats::Client) -> Self {
        let jetstream = jetstream::context::ContextBuilder::new()
            .timeout(REQUEST_TIMEOUT)
            .build(client.clone());
        Self {
            keys: Keys::new(client.clone()),
            client,
            jetstream,
            caps: Arc::default(),
            archive: None,
        }
    }

    fn options(servers: &[ServerAddr], service: &str) -> ConnectOptions {
        // The client takes no user and password from an address by itself.
        let user = servers
            .iter()
            .find_map(|address| Some((address.username()?, address.password()?)));
        // A user of Tiffin's gets answers in an inbox that no other may subscribe to.
        let inbox = user
            .and_then(|(user, _)| rights::inbox(user))
            .unwrap_or_else(|| "_INBOX".to_owned());
        let options = user.map_or_else(ConnectOptions::new, |(user, password)| {
            ConnectOptions::with_user_and_password(user.to_owned(), password.to_owned())
        });
        options
            .name(format!("tiffin/{service}"))
            .custom_inbox_prefix(inbox)
            .connection_timeout(Duration::from_secs(3))
            .ping_interval(Duration::from_secs(10))
            .max_reconnects(None)
            .reconnect_delay_callback(|attempt| {
                let exponent = u32::try_from(attempt.min(6)).unwrap_or(6);
                Duration::from_millis(50 * 2_u64.pow(exponent))
            })
    }

    /// The same connection, which makes streams with these limits.
    #[must_use]
    pub fn with_caps(mut self, caps: Caps) -> Self {
        self.caps = Arc::new(caps);
        self
    }

    /// The same connection, which reads from this archive what is no longer in its stream.
    #[must_use]
    pub fn with_archive(mut self, archive: Option<Archive>) -> Self {
        self.archive = archive;
        self
    }

    /// The same connection, with the keys of the service that keeps them.
    #[must_use]
    pub fn with_keys(mut self, keys: Keys) -> Self {
        self.keys = keys;
        self
    }

    /// Makes the streams and the audience bucket that are missing, and brings the others to their
    /// configuration, but to no less room than they have. A few processes may do so at once. Takes the
    /// rights to administer streams.
    pub async fn prepare(&self) -> Result<(), BrokerError> {
        for wanted in self.configs() {
            if let Some(found) = self.config_of(&wanted.name).await? {
                let config = caps::widened(wanted, &found);
                self.jetstream.update_stream(config).await?;
            } else {
                self.create(wanted).await?;
            }
        }
        Ok(())
    }

    /// Makes the streams that are missing and leaves the others as they are: the rights to make streams
    /// are enough.
    pub async fn restore(&self) -> Result<(), BrokerError> {
        for wanted in self.configs() {
            if self.config_of(&wanted.name).await?.is_none() {
                self.create(wanted).await?;
            }
        }
        Ok(())
    }

    /// Makes a stream, which goes on behind its archive: an event keeps its stream sequence there.
    async fn create(&self, mut config: Config) -> Result<(), BrokerError> {
        if let Some(archive) = &self.archive
            && let Ok(stream) = config.name.parse::<Stream>()
            && let Some(end) = archive.end(stream).await?
        {
            config.first_sequence = Some(end + 1);
        }
        self.jetstream.create_stream(config).await?;
        Ok(())
    }

    /// Every stream's configuration; revocations come last.
    fn configs(&self) -> impl Iterator<Item = Config> {
        Stream::ALL
            .into_iter()
            .map(stream_config)
            .chain([audience_config(), revocations_config()])
            .map(|mut config| {
                self.caps.apply(&mut config);
                config
            })
    }

    /// True if the streams exist. Only the one that is made last is checked.
    pub async fn is_prepared(&self) -> Result<bool, BrokerError> {
        let last = self.config_of(revocation::STREAM).await?;
        Ok(last.is_some())
    }

    /// True if the broker has the stream; it has none after it lost its disk.
    pub async fn holds(&self, stream: Stream) -> Result<bool, BrokerError> {
        Ok(self.config_of(stream.name()).await?.is_some())
    }

    /// The first stream sequence that a stream still has; one more than its last if it is empty.
    pub(crate) async fn first_sequence(&self, stream: Stream) -> Result<u64, BrokerError> {
        let handle = self.jetstream.get_stream(stream.name()).await?;
        Ok(handle.cached_info().state.first_sequence)
    }

    /// The last stream sequence of a stream that is archived; 0 if nothing is.
    pub(crate) async fn archived_end(&self, stream: Stream) -> Result<u64, BrokerError> {
        match &self.archive {
            Some(archive) if stream.is_archived() => {
                Ok(archive.end(stream).await?.unwrap_or_default())
            }
            _ => Ok(0),
        }
    }

    /// The configuration of a stream at the broker; `None` if there is no such stream.
    async fn config_of(&self, stream: &str) -> Result<Option<Config>, BrokerError> {
        match self.jetstream.get_stream(stream).await {
            Ok(found) => Ok(Some(found.cached_info().config.clone())),
            Err(error) => match error.kind() {
                GetStreamErrorKind::JetStream(error) if error.code() == 404 => Ok(None),
                _ => Err(error.into()),
            },
        }
    }

    /// Fails unless the broker answers now.
    pub async fn ping(&self) -> Result<(), BrokerError> {
        if !self.is_connected() {
            return Err(BrokerError::NotConnected);
        }
        let asked = self.jetstream.query_account();
        let answer = tokio::time::timeout(REQUEST_TIMEOUT, asked).await;
        answer.map_err(|_| BrokerError::Silent)??;
        Ok(())
    }
}

/// The addresses of servers, which commas separate. The first user and password hold for all of them.
fn servers(text: &str) -> Result<Vec<ServerAddr>, BrokerError> {
    let read = |(nth, address): (usize, &str)| {
        let place = nth + 1;
        let address = address.trim().parse();
        address.map_err(|error| BrokerError::Address { place, error })
    };
    text.split(',').enumerate().map(read).collect()
}

impl Broker {
    /// The headers of a stream's messages, in order, and how many of them there are now.
    pub(crate) async fn headers(
        &self,
        stream: &str,
        deliver_policy: DeliverPolicy,
        filter_subject: String,
    ) -> Result<(u64, Ordered), BrokerError> {
        let stream = self.jetstream.get_stream_no_info(stream).await?;
        let config = OrderedConfig {
            name: Some(reader_name()),
            deliver_policy,
            filter_subject,
            headers_only: true,
            ..OrderedConfig::default()
        };
        let mut consumer = stream.create_consumer(config).await?;
        let info = consumer.info().await?;
        let count = info.num_pending;
        let messages = consumer.messages().await?;
        Ok((count, messages))
    }
}

/// The next message of a reader.
pub(crate) async fn next_of(messages: &mut Ordered) -> Result<Message, BrokerError> {
    let next = messages.next().await;
    Ok(next.ok_or(BrokerError::Ended("the stream"))??)
}

/// A name for a consumer that only reads and that the broker deletes soon after. A service may only create consumers
/// with a name, so that the broker can refuse those of others.
pub(crate) fn reader_name() -> String {
    format!("reader_{}", Clock::system().new_id().simple())
}

/// The time for which the broker knows the ids of messages that relays publish. Zero is the broker's own, two minutes.
const DUPLICATE_WINDOW: Duration = Duration::from_secs(30);

/// The server's configuration of a stream.
fn stream_config(stream: Stream) -> Config {
    use jetstream::stream::{DiscardPolicy, PersistenceMode, Republish};
    Config {
        name: stream.name().to_owned(),
        subjects: stream
            .subjects()
            .iter()
            .map(|subject| (*subject).to_owned())
            .collect(),
        max_bytes: stream.max_bytes(),
        max_age: stream.max_age().unwrap_or_default(),
        discard: if stream == Stream::Positions {
            DiscardPolicy::Old
        } else {
            DiscardPolicy::New
        },
        num_replicas: 1,
        // A relay that repeats a batch later is refused by the stream's last sequence. The broker keeps every id of
        // the window in memory.
        duplicate_window: if stream.is_history() {
            DUPLICATE_WINDOW
        } else {
            Duration::ZERO
        },
        // The server lets an update turn these on, and none turns them off.
        deny_delete: !stream.deletes_messages(),
        deny_purge: !stream.is_archived(),
        allow_direct: true,
        allow_atomic_publish: stream.is_history(),
        // A position is worth nothing a second later: it need not wait for the disk.
        persist_mode: (stream == Stream::Positions).then_some(PersistenceMode::Async),
        republish: stream.is_repeated_live().then(|| Republish {
            source: "tiffin.>".to_owned(),
            destination: "live.>".to_owned(),
            headers_only: false,
        }),
        ..Config::default()
    }
}

/// The stream behind the audience bucket: a key-value bucket's, with atomic batches.
fn audience_config() -> Config {
    use jetstream::stream::DiscardPolicy;
    Config {
        name: format!("KV_{}", audience::BUCKET),
        subjects: vec![tiffin_events::subject::audience(">")],
        max_messages_per_subject: 1,
        max_bytes: 1024 * 1024 * 1024,
        // Every change writes an entry again. What is over goes sooner, by a time of each message.
        max_age: Duration::from_hours(30 * 24),
        discard: DiscardPolicy::New,
        num_replicas: 1,
        allow_message_ttl: true,
        allow_rollup: true,
        deny_delete: true,
        allow_direct: true,
        allow_atomic_publish: true,
        ..Config::default()
    }
}

/// The stream of revocations: the last one of each user, for as long as a token lives.
fn revocations_config() -> Config {
    use jetstream::stream::DiscardPolicy;
    Config {
        name: revocation::STREAM.to_owned(),
        subjects: vec![revocation::SUBJECTS.to_owned()],
        max_messages_per_subject: 1,
        max_bytes: revocation::MAX_BYTES,
        max_age: revocation::KEPT,
        discard: DiscardPolicy::Old,
        num_replicas: 1,
        allow_direct: true,
        allow_atomic_publish: true,
        ..Config::default()
    }
}

/// A stream sequence as the database keeps it.
pub(crate) fn in_sql(stream_sequence: u64) -> i64 {
    i64::try_from(stream_sequence).unwrap_or(i64::MAX)
}
