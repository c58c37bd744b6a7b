//! Orders as they are lived, a thousand under way at once: placed, confirmed, cooked, brought; some
//! approved first, some given to another driver, some cancelled.

use std::{collections::VecDeque, time::Instant};

use anyhow::{Context, Result, ensure};
use async_nats::{Client, HeaderMap, Subscriber};
use futures_util::StreamExt;
use serde_json::Value;
use tiffin_bus::Broker;
use tiffin_events::{
    CheckoutId, Clock, Envelope, Event, ItemId, Money, OrderId, RestaurantId, UserId,
    order::{
        OrderConfirmedV1, OrderEvent, OrderPlacedV1, OrderRefV1, OrderReopenedV1, OrderStatus,
    },
    subject,
};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

/// Orders under way at once.
const UNDER_WAY: usize = 1_000;
/// Messages that the broker takes in a batch.
const BATCH: usize = 1_000;
/// Batches that wait for its answer.
const IN_FLIGHT: usize = 8;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Placed,
    Approved,
    Confirmed,
    Preparing,
    Dispatched,
    Delivered,
    Reopened,
    Cancelled,
}

use Step::{Approved, Cancelled, Confirmed, Delivered, Dispatched, Placed, Preparing, Reopened};

/// The lives of ten orders, five steps each on average.
const LIVES: [&[Step]; 10] = [
    USUAL,
    USUAL,
    USUAL,
    USUAL,
    USUAL,
    USUAL,
    USUAL,
    &[
        Placed, Confirmed, Reopened, Confirmed, Preparing, Dispatched, Delivered,
    ],
    &[
        Placed, Approved, Confirmed, Preparing, Dispatched, Delivered,
    ],
    &[Placed, Cancelled],
];
const USUAL: &[Step] = &[Placed, Confirmed, Preparing, Dispatched, Delivered];

/// The `n`th order, and how much of its life the stream has.
#[derive(Clone, Copy, Debug)]
pub struct Order {
    n: u64,
    lived: usize,
}

