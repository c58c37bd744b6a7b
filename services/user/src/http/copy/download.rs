use axum::{
    body::Body,
    extract,
    response::{IntoResponse, Response},
};
use http::header;
use serde::Serialize;
use tiffin_chassis::{
    Caller, Problem,
    refusal::{BadToken, Failure},
    refused_by,
};
use utoipa::ToSchema;

use super::CopyRefusal;
use crate::{
    Error, State,
    copy::{FILE_NAME, key},
    store::copies::{self, CopyState},
};

/// A ZIP's bytes.
#[derive(Debug, Serialize, ToSchema)]
#[schema(value_type = String, format = Binary)]
pub(crate) struct CopyFile(Vec<u8>);

refused_by! {
    DownloadCopyRefusals:
        BadToken, CopyRefusal::{NotReady}, Failure::{NotReady},
}

/// The caller's copy: a ZIP with a description, a JSON file for each service, and the pictures.
#[utoipa::path(
    get, path = "/api/v1/users/copy/download", tag = "user", security(("bearer" = [])),
    responses(
        (status = 200, description = "The copy.", content_type = "application/zip", body = CopyFile),
        DownloadCopyRefusals,
    ),
    extensions(("x-roles" = json!(["customer", "restaurant", "delivery", "admin", "operator"])))
)]
pub(crate) async fn download_copy(
    extract::State(state): extract::State<State>,
    caller: Caller,
) -> Result<Response, Problem> {
    let copy = copies::find(&state.pool, caller.id, state.clock.now()).await?;
    let copy = copy.filter(|copy| copy.state == CopyState::Ready);
    let copy = copy.ok_or(CopyRefusal::NotReady)?;
    let file = state.copies.stream(copy.id, &key(copy.attempt)).await;
    let Some((size, bytes)) = file.map_err(Error::from)? else {
        tracing::error!(copy = %copy.id, "the file of a copy is not in the store; its account has to ask again");
        return Err(CopyRefusal::NotReady.into());
    };
    let headers = [
        (header::CONTENT_TYPE, "application/zip".to_owned()),
        (header::CONTENT_LENGTH, size.to_string()),
        (
            header::CONTENT_DISPOSITION,
            format!("attachment; filename=\"{FILE_NAME}\""),
        ),
        (header::CACHE_CONTROL, "no-store".to_owned()),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff".to_owned()),
    ];
    Ok((headers, Body::from_stream(bytes)).into_response())
}
