//! Orders by the hundred while everything breaks: at the end each book agrees with each answer.
//!
//! `cargo xtask chaos` runs it at length; `CHAOS_FAULTS`, `CHAOS_SEED` and `CHAOS_ORDERS_A_SECOND` say
//! how. A run with the same seed draws the same faults and the same orders; when they meet is the
//! machine's.

pub mod calls;
pub mod consistency;
mod driver_sockets;
pub mod fault;
pub mod journal;
pub mod link;
pub mod orders;
pub mod schedule;

use std::{
    env,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use rand::{RngExt, SeedableRng, rngs::StdRng};
use tokio::{task::JoinSet, time::Instant};

use self::{
    calls::{RenewingAccount, ServiceClient},
    consistency::ConsistencyCheck,
    driver_sockets::DriverSockets,
    fault::Fault,
    journal::{Journal, Step},
    orders::ChaosFixture,
    schedule::inject_faults,
};
use crate::{
    accounts::{admin, driver, registered},
    stack::{Stack, eventually},
};

/// The services that break.
pub const SERVICES: [&str; 8] = [
    "user",
    "restaurant",
    "order",
    "payment",
    "delivery",
    "driver",
    "notification",
    "live",
];
const CUSTOMERS: usize = 40;
const DRIVERS: usize = 20;
/// The most orders under way, in seconds of the rate: a shop that can't answer gets no more customers.
const MAX_UNDER_WAY: u64 = 60;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_books_agree_whatever_breaks() {
    let faults = number("CHAOS_FAULTS", 50);
    let seed = number("CHAOS_SEED", rand::random_range(0..1_000_000));
    let rate = number("CHAOS_ORDERS_A_SECOND", 5);
    eprintln!("chaos: seed {seed}, {faults} faults, {rate} orders a second");
    let mut stack = Stack::with_links(&SERVICES, &[]).await;
    let fixture = Arc::new(create_fixture(&stack).await);
    let stopped = Arc::new(AtomicBool::new(false));
    let placing = tokio::spawn(place_orders(
        Arc::clone(&fixture),
        seed,
        rate,
        Arc::clone(&stopped),
    ));
    let draw = |random: &mut StdRng| Fault::draw(random, &SERVICES, &[]);
    inject_faults(&mut stack, seed, 200..2_000, draw, |begun| begun < faults).await;
    stopped.store(true, Ordering::Relaxed);
    eprintln!(
        "chaos: {} orders are under way",
        fixture.under_way.load(Ordering::Relaxed)
    );
    placing.await.unwrap();
    eprintln!("chaos: all are answered");
    let check = ConsistencyCheck::read(&stack, &fixture.journal).await;
    let differences = check.differences().await;
    eprintln!("chaos: {}", summary(&fixture.journal));
    assert!(
        differences.is_empty(),
        "{} differences, seed {seed}:\n{}",
        differences.len(),
        differences[..differences.len().min(40)].join("\n")
    );
    stack.stop().await;
}

pub fn number(name: &str, otherwise: u64) -> u64 {
    env::var(name).map_or(otherwise, |text| text.parse().unwrap())
}

fn summary(journal: &Journal) -> String {
    let orders: Vec<_> = journal.orders().into_values().collect();
    let count = |of: Step| orders.iter().filter(|order| order.is(of)).count();
    format!(
        "{} orders answered, {} paid, {} confirmed, {} delivered, {} cancelled",
        orders.len(),
        count(Step::Paid),
        count(Step::Confirmed),
        count(Step::Delivered),
        count(Step::Cancelled),
    )
}

/// People, a restaurant and a dish.
async fn create_fixture(stack: &Stack) -> ChaosFixture {
    let admin = admin(stack).await;
    let owner = registered(stack, "owner@example.com", "restaurant").await;
    let item = crate::menu(stack, &owner, &admin).await;
    let mut customers = Vec::new();
    for number in 0..CUSTOMERS {
        let email = format!("customer{number}@example.com");
        customers.push(RenewingAccount::new(
            &registered(stack, &email, "customer").await,
        ));
    }
    let mut drivers = Vec::new();
    for number in 0..DRIVERS {
        let email = format!("driver{number}@example.com");
        drivers.push(Arc::new(RenewingAccount::new(&driver(stack, &email).await)));
    }
    eventually("the order service knows the dish", async || {
        let cart = crate::cart(&item);
        let quote = stack.post("order", "/api/v1/orders/quote", None, &cart);
        quote.await.is_ok()
    })
    .await;
    let client = ServiceClient::new(SERVICES.map(|service| (service, stack.url(service))).into());
    ChaosFixture {
        driver_sockets: DriverSockets::new(&client, &stack.live_url(), &drivers),
        client,
        customers,
        owner: RenewingAccount::new(&owner),
        drivers,
        item,
        journal: Journal::default(),
        under_way: AtomicUsize::new(0),
    }
}

/// Places so many orders a second until it is stopped, and leads each to its end.
async fn place_orders(fixture: Arc<ChaosFixture>, seed: u64, rate: u64, stopped: Arc<AtomicBool>) {
    let mut random = StdRng::seed_from_u64(seed);
    let mut orders = JoinSet::new();
    let max = usize::try_from(rate * MAX_UNDER_WAY).unwrap();
    let mut every = tokio::time::interval(Duration::from_millis(1000 / rate));
    let began = Instant::now();
    while !stopped.load(Ordering::Relaxed) {
        every.tick().await;
        while let Some(ended) = orders.try_join_next() {
            ended.unwrap();
        }
        if orders.len() < max {
            let (fixture, order) = (Arc::clone(&fixture), random.random());
            let customer = random.random_range(0..fixture.customers.len());
            orders.spawn(async move { orders::run_order(&fixture, order, customer).await });
        }
    }
    eprintln!("chaos: orders were placed for {:.0?}", began.elapsed());
    while let Some(ended) = orders.join_next().await {
        ended.unwrap();
    }
}
