//! The comparison of the services' tables and streams with the answers of the platform.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::{Duration, Instant},
};

use async_nats::jetstream;
use futures_util::{StreamExt, TryStreamExt};
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use tiffin_bus::Broker;
use tiffin_events::subject::Subject;
use uuid::Uuid;

use super::{
    SERVICES,
    journal::{Journal, Step},
};
use crate::stack::Stack;

/// The longest time that the consequences of the last answer may take.
const SETTLE_TIMEOUT: Duration = Duration::from_mins(15);

/// Streams whose every event lies in an outbox.
const STREAMS: [&str; 7] = [
    "USERS",
    "CATALOG",
    "ORDERS",
    "PAYMENTS",
    "DELIVERIES",
    "DRIVERS",
    "NOTIFICATIONS",
];

/// The notifications of an order with a delivery, once each: recipient's part and topic.
const EXPECTED_NOTIFICATIONS: [&str; 6] = [
    "delivery_assigned",
    "delivery_delivered",
    "delivery_delivered",
    "delivery_on_the_way",
    "order_confirmed",
    "order_placed",
];

/// One event of a stream.
struct Event {
    id: String,
    /// Kind and id: an account and its driver's profile have one id.
    subject: String,
    aggregate: Uuid,
    name: String,
}

/// All streams, read once everything has settled.
pub struct ConsistencyCheck<'a> {
    stack: &'a Stack,
    journal: &'a Journal,
    events: BTreeMap<&'static str, Vec<Event>>,
}

impl<'a> ConsistencyCheck<'a> {
    pub async fn read(stack: &'a Stack, journal: &'a Journal) -> Self {
        let jetstream = Broker::connect(&stack.servers.nats.url(), "ledger")
            .await
            .unwrap()
            .jetstream;
        settle(stack, &jetstream).await;
        let mut events = BTreeMap::new();
        for stream in STREAMS {
            events.insert(stream, read(&jetstream, stream).await);
        }
        Self {
            stack,
            journal,
            events,
        }
    }

    /// Every difference, as a sentence.
    pub async fn differences(&self) -> Vec<String> {
        let mut found = Vec::new();
        self.orders(&mut found).await;
        self.outboxes(&mut found).await;
        self.deliveries(&mut found).await;
        self.money(&mut found).await;
        self.notifications(&mut found).await;
        self.states(&mut found);
        found
    }

    /// Each answered order is there once, and no other.
    async fn orders(&self, found: &mut Vec<String>) {
        let rows: Vec<(Uuid, i64)> = self
            .stack
            .rows("order", "select id, total from orders")
            .await;
        let kept: BTreeMap<Uuid, i64> = rows.into_iter().collect();
        let answered = self.journal.orders();
        for (id, order) in &answered {
            match kept.get(id) {
                None => found.push(format!("order {id} was answered and is not there")),
                Some(total) if *total != order.total => {
                    found.push(format!(
                        "order {id} costs {total}, answered was {}",
                        order.total
                    ));
                }
                Some(_) => {}
            }
        }
        for id in kept.keys().filter(|id| !answered.contains_key(id)) {
            found.push(format!("order {id} is there and was not answered"));
        }
    }

    /// The ids of outboxes and streams are the same, each once, and in one order for each aggregate.
    async fn outboxes(&self, found: &mut Vec<String>) {
        let mut written: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let sql = "select subject, event_id::text from bus.outbox where subject like 'tiffin.%' order by id";
        for service in SERVICES.iter().filter(|service| **service != "live") {
            let rows: Vec<(String, String)> = self.stack.rows(service, sql).await;
            for (subject, id) in rows {
                written.entry(aggregate(&subject)).or_default().push(id);
            }
        }
        let mut stored: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for event in self.events.values().flatten() {
            let ids = stored.entry(event.subject.clone()).or_default();
            ids.push(event.id.clone());
        }
        let all: BTreeSet<&String> = written.keys().chain(stored.keys()).collect();
        for aggregate in all {
            let [outbox, stream] = [&written, &stored].map(|ids| ids.get(aggregate));
            if outbox != stream {
                found.push(format!("{aggregate}: outbox {outbox:?}, stream {stream:?}"));
            }
        }
    }

