//! A restaurant with two dishes, a customer, its owner, a driver and an administrator, all known to
//! the order service from events alone.

use std::{collections::HashMap, sync::Mutex};

use serde_json::{Value, json};
use tiffin_bus::{Consumer, Received};
use tiffin_chassis::Env;
use tiffin_events::{
    CheckoutId, Clock, DeliveryId, Envelope, Event, ItemId, Money, OrderId, PaymentId, RefundId,
    RestaurantId, Role, UserId,
    delivery::{DeliveryCreatedV1, DeliveryEvent, DeliveryRefV1},
    driver::{DriverEvent, DriverProfileV1, VehicleType},
    item::{Category, ItemEvent, ItemProfileV1},
    payment::{
        PaymentEvent, PaymentRefV1, PaymentRefundIssuedV1, PaymentRefundedV1, PaymentType,
        RefundReason, RefundedBy,
    },
    restaurant::{RestaurantEvent, RestaurantProfileV1},
    user::{UserEvent, UserProfileV1},
};
use tiffin_order::State;
use tiffin_testkit::{
    Answer, TestApp, TestDb, drain_outbox, exhaust_limit, recorder, token, verifier,
};
use uuid::Uuid;

/// The home of every test's customer.
pub const HOME: &str = "12 Galle Road, Colombo 03";

pub struct Fixture {
    pub app: TestApp,
    pub db: TestDb,
    pub clock: Clock,
    pub customer: UserId,
    pub owner: UserId,
    pub driver: UserId,
    pub admin: UserId,
    pub restaurant: RestaurantId,
    /// Rs. 950.
    pub kottu: ItemId,
    /// Rs. 120.50.
    pub hopper: ItemId,
    pub state: State,
    consumers: Vec<Consumer>,
    sequences: Mutex<HashMap<(&'static str, Uuid), i64>>,
}

impl Fixture {
    pub async fn new() -> Self {
        Self::with_clock(Clock::system()).await
    }

    /// For customers who order more often than people do.
    pub async fn unlimited() -> Self {
        let env = Env::from_pairs([("TIFFIN_WRITE_LIMIT_FACTOR", "100")]);
        Self::with_accounts_and_dishes(Self::start(Clock::system(), &env).await).await
    }

    /// With a clock of the test's own.
    pub async fn with_clock(clock: Clock) -> Self {
        Self::with_accounts_and_dishes(Self::start(clock, &Env::default()).await).await
    }

    /// The people, the restaurant and its dishes.
    async fn with_accounts_and_dishes(fixture: Self) -> Self {
        fixture
            .account(fixture.customer, Role::Customer, "Nimal", HOME)
            .await;
        fixture
            .account(fixture.owner, Role::Restaurant, "Kamala", "")
            .await;
        fixture
            .account(fixture.driver, Role::Delivery, "Sunil", "")
            .await;
        fixture
            .deliver_event(fixture.driver.0, &registered(fixture.driver))
            .await;
        fixture
            .restaurant(fixture.restaurant, fixture.owner, true)
            .await;
        fixture
            .deliver_event(
                fixture.kottu.0,
                &ItemEvent::Added(fixture.dish(fixture.kottu, "Chicken kottu", 95_000)),
            )
            .await;
        fixture
            .deliver_event(
                fixture.hopper.0,
                &ItemEvent::Added(fixture.dish(fixture.hopper, "Egg hopper", 12_050)),
            )
            .await;
        fixture
    }

    /// With these settings and a clock of the test's own.
    pub async fn with_env(clock: Clock, env: &Env) -> Self {
        Self::with_accounts_and_dishes(Self::start(clock, env).await).await
    }

    /// The same, before any event has come.
    pub async fn empty() -> Self {
        Self::start(Clock::system(), &Env::default()).await
    }

    async fn start(clock: Clock, env: &Env) -> Self {
        let db = TestDb::new(&tiffin_order::MIGRATIONS).await;
        let state = State::new(db.pool.clone(), verifier(&clock), recorder(&clock), env).unwrap();
        let consumers = tiffin_order::consumers(&state);
        let (routes, description) = tiffin_order::router(state.clone()).split_for_parts();
        let user = || UserId(clock.new_id());
        Self {
            app: TestApp::described(routes, &description).await,
            db,
            customer: user(),
            owner: user(),
            driver: user(),
            admin: user(),
            restaurant: RestaurantId(clock.new_id()),
            kottu: ItemId(clock.new_id()),
            hopper: ItemId(clock.new_id()),
            clock,
            state,
            consumers,
            sequences: Mutex::default(),
        }
    }

