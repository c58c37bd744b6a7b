use axum::extract::{Request, State};
use serde::Serialize;
use sha2::{Digest, Sha256};
use tiffin_chassis::{
    Json, Path, Problem,
    refusal::{BadPath, BadToken, Failure},
    refused_by,
};
use utoipa::ToSchema;

use super::{
    form::Form,
    upload_body::{self, UploadBody},
    uploader::Uploader,
};
use crate::{
    error::{Error, Refusal},
    imaging::Reencoded,
    picture::ORIGINAL,
    picture::{BUCKET, Picture, check_name},
    store::pictures,
};

/// The picture's place.
#[derive(Debug, Serialize, ToSchema)]
pub struct Uploaded {
    /// Bucket and name.
    #[serde(rename = "Key")]
    #[schema(example = "images/1763715600000kottu.jpg")]
    key: String,
    #[serde(rename = "Id")]
    id: uuid::Uuid,
}

refused_by! {
    UploadPictureRefusals:
        BadPath, BadToken,
        Refusal::{NameTaken, BadName, NoFile, BadForm, TooLarge, TooManyPixels, WrongKind, Unreadable, TooMany, Busy, TooSlow},
        Failure::{NotReady},
}

/// Takes a picture in: JPEG, PNG, WebP or GIF by its content, at most 5 MiB and 40 megapixels. It is
/// encoded again, upright and without metadata. Nothing is ever overwritten. The anonymous key, as
/// `apikey` or as bearer token, is good for ten pictures an hour from one address.
#[utoipa::path(
    post,
    path = "/storage/v1/object/images/{name}",
    tag = "media",
    params(
        ("name" = String, Path, description = "The name to store it under: the current timestamp and the original file name."),
        ("cache-control" = Option<String>, Header, description = "`max-age=<seconds>`: how long browsers may keep it; an hour without it."),
        ("x-upsert" = Option<bool>, Header, description = "Always taken for false."),
        ("apikey" = Option<String>, Header, description = "The anonymous key."),
    ),
    request_body(
        description = "The picture's bytes, or a form with the file and `cacheControl`.",
        content(
            (super::Bytes = "application/octet-stream"),
            (Form = "multipart/form-data"),
        ),
    ),
    responses(
        (status = 200, description = "The picture is stored.", body = Uploaded),
        UploadPictureRefusals,
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["customer", "restaurant", "delivery", "admin", "operator"]))),
)]
pub async fn upload_picture(
    State(state): State<crate::State>,
    uploader: Uploader,
    Path(name): Path<String>,
    request: Request,
) -> Result<Json<Uploaded>, Problem> {
    if let Err(error) = admit(&state, &uploader, &name).await {
        upload_body::drain(request);
        return Err(error.into());
    }
    let upload_body = UploadBody::read(request, &state.upload_memory).await?;
    let now = state.clock.now();
    let turn = state.imaging.upload_turn().await.map_err(Error::from)?;
    let reencoded = state
        .imaging
        .reencode(turn, upload_body.bytes.clone())
        .await?;
    let picture = Picture {
        id: state.clock.new_id(),
        name,
        owner: uploader.owner(),
        format: reencoded.format,
        width: reencoded.width,
        height: reencoded.height,
        size: i64::try_from(reencoded.bytes.len()).unwrap_or(i64::MAX),
        etag: etag(&reencoded.bytes),
        cache: upload_body.cache,
        uploaded_at: now,
    };
    store(&state, &picture, reencoded).await?;
    Ok(Json(Uploaded {
        key: format!("{BUCKET}/{}", picture.name),
        id: picture.id,
    }))
}

/// Checks and counts an upload before a byte of the body is read.
async fn admit(state: &crate::State, uploader: &Uploader, name: &str) -> Result<(), Error> {
    check_name(name)?;
    if pictures::is_taken(&state.pool, name).await? {
        return Err(Refusal::NameTaken.into());
    }
    let counter = uploader.counter();
    match state.limits.take(&counter, uploader.limit()).await? {
        Some(wait) => Err(Error::TooMany(wait.unsigned_abs())),
        None => Ok(()),
    }
}

/// Reserves the name, stores the bytes, then publishes: if a step fails, the storage holds nothing that the database
/// does not know, and the sweep removes it.
async fn store(state: &crate::State, picture: &Picture, reencoded: Reencoded) -> Result<(), Error> {
    if !pictures::reserve(&state.pool, picture).await? {
        return Err(Refusal::NameTaken.into());
    }
    let put = state
        .storage
        .put(picture.id, ORIGINAL, reencoded.bytes)
        .await;
    if let Err(error) = put {
        pictures::delete(&state.pool, picture.id).await?;
        return Err(error.into());
    }
    pictures::publish(&state.pool, picture.id).await?;
    Ok(())
}

/// Half of the SHA-256 of the bytes, in hexadecimal.
fn etag(bytes: &[u8]) -> String {
    use std::fmt::Write;

    let digest = Sha256::digest(bytes);
    digest
        .iter()
        .take(16)
        .fold(String::new(), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        })
}