    /// Confirmed orders have one delivery, others none.
    async fn deliveries(&self, found: &mut Vec<String>) {
        let mut confirmed: Vec<Uuid> = self.named("ORDERS", "confirmed").collect();
        let rows: Vec<(Uuid, String)> = self
            .stack
            .rows("delivery", "select order_id, status from deliveries")
            .await;
        let mut brought: Vec<Uuid> = rows.iter().map(|(order, _)| *order).collect();
        confirmed.sort();
        brought.sort();
        if confirmed != brought {
            let [confirmed, brought] = [confirmed, brought].map(BTreeSet::from_iter);
            let lacking: Vec<_> = confirmed.symmetric_difference(&brought).collect();
            found.push(format!(
                "confirmed orders and deliveries differ: {lacking:?}"
            ));
        }
        let delivered: BTreeSet<Uuid> = rows
            .into_iter()
            .filter(|(_, status)| status == "delivered")
            .map(|(order, _)| order)
            .collect();
        for (id, order) in self.journal.orders() {
            if order.is(Step::Delivered) != delivered.contains(&id) {
                found.push(format!(
                    "order {id}: answered {order:?}, its delivery differs"
                ));
            }
            if order.is(Step::Confirmed) && !is_delivered(&self.events["ORDERS"], id) {
                found.push(format!("order {id} was confirmed by an answer alone"));
            }
        }
    }

    /// An order's payments amount to nothing or to its total, and the provider's own book agrees.
    async fn money(&self, found: &mut Vec<String>) {
        let open: Vec<(Uuid,)> = self
            .stack
            .rows(
                "payment",
                "select id from payments where status in ('pending', 'refunding')",
            )
            .await;
        found.extend(open.iter().map(|(id,)| format!("payment {id} is open")));
        let sql = "select coalesce(p.id, s.key), coalesce(p.amount - p.refunded, 0),
                          coalesce(s.amount - s.given_back, 0)
                   from (select * from payments where status in ('captured', 'refunded')) p
                   full join (select * from sandbox_charges where result = 'captured') s on s.key = p.id
                   where p.id is null or s.key is null or p.amount <> s.amount or p.refunded <> s.given_back";
        let differing: Vec<(Uuid, i64, i64)> = self.stack.rows("payment", sql).await;
        for (id, ours, theirs) in differing {
            found.push(format!("payment {id} holds {ours}, the provider {theirs}"));
        }
        let sql = "select order_id, sum(amount - refunded)::bigint from payments
                   where status in ('captured', 'refunded') group by order_id";
        let held: Vec<(Uuid, i64)> = self.stack.rows("payment", sql).await;
        let held: BTreeMap<Uuid, i64> = held.into_iter().collect();
        let cancelled: BTreeSet<Uuid> = self.named("ORDERS", "cancelled").collect();
        for (id, order) in self.journal.orders() {
            let holds = held.get(&id).copied().unwrap_or_default();
            let is_off = cancelled.contains(&id);
            let is_right = match holds {
                _ if is_off => holds == 0,
                0 => !order.is(Step::Paid),
                _ => holds == order.total && (order.is(Step::Paid) || order.is(Step::MayBePaid)),
            };
            if !is_right {
                found.push(format!(
                    "order {id} holds {holds}: {order:?}, off: {is_off}"
                ));
            }
        }
    }

    /// Each is notified once, and by one mail.
    async fn notifications(&self, found: &mut Vec<String>) {
        let sql = "select order_id, user_id, topic from notifications";
        let rows: Vec<(Uuid, Uuid, String)> = self.stack.rows("notification", sql).await;
        let mut notified: BTreeMap<Uuid, Vec<(String, Uuid)>> = BTreeMap::new();
        for (order, user, topic) in rows {
            notified.entry(order).or_default().push((topic, user));
        }
        for (id, order) in self.journal.orders() {
            let mut topics = notified.remove(&id).unwrap_or_default();
            topics.sort();
            let once = topics.iter().collect::<BTreeSet<_>>().len();
            if once != topics.len() {
                found.push(format!("order {id} has a notification twice: {topics:?}"));
            }
            let topics: Vec<&str> = topics.iter().map(|(topic, _)| topic.as_str()).collect();
            if order.is(Step::Delivered) && topics != EXPECTED_NOTIFICATIONS {
                found.push(format!(
                    "order {id} is delivered, and has the notifications {topics:?}"
                ));
            }
        }
        let sql = "select id::text, mail from notifications where mail <> 'none'";
        let mailed: Vec<(String, String)> = self.stack.rows("notification", sql).await;
        let names = self.stack.mail_ids();
        for (id, state) in mailed {
            let is_mailed = names.contains(&format!("{id}.eml"));
            if state != "sent" || !is_mailed {
                found.push(format!("notification {id} is {state}, mailed: {is_mailed}"));
            }
        }
    }

