//! The asynchronous side of a hub: it looks up what the hub asks, and answers.

use std::sync::Arc;

use tiffin_chassis::{Claims, Verifier};
use tiffin_events::{Stream, subject};
use time::OffsetDateTime;
use tokio::sync::{Mutex, Semaphore, mpsc::UnboundedReceiver};

use crate::{
    audience,
    broker_reader::{BrokerReader, Unavailable},
    hub::Hub,
    messages::{Command, Identity, Opening, Question, Since},
    positions::Positions,
    refusal::Refusal,
    topic_key::TopicKey,
    wire::dial::{self, Servers},
};

/// The most questions that are looked up at once.
const MAX_LOOKUPS: usize = 128;

/// The connections that answering needs.
#[derive(Clone, Debug)]
pub struct Lookups {
    pub hub: Hub,
    pub servers: Arc<Servers>,
    pub reader: BrokerReader,
    pub verifier: Verifier,
    pub positions: Positions,
}

impl Lookups {
    /// Answers until the hub ends.
    pub async fn run(self, questions: Arc<Mutex<UnboundedReceiver<Question>>>) {
        let mut questions = questions.lock().await;
        // Two limits: where the broker answers slowly, subscriptions wait and sign-ins don't.
        let topics = Arc::new(Semaphore::new(MAX_LOOKUPS));
        let identities = Arc::new(Semaphore::new(MAX_LOOKUPS));
        while let Some(question) = questions.recv().await {
            let lookups = self.clone();
            match question {
                // These may take long, so they need no permit.
                Question::Dial => drop(tokio::spawn(async move { lookups.dial().await })),
                Question::Learn { info } => self.servers.learn(&info),
                Question::Drive {
                    socket,
                    user,
                    positions,
                } => drop(tokio::spawn(lookups.positions.receive(
                    lookups.hub,
                    socket,
                    user,
                    positions,
                ))),
                question => {
                    let is_identity = matches!(question, Question::Authenticate { .. });
                    let permits = if is_identity { &identities } else { &topics };
                    let permit = Arc::clone(permits).acquire_owned();
                    tokio::spawn(async move {
                        // The semaphore is never closed.
                        let _permit = permit.await;
                        lookups.answer(question).await;
                    });
                }
            }
        }
    }

    async fn dial(&self) {
        let dialled = dial::dial(&self.servers).await;
        self.hub.send(Command::Linked(dialled));
    }

    async fn answer(&self, question: Question) {
        match question {
            Question::Authenticate { socket, token } => {
                let identity = self.identify(&token).await;
                self.hub.send(Command::Authenticated { socket, identity });
            }
            Question::Open {
                socket,
                key,
                identity,
                since,
            } => {
                let opening = self.open(key, &identity, since).await;
                self.hub.send(Command::Opened {
                    socket,
                    key,
                    opening,
                });
            }
            Question::Recover { key, since, epoch } => {
                let opening = self.recover(key, since).await;
                let opening = opening
                    .inspect_err(|error| tracing::warn!(%error, %key, "the missed statuses of a topic can't be read; its watchers are closed"))
                    .ok();
                self.hub.send(Command::Recovered {
                    key,
                    epoch,
                    opening,
                });
            }
            // What can't be compared now is compared later.
            Question::Compare { key, since, epoch } => match self.recover(key, since).await {
                Ok(opening) => self.hub.send(Command::Recovered {
                    key,
                    epoch,
                    opening: Some(opening),
                }),
                Err(error) => {
                    tracing::debug!(%error, %key, "a topic can't be compared; the next comparison does it");
                }
            },
            Question::Dial | Question::Learn { .. } | Question::Drive { .. } => {}
        }
    }

    async fn identify(&self, token: &str) -> Result<Identity, String> {
        let claims = self.verifier.verify(token).await;
        let claims = claims.map_err(|error| error.to_string())?;
        if !claims.verified {
            return Err("Please verify your email first".to_owned());
        }
        if claims.enrol {
            return Err("Please turn on two-step sign-in first.".to_owned());
        }
        identity(&claims).ok_or_else(|| "The token is not valid.".to_owned())
    }

