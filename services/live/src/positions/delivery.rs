//! The known state of a driver's deliveries. It is read once and then updated by the broker's messages
//! about changes.

use async_nats::Subscriber;
use futures_util::{FutureExt, StreamExt};
use serde::{Deserialize, de::DeserializeOwned};
use tiffin_events::{
    DeliveryId, UserId,
    audience::{self, Audience, DriverDeliveries, Versioned},
    subject,
};
use time::{Duration, OffsetDateTime};

use crate::broker_reader::{BrokerReader, Unavailable};

/// The time after which an entry is read again, in case a change was missed.
const REREAD_AFTER: Duration = Duration::seconds(60);

/// An entry of the audience bucket, and a subscription to its changes.
#[derive(Debug)]
struct FollowedEntry<T> {
    value: Option<T>,
    changes: Option<Subscriber>,
    read_at: OffsetDateTime,
}

impl<T> Default for FollowedEntry<T> {
    fn default() -> Self {
        Self {
            value: None,
            changes: None,
            read_at: OffsetDateTime::UNIX_EPOCH,
        }
    }
}

impl<T: DeserializeOwned + Versioned> FollowedEntry<T> {
    /// Brings the value up to date. True where it was read from the bucket.
    async fn refresh(
        &mut self,
        reader: &BrokerReader,
        key: &str,
        now: OffsetDateTime,
    ) -> Result<bool, Unavailable> {
        if let Some(changes) = &mut self.changes
            && now - self.read_at < REREAD_AFTER
        {
            while let Some(change) = changes.next().now_or_never() {
                let Some(message) = change else {
                    self.read_at = OffsetDateTime::UNIX_EPOCH;
                    break;
                };
                let read: Option<T> = serde_json::from_slice(&message.payload).ok();
                let version = |value: &Option<T>| value.as_ref().map(Versioned::version);
                // An older one that comes late changes nothing.
                if read.is_none() || version(&read) >= version(&self.value) {
                    self.value = read;
                }
            }
            return Ok(false);
        }
        // Subscribed before it is read, so that no change is missed between.
        self.changes = Some(reader.subscribe(&subject::audience(key)).await?);
        self.value = reader.entry(key).await?;
        self.read_at = now;
        Ok(true)
    }
}

/// The deliveries that a driver has under way.
#[derive(Debug, Default)]
pub struct CurrentDeliveries(FollowedEntry<DriverDeliveries>);

impl CurrentDeliveries {
    pub async fn list(
        &mut self,
        reader: &BrokerReader,
        driver: UserId,
        now: OffsetDateTime,
    ) -> Result<Vec<DeliveryId>, Unavailable> {
        let key = audience::driver_key(driver);
        self.0.refresh(reader, &key, now).await?;
        let current = self.0.value.as_ref();
        Ok(current
            .map(|current| current.deliveries.clone())
            .unwrap_or_default())
    }
}

/// One delivery that positions are sent for.
#[derive(Debug, Default)]
pub struct KnownDelivery {
    entry: FollowedEntry<Audience>,
    /// The device time of its last position.
    last: Option<OffsetDateTime>,
}

impl KnownDelivery {
    pub async fn refresh(
        &mut self,
        reader: &BrokerReader,
        id: DeliveryId,
        now: OffsetDateTime,
    ) -> Result<(), Unavailable> {
        let key = audience::delivery_key(id);
        let was = self.driver();
        let is_read = self.entry.refresh(reader, &key, now).await?;
        let driver = self.driver();
        if was != driver {
            // The former driver's clock says nothing of this driver's.
            self.last = None;
        }
        if is_read {
            // Another bridge, or another device, may have a newer position.
            let stored = reader.position(id).await?;
            let last = stored.and_then(|bytes| time_of(&bytes, driver));
            self.last = self.last.max(last);
        }
        Ok(())
    }

    fn driver(&self) -> Option<UserId> {
        self.entry.value.as_ref()?.driver
    }

    pub fn is_driver(&self, user: UserId) -> bool {
        self.driver() == Some(user)
    }

    pub fn is_open_to(&self, user: UserId) -> bool {
        let entry = self.entry.value.as_ref();
        self.is_driver(user) && entry.is_some_and(|entry| entry.active)
    }

    /// True if a position is newer than the last.
    pub fn is_newer(&self, at: OffsetDateTime) -> bool {
        self.last.is_none_or(|last| at > last)
    }

    /// Records a position's time; false where a newer one is known.
    pub fn advance(&mut self, at: OffsetDateTime) -> bool {
        let is_newer = self.is_newer(at);
        if is_newer {
            self.last = Some(at);
        }
        is_newer
    }
}

/// The device time of a position, where it is this driver's.
fn time_of(published: &[u8], driver: Option<UserId>) -> Option<OffsetDateTime> {
    #[derive(Deserialize)]
    struct Published {
        data: At,
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct At {
        driver_id: UserId,
        #[serde(with = "time::serde::rfc3339")]
        at: OffsetDateTime,
    }
    let published: Published = serde_json::from_slice(published).ok()?;
    (Some(published.data.driver_id) == driver).then_some(published.data.at)
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    #[test]
    fn a_delivery_only_goes_forward() {
        let mut delivery = KnownDelivery::default();
        let at = datetime!(2026-11-21 09:00 UTC);
        assert!(delivery.advance(at));
        assert!(!delivery.advance(at));
        assert!(!delivery.advance(at - Duration::SECOND));
        assert!(delivery.advance(at + Duration::MILLISECOND));
    }

    #[test]
    fn the_time_of_a_published_position_is_the_devices() {
        let sample =
            include_bytes!("../../../../events/catalog/samples/tiffin.position.updated.v1.json");
        let event: tiffin_events::Envelope = serde_json::from_slice(sample).unwrap();
        let driver = serde_json::from_value(event.data["driverId"].clone()).unwrap();
        assert_eq!(
            time_of(sample, Some(driver)),
            Some(datetime!(2026-11-21 09:10:00.25 UTC))
        );
        let another = UserId(uuid::Uuid::from_u128(7));
        assert_eq!(time_of(sample, Some(another)), None);
        assert_eq!(time_of(b"{}", None), None);
    }
}
