//! Three services whose events the test hands to their consumers, one at a time.

use serde_json::{Value, json};
use tiffin_bus::{Consumer, Received};
use tiffin_chassis::Env;
use tiffin_events::{
    Clock, Envelope, Event, ItemId, Money, RestaurantId, Role, Stream, UserId,
    driver::{DriverEvent, DriverProfileV1, VehicleType},
    item::{Category, ItemEvent, ItemProfileV1},
    restaurant::{RestaurantEvent, RestaurantProfileV1},
    subject::EventType,
    user::{UserEvent, UserProfileV1},
};
use tiffin_testkit::{TestApp, TestDb, drain_outbox, recorder, token, verifier};
use uuid::Uuid;

use super::Outcome;

/// The price of an order in cents.
pub const TOTAL: i64 = 95_000;

/// Something that happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// The owner calls the order off.
    Cancel,
    /// The driver leaves.
    SetOut,
    Deliver,
    /// A consumer takes the next event.
    OrdersToDelivery,
    OrdersToPayment,
    DeliveriesToOrder,
    DeliveriesToPayment,
}

/// A service over its own database.
struct Service {
    app: TestApp,
    db: TestDb,
    consumers: Vec<Consumer>,
}

impl Service {
    async fn deliver(&self, envelope: &Envelope, stream: Stream) {
        let received = Received::new(envelope, 1).unwrap();
        let mut consumers = self.consumers.iter();
        let consumer = consumers.find(|one| one.stream == stream).unwrap();
        let fed = consumer.deliver(&received).await;
        assert!(fed.unwrap(), "{}", envelope.kind);
    }

    async fn deliver_event<E: Event>(&self, clock: &Clock, id: Uuid, event: &E) {
        let envelope = Envelope::new(clock, id, 1, "tiffin/test".to_owned(), event).unwrap();
        self.deliver(&envelope, E::STREAM).await;
    }
}

/// One order at a time, and the progress of each consumer with it.
pub struct Simulation {
    orders: Service,
    deliveries: Service,
    payments: Service,
    pub payment: tiffin_payment::State,
    clock: Clock,
    customer: UserId,
    owner: UserId,
    driver: UserId,
    item: ItemId,
    /// The order as it was placed.
    order: Value,
    /// Events of the order and of its delivery, and how many each consumer has handled.
    of_order: Vec<Envelope>,
    of_delivery: Vec<Envelope>,
    delivered_counts: [usize; 4],
    performed: Vec<Step>,
}

impl Simulation {
    pub async fn new() -> Self {
        let clock = Clock::system();
        let env = Env::from_pairs([("TIFFIN_WRITE_LIMIT_FACTOR", "10000")]);
        let orders = {
            let db = TestDb::new(&tiffin_order::MIGRATIONS).await;
            let tokens = verifier(&clock);
            let state = tiffin_order::State::new(db.pool.clone(), tokens, recorder(&clock), &env);
            let state = state.unwrap();
            Service {
                consumers: tiffin_order::consumers(&state),
                app: TestApp::start(tiffin_order::router(state).split_for_parts().0).await,
                db,
            }
        };
        let deliveries = {
            let db = TestDb::new(&tiffin_delivery::MIGRATIONS).await;
            let nats = async_nats::ConnectOptions::new().retry_on_initial_connect();
            let nats = nats.connect("nats://127.0.0.1:1").await.unwrap();
            let (pool, tokens) = (db.pool.clone(), verifier(&clock));
            let state = tiffin_delivery::State::new(pool, tokens, recorder(&clock), nats, &env);
            let state = state.unwrap();
            Service {
                consumers: tiffin_delivery::consumers(&state),
                app: TestApp::start(tiffin_delivery::router(state).split_for_parts().0).await,
                db,
            }
        };
        let db = TestDb::new(&tiffin_payment::MIGRATIONS).await;
        let tokens = verifier(&clock);
        let state = tiffin_payment::State::new(db.pool.clone(), tokens, recorder(&clock), &env);
        let payment = state.unwrap();
        let routes = tiffin_payment::router(payment.clone()).split_for_parts().0;
        let payments = Service {
            consumers: tiffin_payment::consumers(&payment),
            app: TestApp::start(routes).await,
            db,
        };
        let user = || UserId(clock.new_id());
        let simulation = Self {
            orders,
            deliveries,
            payments,
            payment,
            customer: user(),
            owner: user(),
            driver: user(),
            item: ItemId(clock.new_id()),
            clock,
            order: Value::Null,
            of_order: Vec::new(),
            of_delivery: Vec::new(),
            delivered_counts: [0; 4],
            performed: Vec::new(),
        };
        simulation.create_accounts_and_dish().await;
        simulation
    }

