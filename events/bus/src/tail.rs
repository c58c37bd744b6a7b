use time::OffsetDateTime;
use tiffin_events::{Envelope, Stream};
use tokio_util::sync::CancellationToken;

use crate::Broker;

/// Follows `subjects` of a stream from `since` on, in order, for as long as the process lives: for
/// what a process keeps in memory (revocations). Nothing is acknowledged or stored.
pub async fn tail(
    _broker: Broker,
    _stream: Stream,
    _subjects: Vec<String>,
    _since: OffsetDateTime,
    _shutdown: CancellationToken,
    _each: impl FnMut(Envelope) + Send,
) {
    unimplemented!()
}
