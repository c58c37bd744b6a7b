//! A restaurant, a customer, its owner, two drivers and an administrator, all known to the delivery
//! service from events alone.

use std::{collections::HashMap, sync::Mutex};

use serde_json::{Value, json};
use tiffin_bus::{Consumer, Received};
use tiffin_chassis::Revocations;
use tiffin_delivery::State;
use tiffin_events::{
    CheckoutId, Clock, Envelope, Event, ItemId, Money, OrderId, RestaurantId, Role, Stream, UserId,
    driver::{DriverEvent, DriverProfileV1, VehicleType},
    order::{OrderConfirmedV1, OrderEvent, OrderPlacedV1, OrderRefV1},
    restaurant::{RestaurantEvent, RestaurantProfileV1},
    user::{UserEvent, UserProfileV1},
};
use tiffin_testkit::{
    Answer, TestApp, TestDb, TestRouter, drain_outbox, exhaust_limit, recorder, token, verifier,
};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

pub struct Fixture {
    pub app: TestApp,
    pub db: TestDb,
    pub clock: Clock,
    pub customer: UserId,
    pub owner: UserId,
    pub driver: UserId,
    pub other_driver: UserId,
    pub admin: UserId,
    pub restaurant: RestaurantId,
    pub state: State,
    pub revocations: Revocations,
    consumers: Vec<Consumer>,
    sequences: Mutex<HashMap<(&'static str, Uuid), i64>>,
}

impl Fixture {
    /// With a broker that does not answer: nothing here may depend on it.
    pub async fn new() -> Self {
        let nats = async_nats::ConnectOptions::new().retry_on_initial_connect();
        Self::with(nats.connect("nats://127.0.0.1:1").await.unwrap()).await
    }

    pub async fn with(nats: async_nats::Client) -> Self {
        Self::configured(nats, &tiffin_chassis::Env::default()).await
    }

    /// With a router.
    pub async fn routed(router: &TestRouter) -> Self {
        let nats = async_nats::ConnectOptions::new().retry_on_initial_connect();
        let nats = nats.connect("nats://127.0.0.1:1").await.unwrap();
        let env = tiffin_chassis::Env::default().with("TIFFIN_ROUTER_URL", router.urls());
        Self::configured(nats, &env).await
    }

    async fn configured(nats: async_nats::Client, env: &tiffin_chassis::Env) -> Self {
        let db = TestDb::new(&tiffin_delivery::MIGRATIONS).await;
        let clock = Clock::system();
        let verifier = verifier(&clock);
        let revocations = verifier.revocations().clone();
        let state = State::new(db.pool.clone(), verifier, recorder(&clock), nats, env).unwrap();
        let (routes, description) = tiffin_delivery::router(state.clone()).split_for_parts();
        let user = || UserId(clock.new_id());
        let fixture = Self {
            app: TestApp::described(routes, &description).await,
            db,
            customer: user(),
            owner: user(),
            driver: user(),
            other_driver: user(),
            admin: user(),
            restaurant: RestaurantId(clock.new_id()),
            consumers: tiffin_delivery::consumers(&state),
            state,
            revocations,
            clock,
            sequences: Mutex::default(),
        };
        fixture
            .account(fixture.customer, Role::Customer, "Nimal")
            .await;
        fixture
            .account(fixture.owner, Role::Restaurant, "Kamala")
            .await;
        fixture
            .account(fixture.driver, Role::Delivery, "Sunil")
            .await;
        fixture
            .account(fixture.other_driver, Role::Delivery, "Ajith")
            .await;
        let kottu_corner = Self::restaurant_of(fixture.restaurant, fixture.owner);
        fixture
            .deliver_event(
                fixture.restaurant.0,
                &RestaurantEvent::Created(kottu_corner),
            )
            .await;
        fixture
    }

    /// The next event of an aggregate, fed to the consumer that takes it.
    pub async fn deliver_event<E: Event>(&self, id: Uuid, event: &E) {
        self.deliver_caused(id, event, None).await;
    }

    /// The same, for an event that may follow from another.
    pub async fn deliver_caused<E: Event>(&self, id: Uuid, event: &E, causation: Option<Uuid>) {
        let mut received = self.received(id, event);
        received.envelope.causationid = causation;
        let consumer = self
            .consumers
            .iter()
            .find(|consumer| consumer.stream == E::STREAM)
            .unwrap();
        assert!(
            consumer.deliver(&received).await.unwrap(),
            "{}",
            event.kind()
        );
    }