    /// The people and dishes that the order service knows.
    async fn create_accounts_and_dish(&self) {
        let (orders, clock) = (&self.orders, &self.clock);
        for (id, role) in [
            (self.customer, Role::Customer),
            (self.owner, Role::Restaurant),
            (self.driver, Role::Delivery),
        ] {
            let account = UserEvent::Registered(UserProfileV1 {
                user_id: id,
                email: format!("{id}@example.com"),
                role,
                first_name: "Nimal".to_owned(),
                last_name: "Perera".to_owned(),
                phone: "+94771234567".to_owned(),
                address: "12 Galle Road, Colombo 03".to_owned(),
                image: None,
                lat: Some(6.9061),
                lng: Some(79.8522),
                verified: true,
            });
            orders.deliver_event(clock, id.0, &account).await;
        }
        let driver = DriverEvent::Registered(DriverProfileV1 {
            driver_id: self.driver,
            vehicle_type: VehicleType::Bike,
            is_available: true,
        });
        orders.deliver_event(clock, self.driver.0, &driver).await;
        let restaurant = RestaurantId(clock.new_id());
        let profile = RestaurantEvent::Created(RestaurantProfileV1 {
            restaurant_id: restaurant,
            owner_id: self.owner,
            name: "Kottu Corner".to_owned(),
            address: "4 Marine Drive, Colombo 04".to_owned(),
            phone: "+94112345678".to_owned(),
            description: String::new(),
            images: Vec::new(),
            is_open: true,
            verified: true,
            lat: None,
            lng: None,
            answer_minutes: None,
        });
        orders.deliver_event(clock, restaurant.0, &profile).await;
        let dish = ItemEvent::Added(ItemProfileV1 {
            item_id: self.item,
            item_code: "ITM-0001".to_owned(),
            restaurant_id: restaurant,
            name: "Chicken kottu".to_owned(),
            price: Money::from_cents(TOTAL),
            category: Category::FastFood,
            description: String::new(),
            images: Vec::new(),
            available: true,
            approved: true,
        });
        orders.deliver_event(clock, self.item.0, &dish).await;
    }

    /// A new order, paid and confirmed: its driver has it, and the payment service knows only its placing.
    pub async fn order(&mut self) {
        (self.of_order, self.of_delivery) = (Vec::new(), Vec::new());
        (self.delivered_counts, self.performed) = ([0; 4], Vec::new());
        let customer = self.token(self.customer, Role::Customer);
        let owner = self.token(self.owner, Role::Restaurant);
        let one = json!({ "orderItem": [{ "key": self.item, "qty": 1 }] });
        let placing = self.orders.app.post("/api/v1/orders").token(&customer);
        self.order = placing.json(&one).await.expect(201)["orders"][0].clone();
        self.collect_events().await;
        self.perform(Step::OrdersToDelivery).await;
        self.perform(Step::OrdersToPayment).await;
        let paying = self.payments.app.post("/api/payment").token(&customer);
        let card = json!({
            "bookingId": self.order["orderId"], "amount": 950.0, "paymentType": "Card",
            "cardNumber": "4242 4242 4242 4242", "expiry": "11/39", "cvv": "737",
        });
        paying.json(&card).await.expect(201);
        for paid in drain_outbox(&self.payments.db.pool).await {
            self.orders.deliver(&paid, Stream::Payments).await;
        }
        let path = format!("/api/v1/orders/status/{}", self.key());
        let confirmed = json!({ "status": "confirmed", "driverId": self.driver });
        let confirming = self.orders.app.put(&path).token(&owner);
        confirming.json(&confirmed).await.expect(200);
        self.collect_events().await;
        self.perform(Step::OrdersToDelivery).await;
        self.perform(Step::DeliveriesToOrder).await;
        self.performed.clear();
    }

    /// The steps that can be performed now.
    pub fn possible(&self, of: &[Step]) -> Vec<Step> {
        let is_done = |step| self.performed.contains(&step);
        let is_possible = |step: &Step| match step {
            Step::Cancel | Step::SetOut => !is_done(*step),
            Step::Deliver => is_done(Step::SetOut) && !is_done(Step::Deliver),
            _ => self.next(*step).is_some(),
        };
        of.iter().copied().filter(is_possible).collect()
    }

    /// Performs a step and collects the events that it causes.
    pub async fn perform(&mut self, step: Step) {
        self.performed.push(step);
        match step {
            Step::Cancel => {
                let path = format!("/api/v1/orders/cancel/{}", self.key());
                let owner = self.token(self.owner, Role::Restaurant);
                // It is refused where the order service knows that the driver left.
                let answer = self.orders.app.post(&path).token(&owner).await;
                assert!(
                    [200, 409].contains(&answer.status.as_u16()),
                    "{}",
                    answer.text
                );
            }
            Step::SetOut => self.drive("on the way").await,
            Step::Deliver => self.drive("delivered").await,
            _ => {
                let event = self.next(step).unwrap().clone();
                self.delivered_counts[Self::consumer_index(step)] += 1;
                match step {
                    Step::OrdersToDelivery => self.deliveries.deliver(&event, Stream::Orders).await,
                    Step::OrdersToPayment => self.payments.deliver(&event, Stream::Orders).await,
                    Step::DeliveriesToOrder => {
                        self.orders.deliver(&event, Stream::Deliveries).await;
                    }
                    _ => self.payments.deliver(&event, Stream::Deliveries).await,
                }
            }
        }
        self.collect_events().await;
    }

