//! The service with its own database, a manual clock, and a folder for its mail.

use serde_json::{Value, json};
use tempfile::TempDir;
use tiffin_bus::{Consumer, Received};
use tiffin_chassis::Env;
use tiffin_events::{
    Clock, Envelope, Role, UserId,
    subject::{self, EventType},
};
use tiffin_notification::{MIGRATIONS, State, consumers, router, send_due, tasks};
use tiffin_testkit::{
    TestApp, TestDb, drain_outbox, exhaust_limit, mails_in, recorder, sample, token, verifier,
};
use time::macros::datetime;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

/// The accounts of the samples.
pub const CUSTOMER: UserId = UserId(Uuid::from_u128(0x0193_0000_0000_7000_8000_0000_0000_0001));
pub const OWNER: UserId = UserId(Uuid::from_u128(0x0193_0000_0000_7000_8000_0000_0000_0002));
pub const DRIVER: UserId = UserId(Uuid::from_u128(0x0193_0000_0000_7000_8000_0000_0000_0003));

pub struct Fixture {
    pub app: TestApp,
    pub state: State,
    pub db: TestDb,
    pub clock: Clock,
    pub consumers: Vec<Consumer>,
    env: Env,
    mail: TempDir,
}

impl Fixture {
    pub async fn start() -> Self {
        Self::start_with(&[]).await
    }

    pub async fn start_with(settings: &[(&str, &str)]) -> Self {
        let db = TestDb::new(&MIGRATIONS).await;
        let clock = Clock::manual(datetime!(2026-11-21 09:30 UTC));
        let mail = TempDir::new().unwrap();
        let mut env = Env::from_pairs([
            ("TIFFIN_MAIL_DIR", mail.path().to_str().unwrap()),
            ("TIFFIN_PUBLIC_URL", "https://tiffin.example/"),
        ]);
        for (name, value) in settings {
            env = env.with(name, *value);
        }
        let state = State::new(db.pool.clone(), verifier(&clock), recorder(&clock), &env).unwrap();
        let (routes, description) = router(state.clone()).split_for_parts();
        let consumers = consumers(&state);
        Self {
            app: TestApp::described(routes, &description).await,
            state,
            db,
            clock,
            consumers,
            env,
            mail,
        }
    }

    /// The state of another process of the service, on the same database.
    pub fn started_again(&self) -> State {
        let (pool, clock) = (self.db.pool.clone(), self.clock.clone());
        State::new(pool, verifier(&clock), recorder(&clock), &self.env).unwrap()
    }

    /// Starts the service with the customer, the owner and the driver of the samples.
    pub async fn with_accounts() -> Self {
        let fixture = Self::start().await;
        fixture.register(CUSTOMER, "Kamala", Role::Customer).await;
        fixture.register(OWNER, "Sunil", Role::Restaurant).await;
        fixture.register(DRIVER, "Ruwan", Role::Delivery).await;
        fixture
    }

    pub async fn register(&self, id: UserId, name: &str, role: Role) {
        let mut envelope = event("tiffin.user.registered.v1", 1);
        envelope.subject = id.0;
        envelope.data["userId"] = json!(id);
        envelope.data["firstName"] = json!(name);
        envelope.data["email"] = json!(format!("{}@tiffin.local", name.to_lowercase()));
        envelope.data["role"] = json!(role);
        assert!(self.deliver(&envelope).await);
    }

    /// Uses up an account's limit.
    pub async fn exhaust_limit(&self, name: &str, user: UserId) {
        exhaust_limit(&self.db.pool, self.clock.now(), name, user).await;
    }

    /// Delivers a later event of an account of the samples.
    pub async fn user_event(&self, name: &str, id: UserId, sequence: i64) {
        let mut envelope = event(&format!("tiffin.user.{name}.v1"), sequence);
        envelope.subject = id.0;
        envelope.data["userId"] = json!(id);
        assert!(self.deliver(&envelope).await);
    }

    /// Feeds an event to the consumer of its stream. True if the event was new.
    pub async fn deliver(&self, envelope: &Envelope) -> bool {
        self.deliver_as(envelope, None).await
    }

    pub async fn deliver_as(&self, envelope: &Envelope, replay: Option<&str>) -> bool {
        let aggregate = EventType::parse(&envelope.kind).aggregate;
        let subject = subject::every(aggregate);
        let consumer = self
            .consumers
            .iter()
            .find(|consumer| consumer.subjects.contains(&subject))
            .unwrap();
        let mut received = Received::new(envelope, 1).unwrap();
        received.replay = replay.map(Into::into);
        consumer.deliver(&received).await.unwrap()
    }

    /// The list that a user sees.
    pub async fn list(&self, user: UserId) -> Vec<Value> {
        let token = token(&self.clock, user, Role::Customer).sign();
        let body = self
            .app
            .get("/api/v1/notification")
            .token(&token)
            .await
            .expect(200);
        body.as_array().unwrap().clone()
    }

    /// The topics of a user's list, oldest first.
    pub async fn topics(&self, user: UserId) -> Vec<String> {
        let list = self.list(user).await;
        list.iter()
            .rev()
            .map(|one| one["topic"].as_str().unwrap().to_owned())
            .collect()
    }

    /// Sends the mail that is due, and returns all mails sent so far.
    pub async fn mails(&self) -> Vec<String> {
        send_due(&self.state).await.unwrap();
        self.sent()
    }

    /// Lets the service's own worker send until there are `count` mails, for ten seconds at most.
    pub async fn work_until_sent(&self, count: usize) -> Vec<String> {
        let shutdown = CancellationToken::new();
        let works = tasks(&self.state, &shutdown).into_iter();
        let works = works.map(|work| work.supervise(shutdown.clone()));
        let work = tokio::spawn(futures_util::future::join_all(works));
        for _ in 0..200 {
            if self.sent().len() >= count {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        shutdown.cancel();
        work.await.unwrap();
        self.sent()
    }

    /// All mails sent so far, oldest first.
    pub fn sent(&self) -> Vec<String> {
        mails_in(self.mail.path())
    }

    /// The events since the last call, as (name, payload).
    pub async fn events(&self) -> Vec<(String, Value)> {
        let short = |kind: &str| {
            kind.trim_start_matches("tiffin.notification.")
                .trim_end_matches(".v1")
                .to_owned()
        };
        drain_outbox(&self.db.pool)
            .await
            .into_iter()
            .map(|event| (short(&event.kind), event.data))
            .collect()
    }

    pub async fn event_names(&self) -> Vec<String> {
        self.events()
            .await
            .into_iter()
            .map(|(name, _)| name)
            .collect()
    }
}

/// A new event like the sample of its type, with this sequence.
pub fn event(kind: &str, sequence: i64) -> Envelope {
    Envelope {
        id: Clock::system().new_id(),
        sequence,
        ..sample(kind)
    }
}

/// The events of one order, from placing it to its delivery.
pub fn journey() -> Vec<Envelope> {
    let mut events = vec![
        event("tiffin.order.placed.v1", 1),
        event("tiffin.order.confirmed.v1", 2),
        event("tiffin.delivery.created.v1", 1),
        event("tiffin.delivery.on_the_way.v1", 2),
        event("tiffin.order.dispatched.v1", 3),
        event("tiffin.delivery.delivered.v1", 3),
        event("tiffin.order.delivered.v1", 4),
    ];
    for (minute, event) in (0..).zip(&mut events) {
        event.time = datetime!(2026-11-21 09:00 UTC) + time::Duration::minutes(minute);
    }
    events
}
