//! The fill of streams, reported long before a stream refuses messages.

use std::{
    collections::{BTreeSet, HashMap},
    time::Duration,
};

use async_nats::jetstream::stream::DiscardPolicy;
use metrics::gauge;
use tiffin_events::{Stream, revocation, rights, services};
use tracing::{debug, info, warn};

use crate::{Broker, BrokerError};

/// The part of its bytes, in percent, from which on a stream that refuses when it is full is called
/// nearly full.
pub const NEARLY_FULL: u64 = 80;

/// The interval of measuring streams.
pub(crate) const MEASURE_INTERVAL: Duration = Duration::from_secs(10);

/// Bytes of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fill {
    pub bytes: u64,
    /// Its cap in bytes; `None` if only the broker's disk limits it.
    pub max_bytes: Option<u64>,
    /// True if it refuses when it is full. Others drop the oldest messages.
    pub refuses: bool,
}

impl Fill {
    pub async fn of(broker: &Broker, stream: &str) -> Result<Self, BrokerError> {
        let stream = broker.jetstream.get_stream(stream).await?;
        let info = stream.cached_info();
        Ok(Self {
            bytes: info.state.bytes,
            max_bytes: u64::try_from(info.config.max_bytes)
                .ok()
                .filter(|bytes| *bytes > 0),
            refuses: info.config.discard == DiscardPolicy::New,
        })
    }

    /// The part that is filled, in percent; 0 without a limit.
    pub fn percent(self) -> u64 {
        self.max_bytes
            .map_or(0, |max| self.bytes.saturating_mul(100) / max)
    }

    /// True if it will soon refuse.
    pub fn is_nearly_full(self) -> bool {
        self.refuses && self.percent() >= NEARLY_FULL
    }
}

/// The streams that a service measures: those that its outbox goes to, and for operators all of them.
fn measured_streams(service: &str) -> BTreeSet<&'static str> {
    let all = Stream::ALL.into_iter().map(Stream::name);
    if service == "operator" || !services::NAMES.contains(&service) {
        return all
            .chain([rights::AUDIENCE_STREAM, revocation::STREAM])
            .collect();
    }
    let mut streams: BTreeSet<_> = rights::owns(service)
        .into_iter()
        .map(Stream::name)
        .collect();
    if !rights::audience_kinds(service).is_empty() {
        streams.insert(rights::AUDIENCE_STREAM);
    }
    streams
}

/// Measures a service's streams at an interval: `tiffin_stream_bytes`, `tiffin_stream_max_bytes` and
/// `tiffin_stream_nearly_full` (1 from [`NEARLY_FULL`] on), and a line in the log when that changes.
pub(crate) async fn measure(broker: &Broker, service: &'static str) {
    let mut nearly_full: HashMap<&str, bool> = HashMap::new();
    let mut tick = tokio::time::interval(MEASURE_INTERVAL);
    loop {
        tick.tick().await;
        for stream in measured_streams(service) {
            let fill = match Fill::of(broker, stream).await {
                Ok(fill) => fill,
                Err(error) => {
                    debug!(service, stream, %error, "a stream can't be measured");
                    continue;
                }
            };
            report(service, stream, fill);
            let is_nearly_full = fill.is_nearly_full();
            let was = nearly_full.insert(stream, is_nearly_full).unwrap_or(false);
            if is_nearly_full && !was {
                warn!(
                    stream,
                    percent = fill.percent(),
                    "the stream is nearly full, and refuses messages when it is full: raise its cap in TIFFIN_STREAMS \
                     and run `tiffin prepare`, or use `nats stream edit --max-bytes`"
                );
            } else if was && !is_nearly_full {
                info!(
                    stream,
                    percent = fill.percent(),
                    "the stream has room again"
                );
            }
        }
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "a gauge is a float, and a stream has less than 2^53 bytes"
)]
fn report(service: &'static str, stream: &'static str, fill: Fill) {
    gauge!("tiffin_stream_bytes", "service" => service, "stream" => stream).set(fill.bytes as f64);
    let max = fill.max_bytes.unwrap_or_default();
    gauge!("tiffin_stream_max_bytes", "service" => service, "stream" => stream).set(max as f64);
    let nearly_full = u8::from(fill.is_nearly_full());
    gauge!("tiffin_stream_nearly_full", "service" => service, "stream" => stream).set(nearly_full);
}
