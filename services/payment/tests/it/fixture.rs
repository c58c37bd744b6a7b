//! A customer, an owner and an administrator, and orders that the payment service knows from events alone.

use std::{collections::HashMap, sync::Mutex};

use serde_json::{Value, json};
use tiffin_bus::{Consumer, Received};
use tiffin_chassis::Env;
use tiffin_events::{
    CheckoutId, Clock, Envelope, Event, ItemId, Money, OrderId, RestaurantId, Role, UserId,
    order::{OrderEvent, OrderPlacedV1, OrderRefV1},
    subject::EventType,
};
use tiffin_payment::State;
use tiffin_testkit::{
    Answer, Call, TestApp, TestDb, drain_outbox, exhaust_limit, recorder, token, verifier,
};
use time::{Duration, macros::datetime};
use uuid::Uuid;

/// An accepted test number.
pub const VISA: &str = "4242 4242 4242 4242";
pub const DECLINED: &str = "4000 0000 0000 0002";
/// A test number whose money is taken and whose answer is lost.
pub const ANSWER_LOST: &str = "4000 0000 0000 0119";

pub struct Fixture {
    pub app: TestApp,
    pub db: TestDb,
    pub clock: Clock,
    pub state: State,
    pub customer: UserId,
    pub owner: UserId,
    pub restaurant: RestaurantId,
    consumers: Vec<Consumer>,
    sequences: Mutex<HashMap<Uuid, i64>>,
}

impl Fixture {
    pub async fn new() -> Self {
        Self::with(|state| state).await
    }

    /// Starts the service with a state that `change` adapts.
    pub async fn with(change: impl FnOnce(State) -> State) -> Self {
        let clock = Clock::manual(datetime!(2026-11-21 09:00 UTC));
        Self::of(clock, &Env::default(), change).await
    }

    /// Starts the service with these settings.
    pub async fn of(clock: Clock, env: &Env, change: impl FnOnce(State) -> State) -> Self {
        let db = TestDb::new(&tiffin_payment::MIGRATIONS).await;
        let state = State::new(db.pool.clone(), verifier(&clock), recorder(&clock), env);
        let state = change(state.unwrap());
        let (routes, description) = tiffin_payment::router(state.clone()).split_for_parts();
        Self {
            app: TestApp::described(routes, &description).await,
            db,
            customer: UserId(Uuid::now()),
            owner: UserId(Uuid::now()),
            restaurant: RestaurantId(Uuid::now()),
            consumers: tiffin_payment::consumers(&state),
            sequences: Mutex::default(),
            clock,
            state,
        }
    }

