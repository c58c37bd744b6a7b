//! A broker with a bridge or two, and what services and drivers would put into it.

use std::{
    collections::HashMap,
    sync::{
        Mutex,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

use serde_json::{Value, json};
use tiffin_chassis::{BehindProxy, Verifier};
use tiffin_events::{
    Clock, DeliveryId, OrderId, Role, UserId,
    audience::{self, Audience, DriverDeliveries},
    live::{DevicePosition, ServerFrame},
    subject,
};
use tiffin_live::{Config, Limits, State};
use tiffin_testkit::{LiveClient, TestApp, TestNats, token, verifier};
use time::OffsetDateTime;
use tokio_util::sync::{CancellationToken, DropGuard};
use uuid::Uuid;

pub struct Fixture {
    pub nats: TestNats,
    pub clock: Clock,
    pub verifier: Verifier,
    pub bridge: Bridge,
    /// The driver of each delivery, for positions.
    drivers: Mutex<HashMap<DeliveryId, UserId>>,
    /// The version of the last entry that was written.
    version: AtomicI64,
}

pub struct Bridge {
    pub app: TestApp,
    pub state: State,
    pub shutdown: CancellationToken,
    _guard: DropGuard,
}

impl Fixture {
    pub async fn new() -> Self {
        Self::with(Limits::default()).await
    }

    pub async fn with(limits: Limits) -> Self {
        let nats = TestNats::start().await;
        Self::on(nats, limits).await
    }

    pub async fn on(nats: TestNats, limits: Limits) -> Self {
        let clock = Clock::system();
        let verifier = verifier(&clock);
        let bridge = Bridge::start(&nats, &verifier, limits).await;
        Self::of(nats, clock, verifier, bridge)
    }

    /// A fixture whose bridge looks things up by this client.
    pub async fn with_lookup_client(nats: TestNats, lookups: async_nats::Client) -> Self {
        let clock = Clock::system();
        let verifier = verifier(&clock);
        let bridge = Bridge::start_with(&nats, &verifier, Limits::default(), lookups).await;
        Self::of(nats, clock, verifier, bridge)
    }

    /// A fixture whose bridge has the addresses of these servers, and looks things up on the fixture's own.
    pub async fn with_servers(nats: TestNats, servers: &[String]) -> Self {
        let clock = Clock::system();
        let verifier = verifier(&clock);
        let lookups = nats.broker.client.clone();
        let bridge = Bridge::start_on(servers, &verifier, Limits::default(), lookups).await;
        Self::of(nats, clock, verifier, bridge)
    }

    fn of(nats: TestNats, clock: Clock, verifier: Verifier, bridge: Bridge) -> Self {
        Self {
            nats,
            clock,
            verifier,
            bridge,
            drivers: Mutex::default(),
            version: AtomicI64::new(0),
        }
    }

    pub async fn another_bridge(&self) -> Bridge {
        Bridge::start(&self.nats, &self.verifier, Limits::default()).await
    }

    pub fn token(&self, user: UserId, role: Role) -> String {
        token(&self.clock, user, role).sign()
    }

    pub async fn connect(&self, user: UserId) -> LiveClient {
        self.connect_to(&self.bridge, user).await
    }

    pub async fn connect_as(&self, user: UserId, role: Role) -> LiveClient {
        LiveClient::connect(&self.bridge.app.live_url(), &self.token(user, role)).await
    }

    pub async fn connect_to(&self, bridge: &Bridge, user: UserId) -> LiveClient {
        let token = self.token(user, Role::Customer);
        LiveClient::connect(&bridge.app.live_url(), &token).await
    }

    /// Writes who may watch a delivery, as the delivery service does.
    pub async fn set_delivery(&self, id: DeliveryId, users: &[UserId], active: bool) {
        let entry = self.entry_of(id, users, active);
        self.store(
            &subject::audience(&audience::delivery_key(id)),
            &json!(entry),
        )
        .await;
    }

    /// A new version of a delivery's entry. The last of `users` is its driver.
    pub fn entry_of(&self, id: DeliveryId, users: &[UserId], active: bool) -> Audience {
        let driver = users.last().copied();
        if let Some(driver) = driver {
            self.drivers.lock().unwrap().insert(id, driver);
        }
        Audience {
            users: users.to_vec(),
            driver,
            active,
            version: self.version.fetch_add(1, Ordering::SeqCst) + 1,
        }
    }

    pub async fn set_order(&self, id: OrderId, users: &[UserId]) {
        let entry = Audience {
            users: users.to_vec(),
            driver: None,
            active: true,
            version: self.version.fetch_add(1, Ordering::SeqCst) + 1,
        };
        self.store(&subject::audience(&audience::order_key(id)), &json!(entry))
            .await;
    }

    pub async fn set_deliveries(&self, driver: UserId, deliveries: &[DeliveryId]) {
        let list = DriverDeliveries {
            deliveries: deliveries.to_vec(),
            version: self.version.fetch_add(1, Ordering::SeqCst) + 1,
        };
        self.store(
            &subject::audience(&audience::driver_key(driver)),
            &json!(list),
        )
        .await;
    }

    /// An event of an order, stored; its place in the stream.
    pub async fn order_event(&self, id: OrderId, name: &str) -> u64 {
        self.event("order", id.0, name).await
    }

    pub async fn delivery_event(&self, id: DeliveryId, name: &str) -> u64 {
        self.event("delivery", id.0, name).await
    }

    async fn event(&self, aggregate: &str, id: Uuid, name: &str) -> u64 {
        let kind = format!("tiffin.{aggregate}.{name}.v1");
        self.store(
            &subject::event(aggregate, id, name),
            &envelope(&kind, id, &json!({})),
        )
        .await
    }

    /// Tells a user of something, as the relay does.
    pub async fn notify(&self, user: UserId, kind: &str, data: &Value) {
        let body = envelope(kind, Uuid::nil(), data).to_string();
        let client = &self.nats.broker.client;
        client
            .publish(subject::hint(user), body.into())
            .await
            .unwrap();
        client.flush().await.unwrap();
    }

    /// Tells everyone of a role that something changed, as the relay does.
    pub async fn hint(&self, role: Role, kind: &str) {
        let body = envelope(kind, Uuid::nil(), &json!({})).to_string();
        let client = &self.nats.broker.client;
        client
            .publish(subject::role_hint(role), body.into())
            .await
            .unwrap();
        client.flush().await.unwrap();
    }

    /// Shows a frame of a replay, as the operator service does.
    pub async fn show(&self, id: Uuid, frame: &Value) {
        let client = &self.nats.broker.client;
        let body = frame.to_string().into();
        client.publish(subject::operation(id), body).await.unwrap();
        client.flush().await.unwrap();
    }

    /// A position as another bridge would publish it; stored when this returns.
    pub async fn position(&self, id: DeliveryId, lat: f64) {
        let driver = self.drivers.lock().unwrap().get(&id).copied();
        let driver = driver.unwrap_or(UserId(Uuid::nil()));
        self.position_of(driver, id, lat).await;
    }

    /// One that this driver has sent.
    pub async fn position_of(&self, driver: UserId, id: DeliveryId, lat: f64) {
        let data = json!({"deliveryId": id, "driverId": driver, "lat": lat, "lng": 79.85,
            "accuracy": 5.0, "heading": null, "speed": 7.5, "at": "2026-11-21T09:00:00Z"});
        let body = envelope("tiffin.position.updated.v1", id.0, &data);
        self.store(&subject::position(id), &body).await;
    }

    pub async fn store(&self, subject: &str, body: &Value) -> u64 {
        let body = body.to_string();
        let published = self
            .nats
            .broker
            .jetstream
            .publish(subject.to_owned(), body.into());
        published.await.unwrap().await.unwrap().sequence
    }
}

impl Bridge {
    async fn start(nats: &TestNats, verifier: &Verifier, limits: Limits) -> Self {
        Self::start_with(nats, verifier, limits, nats.broker.client.clone()).await
    }

    async fn start_with(
        nats: &TestNats,
        verifier: &Verifier,
        limits: Limits,
        client: async_nats::Client,
    ) -> Self {
        Self::start_on(&[nats.url()], verifier, limits, client).await
    }

    async fn start_on(
        servers: &[String],
        verifier: &Verifier,
        limits: Limits,
        client: async_nats::Client,
    ) -> Self {
        let config = Config {
            broker: servers.iter().map(|url| url.parse().unwrap()).collect(),
            origins: vec!["https://food.example".to_owned()],
            hubs: 1,
            limits,
            behind_proxy: BehindProxy(true),
        };
        let shutdown = CancellationToken::new();
        let state = State::new(config, client, verifier, shutdown.clone()).unwrap();
        Self {
            app: TestApp::start(tiffin_live::router(state.clone())).await,
            state,
            _guard: shutdown.clone().drop_guard(),
            shutdown,
        }
    }
}

pub fn envelope(kind: &str, subject: Uuid, data: &Value) -> Value {
    json!({
        "specversion": "1.0", "id": Uuid::from_u128(9), "source": "tiffin/test", "type": kind,
        "subject": subject, "time": "2026-11-21T09:00:00Z", "datacontenttype": "application/json",
        "sequence": 1, "actor": "test", "data": data,
    })
}

pub fn position(lat: f64, at: OffsetDateTime) -> DevicePosition {
    DevicePosition {
        delivery_id: None,
        lat,
        lng: 79.85,
        accuracy: Some(5.0),
        heading: None,
        speed: Some(7.5),
        at,
    }
}

pub fn user(n: u128) -> UserId {
    UserId(Uuid::from_u128(n))
}

/// The latitude of the next position.
pub async fn lat(client: &mut LiveClient) -> f64 {
    let frame = client
        .until(|frame| matches!(frame, ServerFrame::Position { .. }))
        .await;
    match frame {
        ServerFrame::Position { lat, .. } => lat,
        other => panic!("{other:?}"),
    }
}

/// The place in the stream of the next status.
pub async fn seq(client: &mut LiveClient) -> u64 {
    let frame = client
        .until(|frame| matches!(frame, ServerFrame::Event { .. }))
        .await;
    match frame {
        ServerFrame::Event { seq: Some(seq), .. } => seq,
        other => panic!("{other:?}"),
    }
}

/// Asserts that nothing more comes.
pub async fn silence(client: &mut LiveClient) {
    let frame = client.next_within(Duration::from_millis(300)).await;
    assert!(frame.is_none(), "{frame:?}");
}

/// The error that comes next.
pub async fn error(client: &mut LiveClient) -> String {
    match client.next().await {
        ServerFrame::Error { code, message } => {
            assert!(code.starts_with("live."), "{code}");
            message
        }
        other => panic!("{other:?}"),
    }
}

/// The refusal that comes next.
pub async fn refusal(client: &mut LiveClient) -> (String, String) {
    match client.next().await {
        ServerFrame::Refused {
            topic,
            code,
            message,
        } => {
            assert!(code.starts_with("live."), "{code}");
            (topic, message)
        }
        other => panic!("{other:?}"),
    }
}
