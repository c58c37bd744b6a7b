//! The comparison of each order's own history with its answers, its money and its paper.

use std::collections::{BTreeMap, BTreeSet};

use async_nats::jetstream;
use futures_util::StreamExt;
use serde_json::Value;
use tiffin_bus::Broker;
use tiffin_events::subject::Subject;
use time::OffsetDateTime;
use uuid::Uuid;

use super::{
    deadlines::SLACK,
    orders::Evening,
    paper::{self, Copies},
};
use crate::{
    chaos::{
        journal::{Order, Step},
        orders::moment,
    },
    stack::Stack,
};

/// An order as the order service has it.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct OrderRow {
    pub id: Uuid,
    pub code: String,
    pub checkout_id: Uuid,
    pub item_name: String,
    status: String,
    cancelled_by: Option<String>,
}

/// One event of an order.
#[derive(Clone, Debug)]
struct Event {
    name: String,
    time: OffsetDateTime,
    /// The deadline that it names: of a refusal without an answer.
    answer_by: Option<OffsetDateTime>,
}

/// Everything about the orders of an evening that is over.
pub struct Verdict {
    since: OffsetDateTime,
    answers: BTreeMap<Uuid, Order>,
    orders: Vec<OrderRow>,
    histories: BTreeMap<Uuid, Vec<Event>>,
    /// The captured and the given back cents of each payment, with its order and the number of its refunds.
    payments: Vec<(Uuid, i64, i64, i64)>,
    /// The copies on paper, by order.
    papers: BTreeMap<Uuid, Copies>,
    /// The states of an order's print jobs that were not asked for.
    jobs: BTreeMap<Uuid, Vec<String>>,
}

impl Verdict {
    pub async fn read(stack: &Stack, evening: &Evening, since: OffsetDateTime) -> Self {
        let orders = "select id, code, checkout_id, item_name, status, cancelled_by from orders";
        let payments = "select p.order_id, s.amount, s.given_back,
                               (select count(*) from bus.outbox o
                                where o.subject = 'tiffin.payment.' || p.id || '.refunded')
                        from payments p join sandbox_charges s on s.key = p.id
                        where s.result = 'captured'";
        let jobs = "select o.id, j.state from print_jobs j join orders o on o.id = any(j.orders)
                    where j.kind <> 'reprint'";
        let mut by_order: BTreeMap<Uuid, Vec<String>> = BTreeMap::new();
        for (order, state) in stack.rows::<(Uuid, String)>("order", jobs).await {
            by_order.entry(order).or_default().push(state);
        }
        let orders: Vec<OrderRow> = stack.rows("order", orders).await;
        let mut papers = BTreeMap::new();
        for kitchen in &evening.kitchens {
            paper::count(&kitchen.printer, &orders, &mut papers);
        }
        Self {
            since,
            answers: evening.journal.orders(),
            orders,
            histories: histories(stack).await,
            payments: stack.rows("payment", payments).await,
            papers,
            jobs: by_order,
        }
    }

    /// Every difference, as a sentence.
    pub fn differences(&self) -> Vec<String> {
        let mut found = Vec::new();
        for order in &self.orders {
            let history = self.history(order.id);
            self.check_answer(order, history, &mut found);
            self.check_deadline(order, history, &mut found);
            self.check_paper(order, &mut found);
        }
        self.check_money(&mut found);
        found
    }

    fn history(&self, order: Uuid) -> &[Event] {
        self.histories.get(&order).map_or(&[], Vec::as_slice)
    }

    /// It is confirmed or it is cancelled, and its history and its answers say so.
    fn check_answer(&self, order: &OrderRow, history: &[Event], found: &mut Vec<String>) {
        let count = |name: &str| history.iter().filter(|event| event.name == name).count();
        let ends = (count("confirmed"), count("cancelled"));
        let expected = match order.status.as_str() {
            "cancelled" => (0, 1),
            "confirmed" => (1, 0),
            _ => return found.push(format!("{} is {}", order.code, order.status)),
        };
        let is_refused = history.iter().any(|event| event.answer_by.is_some());
        let by_deadline = order.cancelled_by.as_deref() == Some("deadline");
        if ends != expected || is_refused != by_deadline {
            found.push(format!("{order:?} has the history {history:?}"));
        }
        let answered = self.answers.get(&order.id).cloned().unwrap_or_default();
        if answered.is(Step::Confirmed) && ends != (1, 0) {
            found.push(format!(
                "{} was confirmed by an answer: {history:?}",
                order.code
            ));
        }
    }

    /// A refusal comes in time once everything works, and never before the deadline.
    fn check_deadline(&self, order: &OrderRow, history: &[Event], found: &mut Vec<String>) {
        for (time, answer_by) in refusals(history) {
            if time < answer_by || time - answer_by.max(self.since) > SLACK {
                let code = &order.code;
                found.push(format!(
                    "{code} was to be answered by {answer_by}, refused {time}"
                ));
            }
        }
    }

