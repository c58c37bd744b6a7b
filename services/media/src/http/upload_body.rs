//! The body of an upload, as the stock client sends it: the bytes alone, or a form with the file and
//! the time that browsers may keep it.

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
    limits::MAX_BYTES,
    picture::CACHE_SECONDS,
};

/// The bytes that a form may need beside its file.
const FORM_OVERHEAD: usize = 64 * 1024;
/// The bytes of a body that is too large which are read all the same: a browser that is cut off while it
/// sends shows no answer.
const MAX_DRAINED: usize = 64 * 1024 * 1024;
/// The bytes of all uploads under way.
const UPLOAD_MEMORY: usize = 32 * 1024 * 1024;
/// The size of the parts that an upload is collected in, in bytes.
const PART_SIZE: usize = 16 * 1024;
/// The time that any upload may take, independent of its size.
const GRACE: Duration = Duration::from_secs(5);
/// The slowest an upload may be after that, in bytes a millisecond.
const MIN_BYTES_PER_MILLISECOND: u64 = 16;
const YEAR: i32 = 365 * 24 * 3_600;

/// An upload.
#[derive(Debug)]
pub struct UploadBody {
    pub bytes: Bytes,
    /// The time that browsers may keep it, in seconds.
    pub cache: i32,
    _memory: Option<OwnedSemaphorePermit>,
}

impl UploadBody {
    /// Reads an upload's body. The bytes count against `upload_memory` until the body is dropped.
    pub async fn read(request: Request, upload_memory: &Arc<Semaphore>) -> Result<Self, Error> {
        let boundary = text(request.headers(), "content-type")
            .and_then(|kind| multer::parse_boundary(kind).ok());
        let cache = text(request.headers(), "cache-control").and_then(seconds);
        let (body, memory) = collect(request.into_body(), upload_memory, GRACE).await?;
        let upload_body = match boundary {
            None => Self {
                bytes: body,
                cache: cache.unwrap_or(CACHE_SECONDS),
                _memory: memory,
            },
            Some(boundary) => read_form(body, boundary, cache, memory).await?,
        };
        match upload_body.bytes.len() {
            0 => Err(Refusal::NoFile.into()),
            size if size > MAX_BYTES => Err(Refusal::TooLarge.into()),
            _ => Ok(upload_body),
        }
    }
}

/// The bytes of all uploads that may be in memory at once, as permits of [`upload_memory`].
pub fn upload_memory() -> Arc<Semaphore> {
    Arc::new(Semaphore::new(UPLOAD_MEMORY))
}

/// Reads and drops the rest of a refused upload, so that a browser that still sends shows the answer.
pub fn drain(request: Request) {
    // A client that waits for `100 Continue` has not begun to send.
    if request.headers().contains_key(header::EXPECT) {
        return;
    }
    let mut chunks = request.into_body().into_data_stream();
    tokio::spawn(tokio::time::timeout(GRACE, async move {
        let mut seen = 0;
        while let Some(Ok(chunk)) = chunks.next().await {
            seen += chunk.len();
            if seen > MAX_DRAINED {
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
            let room = self.0.last().map_or(0, |part| PART_SIZE - part.len());
            if room == 0 {
                self.0.push(Vec::with_capacity(PART_SIZE));
            }
            let Some(part) = self.0.last_mut() else {
                return;
            };
            let (fits, rest) = bytes.split_at(bytes.len().min(PART_SIZE - part.len()));
            part.extend_from_slice(fits);
            bytes = rest;
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
    upload_memory: &Arc<Semaphore>,
    grace: Duration,
) -> Result<(Bytes, Option<OwnedSemaphorePermit>), Refusal> {
    let mut chunks = body.into_data_stream();
    let (mut body, mut seen) = (Parts::default(), 0);
    let mut memory: Option<OwnedSemaphorePermit> = None;
    let start = Instant::now();
    loop {
        // Each byte gives the upload more time.
        let due = start + grace + Duration::from_millis(seen as u64 / MIN_BYTES_PER_MILLISECOND);
        let next = tokio::time::timeout_at(due, chunks.next()).await;
        let Some(chunk) = next.map_err(|_| Refusal::TooSlow)? else {
            break;
        };
        let chunk = chunk.map_err(|_| Refusal::BadForm)?;
        seen += chunk.len();
        if seen <= MAX_BYTES + FORM_OVERHEAD {
            let size = u32::try_from(chunk.len()).unwrap_or(u32::MAX);
            let more = Arc::clone(upload_memory).try_acquire_many_owned(size);
            let more = more.map_err(|_| Refusal::Busy)?;
            match &mut memory {
                Some(memory) => memory.merge(more),
                None => memory = Some(more),
            }
            body.add(&chunk);
        } else if seen > MAX_DRAINED {
            break;
        }
    }
    if seen > MAX_BYTES + FORM_OVERHEAD {
        return Err(Refusal::TooLarge);
    }
    Ok((body.join().into(), memory))
}

/// The stock client names the file's field `''`. Any name will do: the file is the field that is no setting.
async fn read_form(
    body: Bytes,
    boundary: String,
    cache: Option<i32>,
    memory: Option<OwnedSemaphorePermit>,
) -> Result<UploadBody, Refusal> {
    let body = stream::iter([Ok::<_, std::convert::Infallible>(body)]);
    let mut form = Multipart::new(body, boundary);
    let mut upload_body = UploadBody {
        bytes: Bytes::new(),
        cache: cache.unwrap_or(CACHE_SECONDS),
        _memory: memory,
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

/// The seconds of `max-age=3600` or `3600`. Other directives are ignored.
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
        let upload_memory = Arc::new(Semaphore::new(1_000_000));
        let trickle = stream::unfold((), |()| async {
            tokio::time::sleep(Duration::from_millis(100)).await;
            Some((Ok::<_, std::io::Error>(Bytes::from_static(b"x")), ()))
        });
        let read = collect(
            Body::from_stream(trickle),
            &upload_memory,
            Duration::from_millis(300),
        )
        .await;
        assert_eq!(read.unwrap_err(), Refusal::TooSlow);
        assert_eq!(upload_memory.available_permits(), 1_000_000);
    }

    #[tokio::test]
    async fn uploads_together_hold_no_more_than_there_is_room_for() {
        let upload_memory = Arc::new(Semaphore::new(100));
        let first = collect(Body::from(vec![0; 80]), &upload_memory, GRACE)
            .await
            .unwrap();
        let second = collect(Body::from(vec![0; 80]), &upload_memory, GRACE).await;
        assert_eq!(second.unwrap_err(), Refusal::Busy);
        drop(first);
        assert!(
            collect(Body::from(vec![0; 80]), &upload_memory, GRACE)
                .await
                .is_ok()
        );
    }

    #[test]
    fn parts_hold_what_was_added() {
        let mut parts = Parts::default();
        let bytes: Vec<u8> = (0..3 * PART_SIZE).map(|n| n.to_le_bytes()[0]).collect();
        for chunk in [
            &bytes[..1],
            &bytes[1..PART_SIZE],
            &bytes[PART_SIZE..PART_SIZE],
            &bytes[PART_SIZE..],
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