impl Order {
    fn life(self) -> &'static [Step] {
        usize::try_from(self.n % 10)
            .ok()
            .and_then(|kind| LIVES.get(kind))
            .copied()
            .unwrap_or(USUAL)
    }

    fn of(self, kind: u64) -> Uuid {
        Uuid::from_u128(
            0x0193_0000_0000_7000_8000_0000_0000_0000 | u128::from(kind) << 48 | u128::from(self.n),
        )
    }

    pub fn id(self) -> OrderId {
        OrderId(self.of(1))
    }

    /// True if it was cancelled.
    pub fn is_cancelled(self) -> bool {
        self.life()
            .get(..self.lived)
            .is_some_and(|lived| lived.contains(&Cancelled))
    }

    /// The number of its events in the stream.
    pub fn version(self) -> i64 {
        i64::try_from(self.lived).unwrap_or(i64::MAX)
    }

    /// Its number, by its id.
    pub fn number_of(id: Uuid) -> u128 {
        id.as_u128() & 0xffff_ffff_ffff
    }

    pub fn number(self) -> u64 {
        self.n
    }

    /// The customer who places it.
    pub fn customer(self) -> UserId {
        self.reference().customer_id
    }

    pub fn traceparent(self) -> String {
        let id = self.id().0.as_u128();
        format!("00-{id:032x}-{:016x}-01", self.n + 1)
    }

    fn reference(self) -> OrderRefV1 {
        let numbered = |kind, of| {
            UserId(
                Self {
                    n: self.n % of,
                    ..self
                }
                .of(kind),
            )
        };
        OrderRefV1 {
            order_id: self.id(),
            order_code: format!("ORD-{:08}", self.n),
            checkout_id: CheckoutId(self.of(2)),
            customer_id: numbered(3, 5_000),
            restaurant_id: RestaurantId(numbered(4, 50).0),
            owner_id: numbered(5, 50),
            driver_id: None,
        }
    }

    /// The ordered dish.
    pub fn placed(self) -> OrderPlacedV1 {
        let (dish, quantity) = (self.n % 200, 1 + i32::try_from(self.n % 4).unwrap_or(0));
        let price = Money::from_cents(45_000 + i64::try_from(dish).unwrap_or(0) * 250);
        let house = u32::try_from(self.n % 900).unwrap_or(0);
        // Five decimals, as devices tell them: more would not all be read as they were written.
        let degrees = |hundred_thousandths: u32| f64::from(hundred_thousandths) / 1e5;
        OrderPlacedV1 {
            order: self.reference(),
            item_id: ItemId(Self { n: dish, ..self }.of(6)),
            item_name: format!("Chicken kottu no. {dish}"),
            image: Some(format!("/storage/v1/object/public/images/{dish}-kottu.jpg")),
            quantity,
            price,
            total_amount: price.times(quantity).unwrap_or(price),
            address: format!("{} Galle Road, Colombo 03", self.n % 900),
            dest_lat: Some(degrees(690_000 + house)),
            dest_lng: Some(degrees(7_985_000 + house)),
            answer_by: None,
            ticket_orders: None,
            note: None,
        }
    }

    fn event(self, step: Step, at: OffsetDateTime) -> OrderEvent {
        let driver = UserId(
            Self {
                n: self.n % 300,
                ..self
            }
            .of(7),
        );
        let reference = OrderRefV1 {
            driver_id: (step != Approved && step != Cancelled).then_some(driver),
            ..self.reference()
        };
        match step {
            Placed => OrderEvent::Placed(self.placed()),
            Approved => OrderEvent::Approved(reference),
            Confirmed => OrderEvent::Confirmed(self.confirmed(reference, driver, at)),
            Preparing => OrderEvent::Preparing(reference),
            Dispatched => OrderEvent::Dispatched(reference),
            Delivered => OrderEvent::Delivered(reference),
            Reopened => OrderEvent::Reopened(OrderReopenedV1 {
                order: reference,
                from: OrderStatus::Confirmed,
                to: OrderStatus::Pending,
            }),
            Cancelled => OrderEvent::Cancelled(reference.into()),
        }
    }

    fn confirmed(self, order: OrderRefV1, driver: UserId, at: OffsetDateTime) -> OrderConfirmedV1 {
        let placed = self.placed();
        OrderConfirmedV1 {
            order,
            assigned_driver: driver,
            vehicle_type: None,
            item_name: placed.item_name,
            image: placed.image,
            quantity: placed.quantity,
            price: placed.price,
            total_amount: placed.total_amount,
            address: placed.address,
            dest_lat: placed.dest_lat,
            dest_lng: placed.dest_lng,
            estimated_time: at + Duration::minutes(30),
        }
    }
}

/// A message as the relay would publish it.
pub struct Outgoing {
    pub id: Uuid,
    pub time: OffsetDateTime,
    pub subject: String,
    pub body: Vec<u8>,
}

/// The events of all orders, one after the other.
pub struct Lives {
    clock: Clock,
    under_way: VecDeque<Order>,
    ended: Vec<Order>,
    next: u64,
}

impl Lives {
    pub fn new() -> Self {
        Self {
            clock: Clock::manual(OffsetDateTime::UNIX_EPOCH + Duration::days(20_400)),
            under_way: VecDeque::new(),
            ended: Vec::new(),
            next: 0,
        }
    }

    /// The next event, as the relay would publish it.
    pub fn event(&mut self) -> Result<Outgoing> {
        let (order, step) = self.step()?;
        outgoing(&self.clock, order, step)
    }

    /// The next change of an order, for a service that records it at `now`.
    pub fn change(&mut self, now: OffsetDateTime) -> Result<(Order, OrderEvent)> {
        let (order, step) = self.step()?;
        Ok((order, order.event(step, now)))
    }

    /// The next step of an order's life.
    fn step(&mut self) -> Result<(Order, Step)> {
        while self.under_way.len() < UNDER_WAY {
            self.under_way.push_back(Order {
                n: self.next,
                lived: 0,
            });
            self.next += 1;
        }
        let mut order = self.under_way.pop_front().context("an order under way")?;
        let step = order.life().get(order.lived).context("a step")?;
        order.lived += 1;
        self.clock.advance(Duration::milliseconds(40));
        if order.lived < order.life().len() {
            self.under_way.push_back(order);
        } else {
            self.ended.push(order);
        }
        Ok((order, *step))
    }

