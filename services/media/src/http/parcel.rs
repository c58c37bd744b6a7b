//! The body of an upload, as the stock client sends it: the bytes alone, or a form with the file and
//! how long to keep it.

use axum::extract::{FromRequest, Request};
use bytes::{Bytes, BytesMut};
use futures_util::{StreamExt, stream};
use http::HeaderMap;
use multer::Multipart;
use tiffin_chassis::Problem;

use crate::{
    error::Refusal,
    picture::{CACHE, MOST_BYTES},
};

/// What a form may need beside its file, in bytes.
const WRAPPING: usize = 64 * 1024;
/// How much of what is too large is read all the same, in bytes: a browser that is cut off while it
/// sends shows no answer.
const PATIENCE: usize = 64 * 1024 * 1024;
const YEAR: i32 = 365 * 24 * 3_600;

/// An upload.
#[derive(Debug)]
pub struct Parcel {
    pub bytes: Bytes,
    /// How long browsers may keep it, in seconds.
    pub cache: i32,
}

impl<S: Send + Sync> FromRequest<S> for Parcel {
    type Rejection = Problem;

    async fn from_request(request: Request, _state: &S) -> Result<Self, Problem> {
        let boundary = text(request.headers(), "content-type")
            .and_then(|kind| multer::parse_boundary(kind).ok());
        let cache = text(request.headers(), "cache-control").and_then(seconds);
        let body = collect(request).await?;
        let parcel = match boundary {
            None => Self {
                bytes: body,
                cache: cache.unwrap_or(CACHE),
            },
            Some(boundary) => unwrap(body, boundary, cache).await?,
        };
        match parcel.bytes.len() {
            0 => Err(Refusal::NoFile.into()),
            size if size > MOST_BYTES => Err(Refusal::TooLarge.into()),
            _ => Ok(parcel),
        }
    }
}

async fn collect(request: Request) -> Result<Bytes, Problem> {
    let mut chunks = request.into_body().into_data_stream();
    let (mut body, mut seen) = (BytesMut::new(), 0);
    while let Some(chunk) = chunks.next().await {
        let chunk = chunk.map_err(|_| Refusal::BadForm)?;
        seen += chunk.len();
        if seen <= MOST_BYTES + WRAPPING {
            body.extend_from_slice(&chunk);
        } else if seen > PATIENCE {
            break;
        }
    }
    if seen > MOST_BYTES + WRAPPING {
        return Err(Refusal::TooLarge.into());
    }
    Ok(body.freeze())
}

/// The stock client names the file's field `''`; whatever it is called, it is the one that is no
/// setting.
async fn unwrap(body: Bytes, boundary: String, cache: Option<i32>) -> Result<Parcel, Refusal> {
    let body = stream::iter([Ok::<_, std::convert::Infallible>(body)]);
    let mut form = Multipart::new(body, boundary);
    let mut parcel = Parcel {
        bytes: Bytes::new(),
        cache: cache.unwrap_or(CACHE),
    };
    while let Some(field) = form.next_field().await.map_err(|error| bad(&error))? {
        match field.name() {
            Some("cacheControl") => {
                let told = field.text().await.map_err(|error| bad(&error))?;
                parcel.cache = seconds(&told).unwrap_or(parcel.cache);
            }
            Some("metadata" | "contentEncoding") => {}
            _ => parcel.bytes = field.bytes().await.map_err(|error| bad(&error))?,
        }
    }
    Ok(parcel)
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

    #[test]
    fn how_long_to_keep_it_is_a_number_of_seconds() {
        for (text, told) in [
            ("max-age=3600", Some(3600)),
            ("3600", Some(3600)),
            ("public, max-age=60", Some(60)),
            ("max-age=99999999999", Some(YEAR)),
            ("no-cache", None),
            ("max-age=-1", None),
        ] {
            assert_eq!(seconds(text), told, "{text}");
        }
    }
}
