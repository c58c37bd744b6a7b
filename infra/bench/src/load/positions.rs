//! Positions to publish: each carries its number among those of its topic, in the last digits of its
//! latitude, and the moment it was published.

use tiffin_events::{
    Clock, DeliveryId, Envelope, UserId,
    live::{ClientFrame, DevicePosition},
    position::PositionUpdatedV1,
    subject,
};
use time::{OffsetDateTime, Time};

/// Numbers start again after so many.
pub const NUMBERS: u64 = 1_000_000;
const DAY: u64 = 86_400_000_000;
const LATITUDE: &[u8] = b"\"lat\":6.";
/// A date follows, then the clock.
const MOMENT: &[u8] = b"\"at\":\"";
const DATE: usize = "2026-11-21T".len();
/// `HH:MM:SS.ffffff`
const CLOCK: usize = 15;

/// One topic's position, ready but for its number and moment.
#[derive(Debug)]
pub struct Template {
    bytes: Vec<u8>,
    number_at: usize,
    clock_at: usize,
    next: u64,
}

impl Template {
    /// A message on its way to the broker.
    pub fn message(delivery: DeliveryId, driver: UserId) -> Self {
        let position = position();
        let envelope = Envelope::of(
            &Clock::manual(position.at),
            "live",
            "tiffin.position.updated.v1",
            delivery.0,
            1_795_252_200_250,
            driver.to_string(),
            PositionUpdatedV1 {
                delivery_id: delivery,
                driver_id: driver,
                lat: position.lat,
                lng: position.lng,
                accuracy: position.accuracy,
                heading: position.heading,
                speed: position.speed,
                at: position.at,
            },
        );
        let payload = serde_json::to_string(&envelope).unwrap_or_default();
        let subject = subject::position(delivery);
        Self::new(format!("PUB {subject} {}\r\n{payload}\r\n", payload.len()))
    }

    /// A driver's frame, as the driver's page sends it.
    pub fn frame() -> Self {
        let frame = ClientFrame::Position(position());
        Self::new(serde_json::to_string(&frame).unwrap_or_default())
    }

    fn new(text: String) -> Self {
        let bytes = text.into_bytes();
        let after = |what: &[u8]| memchr::memmem::rfind(&bytes, what).unwrap_or(0) + what.len();
        Self {
            number_at: after(LATITUDE),
            clock_at: after(MOMENT) + DATE,
            bytes,
            next: 0,
        }
    }

    /// The number of published positions.
    pub fn published(&self) -> u64 {
        self.next
    }

    /// Appends the next one.
    pub fn append(&mut self, now: u64, out: &mut Vec<u8>) {
        digits(
            self.next % NUMBERS,
            &mut self.bytes[self.number_at..self.number_at + 6],
        );
        let clock = &mut self.bytes[self.clock_at..self.clock_at + CLOCK];
        let seconds = now / 1_000_000;
        digits(seconds / 3600, &mut clock[..2]);
        digits(seconds / 60 % 60, &mut clock[3..5]);
        digits(seconds % 60, &mut clock[6..8]);
        // The last digit is not 0, so that no reader or writer of the time cuts zeros off.
        digits(now % 1_000_000 / 10 * 10 + 1, &mut clock[9..]);
        out.extend_from_slice(&self.bytes);
        self.next += 1;
    }
}

/// A position of today. The last digits are not 0, so that no reader or writer of a number cuts zeros off.
fn position() -> DevicePosition {
    let midnight = Clock::system().now().replace_time(Time::MIDNIGHT);
    DevicePosition {
        delivery_id: None,
        lat: 6.123_456_1,
        lng: 79.850_123,
        accuracy: Some(8.5),
        heading: Some(181.5),
        speed: Some(7.25),
        at: midnight + time::Duration::microseconds(654_321),
    }
}

fn digits(mut number: u64, out: &mut [u8]) {
    for digit in out.iter_mut().rev() {
        *digit = b'0' + u8::try_from(number % 10).unwrap_or_default();
        number /= 10;
    }
}

fn number(digits: &[u8]) -> u64 {
    digits.iter().fold(0, |sum, digit| {
        sum * 10 + u64::from(digit.wrapping_sub(b'0'))
    })
}

/// Microseconds since midnight, UTC.
pub fn now() -> u64 {
    let since = tiffin_events::Clock::system().now() - OffsetDateTime::UNIX_EPOCH;
    u64::try_from(since.whole_microseconds()).unwrap_or_default() % DAY
}

/// Finds number and moment in what a watcher got. Where they are is the same every time, so it is
/// looked for only when it is not there.
#[derive(Clone, Debug, Default)]
pub struct Reader {
    number_at: usize,
    /// From the end.
    clock_at: usize,
}

impl Reader {
    /// The number, and how long it took in microseconds; `None` where it is no position.
    pub fn read(&mut self, bytes: &[u8], now: u64) -> Option<(u64, u64)> {
        if !self.fits(bytes) {
            self.number_at = memchr::memmem::rfind(bytes, LATITUDE)? + LATITUDE.len();
            self.clock_at =
                bytes.len() - memchr::memmem::rfind(bytes, MOMENT)? - MOMENT.len() - DATE;
        }
        let found = number(bytes.get(self.number_at..self.number_at + 6)?);
        let clock = bytes.len() - self.clock_at;
        let clock = bytes.get(clock..clock + CLOCK)?;
        let seconds = number(&clock[..2]) * 3600 + number(&clock[3..5]) * 60 + number(&clock[6..8]);
        let sent = seconds * 1_000_000 + number(&clock[9..]);
        Some((found, (now + DAY - sent) % DAY))
    }

    fn fits(&self, bytes: &[u8]) -> bool {
        self.number_at > 0
            && bytes.len() >= self.number_at.max(self.clock_at + DATE)
            && bytes[..self.number_at].ends_with(LATITUDE)
            && bytes[..bytes.len() - self.clock_at - DATE].ends_with(MOMENT)
    }
}

#[cfg(test)]
mod tests {
    use crate::systems::audience::{delivery, driver};

    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        for mut template in [Template::message(delivery(0), driver(0)), Template::frame()] {
            let (mut out, mut reader) = (Vec::new(), Reader::default());
            for expected in 0..3 {
                out.clear();
                template.append(3_723_000_042, &mut out);
                assert_eq!(reader.read(&out, 3_723_000_141), Some((expected, 100)));
            }
            assert!(reader.read(b"{\"type\":\"watching\"}", 0).is_none());
        }
    }
}
