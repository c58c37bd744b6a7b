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
const DRAIN: Duration = Duration::from_secs(5);

/// The published load.
#[derive(Clone, Copy, Debug)]
pub enum Pace {
    /// As much as is taken, with at most so many deliveries under way.
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

/// The origin of positions.
#[derive(Clone, Copy, Debug)]
pub enum Origin {
    /// One publisher beside the broker.
    Publisher,
    /// A driver for each topic, over their own websocket.
    Drivers,
}

#[derive(Debug)]
enum Source {
    Publisher(Publisher),
    Drivers(Drivers),
}

#[derive(Debug)]
pub struct Fleet {
    poll: Poll,
    /// Those that read; the others keep their sockets open.
    watchers: Vec<Watcher>,
    stalled: Vec<Watcher>,
    /// Watchers that read, by topic.
    readers: Vec<u64>,
    source: Source,
    buffer: Vec<u8>,
    /// Deliveries that were counted before the present run.
    before: u64,
}

impl Fleet {
    /// Connects `watchers` watchers, spread evenly over `topics`; of every `stalled_every` the last
    /// never reads.
    pub fn connect(
        running: &Running,
        watchers: u128,
        topics: u128,
        stalled_every: Option<u128>,
        origin: Origin,
    ) -> Result<Self> {
        let poll = Poll::new()?;
        let source = Source::connect(origin, running, topics, poll.registry())?;
        let mut fleet = Self {
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
            fleet.add(watcher, usize::try_from(topic)?, is_stalled)?;
        }
        Ok(fleet)
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

    /// Runs one load. `look` is called at the start of what is measured and at its end.
    pub fn run(
        &mut self,
        running: &Running,
        pace: Pace,
        span: Span,
        mut look: impl FnMut() -> Result<()>,
    ) -> Result<Figures> {
        let mut tally = Tally::default();
        let mut published = 0;
        let start = Instant::now();
        let warm = start + span.warm_up;
        self.work(pace, start, warm, &mut published, &mut tally)?;
        look()?;
        tally.latencies = crate::figures::Latencies::default();
        let (cpu, broker) = (running.cpu()?, running.broker_cpu()?);
        let (received, measured) = (tally.received, Instant::now());
        self.work(
            pace,
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
        look()?;
        let expected = self.expected() - self.before;
        let end = Instant::now() + DRAIN;
        while tally.received < expected && Instant::now() < end {
            self.turn(&mut tally)?;
        }
        self.before += expected;
        figures.lost = expected.saturating_sub(tally.received);
        figures.doubled = tally.doubled;
        Ok(figures)
    }

    fn work(
        &mut self,
        pace: Pace,
        start: Instant,
        until: Instant,
        published: &mut u64,
        tally: &mut Tally,
    ) -> Result<()> {
        let fan_out = (self.watchers.len() as u64 / self.readers.len() as u64).max(1);
        while Instant::now() < until {
            let due = match pace {
                Pace::Saturated { under_way } => {
                    let pending =
                        (*published * fan_out).saturating_sub(tally.received + tally.lost);
                    under_way.saturating_sub(pending) / fan_out
                }
                Pace::Steady { rate } => {
                    let elapsed = u64::try_from(start.elapsed().as_micros())?;
                    (elapsed * rate / 1_000_000).saturating_sub(*published)
                }
            };
            *published += self.source.publish(due, positions::now())?;
            self.turn(tally)?;
        }
        Ok(())
    }

    /// Waits for a moment, and takes what came.
    fn turn(&mut self, tally: &mut Tally) -> Result<()> {
        let mut events = Events::with_capacity(1024);
        self.poll
            .poll(&mut events, Some(Duration::from_millis(1)))?;
        for event in &events {
            match &mut self.source {
                Source::Publisher(publisher) if event.token() == PUBLISHER => {
                    publisher.read()?;
                    publisher.flush()?;
                }
                Source::Drivers(drivers) if event.token().0 >= DRIVERS => {
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

impl Source {
    fn connect(
        origin: Origin,
        running: &Running,
        topics: u128,
        registry: &Registry,
    ) -> Result<Self> {
        Ok(match origin {
            Origin::Publisher => {
                let (address, hello) = running.publishing();
                let mut publisher = Publisher::connect(address, &hello, topics)?;
                let interest = Interest::READABLE | Interest::WRITABLE;
                registry.register(&mut publisher.stream, PUBLISHER, interest)?;
                Self::Publisher(publisher)
            }
            Origin::Drivers => {
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
