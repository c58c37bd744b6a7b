use std::fmt::Write;

use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Deserialize;
use tiffin_chassis::{
    Path, Problem, Query,
    refusal::{BadField, BadPath, BadQuery, Failure},
    refused_by,
};
use utoipa::IntoParams;
use uuid::Uuid;

use crate::{
    error::{Error, Refusal},
    picture::ORIGINAL,
    picture::{Picture, Rendition},
    store::pictures,
};

const MAX_WIDTH: u32 = 4_096;
/// The ASCII characters that a value of `filename*` keeps as they are (RFC 8187, section 3.2.1).
const FILE_NAME: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_');

/// The form in which to serve a picture.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct DownloadQuery {
    /// Pixels: at least this wide, rounded up to one of a few widths, and never enlarged.
    #[param(minimum = 1, maximum = 4096)]
    width: Option<u32>,
    /// Saves it under this name instead of showing it; empty for its own.
    download: Option<String>,
}

refused_by! {
    GetPictureRefusals:
        BadPath, BadQuery, BadField, Refusal::{NoPicture, Width, Busy}, Failure::{NotReady},
}

/// A picture, without sign-in. If `Accept` names `image/webp`, it may come as WebP.
#[utoipa::path(
    get,
    path = "/storage/v1/object/public/images/{name}",
    tag = "media",
    params(("name" = String, Path, description = "The picture's name."), DownloadQuery),
    responses(
        (
            status = 200,
            description = "The picture.",
            content(
                (super::Bytes = "image/jpeg"),
                (super::Bytes = "image/png"),
                (super::Bytes = "image/webp"),
                (super::Bytes = "image/gif"),
            ),
        ),
        (status = 304, description = "The client has the current picture: `If-None-Match` names it."),
        GetPictureRefusals,
    ),
    extensions(("x-roles" = json!(["*"]))),
)]
pub async fn get_picture(
    State(state): State<crate::State>,
    Path(name): Path<String>,
    Query(wanted): Query<DownloadQuery>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    if wanted
        .width
        .is_some_and(|width| !(1..=MAX_WIDTH).contains(&width))
    {
        return Err(Error::from(Refusal::Width).into());
    }
    let found = pictures::find(&state.pool, &name).await?;
    let picture = found.ok_or(Error::from(Refusal::NoPicture))?;
    let rendition = picture.rendition(wanted.width, accepts_webp(&headers));
    let etag = picture.etag(rendition);
    let mut response = if matches(&headers, &etag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        bytes(&state, &picture, rendition).await?.into_response()
    };
    describe(
        response.headers_mut(),
        &picture,
        rendition,
        &etag,
        wanted.download,
    )?;
    Ok(response)
}

refused_by! {
    DownloadPictureRefusals:
        BadPath, BadQuery, BadField, Refusal::{NoPicture, Width, Busy}, Failure::{NotReady},
}

/// The same picture at the address that the stock client downloads from.
#[utoipa::path(
    get,
    path = "/storage/v1/object/images/{name}",
    tag = "media",
    params(("name" = String, Path, description = "The picture's name."), DownloadQuery),
    responses(
        (
            status = 200,
            description = "The picture.",
            content(
                (super::Bytes = "image/jpeg"),
                (super::Bytes = "image/png"),
                (super::Bytes = "image/webp"),
                (super::Bytes = "image/gif"),
            ),
        ),
        (status = 304, description = "The client has the current picture: `If-None-Match` names it."),
        DownloadPictureRefusals,
    ),
    extensions(("x-roles" = json!(["*"]))),
)]
pub async fn download_picture(
    state: State<crate::State>,
    name: Path<String>,
    wanted: Query<DownloadQuery>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    get_picture(state, name, wanted, headers).await
}

/// The stored bytes; a rendition is rendered at its first request.
async fn bytes(
    state: &crate::State,
    picture: &Picture,
    rendition: Option<Rendition>,
) -> Result<Bytes, Error> {
    let key = rendition.map_or_else(|| ORIGINAL.to_owned(), Rendition::key);
    if let Some(bytes) = state.storage.get(picture.id, &key).await? {
        return Ok(bytes);
    }
    let rendition = rendition.ok_or(Refusal::NoPicture)?;
    let rendering = render(state.clone(), picture.id, rendition);
    let rendered = state.imaging.once(picture.id, &key, rendering).await;
    rendered.map_err(Error::Shared)
}

