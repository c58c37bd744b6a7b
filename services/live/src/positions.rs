//! Drivers' positions on their way up: checked, then published for everyone who watches.

pub mod check;
mod delivery;
mod publisher;
mod rate;

use std::collections::HashMap;

use bytes::Bytes;
use tiffin_events::{
    Clock, DeliveryId, Envelope, Event, UserId,
    live::DevicePosition,
    position::{PositionEvent, PositionUpdatedV1},
    subject,
};
use time::{Duration, OffsetDateTime};
use tokio::sync::mpsc::Receiver;

use crate::{
    broker_reader::{BrokerReader, Unavailable},
    hub::Hub,
    messages::{Command, SocketId},
    refusal::Refusal,
};
use delivery::{CurrentDeliveries, KnownDelivery};
use publisher::Publisher;
use rate::PositionRates;

/// The most deliveries of one driver that are remembered.
const MAX_DELIVERIES: usize = 64;
/// The shortest time between two clearings of the known deliveries: each new one is looked up.
const CLEAR_INTERVAL: Duration = Duration::seconds(10);

/// The connections that publishing positions needs.
#[derive(Clone, Debug)]
pub struct Positions {
    reader: BrokerReader,
    clock: Clock,
    publisher: Publisher,
    rates: PositionRates,
}

impl Positions {
    /// Starts the task that publishes what gathered.
    pub fn start(reader: BrokerReader, clock: Clock) -> Self {
        Self {
            publisher: Publisher::start(reader.client().clone()),
            reader,
            clock,
            rates: PositionRates::default(),
        }
    }

    /// Receives one socket's positions for as long as it is open.
    pub async fn receive(
        self,
        hub: Hub,
        socket: SocketId,
        driver: UserId,
        mut positions: Receiver<Vec<DevicePosition>>,
    ) {
        let mut driver_positions = DriverPositions {
            positions: self,
            driver,
            current: CurrentDeliveries::default(),
            deliveries: HashMap::new(),
            cleared: OffsetDateTime::UNIX_EPOCH,
        };
        while let Some(positions) = positions.recv().await {
            if let Err(refusal) = driver_positions.take(positions).await {
                hub.send(Command::SendError { socket, refusal });
            }
        }
    }
}

/// One driver, on one socket.
struct DriverPositions {
    positions: Positions,
    driver: UserId,
    current: CurrentDeliveries,
    deliveries: HashMap<DeliveryId, KnownDelivery>,
    /// The time when the known deliveries were last cleared.
    cleared: OffsetDateTime,
}

impl DriverPositions {
    /// Publishes valid positions, oldest first in whichever order they came. Returns the first error of the others.
    async fn take(&mut self, mut positions: Vec<DevicePosition>) -> Result<(), Refusal> {
        let mut result = Ok(());
        positions.sort_by_key(|position| position.at);
        for position in positions {
            let taken = match check::check(&position, self.positions.clock.now()) {
                Ok(()) => self.publish(&position).await,
                Err(refusal) => Err(refusal),
            };
            result = result.and(taken);
        }
        result
    }

    async fn publish(&mut self, position: &DevicePosition) -> Result<(), Refusal> {
        let away = |error: Unavailable| {
            tracing::warn!(%error, "a position can't be checked; the driver gets an error");
            Refusal::PositionsUnavailable
        };
        let driver = self.driver;
        let (reader, now) = (self.positions.reader.clone(), self.positions.clock.now());
        let Some(id) = position.delivery_id else {
            let current = self.current.list(&reader, driver, now).await;
            for id in current.map_err(away)? {
                let is_open = self.delivery(id).await.map_err(away)?.is_open_to(driver);
                if is_open {
                    self.publish_on(id, position)?;
                }
            }
            return Ok(());
        };
        let is_full = self.deliveries.len() >= MAX_DELIVERIES && !self.deliveries.contains_key(&id);
        if is_full && now - self.cleared < CLEAR_INTERVAL {
            return Err(Refusal::TooManyDeliveries);
        }
        let delivery = self.delivery(id).await.map_err(away)?;
        // A wrong delivery is remembered, too, so that it is not looked up again.
        if !delivery.is_driver(driver) {
            return Err(Refusal::NotDriver);
        }
        if !delivery.is_open_to(driver) {
            return Err(Refusal::NotUnderWay);
        }
        self.publish_on(id, position)
    }

    /// The known state of a delivery, read from the broker if it is new or old.
    async fn delivery(&mut self, id: DeliveryId) -> Result<&KnownDelivery, Unavailable> {
        if self.deliveries.len() >= MAX_DELIVERIES && !self.deliveries.contains_key(&id) {
            self.deliveries.clear();
            self.cleared = self.positions.clock.now();
        }
        let (reader, now) = (&self.positions.reader, self.positions.clock.now());
        let delivery = self.deliveries.entry(id).or_default();
        delivery.refresh(reader, id, now).await?;
        Ok(delivery)
    }

    /// Publishes a position that is newer than the last one of its delivery.
    fn publish_on(&mut self, id: DeliveryId, position: &DevicePosition) -> Result<(), Refusal> {
        let Some(delivery) = self.deliveries.get_mut(&id) else {
            return Ok(());
        };
        if delivery.is_newer(position.at) {
            if !self.positions.rates.take(id, self.positions.clock.now()) {
                return Err(Refusal::TooFast);
            }
            delivery.advance(position.at);
            let payload = envelope(&self.positions.clock, self.driver, id, position);
            self.positions.publisher.add(subject::position(id), payload);
        }
        Ok(())
    }
}

fn envelope(clock: &Clock, driver: UserId, id: DeliveryId, position: &DevicePosition) -> Bytes {
    let data = PositionUpdatedV1 {
        delivery_id: id,
        driver_id: driver,
        lat: position.lat,
        lng: position.lng,
        accuracy: position.accuracy,
        heading: position.heading,
        speed: position.speed,
        at: position.at,
    };
    let milliseconds = position.at.unix_timestamp_nanos() / 1_000_000;
    let envelope = Envelope::of(
        clock,
        crate::NAME,
        PositionEvent::Updated(data.clone()).kind(),
        id.0,
        i64::try_from(milliseconds).unwrap_or(i64::MAX),
        driver.to_string(),
        data,
    );
    // Our own type into memory: it can't fail.
    serde_json::to_vec(&envelope).unwrap_or_default().into()
}

#[cfg(test)]
mod tests {
    use serde_json::Value;
    use time::macros::datetime;
    use uuid::Uuid;

    use super::*;

    #[test]
    fn what_is_published_is_the_event_of_the_catalogue() {
        let at = datetime!(2026-11-21 09:10:00.25 UTC);
        let position = DevicePosition {
            delivery_id: None,
            lat: 6.9123,
            lng: 79.8501,
            accuracy: None,
            heading: Some(181.5),
            speed: None,
            at,
        };
        let id = DeliveryId(Uuid::from_u128(1));
        let driver = UserId(Uuid::from_u128(2));
        let published = envelope(&Clock::manual(at), driver, id, &position);
        let envelope: Envelope<Value> = serde_json::from_slice(&published).unwrap();
        assert_eq!(envelope.sequence, 1_795_252_200_250);
        let event = PositionEvent::decode(&envelope.kind, &envelope.data).unwrap();
        let Some(PositionEvent::Updated(data)) = event else {
            panic!("{envelope:?}")
        };
        assert_eq!(
            (data.delivery_id, data.driver_id, data.at),
            (id, driver, at)
        );
    }
}
