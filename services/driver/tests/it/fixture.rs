//! The service on a fresh database, with the accounts of these tests.

#![expect(
    clippy::unwrap_used,
    reason = "a failure in here is the failure of the test that called"
)]

use serde_json::{Value, json};
use sqlx::PgPool;
use tiffin_bus::{BatchConsumer, Consumer, Received};
use tiffin_chassis::Env;
use tiffin_driver::{MIGRATIONS, State, batches, consumers, router};
use tiffin_events::{
    Clock, DeliveryId, Envelope, Event, RestaurantId, Role, UserId,
    position::{PositionEvent, PositionUpdatedV1},
    restaurant::{RestaurantEvent, RestaurantProfileV1},
    user::{UserEvent, UserProfileV1, UserRefV1},
};
use tiffin_testkit::{TestApp, TestDb, drain_rows, exhaust_limit, recorder, token, verifier};
use uuid::Uuid;

use crate::fake_user_service::{FakeUserService, KEY};

pub struct Fixture {
    pub app: TestApp,
    pub pool: PgPool,
    pub users: FakeUserService,
    pub consumer: Consumer,
    pub catalogue: Consumer,
    pub positions: BatchConsumer,
    clock: Clock,
    _user_app: TestApp,
}

impl Fixture {
    pub async fn start() -> Self {
        Self::start_with_key(KEY).await
    }

    pub async fn start_with_key(key: &str) -> Self {
        Self::start_with(&[("TIFFIN_SERVICE_KEY", key)]).await
    }

    pub async fn start_behind_a_proxy() -> Self {
        Self::start_with(&[("TIFFIN_SERVICE_KEY", KEY), ("TIFFIN_BEHIND_PROXY", "true")]).await
    }

