//! Orders that wait for their restaurants while everything breaks: none is past its deadline without an answer or a
//! refund, none is refused after it was confirmed, none is printed twice.
//!
//! `cargo xtask chaos --unanswered` runs it at length; `CHAOS_CHECKOUTS`, `CHAOS_SEED` and `CHAOS_ORDERS_A_SECOND` say
//! how.

mod deadlines;
mod kitchen;
mod listeners;
mod orders;
mod outages;
mod paper;
mod verdict;

use std::{
    ops::Range,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use futures_util::future::join_all;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use tokio::{
    task::JoinSet,
    time::{Instant, sleep},
};

use self::{
    deadlines::DeadlineWatch,
    kitchen::Kitchen,
    orders::Evening,
    outages::{Outages, Site},
    verdict::Verdict,
};
use crate::{
    accounts::{admin, driver, registered},
    chaos::{
        SERVICES,
        calls::{RenewingAccount, ServiceClient},
        consistency::ConsistencyCheck,
        fault::Fault,
        journal::Journal,
        number,
        schedule::inject_faults,
    },
    stack::{Settings, Stack},
};

/// Restaurants answer within a minute, the shortest time that there is.
const SETTINGS: Settings = &[
    ("TIFFIN_ANSWER_MINUTES", "1"),
    ("TIFFIN_PUSH_LOOPBACK", "true"),
];
const CUSTOMERS: usize = 40;
const KITCHENS: usize = 3;
const DRIVERS: usize = 10;
/// The most checkouts under way, in seconds of the rate. More callers that try again keep services from catching up.
const MAX_UNDER_WAY: u64 = 80;
/// Faults go on for so long after the last checkout. The last deadlines come in calm.
const FAULTS_AFTER_ORDERS: Duration = Duration::from_secs(45);

/// The milliseconds between two faults. Agents and deadlines need times in which they get on.
const PAUSES: Range<u64> = 1_000..8_000;

/// The fault points of services: around a refusal, a confirmation, a refund and the marks of a print job.
const POINTS: [(&str, &str); 10] = [
    ("order", "order.before_deadline_commit"),
    ("order", "order.after_deadline_commit"),
    ("order", "order.before_status_commit"),
    ("order", "order.after_status_commit"),
    ("order", "order.after_claim_commit"),
    ("order", "order.after_report_commit"),
    ("order", "relay.before_publish"),
    ("payment", "payment.after_refund"),
    ("payment", "payment_ORDERS.before_ack"),
    ("notification", "notification_ORDERS.before_ack"),
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_order_is_left_refused_after_its_answer_or_printed_twice() {
    let checkouts = number("CHAOS_CHECKOUTS", 24);
    let seed = number("CHAOS_SEED", rand::random_range(0..1_000_000));
    let rate = number("CHAOS_ORDERS_A_SECOND", 3);
    eprintln!("chaos: seed {seed}, {checkouts} checkouts, {rate} a second");
    let mut stack = Stack::with_links(&SERVICES, SETTINGS).await;
    let site = Arc::new(Site::open(&stack).await);
    let evening = Arc::new(create_evening(&stack, &site).await);
    let stopped = Arc::new(AtomicBool::new(false));
    let outages =
        tokio::spawn(Outages::new(&stack, Arc::clone(&site), seed).run(Arc::clone(&stopped)));
    let mut background = JoinSet::new();
    for (number, kitchen) in (0..).zip(&evening.kitchens) {
        let (kitchen, stopped) = (Arc::clone(kitchen), Arc::clone(&stopped));
        background.spawn(async move { kitchen.kill_agents(seed ^ number, &stopped).await });
    }
    let listening = listeners::listen(&evening, &stack.live_url(), &stopped);

    let are_placed = Arc::new(AtomicBool::new(false));
    let placing = tokio::spawn(place_checkouts(
        Arc::clone(&evening),
        (seed, checkouts, rate),
        Arc::clone(&are_placed),
    ));
    let draw = |random: &mut StdRng| Fault::draw(random, &SERVICES, &POINTS);
    let mut tally = inject_faults(&mut stack, seed, PAUSES, draw, |_| {
        !are_placed.load(Ordering::Relaxed)
    })
    .await;
    stopped.store(true, Ordering::Relaxed);
    stack.wait_for_all().await;
    let watch = DeadlineWatch::begin();
    tally.extend(outages.await.unwrap());
    while let Some(kills) = background.join_next().await {
        for (name, count) in kills.unwrap() {
            *tally.entry(name).or_default() += count;
        }
    }
    listening.await;
    placing.await.unwrap();
    eprintln!("chaos: {tally:?}, {} pushes taken", site.taken());

    let mut differences = watch.until_all_are_answered(&stack).await;
    eprintln!("chaos: no order is pending");
    evening.know_unanswered(&stack).await;
    let check = ConsistencyCheck::read(&stack, &evening.journal).await;
    differences.extend(check.differences().await);
    let kitchens = evening.kitchens.iter();
    join_all(kitchens.map(|kitchen| kitchen.print_the_rest(&stack))).await;
    let verdict = Verdict::read(&stack, &evening, watch.since()).await;
    differences.extend(verdict.differences());
    eprintln!("chaos: {}", verdict.summary());
    assert!(
        differences.is_empty(),
        "{} differences, seed {seed}:\n{}",
        differences.len(),
        differences[..differences.len().min(40)].join("\n")
    );
    drop(evening);
    stack.stop().await;
}

/// Kitchens with owners, dishes and printers; customers; drivers. Everybody's browser takes pushes.
async fn create_evening(stack: &Stack, site: &Site) -> Evening {
    let admin = admin(stack).await;
    let client = ServiceClient::new(SERVICES.map(|service| (service, stack.url(service))).into());
    let mut kitchens = Vec::new();
    for number in 0..KITCHENS {
        let owner = registered(stack, &format!("owner{number}@example.com"), "restaurant").await;
        site.subscribe(stack, &owner).await;
        let kitchen = Kitchen::new(stack, &owner, &admin, site.url()).await;
        kitchens.push(Arc::new(kitchen));
    }
    let mut customers = Vec::new();
    for number in 0..CUSTOMERS {
        let email = format!("customer{number}@example.com");
        let customer = registered(stack, &email, "customer").await;
        site.subscribe(stack, &customer).await;
        customers.push(RenewingAccount::new(&customer));
    }
    let mut drivers = Vec::new();
    for number in 0..DRIVERS {
        drivers.push(
            driver(stack, &format!("driver{number}@example.com"))
                .await
                .id,
        );
    }
    Evening {
        client,
        customers,
        kitchens,
        drivers,
        journal: Journal::default(),
        unanswered: AtomicUsize::new(0),
    }
}

/// Places so many checkouts at a rate, leads each to its end, and says when faults may end.
async fn place_checkouts(
    evening: Arc<Evening>,
    (seed, count, rate): (u64, u64, u64),
    are_placed: Arc<AtomicBool>,
) {
    let mut random = StdRng::seed_from_u64(seed);
    let mut checkouts = JoinSet::new();
    let most = usize::try_from(rate * MAX_UNDER_WAY).unwrap();
    let mut every = tokio::time::interval(Duration::from_millis(1000 / rate));
    let began = Instant::now();
    for number in 0..count {
        every.tick().await;
        while let Some(ended) = checkouts.try_join_next() {
            ended.unwrap();
        }
        while checkouts.len() >= most {
            checkouts.join_next().await.unwrap().unwrap();
        }
        let (evening, checkout) = (Arc::clone(&evening), random.random());
        checkouts.spawn(async move { evening.run_checkout(checkout).await });
        if number % 500 == 499 {
            eprintln!("chaos: {} checkouts in {:.0?}", number + 1, began.elapsed());
        }
    }
    sleep(FAULTS_AFTER_ORDERS).await;
    are_placed.store(true, Ordering::Relaxed);
    while let Some(ended) = checkouts.join_next().await {
        ended.unwrap();
    }
}