    /// The orders that have an event, by their ids.
    pub fn orders(&self) -> Vec<Order> {
        let mut orders = self.ended.clone();
        orders.extend(self.under_way.iter().filter(|order| order.lived > 0));
        orders.sort_by_key(|order| order.n);
        orders
    }
}

/// Publishes the lives of as many orders as make `count` events. Returns the orders, by their ids.
pub async fn publish(broker: &Broker, count: u64) -> Result<Vec<Order>> {
    let began = Instant::now();
    let (mut lives, mut bytes) = (Lives::new(), 0);
    let mut batch = Vec::with_capacity(BATCH);
    let mut publisher = Publisher::new(broker).await?;
    for event in 0..count {
        let outgoing = lives.event()?;
        bytes += outgoing.body.len();
        batch.push(outgoing);
        if batch.len() == BATCH || event + 1 == count {
            publisher.store(&batch).await?;
            batch.clear();
        }
    }
    publisher.answered(0).await?;
    let orders = lives.orders();
    println!(
        "{count} events of {} orders, {} MB: published in {:.1} s",
        orders.len(),
        bytes / 1_000_000,
        began.elapsed().as_secs_f64()
    );
    Ok(orders)
}

fn outgoing(clock: &Clock, order: Order, step: Step) -> Result<Outgoing> {
    let (event, id) = (order.event(step, clock.now()), order.id().0);
    let envelope: Envelope<Value> = Envelope {
        correlationid: Some(id),
        traceparent: Some(order.traceparent()),
        ..Envelope::new(
            clock,
            id,
            order.version(),
            order.customer().to_string(),
            &event,
        )?
    };
    Ok(Outgoing {
        id: envelope.id,
        time: envelope.time,
        subject: subject::event(OrderEvent::AGGREGATE, id, event.name()),
        body: serde_json::to_vec(&envelope)?,
    })
}

/// Publishes atomic batches one after the other, some ahead of the broker's answers.
struct Publisher<'a> {
    client: &'a Client,
    inbox: String,
    answers: Subscriber,
    in_flight: usize,
}

impl<'a> Publisher<'a> {
    async fn new(broker: &'a Broker) -> Result<Self> {
        let inbox = broker.client.new_inbox();
        Ok(Self {
            client: &broker.client,
            answers: broker.client.subscribe(inbox.clone()).await?,
            inbox,
            in_flight: 0,
        })
    }

    /// One atomic batch.
    async fn store(&mut self, batch: &[Outgoing]) -> Result<()> {
        let (last, head) = batch.split_last().context("a batch")?;
        // Without an id each: the broker would keep a million of them for the time in which it looks for
        // duplicates, which no platform publishes so much in.
        let headers = |place: usize| {
            let mut headers = HeaderMap::new();
            headers.insert("Nats-Batch-Id", last.id.to_string());
            headers.insert("Nats-Batch-Sequence", place.to_string());
            headers
        };
        for (place, event) in (1..).zip(head) {
            let (subject, body) = (event.subject.clone(), event.body.clone());
            let sent = self
                .client
                .publish_with_headers(subject, headers(place), body.into());
            sent.await?;
        }
        let mut commit = headers(batch.len());
        commit.insert("Nats-Batch-Commit", "1");
        let (subject, body) = (last.subject.clone(), last.body.clone());
        let sent = self.client.publish_with_reply_and_headers(
            subject,
            self.inbox.clone(),
            commit,
            body.into(),
        );
        sent.await?;
        self.in_flight += 1;
        self.answered(IN_FLIGHT).await
    }

    /// Waits until no more than so many batches are in flight.
    async fn answered(&mut self, left: usize) -> Result<()> {
        while self.in_flight > left {
            let answer = self.answers.next().await.context("the broker answers")?;
            let answer: Value = serde_json::from_slice(&answer.payload)?;
            ensure!(answer.get("error").is_none(), "the broker says {answer}");
            self.in_flight -= 1;
        }
        Ok(())
    }
}
