//! The service on a fresh database, with the accounts of these tests.

#![expect(
    clippy::unwrap_used,
    reason = "a failure in here is the failure of the test that called"
)]

use serde_json::{Value, json};
use sqlx::PgPool;
use tiffin_bus::{Consumer, Received};
use tiffin_events::{
    Clock, Envelope, Role, UserId,
    user::{UserEvent, UserProfileV1, UserRefV1},
};
use tiffin_restaurant::{MIGRATIONS, State, consumers, router};
use tiffin_testkit::{
    Answer, OutboxRow, TestApp, TestDb, drain_rows, exhaust_limit, recorder, token, verifier,
};
use uuid::Uuid;

pub const ADMIN: UserId = UserId(Uuid::from_u128(1));
pub const OWNER: UserId = UserId(Uuid::from_u128(2));
pub const OTHER: UserId = UserId(Uuid::from_u128(3));
pub const CUSTOMER: UserId = UserId(Uuid::from_u128(4));
pub const NEIGHBOUR: UserId = UserId(Uuid::from_u128(5));

pub struct Fixture {
    pub app: TestApp,
    pub pool: PgPool,
    clock: Clock,
    users: Consumer,
}

impl Fixture {
    pub async fn new() -> Self {
        let (db, clock) = (TestDb::new(&MIGRATIONS).await, Clock::system());
        let state = State::new(
            db.pool.clone(),
            verifier(&clock),
            recorder(&clock),
            &tiffin_chassis::Env::default(),
        )
        .unwrap();
        let users = consumers(&state).pop().unwrap();
        let (routes, description) = router(state).split_for_parts();
        let app = TestApp::described(routes, &description).await;
        Self {
            app,
            pool: db.pool,
            clock,
            users,
        }
    }

    pub fn token(&self, user: UserId) -> String {
        let role = match user {
            ADMIN => Role::Admin,
            CUSTOMER | NEIGHBOUR => Role::Customer,
            _ => Role::Restaurant,
        };
        token(&self.clock, user, role).sign()
    }

    /// An event of the user service about an account, with this `sequence`.
    pub async fn deliver_event(&self, user: UserId, sequence: i64, event: UserEvent) {
        let envelope =
            Envelope::new(&self.clock, user.0, sequence, user.to_string(), &event).unwrap();
        let received = Received::new(&envelope, 1).unwrap();
        assert!(self.users.deliver(&received).await.unwrap());
    }

    /// Uses up an account's limit.
    pub async fn exhaust_limit(&self, name: &str, user: UserId) {
        exhaust_limit(&self.pool, self.clock.now(), name, user).await;
    }

    pub fn users(&self) -> &Consumer {
        &self.users
    }

    /// A new restaurant of OWNER's.
    pub async fn restaurant(&self) -> String {
        let call = self
            .app
            .post("/api/v1/restaurant")
            .token(&self.token(OWNER))
            .json(&form());
        id(&call.await.expect(201)["restaurant"])
    }

    /// A new dish of OWNER's, not approved.
    pub async fn item(&self, restaurant: &str) -> String {
        let call = self
            .app
            .post("/api/v1/collection")
            .token(&self.token(OWNER))
            .json(&dish(restaurant));
        id(&call.await.expect(201)["item"])
    }

    pub async fn approve(&self, item: &str) {
        let path = format!("/api/v1/collection/isApprove/{item}");
        self.app
            .post(&path)
            .token(&self.token(ADMIN))
            .await
            .expect(200);
    }

    /// A new dish that everybody sees.
    pub async fn dish(&self) -> String {
        let item = self.item(&self.restaurant().await).await;
        self.approve(&item).await;
        item
    }

    /// The answer to an account, or to a caller without one.
    pub async fn get(&self, path: &str, user: Option<UserId>) -> Answer {
        let call = self.app.get(path);
        match user {
            Some(user) => call.token(&self.token(user)).await,
            None => call.await,
        }
    }

    /// A list as an account sees it, or a caller without one.
    pub async fn list(&self, path: &str, user: Option<UserId>) -> Vec<Value> {
        self.get(path, user).await.expect_as(200)
    }

    pub async fn review(&self, user: UserId, body: &Value) -> Answer {
        let call = self.app.post("/api/v1/reviews").token(&self.token(user));
        call.json(body).await
    }

    pub async fn approve_review(&self, review: &str) {
        let path = format!("/api/v1/reviews/approve/{review}");
        let call = self.app.put(&path).token(&self.token(ADMIN));
        call.await.expect(200);
    }

    /// The types, sequences and audiences of the events since the last call.
    pub async fn published(&self) -> Vec<(String, i64, Vec<UserId>)> {
        let rows = drain_rows(&self.pool).await.into_iter();
        rows.map(|OutboxRow { body, audience, .. }| {
            let kind = body["type"]
                .as_str()
                .unwrap()
                .trim_start_matches("tiffin.")
                .to_owned();
            (kind, body["sequence"].as_i64().unwrap(), audience)
        })
        .collect()
    }
}

pub fn form() -> Value {
    json!({
        "name": "Galle Face Kitchen",
        "address": "1 Galle Road, Colombo 03",
        "phone": "+94112345678",
        "description": "Kottu by the sea",
        "images": ["/storage/v1/object/public/images/1-kitchen.webp"],
        "lat": 6.9271,
        "lng": 79.8424,
    })
}

pub fn dish(restaurant: &str) -> Value {
    json!({
        "restaurantId": restaurant,
        "name": "Chicken kottu",
        "price": 1250.5,
        "category": "familyMeals",
        "description": "For four",
        "available": true,
        "images": [],
    })
}

pub fn four_stars(item: &str) -> Value {
    json!({ "productId": item, "rating": 4, "comment": " Crisp. " })
}

pub fn id(thing: &Value) -> String {
    thing["_id"].as_str().unwrap().to_owned()
}

/// A new account.
pub fn registered(user: UserId, first_name: &str) -> UserEvent {
    UserEvent::Registered(UserProfileV1 {
        user_id: user,
        email: "owner@example.com".to_owned(),
        role: Role::Restaurant,
        first_name: first_name.to_owned(),
        last_name: "Silva".to_owned(),
        phone: "0771234567".to_owned(),
        address: "2 Galle Road".to_owned(),
        image: None,
        lat: None,
        lng: None,
        verified: true,
    })
}

pub fn user_ref(user: UserId) -> UserRefV1 {
    UserRefV1 {
        user_id: user,
        role: Role::Restaurant,
    }
}
