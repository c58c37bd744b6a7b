//! Orders on their way: placed, paid, confirmed, delivered or cancelled, through every fault.

use std::{
    slice,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use rand::{RngExt, SeedableRng, rngs::StdRng};
use reqwest::Method;
use serde_json::{Value, json};
use time::{OffsetDateTime, format_description::well_known::Rfc3339};
use tokio::time::sleep;
use uuid::Uuid;

use super::{
    calls::{Answer, Call, FIRST_PAUSE, MAX_PAUSE, RenewingAccount, ServiceClient},
    driver_sockets::DriverSockets,
    journal::{Journal, Step},
};

/// The accounts and the dish of the orders, and the calls to the services.
#[derive(Debug)]
pub struct ChaosFixture {
    pub client: ServiceClient,
    pub customers: Vec<RenewingAccount>,
    pub owner: RenewingAccount,
    pub drivers: Vec<Arc<RenewingAccount>>,
    pub driver_sockets: DriverSockets,
    /// A dish that may be ordered.
    pub item: String,
    pub journal: Journal,
    /// Orders that are under way.
    pub under_way: AtomicUsize,
}

/// The course of one order, drawn ahead from the seed.
#[derive(Clone, Copy, Debug)]
struct Plan {
    quantity: u32,
    pays: bool,
    /// With a card whose answer gets lost.
    loses_the_answer: bool,
    cancels: Cancels,
    driver: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cancels {
    Never,
    BeforePaying,
    AfterPaying,
    /// While the owner confirms.
    Meanwhile,
}

impl Plan {
    fn draw(seed: u64, drivers: usize) -> Self {
        let mut random = StdRng::seed_from_u64(seed);
        let cancels = match random.random_range(0..100) {
            0..5 => Cancels::BeforePaying,
            5..12 => Cancels::AfterPaying,
            12..20 => Cancels::Meanwhile,
            _ => Cancels::Never,
        };
        Self {
            quantity: random.random_range(1..=5),
            pays: random.random_bool(0.9),
            loses_the_answer: random.random_bool(0.1),
            cancels,
            driver: random.random_range(0..drivers),
        }
    }
}

/// Takes one order from the cart to its end. Each step is called until it is answered.
pub async fn run_order(fixture: &ChaosFixture, seed: u64, customer: usize) {
    fixture.under_way.fetch_add(1, Ordering::Relaxed);
    let plan = Plan::draw(seed, fixture.drivers.len());
    let customer = &fixture.customers[customer];
    let order = Order::place(fixture, customer, plan, seed).await;
    if plan.cancels == Cancels::BeforePaying {
        order.cancel().await;
    }
    if plan.pays {
        order.pay(&format!("pay-{seed}")).await;
    }
    if plan.cancels == Cancels::AfterPaying {
        order.cancel().await;
    }
    let confirmed = if plan.cancels == Cancels::Meanwhile {
        tokio::join!(order.confirm(), order.cancel()).0
    } else {
        order.confirm().await
    };
    if confirmed {
        order.deliver().await;
    }
    fixture.under_way.fetch_sub(1, Ordering::Relaxed);
}

struct Order<'a> {
    fixture: &'a ChaosFixture,
    customer: &'a RenewingAccount,
    plan: Plan,
    placed: PlacedOrder,
}

/// An order as the answer to its customer has it.
#[derive(Clone, Debug)]
pub struct PlacedOrder {
    pub id: Uuid,
    pub code: String,
    /// Rupees.
    total: Value,
    /// The deadline for the restaurant's answer, of orders that have one.
    pub answer_by: Option<OffsetDateTime>,
}

impl PlacedOrder {
    /// The orders of a checkout.
    pub fn read(answer: &Answer) -> Vec<Self> {
        assert_eq!(answer.status, 201, "{}", answer.body);
        let orders = answer.body["orders"].as_array().unwrap().iter();
        orders
            .map(|placed| Self {
                id: placed["_id"].as_str().unwrap().parse().unwrap(),
                code: placed["orderId"].as_str().unwrap().to_owned(),
                total: placed["totalAmount"].clone(),
                answer_by: placed["answerBy"].as_str().map(moment),
            })
            .collect()
    }

    pub fn cents(&self) -> i64 {
        #[expect(clippy::cast_possible_truncation, reason = "rupees of a few dishes")]
        let cents = (self.total.as_f64().unwrap() * 100.0).round() as i64;
        cents
    }

    /// The body of a payment, with a card whose answer gets lost if that is asked for.
    pub fn payment(&self, loses_the_answer: bool) -> Value {
        let mut payment =
            json!({ "bookingId": self.code, "amount": self.total, "paymentType": "PayPal" });
        if loses_the_answer {
            payment["paymentType"] = json!("Card");
            payment["cardNumber"] = json!("4000000000000119");
            payment["expiry"] = json!("12/34");
            payment["cvv"] = json!("123");
        }
        payment
    }
}

/// A moment of an answer or an event.
pub fn moment(text: &str) -> OffsetDateTime {
    OffsetDateTime::parse(text, &Rfc3339).unwrap()
}

/// A cart of dishes, which become an order each.
pub fn cart(items: &[String], quantity: u32) -> Value {
    let line = |item: &String| json!({ "key": item, "qty": quantity });
    json!({
        "orderItem": items.iter().map(line).collect::<Vec<_>>(),
        "address": "12 Galle Road, Colombo 03",
    })
}

pub fn place_call<'a>(cart: &'a Value, key: &'a str) -> Call<'a> {
    Call {
        body: Some(cart),
        key: Some(key),
        // The key's first request may be at work still.
        not_yet: &[409],
        ..call(Method::POST, "order", "/api/v1/orders")
    }
}

pub fn pay_call<'a>(payment: &'a Value, key: &'a str) -> Call<'a> {
    Call {
        body: Some(payment),
        key: Some(key),
        // The payment service has not heard of the order; or it died over the charge, which was
        // settled as refused, and lets go of the key.
        not_yet: &[402, 404],
        ..call(Method::POST, "payment", "/api/payment")
    }
}

/// The step that the answer to a payment says.
pub fn paid(answer: &Answer) -> Step {
    match answer.status.as_u16() {
        201 => Step::Paid,
        // The provider's answer got lost; the order is cancelled meanwhile; or it is paid by a try of
        // this very call.
        202 | 409 | 422 => Step::MayBePaid,
        _ => panic!("a payment: {answer:?}"),
    }
}

impl<'a> Order<'a> {
    async fn place(
        fixture: &'a ChaosFixture,
        customer: &'a RenewingAccount,
        plan: Plan,
        seed: u64,
    ) -> Self {
        let cart = cart(slice::from_ref(&fixture.item), plan.quantity);
        let key = format!("order-{seed}");
        let call = place_call(&cart, &key);
        let answer = fixture.client.call(customer, call).await;
        let placed = PlacedOrder::read(&answer).remove(0);
        fixture.journal.placed(placed.id, placed.cents());
        Self {
            fixture,
            customer,
            plan,
            placed,
        }
    }

    async fn pay(&self, key: &str) {
        let payment = self.placed.payment(self.plan.loses_the_answer);
        let call = pay_call(&payment, key);
        let answer = self.fixture.client.call(self.customer, call).await;
        self.fixture.journal.record(self.placed.id, paid(&answer));
    }

    async fn cancel(&self) {
        let path = format!("/api/v1/orders/cancel/{}", self.placed.id);
        let answer = self
            .put_or_post(self.customer, Method::POST, "order", &path, None)
            .await;
        if answer.status.is_success() {
            self.fixture.journal.record(self.placed.id, Step::Cancelled);
        }
    }

    /// True if it was confirmed.
    async fn confirm(&self) -> bool {
        let driver = &self.fixture.drivers[self.plan.driver].id;
        let body = json!({ "status": "confirmed", "driverId": driver });
        let path = format!("/api/v1/orders/status/{}", self.placed.id);
        let owner = &self.fixture.owner;
        let answer = self
            .put_or_post(owner, Method::PUT, "order", &path, Some(&body))
            .await;
        let confirmed = answer.status.is_success();
        if confirmed {
            self.fixture.journal.record(self.placed.id, Step::Confirmed);
        }
        confirmed
    }

    /// The driver sets out, sends positions and hands it over, unless it is cancelled meanwhile.
    async fn deliver(&self) {
        let driver = &self.fixture.drivers[self.plan.driver];
        if !self.is_assigned(driver).await {
            return;
        }
        let path = format!("/api/v1/delivery/update/{}", self.placed.id);
        for status in ["on the way", "delivered"] {
            let body = json!({ "status": status });
            let answer = self
                .put_or_post(driver, Method::PUT, "delivery", &path, Some(&body))
                .await;
            if !answer.status.is_success() {
                return;
            }
            let delivery = answer.body["delivery"]["_id"].as_str().unwrap();
            let delivery = delivery.parse().unwrap();
            self.fixture
                .driver_sockets
                .send(self.plan.driver, delivery)
                .await;
        }
        self.fixture.journal.record(self.placed.id, Step::Delivered);
    }

    /// Waits until the driver has the delivery. False if the order is cancelled.
    async fn is_assigned(&self, driver: &RenewingAccount) -> bool {
        let place = format!("/api/v1/delivery/loc/{}", self.placed.id);
        let mine = format!("/api/v1/orders?q={}", self.placed.code);
        let mut pause = FIRST_PAUSE;
        loop {
            let request = call(Method::GET, "delivery", &place);
            let found = self.fixture.client.call(driver, request).await;
            if found.status.is_success() {
                return true;
            }
            // A list costs much, and no other order is cancelled after it was confirmed.
            if self.plan.cancels == Cancels::Meanwhile {
                let request = call(Method::GET, "order", &mine);
                let order = self.fixture.client.call(self.customer, request).await;
                if order.body[0]["status"] == "cancelled" {
                    return false;
                }
            }
            sleep(pause).await;
            pause = (pause * 2).min(MAX_PAUSE);
        }
    }

    async fn put_or_post(
        &self,
        account: &RenewingAccount,
        method: Method,
        service: &'static str,
        path: &str,
        body: Option<&Value>,
    ) -> Answer {
        let call = Call {
            body,
            ..call(method, service, path)
        };
        self.fixture.client.call(account, call).await
    }
}

/// A call without a body.
pub fn call<'a>(method: Method, service: &'static str, path: &'a str) -> Call<'a> {
    Call {
        method,
        service,
        path,
        body: None,
        key: None,
        not_yet: &[],
    }
}