    async fn drive(&self, status: &str) {
        let path = format!("/api/v1/delivery/update/{}", self.key());
        let driver = self.token(self.driver, Role::Delivery);
        let driving = self.deliveries.app.put(&path).token(&driver);
        // A delivery that was cancelled is not the driver's any more.
        let answer = driving.json(&json!({ "status": status })).await;
        let codes = [200, 404, 409];
        assert!(codes.contains(&answer.status.as_u16()), "{}", answer.text);
    }

    /// Hands the payment service some events in an order, then all services the rest, and settles due refunds.
    pub async fn settle(&mut self, first: &[Step]) {
        for step in first {
            if self.next(*step).is_some() {
                self.perform(*step).await;
            }
        }
        self.finish().await;
    }

    /// Hands all events to all services, and settles due refunds.
    pub async fn finish(&mut self) {
        const CONSUMER_STEPS: [Step; 4] = [
            Step::OrdersToDelivery,
            Step::DeliveriesToOrder,
            Step::OrdersToPayment,
            Step::DeliveriesToPayment,
        ];
        while let Some(step) = self.possible(&CONSUMER_STEPS).first() {
            self.perform(*step).await;
        }
        tiffin_payment::settle_due(&self.payment).await.unwrap();
        for event in drain_outbox(&self.payments.db.pool).await {
            self.orders.deliver(&event, Stream::Payments).await;
        }
    }

    /// The published events of the order and of its delivery, by the last words of their kinds.
    pub fn events(&self) -> (Vec<String>, Vec<String>) {
        let words = |events: &[Envelope]| {
            let word = |event: &Envelope| EventType::parse(&event.kind).event.to_owned();
            events.iter().map(word).collect()
        };
        (words(&self.of_order), words(&self.of_delivery))
    }

    /// The steps since the confirmation.
    pub fn performed(&self) -> &[Step] {
        &self.performed
    }

    /// The order as its customer reads it.
    pub async fn order_as_read(&self) -> Value {
        let customer = self.token(self.customer, Role::Customer);
        let list = self.orders.app.get("/api/v1/orders").token(&customer).await;
        let list: Vec<Value> = list.expect_as(200);
        let own = |order: &Value| order["_id"] == self.order["_id"];
        list.into_iter().find(own).unwrap()
    }

    /// The outcome, by each service's own account.
    pub async fn end(&self) -> Outcome {
        let order: Uuid = self.order["_id"].as_str().unwrap().parse().unwrap();
        let delivery = "select status = 'delivered' from deliveries where order_id = $1";
        let refunded = "select sum(refunded)::bigint from payments where order_id = $1";
        let is_delivered = sqlx::query_scalar(delivery).bind(order);
        let refunded = sqlx::query_scalar(refunded).bind(order);
        Outcome {
            status: self.order_as_read().await["status"]
                .as_str()
                .unwrap()
                .to_owned(),
            is_delivered: is_delivered
                .fetch_one(&self.deliveries.db.pool)
                .await
                .unwrap(),
            refunded: refunded.fetch_one(&self.payments.db.pool).await.unwrap(),
        }
    }

    /// The index of a consumer.
    fn consumer_index(step: Step) -> usize {
        match step {
            Step::OrdersToDelivery => 0,
            Step::OrdersToPayment => 1,
            Step::DeliveriesToOrder => 2,
            _ => 3,
        }
    }

    /// The event that a consumer takes next.
    fn next(&self, step: Step) -> Option<&Envelope> {
        let events = match step {
            Step::OrdersToDelivery | Step::OrdersToPayment => &self.of_order,
            _ => &self.of_delivery,
        };
        events.get(self.delivered_counts[Self::consumer_index(step)])
    }

    async fn collect_events(&mut self) {
        let orders = drain_outbox(&self.orders.db.pool).await;
        self.of_order.extend(orders);
        let deliveries = drain_outbox(&self.deliveries.db.pool).await;
        self.of_delivery.extend(deliveries);
        // What the order learned from its delivery is nothing new there: when it comes makes no difference.
        while let Some(event) = self.next(Step::OrdersToDelivery)
            && ["tiffin.order.dispatched.v1", "tiffin.order.delivered.v1"]
                .contains(&event.kind.as_str())
        {
            self.deliveries.deliver(event, Stream::Orders).await;
            self.delivered_counts[Self::consumer_index(Step::OrdersToDelivery)] += 1;
        }
    }

    fn key(&self) -> &str {
        self.order["orderId"].as_str().unwrap()
    }

    fn token(&self, user: UserId, role: Role) -> String {
        token(&self.clock, user, role).sign()
    }
}
