use axum::extract::State;
use serde::{Deserialize, Serialize};
use tiffin_chassis::{
    Caller, Json, Problem,
    refusal::{BadBody, BadField, BadToken, Failure},
    refused_by,
};
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::{
    error::{Error, Refusal},
    picture::{BUCKET, Picture},
    store::pictures,
    sweep::remove,
};

const MAX_NAMES: usize = 1_000;

/// The pictures to remove.
#[derive(Debug, Deserialize, ToSchema)]
pub struct Removal {
    /// Their whole names, at most a thousand.
    prefixes: Vec<String>,
}

/// A picture that is gone, as the stock client describes files.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RemovedPicture)]
pub struct Removed {
    name: String,
    bucket_id: &'static str,
    id: uuid::Uuid,
    owner: Option<uuid::Uuid>,
    #[serde(with = "time::serde::rfc3339")]
    created_at: OffsetDateTime,
    metadata: Metadata,
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PictureMetadata)]
pub struct Metadata {
    mimetype: &'static str,
    /// Bytes.
    size: i64,
    #[serde(rename = "cacheControl")]
    cache_control: String,
    #[serde(rename = "eTag")]
    etag: String,
}

refused_by! {
    RemovePicturesRefusals:
        BadBody, BadField, BadToken, Refusal::{TooManyNames}, Failure::{NotReady},
}

/// Removes the caller's pictures among those named, for an administrator all of them, and answers with
/// what is gone. What is not there, or not theirs, is left out.
#[utoipa::path(
    delete,
    path = "/storage/v1/object/images",
    tag = "media",
    request_body = Removal,
    responses(
        (status = 200, description = "The removed pictures.", body = [Removed]),
        RemovePicturesRefusals,
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["customer", "restaurant", "delivery", "admin", "operator"]))),
)]
pub async fn remove_pictures(
    State(state): State<crate::State>,
    caller: Caller,
    Json(body): Json<Removal>,
) -> Result<Json<Vec<Removed>>, Problem> {
    if body.prefixes.len() > MAX_NAMES {
        return Err(Error::from(Refusal::TooManyNames).into());
    }
    let found =
        pictures::removable(&state.pool, &body.prefixes, caller.id, caller.is_admin()).await?;
    let mut removed = Vec::with_capacity(found.len());
    for picture in found {
        remove(&state, picture.id).await?;
        removed.push(picture.into());
    }
    Ok(Json(removed))
}

impl From<Picture> for Removed {
    fn from(picture: Picture) -> Self {
        Self {
            bucket_id: BUCKET,
            id: picture.id,
            owner: picture.owner.map(|owner| owner.0),
            created_at: picture.uploaded_at,
            metadata: Metadata {
                mimetype: picture.format.media_type(),
                size: picture.size,
                cache_control: format!("max-age={}", picture.cache),
                etag: picture.etag(None),
            },
            name: picture.name,
        }
    }
}
