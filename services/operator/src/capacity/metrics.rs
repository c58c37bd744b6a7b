//! The time until streams are full, for alerts.

use metrics::gauge;
use time::OffsetDateTime;

use super::Capacity;

/// Sets `tiffin_stream_full_in_seconds` of each stream and `tiffin_broker_full_in_seconds`: infinite if it never is full
/// at its pace. Sets the event log's size, `tiffin_event_log_bytes` and `tiffin_event_log_months`.
pub(crate) fn report(capacity: &Capacity, now: OffsetDateTime) {
    let left = |full_at: Option<OffsetDateTime>| {
        full_at.map_or(f64::INFINITY, |at| (at - now).as_seconds_f64().max(0.0))
    };
    for one in &capacity.streams {
        gauge!("tiffin_stream_full_in_seconds", "stream" => one.name.clone())
            .set(left(one.full_at));
    }
    gauge!("tiffin_broker_full_in_seconds").set(left(capacity.broker.full_at));
    gauge!("tiffin_event_log_bytes").set(figure(capacity.event_log.bytes));
    gauge!("tiffin_event_log_months").set(figure(capacity.event_log.months));
}

#[expect(clippy::cast_precision_loss, reason = "figures for people")]
const fn figure(count: i64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use tiffin_chassis::telemetry;
    use time::{Duration, macros::datetime};

    use super::*;
    use crate::capacity::{BrokerDisk, EventLogSize, StreamCapacity, WindowView};

    const NOW: OffsetDateTime = datetime!(2026-11-25 12:00 UTC);

    fn stream(name: &str, full_at: Option<OffsetDateTime>) -> StreamCapacity {
        StreamCapacity {
            name: name.to_owned(),
            messages: 1,
            bytes: 1,
            max_bytes: None,
            percent: None,
            events_a_day: None,
            bytes_a_day: None,
            full_at,
            refuses: true,
        }
    }

    #[test]
    fn the_seconds_until_a_stream_is_full_are_reported_and_infinity_without_an_end() {
        let capacity = Capacity {
            window: WindowView {
                since: NOW,
                days: 7.0,
                is_whole: true,
            },
            order: None,
            streams: vec![
                stream("SOON", Some(NOW + Duration::days(2))),
                stream("FULL", Some(NOW - Duration::SECOND)),
                stream("NEVER", None),
            ],
            databases: Vec::new(),
            event_log: EventLogSize {
                bytes: 4096,
                bytes_a_day: None,
                months: 2,
                settles_at: None,
            },
            broker: BrokerDisk {
                bytes: 0,
                max_bytes: None,
                percent: None,
                bytes_a_day: None,
                full_at: None,
            },
        };
        let metrics = telemetry::metrics();
        report(&capacity, NOW);
        let text = metrics.render();
        for (stream, seconds) in [("SOON", "172800"), ("FULL", "0"), ("NEVER", "inf")] {
            let line = format!("tiffin_stream_full_in_seconds{{stream=\"{stream}\"}} {seconds}");
            assert!(text.lines().any(|one| one == line), "{line}: {text}");
        }
        for line in ["tiffin_event_log_bytes 4096", "tiffin_event_log_months 2"] {
            assert!(text.lines().any(|one| one == line), "{line}: {text}");
        }
    }
}
