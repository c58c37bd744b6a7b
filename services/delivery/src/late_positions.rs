//! Positions that a driver's device kept while it had no connection. Each becomes part of the deliveries that the driver
//! had under way at its time.

use std::collections::BTreeSet;

use async_nats::jetstream::{
    context::{PublishAckFuture, PublishErrorKind},
    message::PublishMessage,
    stream::LastRawMessageErrorKind,
};
use tiffin_bus::{Broker, read};
use tiffin_events::{
    Coordinates, DeliveryId, Envelope, Event, Stream, UserId,
    position::{PositionEvent, PositionUpdatedV1},
    subject,
};
use time::{Duration, OffsetDateTime};

use crate::{
    State,
    http::{LatePosition, RecordedPositions},
    store::driver_deliveries::{self, DriverTrip},
};

/// The furthest that a device's clock may be ahead of ours.
const MAX_AHEAD: Duration = Duration::seconds(60);
/// The oldest position that is of use: the stream keeps them for a day.
const MAX_AGE: Duration = Duration::hours(24);
/// The tries of moving a marker while the driver's other device moves it, too.
const TRIES: usize = 3;

/// The reason why late positions are not recorded.
#[derive(Debug, thiserror::Error)]
pub enum Unrecorded {
    #[error(transparent)]
    Database(#[from] sqlx::Error),
    #[error("the broker did not take them: {0}")]
    Broker(String),
}

impl Unrecorded {
    fn broker(error: impl std::fmt::Display) -> Self {
        Self::Broker(error.to_string())
    }
}

/// Records positions of a driver, and returns once the broker has them.
pub async fn record(
    state: &State,
    driver: UserId,
    positions: Vec<LatePosition>,
) -> Result<RecordedPositions, Unrecorded> {
    let now = state.clock.now();
    let sent = positions.len();
    let mut positions = positions;
    positions.retain(|position| unusable(position, now).is_none());
    positions.sort_by_key(|position| position.at);
    positions.dedup_by_key(|position| position.at);
    let mut outcome = RecordedPositions::default();
    let (Some(first), Some(last)) = (positions.first(), positions.last()) else {
        outcome.unused = sent;
        return Ok(outcome);
    };
    let mut db = state.pool.acquire().await?;
    let trips = driver_deliveries::between(&mut db, driver, (first.at, last.at)).await?;
    drop(db);
    let mut outcomes = vec![None; positions.len()];
    for trip in &trips {
        let recording = Recording::new(state, driver, trip);
        for (index, is_new) in recording.record(&positions).await? {
            let known: &mut Option<bool> = &mut outcomes[index];
            *known = Some(is_new || known.unwrap_or(false));
        }
    }
    outcome.recorded = outcomes.iter().filter(|it| **it == Some(true)).count();
    outcome.repeated = outcomes.iter().filter(|it| **it == Some(false)).count();
    outcome.unused = sent - outcome.recorded - outcome.repeated;
    Ok(outcome)
}

/// The reason why a position is of no use, whatever its driver carried then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unusable {
    /// The device's clock is too far ahead.
    Ahead,
    TooOld,
    /// The place is not on earth, or another value is impossible.
    Impossible,
}

/// `None` if the place is on earth, the time is of the last day, and the other values are possible.
pub fn unusable(position: &LatePosition, now: OffsetDateTime) -> Option<Unusable> {
    let is_within = |value: Option<f64>, most: f64| value.is_none_or(|v| (0.0..=most).contains(&v));
    let is_possible = Coordinates::new(position.lat, position.lng).is_ok()
        && is_within(position.heading, 360.0)
        && is_within(position.speed, 1_000.0)
        && is_within(position.accuracy, f64::MAX);
    if !is_possible {
        Some(Unusable::Impossible)
    } else if position.at > now + MAX_AHEAD {
        Some(Unusable::Ahead)
    } else if position.at < now - MAX_AGE {
        Some(Unusable::TooOld)
    } else {
        None
    }
}

fn milliseconds(at: OffsetDateTime) -> i64 {
    i64::try_from(at.unix_timestamp_nanos() / 1_000_000).unwrap_or(i64::MAX)
}

/// One delivery whose positions come late.
struct Recording<'a> {
    state: &'a State,
    broker: Broker,
    driver: UserId,
    trip: &'a DriverTrip,
}

impl<'a> Recording<'a> {
    fn new(state: &'a State, driver: UserId, trip: &'a DriverTrip) -> Self {
        let broker = Broker::from_client(state.nats.clone());
        Self {
            state,
            broker,
            driver,
            trip,
        }
    }

    fn id(&self) -> DeliveryId {
        DeliveryId(self.trip.delivery_id)
    }

