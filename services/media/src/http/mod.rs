//! The routes of this service: the storage calls of the hosted backend, for its bucket `images`.

mod download;
mod form;
mod remove;
mod remove_many;
mod upload;
pub(crate) mod upload_body;
mod uploader;

use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::State;

/// The service's HTTP interface.
pub fn router(state: State) -> OpenApiRouter {
    OpenApiRouter::new()
        .routes(routes!(download::get_picture))
        .routes(routes!(
            upload::upload_picture,
            download::download_picture,
            remove::remove_picture
        ))
        .routes(routes!(remove_many::remove_pictures))
        .with_state(state)
}

/// A picture's bytes.
#[derive(Debug, Serialize, ToSchema)]
#[schema(value_type = String, format = Binary)]
struct Bytes(Vec<u8>);
