//! All watchers and the source of positions, in one loop.

use std::time::{Duration, Instant};

use anyhow::Result;
use mio::{Events, Interest, Poll, Registry, Token};

use super::{drivers::Drivers, positions, publisher::Publisher, tally::Tally, watcher::Watcher};
use crate::{
    figures::Figures,
    systems::{Running, audience::delivery},
};

const PUBLISHER: Token = Token(usize::MAX);
/// The token of the first driver.
const DRIVERS: usize = 1 << 32;
/// The time for positions under way to arrive once none are published any more.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(5);

/// The rate of published positions.
#[derive(Clone, Copy, Debug)]
pub enum PublishRate {
    /// As many positions as are taken, with at most so many deliveries under way.
    Saturated { under_way: u64 },
    /// So many positions a second.
    Steady { rate: u64 },
}

/// The time of warming up, and of measuring.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    pub warm_up: Duration,
    pub measured: Duration,
}

/// The kind of the source of positions.
#[derive(Clone, Copy, Debug)]
pub enum SourceKind {
    /// One publisher beside the broker.
    Publisher,
    /// A driver for each topic, over their own websocket.
    Drivers,
}

#[derive(Debug)]
enum PositionSource {
    Publisher(Publisher),
    Drivers(Drivers),
}

#[derive(Debug)]
pub struct LoadGenerator {
    poll: Poll,
    /// Those that read; the others keep their sockets open.
    watchers: Vec<Watcher>,
    stalled: Vec<Watcher>,
    /// Watchers that read, by topic.
    readers: Vec<u64>,
    source: PositionSource,
    buffer: Vec<u8>,
    /// Deliveries that were counted before the present run.
    before: u64,
}

impl LoadGenerator {
    /// Connects `watchers` watchers, spread evenly over `topics`; of every `stalled_every` the last
    /// never reads.
    pub fn connect(
        running: &Running,
        watchers: u128,
        topics: u128,
        stalled_every: Option<u128>,
        source_kind: SourceKind,
    ) -> Result<Self> {
        let poll = Poll::new()?;
        let source = PositionSource::connect(source_kind, running, topics, poll.registry())?;
        let mut generator = Self {
            poll,
            watchers: Vec::new(),
            stalled: Vec::new(),
            readers: vec![0; usize::try_from(topics)?],
            source,
            buffer: vec![0; 64 * 1024],
            before: 0,
        };
        for n in 0..watchers {
            // Every topic has stalled watchers beside others.
            let is_stalled =
                stalled_every.is_some_and(|every| (n / topics + n) % every == every - 1);
            let topic = n % topics;
            let watcher = Watcher::open(
                running.address,
                &running.dialect,
                delivery(topic),
                is_stalled,
            )?;
            generator.add(watcher, usize::try_from(topic)?, is_stalled)?;
        }
        Ok(generator)
    }

    fn add(&mut self, mut watcher: Watcher, topic: usize, is_stalled: bool) -> Result<()> {
        if is_stalled {
            self.stalled.push(watcher);
            return Ok(());
        }
        let token = Token(self.watchers.len());
        let registry = self.poll.registry();
        registry.register(&mut watcher.stream, token, Interest::READABLE)?;
        self.watchers.push(watcher);
        self.readers[topic] += 1;
        Ok(())
    }

