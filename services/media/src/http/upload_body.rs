//! The body of an upload, as the stock client sends it: the bytes alone, or a form with the file and
//! how long to keep it.

use std::{sync::Arc, time::Duration};

use axum::{body::Body, extract::Request};
use bytes::Bytes;
use futures_util::{StreamExt, stream};
use http::{HeaderMap, header};
use multer::Multipart;
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::Instant,
};

use crate::{
    error::{Error, Refusal},
    limits::MOST_BYTES,
    picture::CACHE,
};

/// The bytes that a form may need beside its file.
const WRAPPING: usize = 64 * 1024;
/// The bytes of a body that is too large which are read all the same: a browser that is cut off while it
/// sends shows no answer.
const PATIENCE: usize = 64 * 1024 * 1024;
/// The bytes of all uploads under way.
const INTAKE: usize = 32 * 1024 * 1024;
/// The parts that an upload is held in, in bytes.
const PART: usize = 16 * 1024;
/// The time that any upload may take, independent of its size.
const GRACE: Duration = Duration::from_secs(5);
/// The slowest an upload may be after that, in bytes a millisecond.
const SLOWEST: u64 = 16;
const YEAR: i32 = 365 * 24 * 3_600;

/// An upload.
#[derive(Debug)]
pub struct UploadBody {
    pub bytes: Bytes,
    /// The time that browsers may keep it, in seconds.
    pub cache: i32,
    _held: Option<OwnedSemaphorePermit>,
}

impl UploadBody {
    /// Reads an upload's body. The bytes count against `intake` until the body is dropped.
    pub async fn read(request: Request, intake: &Arc<Semaphore>) -> Result<Self, Error> {
        let boundary = text(request.headers(), "content-type")
            .and_then(|kind| multer::parse_boundary(kind).ok());
        let cache = text(request.headers(), "cache-control").and_then(seconds);
        let (body, held) = collect(request.into_body(), intake, GRACE).await?;
        let upload_body = match boundary {
            None => Self {
                bytes: body,
                cache: cache.unwrap_or(CACHE),
                _held: held,
            },
            Some(boundary) => unwrap(body, boundary, cache, held).await?,
        };
        match upload_body.bytes.len() {
            0 => Err(Refusal::NoFile.into()),
            size if size > MOST_BYTES => Err(Refusal::TooLarge.into()),
            _ => Ok(upload_body),
        }
    }
}

/// The bytes of all uploads that may be held at once, as permits of [`intake`].
pub fn intake() -> Arc<Semaphore> {
    Arc::new(Semaphore::new(INTAKE))
}

/// Reads on for a refused upload, so that a browser that still sends shows the answer. Keeps nothing.
pub fn discard(request: Request) {
    // A client that waits for `100 Continue` has not begun to send.
    if request.headers().contains_key(header::EXPECT) {
        return;
    }
    let mut chunks = request.into_body().into_data_stream();
    tokio::spawn(tokio::time::timeout(GRACE, async move {
        let mut seen = 0;
        while let Some(Ok(chunk)) = chunks.next().await {
            seen += chunk.len();
            if seen > PATIENCE {
                break;
            }
        }
    }));
}

/// Bytes in parts of one size. One buffer that grows is copied again and again, and leaves holes that
/// together are larger than itself.
#[derive(Debug, Default)]
struct Parts(Vec<Vec<u8>>);

impl Parts {
    fn add(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let room = self.0.last().map_or(0, |part| PART - part.len());
            if room == 0 {
                self.0.push(Vec::with_capacity(PART));
            }
            let Some(part) = self.0.last_mut() else {
                return;
            };
            let (now, later) = bytes.split_at(bytes.len().min(PART - part.len()));
            part.extend_from_slice(now);
            bytes = later;
        }
    }

    /// The bytes in one piece. Each part goes as soon as it is copied.
    fn join(self) -> Vec<u8> {
        let mut whole = Vec::with_capacity(self.0.iter().map(Vec::len).sum());
        for part in self.0 {
            whole.extend_from_slice(&part);
        }
        whole
    }
}

