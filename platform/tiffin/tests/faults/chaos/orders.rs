//! Orders on their way: placed, paid, confirmed, delivered or cancelled, through every fault.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use rand::{RngExt, SeedableRng, rngs::StdRng};
use reqwest::Method;
use serde_json::{Value, json};
use tokio::time::sleep;
use uuid::Uuid;

use super::{
    calls::{Account, Answer, Call, Doors, LONGEST_PAUSE, PAUSE},
    journal::{Journal, Step},
    phone::Phones,
};

/// The customer, the dish and the owner of an order.
#[derive(Debug)]
pub struct Town {
    pub doors: Doors,
    pub customers: Vec<Account>,
    pub owner: Account,
    pub drivers: Vec<Arc<Account>>,
    pub phones: Phones,
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

/// Leads one order from the cart to its end. Each step is asked for until it is answered.
pub async fn lead(town: &Town, seed: u64, customer: usize) {
    town.under_way.fetch_add(1, Ordering::Relaxed);
    let plan = Plan::draw(seed, town.drivers.len());
    let customer = &town.customers[customer];
    let order = Order::place(town, customer, plan, seed).await;
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
        order.bring().await;
    }
    town.under_way.fetch_sub(1, Ordering::Relaxed);
}

struct Order<'a> {
    town: &'a Town,
    customer: &'a Account,
    plan: Plan,
    id: Uuid,
    code: String,
    /// Rupees, as the order's answer has it.
    total: Value,
}

impl<'a> Order<'a> {
    async fn place(town: &'a Town, customer: &'a Account, plan: Plan, seed: u64) -> Self {
        let cart = json!({
            "orderItem": [{ "key": town.item, "qty": plan.quantity }],
            "address": "12 Galle Road, Colombo 03",
        });
        let call = Call {
            method: Method::POST,
            service: "order",
            path: "/api/v1/orders",
            body: Some(&cart),
            key: Some(&format!("order-{seed}")),
            // The key's first request may be at work still.
            not_yet: &[409],
        };
        let answer = town.doors.ask(customer, call).await;
        assert_eq!(answer.status, 201, "{}", answer.body);
        let placed = &answer.body["orders"][0];
        let order = Self {
            town,
            customer,
            plan,
            id: placed["_id"].as_str().unwrap().parse().unwrap(),
            code: placed["orderId"].as_str().unwrap().to_owned(),
            total: placed["totalAmount"].clone(),
        };
        #[expect(clippy::cast_possible_truncation, reason = "rupees of a few dishes")]
        let cents = (order.total.as_f64().unwrap() * 100.0).round() as i64;
        town.journal.placed(order.id, cents);
        order
    }

    async fn pay(&self, key: &str) {
        let mut payment =
            json!({ "bookingId": self.code, "amount": self.total, "paymentType": "PayPal" });
        if self.plan.loses_the_answer {
            payment["paymentType"] = json!("Card");
            payment["cardNumber"] = json!("4000000000000119");
            payment["expiry"] = json!("12/34");
            payment["cvv"] = json!("123");
        }
        let call = Call {
            body: Some(&payment),
            key: Some(key),
            // The payment service has not heard of the order; or it died over the charge, which was
            // settled as refused, and lets go of the key.
            not_yet: &[402, 404],
            ..call(Method::POST, "payment", "/api/payment")
        };
        let answer = self.town.doors.ask(self.customer, call).await;
        match answer.status.as_u16() {
            201 => self.town.journal.note(self.id, Step::Paid),
            // The provider's answer got lost; the order is cancelled meanwhile; or it is paid by a try of
            // this very call.
            202 | 409 | 422 => self.town.journal.note(self.id, Step::MayBePaid),
            _ => panic!("a payment: {answer:?}"),
        }
    }

    async fn cancel(&self) {
        let path = format!("/api/v1/orders/cancel/{}", self.id);
        let answer = self
            .put_or_post(self.customer, Method::POST, "order", &path, None)
            .await;
        if answer.status.is_success() {
            self.town.journal.note(self.id, Step::Cancelled);
        }
    }

    /// True if it was confirmed.
    async fn confirm(&self) -> bool {
        let driver = &self.town.drivers[self.plan.driver].id;
        let body = json!({ "status": "confirmed", "driverId": driver });
        let path = format!("/api/v1/orders/status/{}", self.id);
        let owner = &self.town.owner;
        let answer = self
            .put_or_post(owner, Method::PUT, "order", &path, Some(&body))
            .await;
        let confirmed = answer.status.is_success();
        if confirmed {
            self.town.journal.note(self.id, Step::Confirmed);
        }
        confirmed
    }

    /// The driver sets out, sends positions and hands it over, unless it is cancelled meanwhile.
    async fn bring(&self) {
        let driver = &self.town.drivers[self.plan.driver];
        if !self.is_assigned(driver).await {
            return;
        }
        let path = format!("/api/v1/delivery/update/{}", self.id);
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
            self.town.phones.send(self.plan.driver, delivery).await;
        }
        self.town.journal.note(self.id, Step::Delivered);
    }

    /// Waits until the driver has the delivery. False if the order is cancelled.
    async fn is_assigned(&self, driver: &Account) -> bool {
        let place = format!("/api/v1/delivery/loc/{}", self.id);
        let mine = format!("/api/v1/orders?q={}", self.code);
        let mut pause = PAUSE;
        loop {
            let wish = call(Method::GET, "delivery", &place);
            let found = self.town.doors.ask(driver, wish).await;
            if found.status.is_success() {
                return true;
            }
            // A list costs much, and no other order is cancelled after it was confirmed.
            if self.plan.cancels == Cancels::Meanwhile {
                let wish = call(Method::GET, "order", &mine);
                let order = self.town.doors.ask(self.customer, wish).await;
                if order.body[0]["status"] == "cancelled" {
                    return false;
                }
            }
            sleep(pause).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    async fn put_or_post(
        &self,
        account: &Account,
        method: Method,
        service: &'static str,
        path: &str,
        body: Option<&Value>,
    ) -> Answer {
        let call = Call {
            body,
            ..call(method, service, path)
        };
        self.town.doors.ask(account, call).await
    }
}

fn call<'a>(method: Method, service: &'static str, path: &'a str) -> Call<'a> {
    Call {
        method,
        service,
        path,
        body: None,
        key: None,
        not_yet: &[],
    }
}