    fn received<E: Event>(&self, id: Uuid, event: &E) -> Received {
        let sequence = {
            let mut sequences = self.sequences.lock().unwrap();
            let sequence = sequences.entry((E::AGGREGATE, id)).or_default();
            *sequence += 1;
            *sequence
        };
        let envelope =
            Envelope::new(&self.clock, id, sequence, "tiffin/test".to_owned(), event).unwrap();
        Received::new(&envelope, 1).unwrap()
    }

    /// Uses up an account's limit.
    pub async fn exhaust_limit(&self, name: &str, user: UserId) {
        exhaust_limit(&self.db.pool, self.clock.now(), name, user).await;
    }

    pub async fn account(&self, id: UserId, role: Role, name: &str) {
        let profile = UserProfileV1 {
            user_id: id,
            email: format!("{}@example.com", name.to_lowercase()),
            role,
            first_name: name.to_owned(),
            last_name: "Perera".to_owned(),
            phone: "+94771234567".to_owned(),
            address: String::new(),
            image: None,
            lat: None,
            lng: None,
            verified: true,
        };
        self.deliver_event(id.0, &UserEvent::Registered(profile))
            .await;
    }

    /// A driver who takes deliveries.
    pub async fn available(&self, driver_id: UserId) {
        self.available_with(driver_id, VehicleType::Bike).await;
    }

    pub async fn available_with(&self, driver_id: UserId, vehicle_type: VehicleType) {
        let profile = DriverProfileV1 {
            driver_id,
            vehicle_type,
            is_available: true,
        };
        self.deliver_event(driver_id.0, &DriverEvent::Registered(profile))
            .await;
    }

    pub fn restaurant_of(restaurant_id: RestaurantId, owner_id: UserId) -> RestaurantProfileV1 {
        RestaurantProfileV1 {
            restaurant_id,
            owner_id,
            name: "Kottu Corner".to_owned(),
            address: "4 Marine Drive, Colombo 04".to_owned(),
            phone: "+94112345678".to_owned(),
            description: String::new(),
            images: Vec::new(),
            is_open: true,
            verified: true,
            lat: Some(6.8935),
            lng: Some(79.8525),
            answer_minutes: None,
        }
    }

    /// An order of the customer's, placed just now.
    pub async fn placed(&self) -> OrderRefV1 {
        self.placed_at(self.restaurant, self.owner).await
    }

    /// The same, at another restaurant.
    pub async fn placed_at(&self, restaurant_id: RestaurantId, owner_id: UserId) -> OrderRefV1 {
        let checkout_id = CheckoutId(self.clock.new_id());
        self.placed_in(checkout_id, restaurant_id, owner_id).await
    }

    /// So many deliveries of one ticket that the driver was given just now; the events of them are forgotten.
    pub async fn ticket(&self, count: usize) -> Vec<OrderRefV1> {
        let checkout_id = CheckoutId(self.clock.new_id());
        let mut orders = Vec::new();
        for _ in 0..count {
            let order = self.placed_in(checkout_id, self.restaurant, self.owner);
            orders.push(order.await);
        }
        let time = self.half_an_hour_from_now();
        for order in &orders {
            self.confirmed(order, self.driver, time).await;
        }
        self.events().await;
        orders
    }

    /// An order of a checkout.
    pub async fn placed_in(
        &self,
        checkout_id: CheckoutId,
        restaurant_id: RestaurantId,
        owner_id: UserId,
    ) -> OrderRefV1 {
        let order_id = OrderId(self.clock.new_id());
        let digits = order_id.0.simple().to_string().to_ascii_uppercase();
        let order = OrderRefV1 {
            order_id,
            order_code: format!("ORD-{}", &digits[24..]),
            checkout_id,
            customer_id: self.customer,
            restaurant_id,
            owner_id,
            driver_id: None,
        };
        let placed = OrderPlacedV1 {
            order: order.clone(),
            item_id: ItemId(self.clock.new_id()),
            item_name: "Chicken kottu".to_owned(),
            image: Some("/images/kottu.webp".to_owned()),
            quantity: 2,
            price: Money::from_cents(95_000),
            total_amount: Money::from_cents(190_000),
            address: "12 Galle Road, Colombo 03".to_owned(),
            dest_lat: Some(6.9061),
            dest_lng: Some(79.8522),
            answer_by: None,
            ticket_orders: None,
            note: None,
        };
        self.deliver_event(order_id.0, &OrderEvent::Placed(placed))
            .await;
        order
    }