    /// No order and no delivery went back, and none was both brought and cancelled.
    fn states(&self, found: &mut Vec<String>) {
        let steps: [(&str, &[&str]); 2] = [
            (
                "ORDERS",
                &[
                    "placed",
                    "confirmed",
                    "preparing",
                    "dispatched",
                    "delivered",
                ],
            ),
            ("DELIVERIES", &["created", "on_the_way", "delivered"]),
        ];
        for (stream, steps) in steps {
            let mut went: BTreeMap<Uuid, Vec<&str>> = BTreeMap::new();
            for event in &self.events[stream] {
                went.entry(event.aggregate).or_default().push(&event.name);
            }
            for (id, names) in went {
                let places: Vec<usize> = names
                    .iter()
                    .filter_map(|name| steps.iter().position(|step| step == name))
                    .collect();
                let ascends = places.windows(2).all(|pair| pair[0] < pair[1]);
                let both = names.contains(&"delivered") && names.contains(&"cancelled");
                if !ascends || both {
                    found.push(format!("{stream} {id}: {names:?}"));
                }
            }
        }
    }

    fn named(&self, stream: &str, name: &'static str) -> impl Iterator<Item = Uuid> {
        let of_name = self.events[stream]
            .iter()
            .filter(move |event| event.name == name);
        of_name.map(|event| event.aggregate)
    }
}

/// `tiffin.order.<id>` of `tiffin.order.<id>.placed`.
fn aggregate(subject: &str) -> String {
    let end = subject.rfind('.').unwrap();
    subject[..end].to_owned()
}

fn is_delivered(orders: &[Event], id: Uuid) -> bool {
    let mut confirmed = orders.iter();
    confirmed.any(|event| event.aggregate == id && event.name == "confirmed")
}

/// Waits until nothing waits: in outboxes, for a mail, for the provider, for a consumer.
async fn settle(stack: &Stack, jetstream: &jetstream::Context) {
    let began = Instant::now();
    let mut quiet = 0;
    let mut said = began;
    while quiet < 4 {
        let waits = waits(stack, jetstream).await;
        if said.elapsed() > Duration::from_secs(15) {
            eprintln!("chaos: still to come: {waits:?}");
            said = Instant::now();
        }
        quiet = if waits.is_empty() { quiet + 1 } else { 0 };
        assert!(
            began.elapsed() < SETTLE_TIMEOUT,
            "it does not settle: {waits:?}"
        );
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
}

async fn waits(stack: &Stack, jetstream: &jetstream::Context) -> Vec<String> {
    let mut waits = Vec::new();
    for service in SERVICES.iter().filter(|service| **service != "live") {
        let mut sql = "select (select count(*) from bus.outbox where published_at is null)
                            + (select count(*) from bus.blocked) + (select count(*) from bus.parked)"
            .to_owned();
        match *service {
            "notification" => {
                sql += " + (select count(*) from notifications where mail = 'waiting')";
            }
            "payment" => sql += " + (select count(*) from payments where due_at is not null)",
            _ => {}
        }
        let url = stack.database_url(service);
        let mut connection = PgConnection::connect(&url).await.unwrap();
        let count = sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(&mut connection);
        let count: i64 = count.await.unwrap();
        if count > 0 {
            waits.push(format!("{count} of {service}"));
        }
    }
    for name in STREAMS {
        let stream = jetstream.get_stream(name).await.unwrap();
        let consumers: Vec<jetstream::consumer::Info> =
            stream.consumers().try_collect().await.unwrap();
        for consumer in consumers {
            let behind = consumer.num_pending + u64::try_from(consumer.num_ack_pending).unwrap();
            if consumer.config.durable_name.is_some() && behind > 0 {
                waits.push(format!("{behind} of {}", consumer.name));
            }
        }
    }
    waits
}

/// A stream's events in its order.
async fn read(jetstream: &jetstream::Context, name: &str) -> Vec<Event> {
    let stream = jetstream.get_stream(name).await.unwrap();
    let count = usize::try_from(stream.cached_info().state.messages).unwrap();
    let config = jetstream::consumer::pull::OrderedConfig {
        headers_only: true,
        ..Default::default()
    };
    let consumer = stream.create_consumer(config).await.unwrap();
    let messages = consumer.messages().await.unwrap().take(count);
    messages
        .map(|message| {
            let message = message.unwrap();
            let parts = Subject::parse(&message.subject).unwrap();
            let id = message
                .headers
                .as_ref()
                .and_then(|headers| headers.get("Nats-Msg-Id"));
            Event {
                id: id.unwrap().to_string(),
                subject: aggregate(&message.subject),
                aggregate: parts.id,
                name: parts.event.to_owned(),
            }
        })
        .collect()
        .await
}