    /// Feeds the next event of an aggregate to the consumer that takes it.
    pub async fn deliver_event<E: Event>(&self, id: Uuid, event: &E) {
        let sequence = {
            let mut sequences = self.sequences.lock().unwrap();
            let sequence = sequences.entry((E::AGGREGATE, id)).or_default();
            *sequence += 1;
            *sequence
        };
        let envelope =
            Envelope::new(&self.clock, id, sequence, "tiffin/test".to_owned(), event).unwrap();
        let received = Received::new(&envelope, 1).unwrap();
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

    /// Uses up an account's limit.
    pub async fn exhaust_limit(&self, name: &str, user: UserId) {
        exhaust_limit(&self.db.pool, self.clock.now(), name, user).await;
    }

    pub async fn account(&self, id: UserId, role: Role, name: &str, address: &str) {
        let profile = UserProfileV1 {
            user_id: id,
            email: format!("{}@example.com", name.to_lowercase()),
            role,
            first_name: name.to_owned(),
            last_name: "Perera".to_owned(),
            phone: "+94771234567".to_owned(),
            address: address.to_owned(),
            image: None,
            lat: (!address.is_empty()).then_some(6.9061),
            lng: (!address.is_empty()).then_some(79.8522),
            verified: true,
        };
        self.deliver_event(id.0, &UserEvent::Registered(profile))
            .await;
    }

    pub async fn restaurant(&self, id: RestaurantId, owner: UserId, is_open: bool) {
        let profile = Self::profile(id, owner, is_open);
        self.deliver_event(id.0, &RestaurantEvent::Created(profile))
            .await;
    }

    /// The restaurant answers within other minutes from now on.
    pub async fn answers_within(&self, minutes: i32) {
        let profile = RestaurantProfileV1 {
            answer_minutes: Some(minutes),
            ..Self::profile(self.restaurant, self.owner, true)
        };
        self.deliver_event(self.restaurant.0, &RestaurantEvent::Updated(profile))
            .await;
    }

    fn profile(id: RestaurantId, owner: UserId, is_open: bool) -> RestaurantProfileV1 {
        RestaurantProfileV1 {
            restaurant_id: id,
            owner_id: owner,
            name: "Kottu Corner".to_owned(),
            address: "4 Marine Drive, Colombo 04".to_owned(),
            phone: "+94112345678".to_owned(),
            description: "Kottu until late".to_owned(),
            images: Vec::new(),
            is_open,
            verified: true,
            lat: Some(6.8935),
            lng: Some(79.8525),
            answer_minutes: None,
        }
    }

    pub fn dish(&self, id: ItemId, name: &str, cents: i64) -> ItemProfileV1 {
        ItemProfileV1 {
            item_id: id,
            item_code: "ITM-0001".to_owned(),
            restaurant_id: self.restaurant,
            name: name.to_owned(),
            price: Money::from_cents(cents),
            category: Category::FastFood,
            description: String::new(),
            images: vec!["/images/dish.webp".to_owned()],
            available: true,
            approved: true,
        }
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

    pub fn admin(&self) -> String {
        self.token(self.admin, Role::Admin)
    }

    pub fn cart(&self) -> Value {
        json!({ "orderItem": [{ "key": self.kottu, "qty": 2 }, { "key": self.hopper, "qty": 1 }] })
    }

    pub async fn checkout(&self, body: &Value) -> Answer {
        self.app
            .post("/api/v1/orders")
            .token(&self.customer())
            .json(body)
            .await
    }

    /// Orders one kottu and forgets the events of it.
    pub async fn order(&self) -> Value {
        let cart = json!({ "orderItem": [{ "key": self.kottu, "qty": 1 }] });
        let order = self.checkout(&cart).await.expect(201)["orders"][0].clone();
        self.events().await;
        order
    }

    pub async fn set_status(&self, order: &Value, body: &Value) -> Answer {
        let path = format!(
            "/api/v1/orders/status/{}",
            order["orderId"].as_str().unwrap()
        );
        self.app.put(&path).token(&self.owner()).json(body).await
    }

    pub async fn confirm(&self, order: &Value) -> Answer {
        self.set_status(
            order,
            &json!({ "status": "confirmed", "driverId": self.driver }),
        )
        .await
    }

    /// An event of the delivery service about an order's delivery.
    pub async fn delivery(
        &self,
        id: DeliveryId,
        order: &Value,
        event: impl FnOnce(DeliveryRefV1) -> DeliveryEvent,
    ) {
        let delivery = DeliveryRefV1 {
            delivery_id: id,
            order_id: OrderId(uuid(&order["_id"])),
            order_code: order["orderId"].as_str().unwrap().to_owned(),
            customer_id: self.customer,
            owner_id: self.owner,
            restaurant_id: self.restaurant,
            driver_id: self.driver,
        };
        self.deliver_event(id.0, &event(delivery)).await;
    }

    /// An event of the payment service about an order: Rs. 950.
    pub async fn payment(
        &self,
        id: PaymentId,
        order: &Value,
        event: impl FnOnce(PaymentRefV1) -> PaymentEvent,
    ) {
        self.payment_of(id, order, 95_000, event).await;
    }

    /// An event of the payment service about an order's payment of this many cents.
    pub async fn payment_of(
        &self,
        id: PaymentId,
        order: &Value,
        cents: i64,
        event: impl FnOnce(PaymentRefV1) -> PaymentEvent,
    ) {
        let payment = PaymentRefV1 {
            payment_id: id,
            order_id: OrderId(uuid(&order["_id"])),
            order_code: order["orderId"].as_str().unwrap().to_owned(),
            checkout_id: CheckoutId(uuid(&order["checkoutId"])),
            customer_id: self.customer,
            owner_id: self.owner,
            amount: Money::from_cents(cents),
            payment_type: PaymentType::PayPal,
            card_brand: None,
            card_last4: None,
        };
        self.deliver_event(id.0, &event(payment)).await;
    }

    /// A list as `token` sees it, a column of it.
    pub async fn column(&self, path: &str, token: &str, name: &str) -> Vec<Value> {
        let rows = self.app.get(path).token(token).await.expect(200);
        rows.as_array()
            .unwrap()
            .iter()
            .map(|row| row[name].clone())
            .collect()
    }

    /// The one order there is, as a customer reads it.
    pub async fn only_order(&self) -> Value {
        let orders = self
            .app
            .get("/api/v1/orders")
            .token(&self.customer())
            .await
            .expect(200);
        assert_eq!(orders.as_array().unwrap().len(), 1, "{orders}");
        orders[0].clone()
    }

    /// The names of the events since the last call.
    pub async fn events(&self) -> Vec<String> {
        let events = drain_outbox(&self.db.pool).await;
        events.into_iter().map(|event| event.kind).collect()
    }
}

pub fn created(delivery: DeliveryRefV1) -> DeliveryEvent {
    DeliveryEvent::Created(DeliveryCreatedV1 {
        delivery,
        order_name: "Chicken kottu".to_owned(),
        quantity: 1,
        address: HOME.to_owned(),
        dest_lat: None,
        dest_lng: None,
        estimated_time: Clock::system().now(),
    })
}

/// The refund of an order by its restaurant, made from this payment alone.
pub fn issued(
    id: RefundId,
    of: &Value,
    cents: i64,
    refunded_then: i64,
) -> impl FnOnce(PaymentRefV1) -> PaymentEvent {
    let of = of.clone();
    move |payment| {
        PaymentEvent::RefundIssued(PaymentRefundIssuedV1 {
            refund_id: id,
            refunded_order_id: OrderId(uuid(&of["_id"])),
            refunded_order_code: of["orderId"].as_str().unwrap().to_owned(),
            refunded_restaurant_id: RestaurantId(uuid(&of["restaurantId"])),
            refunded_owner_id: payment.owner_id,
            refund_amount: Money::from_cents(cents),
            refunded_then: Money::from_cents(refunded_then),
            part: 1,
            parts: 1,
            by: RefundedBy::Restaurant,
            reason: RefundReason::MissingItem,
            note: None,
            payment,
        })
    }
}

/// All of it went back, as events said before there were partial refunds.
pub fn refunded(payment: PaymentRefV1) -> PaymentEvent {
    PaymentEvent::Refunded(PaymentRefundedV1 {
        payment,
        refunded: None,
    })
}

pub fn registered(driver: UserId) -> DriverEvent {
    DriverEvent::Registered(DriverProfileV1 {
        driver_id: driver,
        vehicle_type: VehicleType::Bike,
        is_available: true,
    })
}

pub fn uuid(value: &Value) -> Uuid {
    value.as_str().unwrap().parse().unwrap()
}
