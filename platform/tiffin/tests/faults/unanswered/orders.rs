//! Orders and their restaurants' answers. Browsers die in the middle of calls and never ask again.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use futures_util::future::join_all;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use reqwest::Method;
use serde_json::json;
use time::OffsetDateTime;
use tokio::time::sleep;
use uuid::Uuid;

use super::kitchen::Kitchen;
use crate::{
    chaos::{
        calls::{Call, RenewingAccount, ServiceClient},
        journal::{Journal, Step},
        orders::{PlacedOrder, call, cart, paid, pay_call, place_call},
    },
    stack::Stack,
};

/// The people, and what they were answered.
#[derive(Debug)]
pub struct Evening {
    pub client: ServiceClient,
    pub customers: Vec<RenewingAccount>,
    pub kitchens: Vec<Arc<Kitchen>>,
    /// Their ids.
    pub drivers: Vec<String>,
    pub journal: Journal,
    /// The orders whose customer's browser died while it placed them.
    pub unanswered: AtomicUsize,
}

/// The course of one checkout, drawn ahead from the seed.
#[derive(Clone, Debug)]
struct Plan {
    customer: usize,
    kitchen: usize,
    driver: usize,
    quantity: u32,
    payment: Option<Payment>,
    /// The answers to the orders of its checkout.
    answers: Vec<Option<Answer>>,
    /// The call in which a browser dies, and after how long.
    dies: Option<(Dies, Duration)>,
}

#[derive(Clone, Copy, Debug)]
struct Payment {
    loses_the_answer: bool,
    /// Around the deadline.
    is_late: bool,
}

/// The restaurant's answer, and its moment from the deadline on, in milliseconds.
#[derive(Clone, Copy, Debug)]
struct Answer {
    confirms: bool,
    at: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dies {
    Placing,
    Paying,
    /// The owner's.
    Answering,
}

impl Plan {
    fn draw(seed: u64, evening: &Evening) -> Self {
        let mut random = StdRng::seed_from_u64(seed);
        // Payments belong to checkouts. Those of two orders are not paid, so that each order's money is its own.
        let orders = if random.random_bool(0.1) { 2 } else { 1 };
        let answers = (0..orders).map(|_| Answer::draw(&mut random)).collect();
        let is_paid = orders == 1 && random.random_bool(0.9);
        let payment = is_paid.then(|| Payment {
            loses_the_answer: random.random_bool(0.1),
            is_late: random.random_bool(0.15),
        });
        let dies = match random.random_range(0..100) {
            0..5 => Some(Dies::Placing),
            5..12 => Some(Dies::Paying),
            12..20 => Some(Dies::Answering),
            _ => None,
        };
        Self {
            customer: random.random_range(0..evening.customers.len()),
            kitchen: random.random_range(0..evening.kitchens.len()),
            driver: random.random_range(0..evening.drivers.len()),
            quantity: random.random_range(1..=5),
            payment,
            answers,
            dies: dies.map(|dies| (dies, Duration::from_millis(random.random_range(0..120)))),
        }
    }

    fn death(&self, of: Dies) -> Option<Duration> {
        self.dies
            .filter(|(dies, _)| *dies == of)
            .map(|(_, after)| after)
    }
}

impl Answer {
    fn draw(random: &mut StdRng) -> Option<Self> {
        let at = match random.random_range(0..100) {
            // Refusals are made every five seconds, so that many of these come first.
            0..25 => -1_500..5_500,
            25..65 => -58_000..-5_000,
            _ => return None,
        };
        Some(Self {
            confirms: random.random_bool(0.93),
            at: random.random_range(at),
        })
    }
}

impl Evening {
    /// Places a checkout, pays it and answers its orders, as its plan says.
    pub async fn run_checkout(&self, seed: u64) {
        let plan = Plan::draw(seed, self);
        let orders = self.place(&plan, &format!("order-{seed}")).await;
        let key = format!("pay-{seed}");
        let pay = async {
            if let (Some(payment), [order]) = (plan.payment, orders.as_slice()) {
                self.pay(&plan, payment, order, &key).await;
            }
        };
        let answers = orders.iter().zip(&plan.answers);
        let answers = answers.filter_map(|(order, answer)| Some((order, (*answer)?)));
        let answers = answers.map(|(order, answer)| self.answer(&plan, answer, order));
        tokio::join!(pay, join_all(answers));
    }

