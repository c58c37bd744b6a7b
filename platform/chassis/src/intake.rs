//! Reading a request's body into memory: for so long, and of all requests together so much.

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
struct Pace {
    /// For a body of any size.
    grace: Duration,
    /// Bytes that buy it a second more. Apache's default `MinRate`.
    second: usize,
    /// However much of it comes. Apache's default for the same; an answer may take longer (30 s).
    longest: Duration,
}

const PACE: Pace = Pace {
    grace: Duration::from_secs(10),
    second: 500,
    longest: Duration::from_secs(20),
};
/// The bytes of a body that are not counted: nearly every body has fewer, and is read however many large
/// ones are under way.
const SMALL: usize = 16 * 1024;
/// The bytes that all bodies of the process may hold beyond that.
const ALL: usize = 64 * 1024 * 1024;
static ROOM: LazyLock<Arc<Semaphore>> = LazyLock::new(|| Arc::new(Semaphore::new(ALL)));

/// A request's body: 408 where it is too slow, 413 where it is too large, 503 where there is no room for it.
pub(crate) async fn read(request: Request) -> Result<Bytes, Problem> {
    collect(request.with_limited_body().into_body(), &ROOM, PACE).await
}

async fn collect(body: Body, room: &Arc<Semaphore>, pace: Pace) -> Result<Bytes, Problem> {
    let mut chunks = body.into_data_stream();
    let mut whole = Gathered::default();
    let mut held: Option<OwnedSemaphorePermit> = None;
    let start = Instant::now();
    loop {
        let bought = Duration::from_secs((whole.len() / pace.second) as u64);
        let due = start + (pace.grace + bought).min(pace.longest);
        let next = tokio::time::timeout_at(due, chunks.next()).await;
        let Some(chunk) = next.map_err(|_| too_slow())? else {
            return Ok(whole.bytes());
        };
        let chunk = chunk.map_err(unreadable)?;
        let counted = (whole.len() + chunk.len()).saturating_sub(SMALL.max(whole.len()));
        if counted > 0 {
            let counted = u32::try_from(counted).unwrap_or(u32::MAX);
            let more = Arc::clone(room).try_acquire_many_owned(counted);
            let more = more.map_err(|_| no_room())?;
            match &mut held {
                Some(held) => held.merge(more),
                None => held = Some(more),
            }
        }
        whole.add(chunk);
    }
}

/// The chunks so far. A body of one chunk, as most are, is never copied.
#[derive(Debug, Default)]
struct Gathered {
    first: Bytes,
    all: BytesMut,
}

impl Gathered {
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
    Problem::from(BadBody::NoRoom).retry_after(PACE.longest)
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
        let pace = Pace {
            grace: Duration::from_millis(200),
            ..PACE
        };
        let trickle = slow(1_000, 1, Duration::from_millis(20));
        let problem = collect(trickle, &room(ALL), pace).await.unwrap_err();
        assert_eq!(problem.status.as_u16(), 408);
    }

    #[tokio::test]
    async fn bytes_buy_time_up_to_a_limit() {
        let pace = Pace {
            grace: Duration::from_millis(200),
            second: 10,
            longest: Duration::from_mins(1),
        };
        let body = slow(9, 10, Duration::from_millis(50));
        assert_eq!(collect(body, &room(ALL), pace).await.unwrap().len(), 90);
        let endless = slow(1_000_000, 10, Duration::from_millis(10));
        let short = Pace {
            longest: Duration::from_millis(400),
            ..pace
        };
        let problem = collect(endless, &room(ALL), short).await.unwrap_err();
        assert_eq!(problem.status.as_u16(), 408);
    }

    #[tokio::test]
    async fn large_bodies_share_a_room_and_small_ones_need_none() {
        let room = room(2 * SMALL);
        let of = |size: usize| Body::from(vec![b'x'; size]);
        let held = Arc::clone(&room).try_acquire_many_owned(u32::try_from(SMALL).unwrap());
        assert_eq!(
            collect(of(2 * SMALL), &room, PACE).await.unwrap().len(),
            2 * SMALL
        );
        assert_eq!(room.available_permits(), SMALL);
        let problem = collect(of(3 * SMALL), &room, PACE).await.unwrap_err();
        assert_eq!(problem.status.as_u16(), 503);
        assert!(problem.retry_after.is_some());
        let in_chunks = slow(9, SMALL / 4, Duration::ZERO);
        assert!(collect(in_chunks, &room, PACE).await.is_err());
        assert_eq!(room.available_permits(), SMALL);
        drop(held);
        room.close();
        assert_eq!(collect(of(SMALL), &room, PACE).await.unwrap().len(), SMALL);
    }
}