    pub async fn confirmed(
        &self,
        order: &OrderRefV1,
        driver: UserId,
        estimated_time: OffsetDateTime,
    ) {
        let confirmed = OrderConfirmedV1 {
            order: OrderRefV1 {
                driver_id: Some(driver),
                ..order.clone()
            },
            assigned_driver: driver,
            vehicle_type: Some(VehicleType::Bike),
            item_name: "Chicken kottu".to_owned(),
            image: Some("/images/kottu.webp".to_owned()),
            quantity: 2,
            price: Money::from_cents(95_000),
            total_amount: Money::from_cents(190_000),
            address: "12 Galle Road, Colombo 03".to_owned(),
            dest_lat: Some(6.9061),
            dest_lng: Some(79.8522),
            estimated_time,
        };
        self.deliver_event(order.order_id.0, &OrderEvent::Confirmed(confirmed))
            .await;
    }

    pub fn half_an_hour_from_now(&self) -> OffsetDateTime {
        self.clock.now() + Duration::minutes(30)
    }

    /// A delivery that the driver was given just now; the events of it are forgotten.
    pub async fn delivery(&self) -> Value {
        let order = self.placed().await;
        self.confirmed(&order, self.driver, self.half_an_hour_from_now())
            .await;
        self.events().await;
        self.list(&self.driver()).await[0].clone()
    }

    pub fn token(&self, user: UserId, role: Role) -> String {
        token(&self.clock, user, role).sign()
    }

    pub fn customer(&self) -> String {
        self.token(self.customer, Role::Customer)
    }

    pub fn owner(&self) -> String {
        self.token(self.owner, Role::Restaurant)
    }

    pub fn driver(&self) -> String {
        self.token(self.driver, Role::Delivery)
    }

    pub fn admin(&self) -> String {
        self.token(self.admin, Role::Admin)
    }

    pub async fn list(&self, token: &str) -> Value {
        self.app
            .get("/api/v1/delivery")
            .token(token)
            .await
            .expect(200)
    }

    pub async fn set_status(&self, delivery: &Value, status: &str) -> Answer {
        let path = format!(
            "/api/v1/delivery/update/{}",
            delivery["_id"].as_str().unwrap()
        );
        self.app
            .put(&path)
            .token(&self.driver())
            .json(&json!({ "status": status }))
            .await
    }

    pub async fn set_location(&self, delivery: &Value, lat: f64, lng: f64) -> Answer {
        let path = format!(
            "/api/v1/delivery/location/{}",
            delivery["_id"].as_str().unwrap()
        );
        self.app
            .put(&path)
            .token(&self.driver())
            .json(&json!({ "lat": lat, "lng": lng }))
            .await
    }

    pub async fn location(&self, delivery: &Value) -> Value {
        let path = format!("/api/v1/delivery/loc/{}", delivery["_id"].as_str().unwrap());
        self.app
            .get(&path)
            .token(&self.customer())
            .await
            .expect(200)
    }

    /// Forecasts every arrival, due or not, and hands the events since the last call to the service's own consumer.
    pub async fn forecast(&self) -> Vec<Envelope> {
        sqlx::query("update deliveries set eta_due_at = $1 where eta_due_at is not null")
            .bind(self.clock.now())
            .execute(&self.db.pool)
            .await
            .unwrap();
        tiffin_delivery::forecast_due(&self.state).await.unwrap();
        let events = drain_outbox(&self.db.pool).await;
        let own = self
            .consumers
            .iter()
            .find(|consumer| consumer.stream == Stream::Deliveries)
            .unwrap();
        for event in &events {
            let received = Received::new(event, 1).unwrap();
            assert!(own.deliver(&received).await.unwrap(), "{}", event.kind);
        }
        events
    }

    /// Puts the driver of every delivery to a place.
    pub async fn put_driver(&self, lat: f64, lng: f64) {
        sqlx::query("update deliveries set lat = $1, lng = $2, position_at = $3")
            .bind(lat)
            .bind(lng)
            .bind(self.clock.now())
            .execute(&self.db.pool)
            .await
            .unwrap();
    }

    /// The names of the events since the last call.
    pub async fn events(&self) -> Vec<String> {
        let events = drain_outbox(&self.db.pool).await;
        events.into_iter().map(|event| event.kind).collect()
    }
}