    /// Returns the orders; none if the customer's browser died.
    async fn place(&self, plan: &Plan, key: &str) -> Vec<PlacedOrder> {
        let customer = &self.customers[plan.customer];
        let items = &self.kitchens[plan.kitchen].items[..plan.answers.len()];
        let cart = cart(items, plan.quantity);
        let call = place_call(&cart, key);
        if let Some(after) = plan.death(Dies::Placing) {
            self.unanswered.fetch_add(items.len(), Ordering::Relaxed);
            self.client.abandon(customer, call, after).await;
            return Vec::new();
        }
        let orders = PlacedOrder::read(&self.client.call(customer, call).await);
        for order in &orders {
            self.journal.placed(order.id, order.cents());
        }
        orders
    }

    async fn pay(&self, plan: &Plan, payment: Payment, order: &PlacedOrder, key: &str) {
        if payment.is_late {
            until(order, -1_000).await;
        }
        let customer = &self.customers[plan.customer];
        let body = order.payment(payment.loses_the_answer);
        let call = pay_call(&body, key);
        if let Some(after) = plan.death(Dies::Paying) {
            self.journal.record(order.id, Step::MayBePaid);
            return self.client.abandon(customer, call, after).await;
        }
        let answer = self.client.call(customer, call).await;
        self.journal.record(order.id, paid(&answer));
    }

    async fn answer(&self, plan: &Plan, Answer { confirms, at }: Answer, order: &PlacedOrder) {
        until(order, at).await;
        let owner = &self.kitchens[plan.kitchen].owner;
        let body = json!({ "status": "confirmed", "driverId": self.drivers[plan.driver] });
        let confirm = format!("/api/v1/orders/status/{}", order.id);
        let refuse = format!("/api/v1/orders/cancel/{}", order.id);
        let call = if confirms {
            Call {
                body: Some(&body),
                ..call(Method::PUT, "order", &confirm)
            }
        } else {
            call(Method::POST, "order", &refuse)
        };
        if let Some(after) = plan.death(Dies::Answering) {
            return self.client.abandon(owner, call, after).await;
        }
        let answer = self.client.call(owner, call).await;
        let step = match (answer.status.as_u16(), confirms) {
            (200, true) => Step::Confirmed,
            (200, false) => Step::Cancelled,
            // The deadline came first.
            (409, true) => return,
            _ => panic!("an answer: {answer:?}"),
        };
        self.journal.record(order.id, step);
    }

    /// Takes orders into the journal that were placed without anyone who waited for the answer.
    pub async fn know_unanswered(&self, stack: &Stack) {
        let known = self.journal.orders();
        let rows: Vec<(Uuid, i64)> = stack.rows("order", "select id, total from orders").await;
        let unknown = rows.into_iter().filter(|(id, _)| !known.contains_key(id));
        let mut count = 0;
        for (id, total) in unknown {
            self.journal.placed(id, total);
            count += 1;
        }
        let abandoned = self.unanswered.load(Ordering::Relaxed);
        assert!(count <= abandoned, "{count} orders of {abandoned} calls");
    }
}

/// Waits for the moment so many milliseconds after the order's deadline.
#[expect(clippy::disallowed_methods, reason = "people have their own clock")]
async fn until(order: &PlacedOrder, milliseconds: i64) {
    let at = order.answer_by.unwrap() + time::Duration::milliseconds(milliseconds);
    let left = at - OffsetDateTime::now_utc();
    sleep(left.try_into().unwrap_or_default()).await;
}
