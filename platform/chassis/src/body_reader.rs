//! Reads a request's body into memory, within a time-out and a limit for all bodies together.

use std::{
    sync::{Arc, LazyLock},
    time::Duration,
};

use axum::{RequestExt, body::Body, extract::Request};
use bytes::{Bytes, BytesMut};
use futures_util::StreamExt;
use http_body_util::LengthLimitError;
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::Instant,
};

use crate::{Problem, refusal::BadBody};

/// The time-out of a body.
#[derive(Clone, Copy, Debug)]
struct BodyTimeout {
    /// For a body of any size.
    base: Duration,
    /// Bytes that add a second. Apache's default `MinRate`.
    bytes_per_second: usize,
    /// The most for any number of bytes. Apache's default for the same; an answer may take longer (30 s).
    max: Duration,
}

const TIMEOUT: BodyTimeout = BodyTimeout {
    base: Duration::from_secs(10),
    bytes_per_second: 500,
    max: Duration::from_secs(20),
};
/// The bytes of a body that are not counted. Nearly every body has fewer, and is read while large ones are refused.
const SMALL_BODY: usize = 16 * 1024;
/// The bytes that all bodies of the process may have in memory beyond that.
const MAX_BUFFERED: usize = 64 * 1024 * 1024;
static BUFFER: LazyLock<Arc<Semaphore>> = LazyLock::new(|| Arc::new(Semaphore::new(MAX_BUFFERED)));

/// A request's body: 408 where it is too slow, 413 where it is too large, 503 where there is no room for it.
pub(crate) async fn read(request: Request) -> Result<Bytes, Problem> {
    collect(request.with_limited_body().into_body(), &BUFFER, TIMEOUT).await
}

async fn collect(
    body: Body,
    room: &Arc<Semaphore>,
    timeout: BodyTimeout,
) -> Result<Bytes, Problem> {
    let mut chunks = body.into_data_stream();
    let mut whole = Chunks::default();
    let mut permit: Option<OwnedSemaphorePermit> = None;
    let start = Instant::now();
    loop {
        let added = Duration::from_secs((whole.len() / timeout.bytes_per_second) as u64);
        let due = start + (timeout.base + added).min(timeout.max);
        let next = tokio::time::timeout_at(due, chunks.next()).await;
        let Some(chunk) = next.map_err(|_| too_slow())? else {
            return Ok(whole.bytes());
        };
        let chunk = chunk.map_err(unreadable)?;
        let counted = (whole.len() + chunk.len()).saturating_sub(SMALL_BODY.max(whole.len()));
        if counted > 0 {
            let counted = u32::try_from(counted).unwrap_or(u32::MAX);
            let more = Arc::clone(room).try_acquire_many_owned(counted);
            let more = more.map_err(|_| no_room())?;
            match &mut permit {
                Some(permit) => permit.merge(more),
                None => permit = Some(more),
            }
        }
        whole.add(chunk);
    }
}

/// The chunks so far. A body of one chunk, as most are, is never copied.
#[derive(Debug, Default)]
struct Chunks {
    first: Bytes,
    all: BytesMut,
}

impl Chunks {
    fn len(&self) -> usize {
        if self.all.is_empty() {
            self.first.len()
        } else {
            self.all.len()
        }
    }

    fn add(&mut self, chunk: Bytes) {
        if self.len() == 0 {
            self.first = chunk;
            return;
        }
        if self.all.is_empty() {
            self.all.extend_from_slice(&std::mem::take(&mut self.first));
        }
        self.all.extend_from_slice(&chunk);
    }

    fn bytes(self) -> Bytes {
        if self.all.is_empty() {
            self.first
        } else {
            self.all.freeze()
        }
    }
}

fn too_slow() -> Problem {
    BadBody::TooSlow.into()
}

fn no_room() -> Problem {
    Problem::from(BadBody::NoRoom).retry_after(TIMEOUT.max)
}

fn unreadable(error: axum::Error) -> Problem {
    if error.into_inner().is::<LengthLimitError>() {
        BadBody::TooLarge.into()
    } else {
        BadBody::Unreadable.into()
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use futures_util::stream;

    use super::*;

    fn room(bytes: usize) -> Arc<Semaphore> {
        Arc::new(Semaphore::new(bytes))
    }

    /// Chunks with a pause before each.
    fn slow(chunks: usize, size: usize, pause: Duration) -> Body {
        Body::from_stream(stream::unfold(chunks, move |left| async move {
            tokio::time::sleep(pause).await;
            let chunk = Ok::<_, io::Error>(Bytes::from(vec![b'x'; size]));
            Some((chunk, left.checked_sub(1)?))
        }))
    }

    #[tokio::test]
    async fn a_body_that_trickles_is_408() {
        let timeout = BodyTimeout {
            base: Duration::from_millis(200),
            ..TIMEOUT
        };
        let trickle = slow(1_000, 1, Duration::from_millis(20));
        let problem = collect(trickle, &room(MAX_BUFFERED), timeout)
            .await
            .unwrap_err();
        assert_eq!(problem.status.as_u16(), 408);
    }

    #[tokio::test]
    async fn bytes_add_time_up_to_a_limit() {
        let timeout = BodyTimeout {
            base: Duration::from_millis(200),
            bytes_per_second: 10,
            max: Duration::from_mins(1),
        };
        let body = slow(9, 10, Duration::from_millis(50));
        assert_eq!(
            collect(body, &room(MAX_BUFFERED), timeout)
                .await
                .unwrap()
                .len(),
            90
        );
        let endless = slow(1_000_000, 10, Duration::from_millis(10));
        let short = BodyTimeout {
            max: Duration::from_millis(400),
            ..timeout
        };
        let problem = collect(endless, &room(MAX_BUFFERED), short)
            .await
            .unwrap_err();
        assert_eq!(problem.status.as_u16(), 408);
    }

    #[tokio::test]
    async fn large_bodies_share_a_buffer_and_small_ones_need_none() {
        let room = room(2 * SMALL_BODY);
        let of = |size: usize| Body::from(vec![b'x'; size]);
        let held = Arc::clone(&room).try_acquire_many_owned(u32::try_from(SMALL_BODY).unwrap());
        assert_eq!(
            collect(of(2 * SMALL_BODY), &room, TIMEOUT)
                .await
                .unwrap()
                .len(),
            2 * SMALL_BODY
        );
        assert_eq!(room.available_permits(), SMALL_BODY);
        let problem = collect(of(3 * SMALL_BODY), &room, TIMEOUT)
            .await
            .unwrap_err();
        assert_eq!(problem.status.as_u16(), 503);
        assert!(problem.retry_after.is_some());
        let in_chunks = slow(9, SMALL_BODY / 4, Duration::ZERO);
        assert!(collect(in_chunks, &room, TIMEOUT).await.is_err());
        assert_eq!(room.available_permits(), SMALL_BODY);
        drop(held);
        room.close();
        assert_eq!(
            collect(of(SMALL_BODY), &room, TIMEOUT).await.unwrap().len(),
            SMALL_BODY
        );
    }
}
