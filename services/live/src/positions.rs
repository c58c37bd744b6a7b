//! Drivers' positions on their way up: checked, then published for everyone who watches.

pub mod check;
mod delivery;
mod publisher;
mod rate;

use std::collections::HashMap;

use bytes::Bytes;
use tiffin_events::{
    Clock, DeliveryId, Envelope, Event, UserId,
    live::Fix,
    position::{PositionEvent, PositionUpdatedV1},
    subject,
};
use time::{Duration, OffsetDateTime};
use tokio::sync::mpsc::Receiver;

use crate::{
    hub::Hub,
    messages::{Command, SocketId},
    stored::{Stored, Unavailable},
};
use delivery::{Lane, TripList};
use publisher::Publisher;
use rate::Rates;

/// Deliveries of one driver that are kept in mind.
const LANES: usize = 64;
/// The shortest time between two clearings of the known deliveries: each new one is looked up.
const REMEMBER: Duration = Duration::seconds(10);
const AWAY: &str = "Positions can't be taken at the moment.";

/// The connections that publishing positions needs.
#[derive(Clone, Debug)]
pub struct Positions {
    stored: Stored,
    clock: Clock,
    gatherer: Publisher,
    rates: Rates,
}

impl Positions {
    /// Starts the task that publishes what gathered.
    pub fn start(stored: Stored, clock: Clock) -> Self {
        Self {
            gatherer: Publisher::start(stored.client().clone()),
            stored,
            clock,
            rates: Rates::default(),
        }
    }

    /// Takes one socket's positions for as long as it is open.
    pub async fn drive(
        self,
        hub: Hub,
        socket: SocketId,
        driver: UserId,
        mut fixes: Receiver<Vec<Fix>>,
    ) {
        let mut driving = Driving {
            positions: self,
            driver,
            trips: TripList::default(),
            lanes: HashMap::new(),
            cleared: OffsetDateTime::UNIX_EPOCH,
        };
        while let Some(fixes) = fixes.recv().await {
            if let Err(message) = driving.take(fixes).await {
                hub.tell(Command::Complain { socket, message });
            }
        }
    }
}

/// One driver, on one socket.
struct Driving {
    positions: Positions,
    driver: UserId,
    trips: TripList,
    lanes: HashMap<DeliveryId, Lane>,
    /// The time when the known deliveries were last cleared.
    cleared: OffsetDateTime,
}

impl Driving {
    /// Publishes what is right, oldest first however it was sent, and says what is wrong with the
    /// rest.
    async fn take(&mut self, mut fixes: Vec<Fix>) -> Result<(), String> {
        let mut trouble = Ok(());
        fixes.sort_by_key(|fix| fix.at);
        for fix in fixes {
            let taken = match check::check(&fix, self.positions.clock.now()) {
                Ok(()) => self.publish(&fix).await,
                Err(reason) => Err(reason.to_owned()),
            };
            trouble = trouble.and(taken);
        }
        trouble
    }

    async fn publish(&mut self, fix: &Fix) -> Result<(), String> {
        let away = |error: Unavailable| {
            tracing::warn!(%error, "a position can't be checked");
            AWAY.to_owned()
        };
        let driver = self.driver;
        let (stored, now) = (self.positions.stored.clone(), self.positions.clock.now());
        let Some(id) = fix.delivery_id else {
            let trips = self.trips.current(&stored, driver, now).await;
            for id in trips.map_err(away)? {
                let is_open = self.lane(id).await.map_err(away)?.is_open_to(driver);
                if is_open {
                    self.publish_on(id, fix)?;
                }
            }
            return Ok(());
        };
        let is_full = self.lanes.len() >= LANES && !self.lanes.contains_key(&id);
        if is_full && now - self.cleared < REMEMBER {
            return Err("Positions of too many deliveries come at once.".to_owned());
        }
        let lane = self.lane(id).await.map_err(away)?;
        // A wrong one stays in mind too, so that it is not looked up again.
        if !lane.is_driver(driver) {
            return Err("You are not the driver of this delivery.".to_owned());
        }
        if !lane.is_open_to(driver) {
            return Err("This delivery is not under way.".to_owned());
        }
        self.publish_on(id, fix)
    }

    /// The known state of a delivery, read from the broker if it is new or old.
    async fn lane(&mut self, id: DeliveryId) -> Result<&Lane, Unavailable> {
        if self.lanes.len() >= LANES && !self.lanes.contains_key(&id) {
            self.lanes.clear();
            self.cleared = self.positions.clock.now();
        }
        let (stored, now) = (&self.positions.stored, self.positions.clock.now());
        let lane = self.lanes.entry(id).or_default();
        lane.refresh(stored, id, now).await?;
        Ok(lane)
    }

    /// Publishes a fix that is newer than the last one of its delivery.
    fn publish_on(&mut self, id: DeliveryId, fix: &Fix) -> Result<(), String> {
        let Some(lane) = self.lanes.get_mut(&id) else {
            return Ok(());
        };
        if lane.is_newer(fix.at) {
            if !self.positions.rates.take(id, self.positions.clock.now()) {
                return Err("Positions come too fast.".to_owned());
            }
            lane.advance(fix.at);
            let payload = envelope(&self.positions.clock, self.driver, id, fix);
            self.positions.gatherer.add(subject::position(id), payload);
        }
        Ok(())
    }
}

fn envelope(clock: &Clock, driver: UserId, id: DeliveryId, fix: &Fix) -> Bytes {
    let data = PositionUpdatedV1 {
        delivery_id: id,
        driver_id: driver,
        lat: fix.lat,
        lng: fix.lng,
        accuracy: fix.accuracy,
        heading: fix.heading,
        speed: fix.speed,
        at: fix.at,
    };
    let milliseconds = fix.at.unix_timestamp_nanos() / 1_000_000;
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
        let fix = Fix {
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
        let published = envelope(&Clock::manual(at), driver, id, &fix);
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