    async fn start_with(settings: &[(&'static str, &str)]) -> Self {
        let (db, clock, users) = (
            TestDb::new(&MIGRATIONS).await,
            Clock::system(),
            FakeUserService::default(),
        );
        let user_app = users.start().await;
        let user_url = ("TIFFIN_USER_URL", user_app.url.as_str());
        let internal = ("TIFFIN_USER_INTERNAL_URL", user_app.url.as_str());
        let env = Env::from_pairs(settings.iter().copied().chain([user_url, internal]));
        let state = State::new(db.pool.clone(), verifier(&clock), recorder(&clock), &env).unwrap();
        let mut consumers = consumers(&state);
        let consumer = consumers.pop().unwrap();
        let catalogue = consumers.pop().unwrap();
        let positions = batches(&state).pop().unwrap();
        let (routes, description) = router(state).split_for_parts();
        let app = TestApp::described(routes, &description).await;
        Self {
            app,
            pool: db.pool,
            users,
            consumer,
            catalogue,
            positions,
            clock,
            _user_app: user_app,
        }
    }

    pub fn token(&self, user: UserId, role: Role) -> String {
        token(&self.clock, user, role).sign()
    }

    pub fn admin(&self) -> String {
        self.token(UserId(Uuid::from_u128(1)), Role::Admin)
    }

    /// An event of the user service about an account, with this `sequence`.
    pub async fn deliver_user_event(&self, user: UserId, sequence: i64, event: UserEvent) {
        let envelope = self.envelope(user.0, sequence, &event);
        let received = Received::new(&envelope, 1).unwrap();
        assert!(self.consumer.deliver(&received).await.unwrap());
    }

    /// An event of the restaurant service about a restaurant, with this `sequence`.
    pub async fn deliver_restaurant_event(
        &self,
        restaurant: RestaurantId,
        sequence: i64,
        event: RestaurantEvent,
    ) {
        let envelope = self.envelope(restaurant.0, sequence, &event);
        let received = Received::new(&envelope, 1).unwrap();
        assert!(self.catalogue.deliver(&received).await.unwrap());
    }

    /// A restaurant of this owner; returns its id.
    pub async fn create_restaurant(
        &self,
        owner: UserId,
        verified: bool,
        place: (f64, f64),
    ) -> RestaurantId {
        let id = RestaurantId(self.clock.new_id());
        let event = RestaurantEvent::Created(restaurant(id, owner, verified, place));
        self.deliver_restaurant_event(id, 1, event).await;
        id
    }

    /// Uses up an account's limit.
    pub async fn exhaust_limit(&self, name: &str, user: UserId) {
        exhaust_limit(&self.pool, self.clock.now(), name, user).await;
    }

    fn envelope<E: Event>(&self, subject: Uuid, sequence: i64, event: &E) -> Envelope {
        Envelope::new(&self.clock, subject, sequence, subject.to_string(), event).unwrap()
    }

    /// A driver's position in the stream, `seconds` from now by the device's clock.
    pub async fn deliver_position(&self, driver: UserId, lat: f64, lng: f64, seconds: i64) {
        let delivery_id = DeliveryId(self.clock.new_id());
        let at = self.clock.now() + time::Duration::seconds(seconds);
        let event = PositionEvent::Updated(PositionUpdatedV1 {
            delivery_id,
            driver_id: driver,
            lat,
            lng,
            accuracy: None,
            heading: None,
            speed: None,
            at,
        });
        let envelope = self.envelope(delivery_id.0, 1, &event);
        let received = Received::new(&envelope, 1).unwrap();
        let batch = [received];
        // What comes again changes nothing.
        for _ in 0..2 {
            self.positions.deliver(&batch).await.unwrap();
        }
    }

    /// Signs up with this e-mail address and answers with the id.
    pub async fn register(&self, email: &str) -> UserId {
        let answer = self
            .app
            .post("/api/v1/driver")
            .json(&form(email))
            .await
            .expect(201);
        answer["driver"]["id"].as_str().unwrap().parse().unwrap()
    }

    pub async fn update(&self, id: UserId, change: Value) -> Value {
        let token = self.token(id, Role::Delivery);
        self.app
            .put(&format!("/api/v1/driver/{id}"))
            .token(&token)
            .json(&change)
            .await
            .expect(200)["driver"]
            .clone()
    }

    /// The types and sequences of the events since the last call.
    pub async fn published(&self) -> Vec<(String, i64)> {
        let rows = drain_rows(&self.pool).await.into_iter();
        rows.map(|row| {
            assert!(
                !row.body.to_string().contains("901234567V"),
                "an identity number got out"
            );
            let kind = row.body["type"]
                .as_str()
                .unwrap()
                .trim_start_matches("tiffin.driver.")
                .to_owned();
            (kind, row.body["sequence"].as_i64().unwrap())
        })
        .collect()
    }
}

pub fn form(email: &str) -> Value {
    json!({
        "email": email,
        "password": "Tiffin@2026",
        "firstName": "Kasun",
        "lastName": "Fernando",
        "address": "5 Union Place",
        "phone": "0777654321",
        "image": "/storage/v1/object/public/images/1-kasun.webp",
        "vehicleType": "Bike",
        "drNic": "901234567v",
        "role": "admin",
    })
}

/// The user service's event of a sign-up with [`form`].
pub fn profile(user: UserId, email: &str) -> UserProfileV1 {
    UserProfileV1 {
        user_id: user,
        email: email.to_owned(),
        role: Role::Delivery,
        first_name: "Kasun".to_owned(),
        last_name: "Fernando".to_owned(),
        phone: "0777654321".to_owned(),
        address: "5 Union Place".to_owned(),
        image: None,
        lat: None,
        lng: None,
        verified: false,
    }
}

pub fn restaurant(
    id: RestaurantId,
    owner: UserId,
    verified: bool,
    (lat, lng): (f64, f64),
) -> RestaurantProfileV1 {
    RestaurantProfileV1 {
        restaurant_id: id,
        owner_id: owner,
        name: "Kottu Corner".to_owned(),
        address: "4 Marine Drive".to_owned(),
        phone: "+94112345678".to_owned(),
        description: String::new(),
        images: Vec::new(),
        is_open: true,
        verified,
        lat: Some(lat),
        lng: Some(lng),
        answer_minutes: None,
    }
}

pub fn user_ref(user: UserId) -> UserRefV1 {
    UserRefV1 {
        user_id: user,
        role: Role::Delivery,
    }
}