    async fn open(
        &self,
        key: TopicKey,
        identity: &Identity,
        since: Since,
    ) -> Result<Opening, Refusal> {
        let away = |error: Unavailable| {
            tracing::warn!(%error, %key, "a topic can't be opened; the client is refused");
            Refusal::Unavailable
        };
        let Some(audience_key) = key.audience_key() else {
            return Ok(Opening::default());
        };
        let entry = self.reader.entry(&audience_key).await.map_err(away)?;
        let entry: tiffin_events::audience::Audience = entry.ok_or(Refusal::NotAllowed)?;
        if !audience::may_watch(&entry, identity) {
            return Err(Refusal::NotAllowed);
        }
        let position = async {
            match key {
                TopicKey::Delivery(id) if entry.active => self.reader.position(id).await,
                _ => Ok(None),
            }
        };
        let (position, events) = tokio::join!(position, self.events(key, since));
        // A map without its first marker is better than none.
        let position = position.unwrap_or_else(|error| {
            tracing::warn!(%error, %key, "the last position can't be read; the next one shows the driver");
            None
        });
        Ok(Opening {
            audience: Some(entry),
            position,
            events: events.map_err(away)?,
        })
    }

    async fn recover(&self, key: TopicKey, since: Since) -> Result<Opening, Unavailable> {
        let audience = match key.audience_key() {
            Some(key) => self.reader.entry(&key).await?,
            None => None,
        };
        Ok(Opening {
            audience,
            position: None,
            events: self.events(key, since).await?,
        })
    }

    async fn events(
        &self,
        key: TopicKey,
        since: Since,
    ) -> Result<Vec<(u64, bytes::Bytes)>, Unavailable> {
        let (stream, filter) = match (key, since) {
            (_, Since::Nothing)
            | (
                TopicKey::Deliveries
                | TopicKey::Account(_)
                | TopicKey::Role(_)
                | TopicKey::Replay(_),
                _,
            ) => {
                return Ok(Vec::new());
            }
            (TopicKey::Delivery(id), _) => {
                (Stream::Deliveries, subject::every_of("delivery", id.0))
            }
            (TopicKey::Order(id), _) => (Stream::Orders, subject::every_of("order", id.0)),
        };
        self.reader.events(stream, &filter, since).await
    }
}

fn identity(claims: &Claims) -> Option<Identity> {
    let (seconds, nanoseconds) = claims.jti.get_timestamp()?.to_unix();
    let nanoseconds = i128::from(seconds) * 1_000_000_000 + i128::from(nanoseconds);
    Some(Identity {
        user: claims.sub,
        role: claims.role,
        operator: claims.operator,
        issued: OffsetDateTime::from_unix_timestamp_nanos(nanoseconds).ok()?,
        expires: OffsetDateTime::from_unix_timestamp(claims.exp).ok()?,
    })
}

#[cfg(test)]
mod tests {
    use tiffin_events::{Clock, OrderId, Role, UserId};
    use uuid::Uuid;

    use super::*;

    #[tokio::test]
    async fn a_sign_in_waits_for_no_lookup_of_a_topic() {
        let nats = async_nats::ConnectOptions::new().retry_on_initial_connect();
        let reader = BrokerReader::new(nats.connect("nats://127.0.0.1:1").await.unwrap());
        let clock = Clock::system();
        let (hub, received, socket) = Hub::without_a_thread().unwrap();
        let lookups = Lookups {
            hub,
            servers: Arc::new(Servers::new(Vec::new())),
            positions: Positions::start(reader.clone(), clock.clone()),
            reader,
            verifier: tiffin_testkit::verifier(&clock),
        };
        let (ask, questions) = tokio::sync::mpsc::unbounded_channel();
        tokio::spawn(lookups.run(Arc::new(Mutex::new(questions))));
        let identity = Identity {
            user: UserId(Uuid::from_u128(1)),
            role: Role::Customer,
            operator: false,
            issued: clock.now(),
            expires: clock.now(),
        };
        for n in 0..=MAX_LOOKUPS {
            let id = OrderId(Uuid::from_u128(n as u128));
            let open = Question::Open {
                socket,
                key: TopicKey::Order(id),
                identity,
                since: Since::Nothing,
            };
            ask.send(open).unwrap();
        }
        let token = "no token".to_owned();
        ask.send(Question::Authenticate { socket, token }).unwrap();
        let first = tokio::task::spawn_blocking(move || received.recv());
        let first = first.await.unwrap().unwrap();
        assert!(matches!(first, Command::Authenticated { .. }), "{first:?}");
    }
}