    /// Records what belongs to this delivery, oldest first: the index of each position, and true where it is new. The
    /// newest goes first, so that the marker is right at once.
    async fn record(&self, positions: &[LatePosition]) -> Result<Vec<(usize, bool)>, Unrecorded> {
        let is_during =
            |at| self.trip.from <= at && self.trip.until.is_none_or(|until| at <= until);
        let mut own: Vec<_> = positions
            .iter()
            .enumerate()
            .filter(|(_, position)| is_during(position.at))
            .collect();
        let mut outcomes = Vec::new();
        if self.trip.until.is_none()
            && let Some((index, newest)) = own.last()
            && let Some(is_new) = self.move_marker(newest).await?
        {
            outcomes.push((*index, is_new));
            own.pop();
        }
        let Some((_, oldest)) = own.first() else {
            return Ok(outcomes);
        };
        let live = self.live_since(oldest.at).await?;
        let mut acks = Vec::new();
        for (index, position) in own {
            let at = milliseconds(position.at);
            if live.contains(&at) {
                outcomes.push((index, false));
                continue;
            }
            let subject = subject::late_position(self.id(), at);
            acks.push((index, self.publish(subject, position, 0).await?));
        }
        for (index, ack) in acks {
            outcomes.push((index, is_stored(ack).await?));
        }
        Ok(outcomes)
    }

    /// Publishes a position to the watchers if it is newer than the last they have. True if it was published, false if
    /// it is the last; `None` if it is older.
    async fn move_marker(&self, position: &LatePosition) -> Result<Option<bool>, Unrecorded> {
        for _ in 0..TRIES {
            let (sequence, last) = self.last().await?;
            if last >= milliseconds(position.at) {
                return Ok((last == milliseconds(position.at)).then_some(false));
            }
            let subject = subject::position(self.id());
            let ack = self.publish(subject, position, sequence).await?;
            if is_stored(ack).await? {
                return Ok(Some(true));
            }
        }
        Ok(None)
    }

    /// The device's times of the positions that moved the marker, since then.
    async fn live_since(&self, at: OffsetDateTime) -> Result<BTreeSet<i64>, Unrecorded> {
        let mut times = BTreeSet::new();
        // A device's clock may be ahead of the broker's.
        let stored = read::first_since(&self.broker, Stream::Positions, at - MAX_AHEAD).await;
        let Some(first) = stored.map_err(Unrecorded::broker)? else {
            return Ok(times);
        };
        let subject = subject::position(self.id());
        let window = read::open(
            &self.broker,
            Stream::Positions,
            Some(&subject),
            first,
            u64::MAX,
        );
        let mut window = window.await.map_err(Unrecorded::broker)?;
        loop {
            let batch = window.next().await.map_err(Unrecorded::broker)?;
            if batch.is_empty() {
                return Ok(times);
            }
            times.extend(
                batch
                    .iter()
                    .filter_map(|it| it.envelope["sequence"].as_i64()),
            );
        }
    }

    /// The stream sequence and the device's time of the last position that watchers have; zero without one.
    async fn last(&self) -> Result<(u64, i64), Unrecorded> {
        let stream = self
            .broker
            .jetstream
            .get_stream_no_info(Stream::Positions.name());
        let stream = stream.await.map_err(Unrecorded::broker)?;
        let subject = subject::position(self.id());
        match stream.get_last_raw_message_by_subject(&subject).await {
            Ok(message) => {
                let last: Result<Envelope, _> = serde_json::from_slice(&message.payload);
                Ok((message.sequence, last.map_or(0, |last| last.sequence)))
            }
            Err(error) if matches!(error.kind(), LastRawMessageErrorKind::NoMessageFound) => {
                Ok((0, 0))
            }
            Err(error) => Err(Unrecorded::broker(error)),
        }
    }

    /// Publishes a position if the last message of its subject has that stream sequence.
    async fn publish(
        &self,
        subject: String,
        position: &LatePosition,
        last: u64,
    ) -> Result<PublishAckFuture, Unrecorded> {
        let payload = self.envelope(position).map_err(Unrecorded::broker)?;
        let message = PublishMessage::build()
            .payload(payload.into())
            .expected_last_subject_sequence(last);
        let sent = self.broker.jetstream.send_publish(subject, message).await;
        sent.map_err(Unrecorded::broker)
    }

    /// The event of a position; it happened at the device's time.
    fn envelope(&self, position: &LatePosition) -> serde_json::Result<Vec<u8>> {
        let event = PositionEvent::Updated(PositionUpdatedV1 {
            delivery_id: self.id(),
            driver_id: self.driver,
            lat: position.lat,
            lng: position.lng,
            accuracy: position.accuracy,
            heading: position.heading,
            speed: position.speed,
            at: position.at,
        });
        serde_json::to_vec(&Envelope {
            time: position.at,
            correlationid: Some(self.trip.order_id),
            ..Envelope::of(
                &self.state.clock,
                crate::NAME,
                event.kind(),
                self.trip.delivery_id,
                milliseconds(position.at),
                self.driver.to_string(),
                event.data()?,
            )
        })
    }
}

/// True once the broker has a message; false if its subject had another already.
async fn is_stored(ack: PublishAckFuture) -> Result<bool, Unrecorded> {
    match ack.await {
        Ok(_) => Ok(true),
        Err(error) if error.kind() == PublishErrorKind::WrongLastSequence => Ok(false),
        Err(error) => Err(Unrecorded::broker(error)),
    }
}