async fn render(state: crate::State, id: Uuid, rendition: Rendition) -> Result<Bytes, Error> {
    let key = rendition.key();
    let turn = state.imaging.rendition_turn().await?;
    // Another task may have stored it since the first check.
    if let Some(bytes) = state.storage.get(id, &key).await? {
        return Ok(bytes);
    }
    let original = state.storage.get(id, ORIGINAL).await?;
    let original = original.ok_or(Refusal::NoPicture)?;
    let bytes = state.imaging.render(turn, original, rendition).await?;
    metrics::counter!("media_renditions_drawn_total").increment(1);
    if let Err(error) = state.storage.put(id, &key, bytes.clone()).await {
        tracing::warn!(%error, "a rendition was not stored; the next request renders it again");
    } else if !pictures::exists(&state.pool, id).await? {
        // The picture was removed meanwhile.
        state.storage.remove(id).await?;
    }
    Ok(bytes)
}

/// Headers of a picture: its type, its cache time, and the ban on running it.
fn describe(
    headers: &mut HeaderMap,
    picture: &Picture,
    rendition: Option<Rendition>,
    etag: &str,
    download: Option<String>,
) -> Result<(), Problem> {
    let format = rendition.map_or(picture.format, |rendition| rendition.format);
    let mut disposition = String::from("inline");
    if let Some(name) = download {
        let name = if name.is_empty() {
            &picture.name
        } else {
            &name
        };
        disposition = String::from("attachment; filename*=UTF-8''");
        let _ = write!(disposition, "{}", utf8_percent_encode(name, FILE_NAME));
    }
    for (name, value) in [
        (header::CONTENT_TYPE, format.media_type()),
        (
            header::CACHE_CONTROL,
            &*format!("public, max-age={}", picture.cache),
        ),
        (header::ETAG, etag),
        (header::VARY, "Accept"),
        (header::CONTENT_DISPOSITION, &disposition),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; sandbox",
        ),
        (
            HeaderName::from_static("cross-origin-resource-policy"),
            "cross-origin",
        ),
    ] {
        headers.insert(
            name,
            HeaderValue::from_str(value).map_err(Problem::internal)?,
        );
    }
    Ok(())
}

/// True if a client's `Accept` names WebP: every program sends `*/*`.
fn accepts_webp(headers: &HeaderMap) -> bool {
    values(headers, &header::ACCEPT).any(|range| {
        let (kind, parameters) = range.split_once(';').unwrap_or((range, ""));
        let refused = parameters.split(';').any(|parameter| {
            let weight = parameter.trim().strip_prefix("q=");
            weight.is_some_and(|weight| weight.parse() == Ok(0.0_f32))
        });
        kind.trim().eq_ignore_ascii_case("image/webp") && !refused
    })
}

/// True if the client has the picture already (RFC 9110, section 13.1.2: the weak comparison).
fn matches(headers: &HeaderMap, etag: &str) -> bool {
    values(headers, &header::IF_NONE_MATCH)
        .any(|known| known == "*" || known.strip_prefix("W/").unwrap_or(known) == etag)
}

fn values<'a>(headers: &'a HeaderMap, name: &HeaderName) -> impl Iterator<Item = &'a str> {
    headers
        .get_all(name)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|line| line.split(','))
        .map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn webp_is_for_those_who_name_it() {
        for (accept, taken) in [
            ("image/avif,image/webp,image/*,*/*;q=0.8", true),
            ("IMAGE/WEBP;q=0.5", true),
            ("image/webp;q=0", false),
            ("image/*", false),
            ("*/*", false),
        ] {
            let value = HeaderValue::from_static(accept);
            let headers = HeaderMap::from_iter([(header::ACCEPT, value)]);
            assert_eq!(accepts_webp(&headers), taken, "{accept}");
        }
    }

    #[test]
    fn a_picture_that_is_held_is_not_sent_again() {
        for (held, same) in [
            ("\"a\"", true),
            ("\"b\", W/\"a\"", true),
            ("*", true),
            ("\"b\"", false),
        ] {
            let value = HeaderValue::from_static(held);
            let headers = HeaderMap::from_iter([(header::IF_NONE_MATCH, value)]);
            assert_eq!(matches(&headers, "\"a\""), same, "{held}");
        }
    }
}
