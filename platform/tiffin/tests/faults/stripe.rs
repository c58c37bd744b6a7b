//! Payments by Stripe (localstripe) while its answers and webhooks get lost, come late or twice, and the payment service
//! is killed. In the end its book, the payments and their events agree to the cent.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use rand::{RngExt, SeedableRng, rngs::StdRng};
use reqwest::Method;
use serde_json::{Value, json};
use tiffin_events::{Event, payment::PaymentEvent};
use tiffin_testkit::{StripeIntent, TestStripe};
use tokio::time::sleep;

use crate::{
    accounts::{admin, registered},
    cart,
    chaos::{
        calls::{Answer, Call, RenewingAccount, ServiceClient},
        number,
    },
    menu,
    stack::{Stack, eventually},
};

const SERVICES: [&str; 4] = ["user", "restaurant", "order", "payment"];
/// The price of an order in cents.
const PRICE: i64 = 250_100;
/// The customers who pay at the same time.
const CUSTOMERS: usize = 8;
/// The most attempts to pay one order.
const ATTEMPTS: u32 = 4;
/// The milliseconds between two kills.
const PAUSES: std::ops::Range<u64> = 1_500..4_000;
/// Cards: one that pays, one that is declined, and two whose bank asks.
const GOOD: &str = "4242424242424242";
const DECLINED: &str = "4000000000000341";
const ASKS: &str = "4000002500003155";
const ASKS_AND_DECLINES: &str = "4000008260003178";

