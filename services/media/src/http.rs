//! The routes of this service: the storage calls of the hosted backend, for its bucket `images`.

mod download;
mod form;
mod remove_picture;
mod remove_pictures;
pub(crate) mod upload_body;
mod upload_picture;
mod uploader;

use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::State;

/// The service's HTTP interface.
pub fn router(state: State) -> OpenApiRouter {
    OpenApiRouter::with_openapi(tiffin_chassis::refusal::openapi::base())
        .routes(routes!(download::get_picture))
        .routes(routes!(
            upload_picture::upload_picture,
            download::download_picture,
            remove_picture::remove_picture
        ))
        .routes(routes!(remove_pictures::remove_pictures))
        .with_state(state)
}

/// A picture's bytes.
#[derive(Debug, Serialize, ToSchema)]
#[schema(value_type = String, format = Binary)]
struct Bytes(Vec<u8>);