    /// A confirmed order is on paper; a second copy is marked.
    fn check_paper(&self, order: &OrderRow, found: &mut Vec<String>) {
        let copies = self.papers.get(&order.id).copied().unwrap_or_default();
        let jobs: Vec<&str> = self
            .jobs
            .get(&order.id)
            .into_iter()
            .flatten()
            .map(String::as_str)
            .collect();
        let is_right = match (order.status.as_str(), jobs.as_slice()) {
            ("confirmed", ["printed"]) => copies.whole == 1 && copies.torn == 0,
            // The lease of an agent that never came back ends like a doubtful report.
            ("confirmed", ["doubtful" | "printing"]) => {
                copies.whole + copies.torn <= 1 && copies.marked >= 1
            }
            ("cancelled", []) => copies.whole + copies.torn + copies.marked == 0,
            _ => false,
        };
        if !is_right {
            found.push(format!("{order:?} has the print jobs {jobs:?}: {copies:?}"));
        }
    }

    /// Money of a cancelled order went back, once. Money of another one stayed.
    fn check_money(&self, found: &mut Vec<String>) {
        let cancelled: BTreeSet<Uuid> = self.refunded_orders().collect();
        for (order, amount, given_back, refunds) in &self.payments {
            let is_right = if cancelled.contains(order) {
                (given_back, *refunds) == (amount, 1)
            } else {
                (*given_back, *refunds) == (0, 0)
            };
            if !is_right {
                found.push(format!(
                    "order {order}: {amount} paid, {given_back} given back by {refunds} refunds"
                ));
            }
        }
    }

    fn refunded_orders(&self) -> impl Iterator<Item = Uuid> {
        let cancelled = self
            .orders
            .iter()
            .filter(|order| order.status == "cancelled");
        cancelled.map(|order| order.id)
    }

    /// The figures of the evening.
    pub fn summary(&self) -> String {
        let status = |status: &str| {
            self.orders
                .iter()
                .filter(|order| order.status == status)
                .count()
        };
        let refusals: Vec<_> = self
            .histories
            .values()
            .flat_map(|history| refusals(history))
            .collect();
        let lateness = |since: Option<OffsetDateTime>| {
            let of = refusals
                .iter()
                .filter(|(_, answer_by)| since.is_none_or(|since| *answer_by > since));
            let late = of.map(|(time, answer_by)| *time - *answer_by);
            let late: Vec<time::Duration> = late.collect();
            (
                late.len(),
                late.into_iter().max().unwrap_or_default().whole_seconds(),
            )
        };
        let (refused, latest) = lateness(None);
        let (calm, latest_calm) = lateness(Some(self.since));
        let refunded = self
            .payments
            .iter()
            .filter(|(_, _, given_back, _)| *given_back > 0)
            .count();
        let copies = |count: fn(&Copies) -> usize| self.papers.values().map(count).sum::<usize>();
        let doubtful = self
            .jobs
            .values()
            .flatten()
            .filter(|state| *state != "printed")
            .count();
        format!(
            "{} orders, {} confirmed, {} cancelled, of them {refused} at the deadline (at most {latest} s late; \
             {calm} after the last fault, at most {latest_calm} s late), {} payments, {refunded} refunded, \
             {} printed, {doubtful} doubtful, {} torn, {} reprinted",
            self.orders.len(),
            status("confirmed"),
            status("cancelled"),
            self.payments.len(),
            copies(|copies| copies.whole),
            copies(|copies| copies.torn),
            copies(|copies| copies.marked),
        )
    }
}

/// The moments of the refusals in an order's history, with their deadlines.
fn refusals(history: &[Event]) -> impl Iterator<Item = (OffsetDateTime, OffsetDateTime)> {
    history
        .iter()
        .filter_map(|event| Some((event.time, event.answer_by?)))
}

/// The histories of all orders, as the stream has them.
async fn histories(stack: &Stack) -> BTreeMap<Uuid, Vec<Event>> {
    let broker = Broker::connect(&stack.servers.nats.url(), "verdict")
        .await
        .unwrap();
    let stream = broker.jetstream.get_stream("ORDERS").await.unwrap();
    let count = usize::try_from(stream.cached_info().state.messages).unwrap();
    let config = jetstream::consumer::pull::OrderedConfig::default();
    let consumer = stream.create_consumer(config).await.unwrap();
    let mut messages = consumer.messages().await.unwrap().take(count);
    let mut histories: BTreeMap<Uuid, Vec<Event>> = BTreeMap::new();
    while let Some(message) = messages.next().await {
        let message = message.unwrap();
        let parts = Subject::parse(&message.subject).unwrap();
        let event: Value = serde_json::from_slice(&message.payload).unwrap();
        let time = moment(event["time"].as_str().unwrap());
        let is_cancelled = parts.event == "cancelled";
        let answer_by = event["data"]["answerBy"].as_str().filter(|_| is_cancelled);
        histories.entry(parts.id).or_default().push(Event {
            name: parts.event.to_owned(),
            time,
            answer_by: answer_by.map(moment),
        });
    }
    histories
}