/// Everything that the payers need.
struct Site {
    client: ServiceClient,
    stripe: TestStripe,
    /// A dish that may be ordered.
    item: String,
    seed: u64,
    next: AtomicUsize,
    count: usize,
    /// Orders by id: true if the order was cancelled.
    orders: Mutex<BTreeMap<String, bool>>,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stripes_book_agrees_whatever_breaks() {
    let count = number("CHAOS_PAYMENTS", 8);
    let seed = number("CHAOS_SEED", rand::random_range(0..1_000_000));
    eprintln!("stripe: seed {seed}, {count} orders");
    let stripe = TestStripe::start().await;
    let mut settings = stripe.settings().to_vec();
    settings.push(("TIFFIN_STRIPE_TIMEOUT", "2".to_owned()));
    let settings: Vec<(&str, &str)> = settings
        .into_iter()
        .map(|(name, value)| (name, &*value.leak()))
        .collect();
    let mut stack = Stack::with_settings(&SERVICES, settings.leak()).await;
    let url = format!("{}/api/v1/payment/stripe/webhook", stack.url("payment"));
    stripe.send_webhooks_to(&url).await;
    let faults = json!({
        "away": 0.05, "lost": 0.08, "twice": 0.08, "slow": 0.03, "late": 0.04, "seconds": 3,
        "search_lag": 2, "never": 0.3, "copies": 3, "delay": 2, "seed": seed,
    });
    stripe.set_faults(&faults).await;

    let admin = admin(&stack).await;
    let owner = registered(&stack, "owner@example.com", "restaurant").await;
    let item = menu(&stack, &owner, &admin).await;
    let mut customers = Vec::new();
    for number in 0..CUSTOMERS {
        let email = format!("customer{number}@example.com");
        customers.push(RenewingAccount::new(
            &registered(&stack, &email, "customer").await,
        ));
    }
    eventually("the order service knows the dish", async || {
        let cart = cart(&item);
        let quote = stack.post("order", "/api/v1/orders/quote", None, &cart);
        quote.await.is_ok_and(|quote| quote["total"] == json!(2501))
    })
    .await;
    let site = Arc::new(Site {
        client: ServiceClient::new(SERVICES.map(|name| (name, stack.url(name))).into()),
        stripe,
        item,
        seed,
        next: AtomicUsize::new(0),
        count: usize::try_from(count).unwrap(),
        orders: Mutex::default(),
    });
    let paying = customers.into_iter().map(|customer| {
        let site = Arc::clone(&site);
        tokio::spawn(async move { pay_orders(&site, &customer).await })
    });
    let paying = tokio::spawn(futures_util::future::join_all(paying.collect::<Vec<_>>()));
    let kills = kill_payment(&mut stack, seed, || paying.is_finished()).await;
    for payer in paying.await.unwrap() {
        payer.unwrap();
    }
    site.stripe.set_faults(&json!({})).await;
    stack.wait_for_all().await;
    let orders = site.orders.lock().unwrap().clone();
    settle(&stack, &orders).await;
    compare(&stack, &site.stripe.book().await, &orders).await;
    eprintln!("stripe: {} orders, {kills} kills", orders.len());
    stack.stop().await;
}

/// Kills the payment service again and again, sometimes at its fault point, until `is_over`.
async fn kill_payment(stack: &mut Stack, seed: u64, is_over: impl Fn() -> bool) -> u32 {
    let mut random = StdRng::seed_from_u64(seed);
    let mut kills = 0;
    while !is_over() {
        sleep(Duration::from_millis(random.random_range(PAUSES))).await;
        if random.random_bool(0.3) {
            stack.start_with_fault("payment", "payment.after_refund");
            sleep(Duration::from_millis(random.random_range(PAUSES))).await;
        }
        stack.kill("payment");
        sleep(Duration::from_millis(random.random_range(0..800))).await;
        stack.start_service("payment");
        kills += 1;
    }
    kills
}

async fn pay_orders(site: &Site, customer: &RenewingAccount) {
    loop {
        let number = site.next.fetch_add(1, Ordering::Relaxed);
        if number >= site.count {
            return;
        }
        let seed = site.seed.wrapping_add(u64::try_from(number).unwrap());
        pay_order(site, customer, &mut StdRng::seed_from_u64(seed)).await;
    }
}

/// Places an order, pays it with one card after the other until one is good, and sometimes cancels it.
async fn pay_order(site: &Site, customer: &RenewingAccount, random: &mut StdRng) {
    let body = cart(&site.item);
    let placed = post(site, customer, "order", "/api/v1/orders", Some(&body)).await;
    let order = &placed.body["orders"][0];
    let (id, code) = (
        order["_id"].as_str().unwrap(),
        order["orderId"].as_str().unwrap(),
    );
    site.orders.lock().unwrap().insert(id.to_owned(), false);
    let cancels_meanwhile = random.random_bool(0.1);
    let attempts = async {
        for attempt in 0..ATTEMPTS {
            let card = match random.random_range(0..10) {
                0..=4 => GOOD,
                5..=6 => DECLINED,
                7..=8 => ASKS,
                _ => ASKS_AND_DECLINES,
            };
            let accepts = random.random_bool(0.7);
            if pay(
                site,
                customer,
                code,
                &format!("{code}-{attempt}"),
                card,
                accepts,
            )
            .await
            {
                break;
            }
        }
    };
    if cancels_meanwhile {
        tokio::join!(attempts, cancel(site, customer, id, code));
    } else {
        attempts.await;
        if random.random_bool(0.25) {
            cancel(site, customer, id, code).await;
        }
    }
}

/// One attempt, with the same key until it is answered. True if there is nothing more to pay.
async fn pay(
    site: &Site,
    customer: &RenewingAccount,
    code: &str,
    key: &str,
    card: &str,
    accepts: bool,
) -> bool {
    let answer = loop {
        let token = site.stripe.token(card).await;
        let body = json!({
            "bookingId": code, "amount": 2501, "paymentType": "Card", "cardToken": token,
        });
        let call = Call {
            method: Method::POST,
            service: "payment",
            path: "/api/v1/payment",
            body: Some(&body),
            key: Some(key),
            // The payment service does not know the order yet.
            not_yet: &[404],
        };
        let answer = site.client.call(customer, call).await;
        // A token that was used in a call whose answer got lost is no good any more: another one.
        if answer.body["code"] != "payment.card-token-required" {
            break answer;
        }
    };
    let Some(secret) = answer.body["clientSecret"].as_str() else {
        return answer.status != 402;
    };
    site.stripe.confirm(secret, accepts).await;
    let id = answer.body["payment"]["_id"].as_str().unwrap();
    let path = format!("/api/v1/payment/check/{id}");
    post(site, customer, "payment", &path, None).await.status != 402
}

async fn cancel(site: &Site, customer: &RenewingAccount, id: &str, code: &str) {
    let path = format!("/api/v1/orders/cancel/{code}");
    let answer = post(site, customer, "order", &path, None).await;
    assert!(answer.status.is_success(), "{}", answer.body);
    site.orders.lock().unwrap().insert(id.to_owned(), true);
}

async fn post(
    site: &Site,
    customer: &RenewingAccount,
    service: &'static str,
    path: &str,
    body: Option<&Value>,
) -> Answer {
    let call = Call {
        method: Method::POST,
        service,
        path,
        body,
        key: None,
        not_yet: &[],
    };
    site.client.call(customer, call).await
}

/// Lets the time pass in which nothing may stay open: every payment has its outcome, every refund is made.
async fn settle(stack: &Stack, orders: &BTreeMap<String, bool>) {
    eventually(
        "the payment service knows of every cancellation",
        async || {
            let known: Vec<(i64,)> = stack
                .rows("payment", "select count(*) from orders where cancelled")
                .await;
            let cancelled = orders.values().filter(|cancelled| **cancelled).count();
            known[0].0 == i64::try_from(cancelled).unwrap()
        },
    )
    .await;
    eventually("no payment is open", async || {
        let open: Vec<(String,)> = stack
            .rows(
                "payment",
                "update payments set due_at = now() where due_at > now() returning status",
            )
            .await;
        let left: Vec<(i64,)> = stack
            .rows(
                "payment",
                "select count(*) from payments where due_at is not null",
            )
            .await;
        open.is_empty() && left[0].0 == 0
    })
    .await;
}

async fn compare(
    stack: &Stack,
    book: &BTreeMap<String, Vec<StripeIntent>>,
    orders: &BTreeMap<String, bool>,
) {
    let payments: Vec<(String, String, String, i64, i64)> = stack
        .rows(
            "payment",
            "select id::text, order_id::text, status, amount, refunded from payments",
        )
        .await;
    eventually("every event is published", async || {
        let versions: Vec<(i64,)> = stack
            .rows(
                "payment",
                "select coalesce(sum(version), 0)::bigint from payments",
            )
            .await;
        let events = stack.envelopes("PAYMENTS").await.len();
        versions[0].0 == i64::try_from(events).unwrap()
    })
    .await;
    let events = net_by_events(stack).await;
    let mut by_order = BTreeMap::<&str, i64>::new();
    for (id, order, status, amount, refunded) in &payments {
        let ours = match status.as_str() {
            "captured" | "refunded" => amount - refunded,
            "declined" => 0,
            open => panic!("payment {id} is {open}"),
        };
        let intents = book.get(id).map_or(&[][..], Vec::as_slice);
        assert!(intents.len() <= 1, "payment {id}: {intents:?}");
        let theirs: i64 = intents.iter().map(|one| one.taken - one.refunded).sum();
        assert_eq!(ours, theirs, "payment {id}, {status}: {intents:?}");
        let by_events = events.get(id).copied().unwrap_or_default();
        assert_eq!(ours, by_events, "the events of payment {id}, {status}");
        *by_order.entry(order).or_default() += ours;
    }
    let known: Vec<_> = payments.iter().map(|(id, ..)| id).collect();
    let unknown = book.keys().find(|id| !known.contains(id));
    assert_eq!(unknown, None, "a PaymentIntent of no payment");
    let mut paid = 0;
    for (order, is_cancelled) in orders {
        let net = by_order.get(&**order).copied().unwrap_or_default();
        let is_right = net == 0 || net == PRICE && !is_cancelled;
        assert!(
            is_right,
            "order {order}, cancelled: {is_cancelled}, has paid {net}"
        );
        paid += usize::from(net == PRICE);
    }
    assert!(!events.is_empty(), "money was taken");
    assert_eq!(stack.dead_letters().await, 0);
    eprintln!("stripe: {} payments, {paid} orders paid", payments.len());
}

/// The cents that each payment has taken and not given back, by its events alone.
async fn net_by_events(stack: &Stack) -> BTreeMap<String, i64> {
    let mut net = BTreeMap::new();
    for envelope in stack.envelopes("PAYMENTS").await {
        match PaymentEvent::decode(&envelope.kind, &envelope.data).unwrap() {
            Some(PaymentEvent::Captured(payment)) => {
                let id = payment.payment_id.to_string();
                let was = net.insert(id, payment.amount.cents());
                assert_eq!(was, None, "captured twice: {envelope:?}");
            }
            Some(PaymentEvent::Refunded(refund)) => {
                let left = refund.payment.amount.cents() - refund.in_all().cents();
                net.insert(refund.payment.payment_id.to_string(), left);
            }
            Some(
                PaymentEvent::Declined(_)
                | PaymentEvent::Disputed(_)
                | PaymentEvent::RefundIssued(_),
            )
            | None => {}
        }
    }
    net
}