    /// Runs one load. `sample` is called at the start of what is measured and at its end.
    pub fn run(
        &mut self,
        running: &Running,
        publish_rate: PublishRate,
        span: Span,
        mut sample: impl FnMut() -> Result<()>,
    ) -> Result<Figures> {
        let mut tally = Tally::default();
        let mut published = 0;
        let start = Instant::now();
        let warm = start + span.warm_up;
        self.publish_until(publish_rate, start, warm, &mut published, &mut tally)?;
        sample()?;
        tally.latencies = crate::figures::Latencies::default();
        let (cpu, broker) = (running.cpu()?, running.broker_cpu()?);
        let (received, measured) = (tally.received, Instant::now());
        self.publish_until(
            publish_rate,
            start,
            measured + span.measured,
            &mut published,
            &mut tally,
        )?;
        let mut figures = Figures {
            deliveries: tally.received - received,
            wall: measured.elapsed(),
            cpu: running.cpu()?.saturating_sub(cpu),
            broker: running.broker_cpu()?.saturating_sub(broker),
            latencies: std::mem::take(&mut tally.latencies),
            ..Figures::default()
        };
        sample()?;
        let expected = self.expected() - self.before;
        let end = Instant::now() + DRAIN_TIMEOUT;
        while tally.received < expected && Instant::now() < end {
            self.poll_once(&mut tally)?;
        }
        self.before += expected;
        figures.lost = expected.saturating_sub(tally.received);
        figures.doubled = tally.doubled;
        Ok(figures)
    }

    fn publish_until(
        &mut self,
        publish_rate: PublishRate,
        start: Instant,
        until: Instant,
        published: &mut u64,
        tally: &mut Tally,
    ) -> Result<()> {
        let fan_out = (self.watchers.len() as u64 / self.readers.len() as u64).max(1);
        while Instant::now() < until {
            let due = match publish_rate {
                PublishRate::Saturated { under_way } => {
                    let pending =
                        (*published * fan_out).saturating_sub(tally.received + tally.lost);
                    under_way.saturating_sub(pending) / fan_out
                }
                PublishRate::Steady { rate } => {
                    let elapsed = u64::try_from(start.elapsed().as_micros())?;
                    (elapsed * rate / 1_000_000).saturating_sub(*published)
                }
            };
            *published += self.source.publish(due, positions::now())?;
            self.poll_once(tally)?;
        }
        Ok(())
    }

    /// Polls once for at most a millisecond, and handles the events.
    fn poll_once(&mut self, tally: &mut Tally) -> Result<()> {
        let mut events = Events::with_capacity(1024);
        self.poll
            .poll(&mut events, Some(Duration::from_millis(1)))?;
        for event in &events {
            match &mut self.source {
                PositionSource::Publisher(publisher) if event.token() == PUBLISHER => {
                    publisher.read()?;
                    publisher.flush()?;
                }
                PositionSource::Drivers(drivers) if event.token().0 >= DRIVERS => {
                    drivers.ready(event.token().0 - DRIVERS, &mut self.buffer)?;
                }
                _ => {
                    let watcher = &mut self.watchers[event.token().0];
                    watcher.read(&mut self.buffer, positions::now(), tally)?;
                }
            }
        }
        Ok(())
    }

    /// Deliveries of everything that was published.
    fn expected(&self) -> u64 {
        let published = self.source.published().into_iter().zip(&self.readers);
        published.map(|(count, readers)| count * readers).sum()
    }
}

impl PositionSource {
    fn connect(
        source_kind: SourceKind,
        running: &Running,
        topics: u128,
        registry: &Registry,
    ) -> Result<Self> {
        Ok(match source_kind {
            SourceKind::Publisher => {
                let (address, hello) = running.publishing();
                let mut publisher = Publisher::connect(address, &hello, topics)?;
                let interest = Interest::READABLE | Interest::WRITABLE;
                registry.register(&mut publisher.stream, PUBLISHER, interest)?;
                Self::Publisher(publisher)
            }
            SourceKind::Drivers => {
                let mut drivers = Drivers::connect(running, topics)?;
                drivers.register(registry, DRIVERS)?;
                Self::Drivers(drivers)
            }
        })
    }

    fn publish(&mut self, count: u64, now: u64) -> Result<u64> {
        match self {
            Self::Publisher(publisher) => publisher.publish(count, now),
            Self::Drivers(drivers) => drivers.publish(count, now),
        }
    }

    /// The number of published positions of each topic.
    fn published(&self) -> Vec<u64> {
        match self {
            Self::Publisher(publisher) => publisher.published().collect(),
            Self::Drivers(drivers) => drivers.published().collect(),
        }
    }
}