    /// Feeds the next event of an aggregate to its consumer.
    pub async fn deliver_event<E: Event>(&self, id: Uuid, event: &E) {
        let sequence = {
            let mut sequences = self.sequences.lock().unwrap();
            let sequence = sequences.entry(id).or_default();
            *sequence += 1;
            *sequence
        };
        let envelope =
            Envelope::new(&self.clock, id, sequence, self.owner.to_string(), event).unwrap();
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

    /// Places a checkout of orders with these prices in cents, in the cart's order.
    pub async fn checkout(&self, totals: &[i64]) -> Vec<OrderRefV1> {
        let checkout = CheckoutId(Uuid::now());
        let mut orders = Vec::new();
        for total in totals {
            orders.push(self.place(checkout, *total).await);
        }
        orders
    }

    /// Uses up an account's limit.
    pub async fn exhaust_limit(&self, name: &str, user: UserId) {
        exhaust_limit(&self.db.pool, self.clock.now(), name, user).await;
    }

    /// Places one order of a checkout.
    pub async fn place(&self, checkout_id: CheckoutId, cents: i64) -> OrderRefV1 {
        let id = Uuid::now();
        let order = OrderRefV1 {
            order_id: OrderId(id),
            order_code: format!("ORD-{}", &id.simple().to_string()[24..].to_uppercase()),
            checkout_id,
            customer_id: self.customer,
            restaurant_id: self.restaurant,
            owner_id: self.owner,
            driver_id: None,
        };
        let placed = OrderPlacedV1 {
            order: order.clone(),
            item_id: ItemId(Uuid::now()),
            item_name: "Chicken <kottu>".to_owned(),
            image: None,
            quantity: 1,
            price: Money::from_cents(cents),
            total_amount: Money::from_cents(cents),
            address: "12 Galle Road, Colombo 03".to_owned(),
            dest_lat: None,
            dest_lng: None,
            answer_by: None,
            ticket_orders: None,
            note: None,
        };
        self.deliver_event(id, &OrderEvent::Placed(placed)).await;
        order
    }

    /// Places one order of Rs. 1250.50 in its own checkout.
    pub async fn order(&self) -> OrderRefV1 {
        self.checkout(&[125_050]).await.remove(0)
    }

    pub async fn cancel(&self, order: &OrderRefV1) {
        let event = OrderEvent::Cancelled(order.clone().into());
        self.deliver_event(order.order_id.0, &event).await;
    }

    pub fn token(&self, user: UserId, role: Role) -> String {
        // The server's clock does not move, and neither does that of the tokens.
        token(&self.clock, user, role).sign()
    }

    pub fn customer(&self) -> String {
        self.token(self.customer, Role::Customer)
    }

    /// A call that pays an order by card, a second after the last one.
    pub fn call(&self, order: &OrderRefV1, amount: f64, number: &str) -> Call {
        self.clock.advance(Duration::seconds(1));
        let body = by_card(order, amount, number);
        let call = self.app.post("/api/payment").token(&self.customer());
        call.json(&body)
    }

    pub async fn pay(&self, order: &OrderRefV1, amount: f64) -> Answer {
        self.call(order, amount, VISA).await
    }

    pub async fn settle(&self) -> usize {
        self.wait_for_roll_backs().await;
        tiffin_payment::settle_due(&self.state).await.unwrap()
    }

    /// Waits until no transaction is open. That of a refused request is rolled back after its answer, and the
    /// reconciler skips the row that it has locked.
    async fn wait_for_roll_backs(&self) {
        let open = "select count(*) from pg_stat_activity
                    where datname = current_database() and state like 'idle in transaction%'";
        for _ in 0..100 {
            let count: i64 = sqlx::query_scalar(open)
                .fetch_one(&self.db.pool)
                .await
                .unwrap();
            if count == 0 {
                return;
            }
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
    }

    /// The events since the last call.
    pub async fn events(&self) -> Vec<Envelope> {
        drain_outbox(&self.db.pool).await
    }

    /// The last words of the types of the events since the last call.
    pub async fn event_names(&self) -> Vec<String> {
        let name = |event: Envelope| EventType::parse(&event.kind).event.to_owned();
        self.events().await.into_iter().map(name).collect()
    }

    /// The customer's payments, newest first.
    pub async fn payments(&self) -> Vec<Value> {
        let list = self.app.get("/api/payment").token(&self.customer()).await;
        list.expect_as(200)
    }

    /// The number of the sandbox's captures, and of charges with a refund.
    pub async fn money_moves(&self) -> (i64, i64) {
        sqlx::query_as(
            "select count(*) filter (where result = 'captured'), count(*) filter (where given_back > 0)
             from sandbox_charges",
        )
        .fetch_one(&self.db.pool)
        .await
        .unwrap()
    }
}

pub fn by_card(order: &OrderRefV1, amount: f64, number: &str) -> Value {
    json!({
        "bookingId": order.order_code,
        "amount": amount,
        "paymentType": "Card",
        "cardNumber": number,
        "expiry": "11/26",
        "cvv": "737",
    })
}

/// New ids in ascending order, independent of the test's clock.
trait Now {
    fn now() -> Uuid;
}

impl Now for Uuid {
    fn now() -> Uuid {
        Clock::system().new_id()
    }
}