async fn collect(
    body: Body,
    intake: &Arc<Semaphore>,
    grace: Duration,
) -> Result<(Bytes, Option<OwnedSemaphorePermit>), Refusal> {
    let mut chunks = body.into_data_stream();
    let (mut body, mut seen) = (Parts::default(), 0);
    let mut held: Option<OwnedSemaphorePermit> = None;
    let start = Instant::now();
    loop {
        // Each byte buys the upload more time.
        let due = start + grace + Duration::from_millis(seen as u64 / SLOWEST);
        let next = tokio::time::timeout_at(due, chunks.next()).await;
        let Some(chunk) = next.map_err(|_| Refusal::TooSlow)? else {
            break;
        };
        let chunk = chunk.map_err(|_| Refusal::BadForm)?;
        seen += chunk.len();
        if seen <= MOST_BYTES + WRAPPING {
            let size = u32::try_from(chunk.len()).unwrap_or(u32::MAX);
            let more = Arc::clone(intake).try_acquire_many_owned(size);
            let more = more.map_err(|_| Refusal::Busy)?;
            match &mut held {
                Some(held) => held.merge(more),
                None => held = Some(more),
            }
            body.add(&chunk);
        } else if seen > PATIENCE {
            break;
        }
    }
    if seen > MOST_BYTES + WRAPPING {
        return Err(Refusal::TooLarge);
    }
    Ok((body.join().into(), held))
}

/// The stock client names the file's field `''`. Any name will do: it is the field that is no setting.
async fn unwrap(
    body: Bytes,
    boundary: String,
    cache: Option<i32>,
    held: Option<OwnedSemaphorePermit>,
) -> Result<UploadBody, Refusal> {
    let body = stream::iter([Ok::<_, std::convert::Infallible>(body)]);
    let mut form = Multipart::new(body, boundary);
    let mut upload_body = UploadBody {
        bytes: Bytes::new(),
        cache: cache.unwrap_or(CACHE),
        _held: held,
    };
    while let Some(field) = form.next_field().await.map_err(|error| bad(&error))? {
        match field.name() {
            Some("cacheControl") => {
                let text = field.text().await.map_err(|error| bad(&error))?;
                upload_body.cache = seconds(&text).unwrap_or(upload_body.cache);
            }
            Some("metadata" | "contentEncoding") => {}
            _ => upload_body.bytes = field.bytes().await.map_err(|error| bad(&error))?,
        }
    }
    Ok(upload_body)
}

fn bad(error: &multer::Error) -> Refusal {
    tracing::debug!(%error, "a form can't be read");
    Refusal::BadForm
}

/// The seconds of `max-age=3600` or `3600`. What else the header may say is not for us.
fn seconds(text: &str) -> Option<i32> {
    let directive = text.split(',').find_map(|part| {
        let part = part.trim();
        part.strip_prefix("max-age=")
            .unwrap_or(part)
            .parse::<u64>()
            .ok()
    })?;
    Some(i32::try_from(directive).unwrap_or(YEAR).min(YEAR))
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_body_that_trickles_is_ended_and_gives_its_bytes_back() {
        let intake = Arc::new(Semaphore::new(1_000_000));
        let trickle = stream::unfold((), |()| async {
            tokio::time::sleep(Duration::from_millis(100)).await;
            Some((Ok::<_, std::io::Error>(Bytes::from_static(b"x")), ()))
        });
        let read = collect(
            Body::from_stream(trickle),
            &intake,
            Duration::from_millis(300),
        )
        .await;
        assert_eq!(read.unwrap_err(), Refusal::TooSlow);
        assert_eq!(intake.available_permits(), 1_000_000);
    }

    #[tokio::test]
    async fn uploads_together_hold_no_more_than_there_is_room_for() {
        let intake = Arc::new(Semaphore::new(100));
        let first = collect(Body::from(vec![0; 80]), &intake, GRACE)
            .await
            .unwrap();
        let second = collect(Body::from(vec![0; 80]), &intake, GRACE).await;
        assert_eq!(second.unwrap_err(), Refusal::Busy);
        drop(first);
        assert!(
            collect(Body::from(vec![0; 80]), &intake, GRACE)
                .await
                .is_ok()
        );
    }

    #[test]
    fn parts_hold_what_was_added() {
        let mut parts = Parts::default();
        let bytes: Vec<u8> = (0..3 * PART).map(|n| n.to_le_bytes()[0]).collect();
        for chunk in [
            &bytes[..1],
            &bytes[1..PART],
            &bytes[PART..PART],
            &bytes[PART..],
        ] {
            parts.add(chunk);
        }
        assert_eq!(parts.0.len(), 3);
        assert_eq!(parts.join(), bytes);
    }

    #[test]
    fn how_long_to_keep_it_is_a_number_of_seconds() {
        for (text, expected) in [
            ("max-age=3600", Some(3600)),
            ("3600", Some(3600)),
            ("public, max-age=60", Some(60)),
            ("max-age=99999999999", Some(YEAR)),
            ("no-cache", None),
            ("max-age=-1", None),
        ] {
            assert_eq!(seconds(text), expected, "{text}");
        }
    }
}
