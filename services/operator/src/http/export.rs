use axum::{
    body::Body,
    extract,
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use futures_util::stream::{self, TryStreamExt};
use http::header;
use serde::{Deserialize, Serialize};
use tiffin_bus::{
    BrokerError,
    read::{self, Logged, Window},
    write,
};
use tiffin_chassis::{
    Caller, Json, Path, Problem, Query, documented::BadToken, problem::ProblemBody,
};
use utoipa::{IntoParams, ToSchema};

use super::{Reason, note, operator};
use crate::{Error, State};

/// Which part of the stream.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Part {
    /// In your own words. It is kept: an export shows everything.
    reason: String,
    /// The first place; 1 without it.
    from: Option<u64>,
    /// The last place; the last of now without it.
    to: Option<u64>,
}

/// Every message of a stream, one JSON object a line: `{stream, seq, subject, event}`.
#[utoipa::path(
    get, path = "/api/v1/operator/export/{stream}", tag = "operator", security(("bearer" = [])),
    params(("stream" = String, Path, description = "The stream's name."), Part),
    responses(
        (status = 200, description = "Newline-delimited JSON.", content_type = "application/x-ndjson",
            body = String),
        BadToken,
        (status = 404, description = "There is no such stream.",
            body = ProblemBody, content_type = "application/problem+json"),
        (status = 422, description = "There is no reason, or a place is no number.",
            body = ProblemBody, content_type = "application/problem+json"),
        (status = 503, description = "The broker does not answer.",
            body = ProblemBody, content_type = "application/problem+json"),
    ),
    extensions(("x-roles" = json!(["admin"])))
)]
pub(crate) async fn export_stream(
    extract::State(state): extract::State<State>,
    caller: Caller,
    Path(name): Path<String>,
    Query(part): Query<Part>,
) -> Result<Response, Problem> {
    operator(&caller)?;
    let reason = super::check_reason(&part.reason)?;
    let stream = super::stream(&name)?;
    let last = read::last(&state.broker, stream)
        .await
        .map_err(Error::from)?;
    let (from, to) = (
        part.from.unwrap_or(1).max(1),
        part.to.unwrap_or(last).min(last),
    );
    let count = if from > to {
        0
    } else {
        read::count(&state.broker, stream, None, from, to)
            .await
            .map_err(Error::from)?
    };
    let window = read::open(&state.broker, stream, None, from, to)
        .await
        .map_err(Error::from)?;
    let target = format!("{stream}/{from}-{to}");
    let operation = state.operation(&caller, "export", target, reason);
    note(&state, &caller, &operation).await?;
    let lines = if count == 0 {
        Body::empty()
    } else {
        Body::from_stream(stream::try_unfold(window, batch).into_stream())
    };
    let headers = [
        (header::CONTENT_TYPE, "application/x-ndjson".to_owned()),
        (
            header::CONTENT_DISPOSITION,
            format!("attachment; filename=\"{stream}.ndjson\""),
        ),
        (
            header::HeaderName::from_static("tiffin-count"),
            count.to_string(),
        ),
    ];
    Ok((headers, lines).into_response())
}

/// The next lines of an export.
async fn batch(mut window: Window) -> Result<Option<(Bytes, Window)>, BrokerError> {
    let batch = window.next().await?;
    if batch.is_empty() {
        return Ok(None);
    }
    let mut lines = Vec::new();
    for logged in batch {
        let line = serde_json::to_vec(&logged).map_err(|error| BrokerError(error.to_string()))?;
        lines.extend(line);
        lines.push(b'\n');
    }
    Ok(Some((lines.into(), window)))
}

/// What was taken in.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Imported {
    /// Events that were stored.
    stored: u64,
    message: String,
}

/// Puts exported events into an empty stream, with their ids and in their order, as history: read models
/// show it, and nobody acts on it or is told.
#[utoipa::path(
    post, path = "/api/v1/operator/export/{stream}", tag = "operator", security(("bearer" = [])),
    params(("stream" = String, Path, description = "The stream's name."), Reason),
    request_body(content = String, content_type = "application/x-ndjson",
        description = "Lines of an export of that stream, at most 1 MiB of them a call."),
    responses(
        (status = 200, description = "They are stored.", body = Imported),
        (status = 413, description = "The lines are too many for one call.",
            body = ProblemBody, content_type = "application/problem+json"),
        BadToken,
        (status = 404, description = "There is no such stream.",
            body = ProblemBody, content_type = "application/problem+json"),
        (status = 409, description = "The stream holds other events than these.",
            body = ProblemBody, content_type = "application/problem+json"),
        (status = 422, description = "A line can't be read, or there is no reason.",
            body = ProblemBody, content_type = "application/problem+json"),
        (status = 503, description = "The broker does not answer.",
            body = ProblemBody, content_type = "application/problem+json"),
    ),
    extensions(("x-roles" = json!(["admin"])))
)]
pub(crate) async fn import_stream(
    extract::State(state): extract::State<State>,
    caller: Caller,
    Path(name): Path<String>,
    Query(reason): Query<Reason>,
    body: Bytes,
) -> Result<Json<Imported>, Problem> {
    operator(&caller)?;
    let reason = reason.check()?;
    let stream = super::stream(&name)?;
    let mut events: Vec<Logged> = Vec::new();
    for (place, line) in body.split(|byte| *byte == b'\n').enumerate() {
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let event = Logged::read(stream, line)
            .map_err(|reason| Problem::unprocessable(format!("Line {}: {reason}", place + 1)))?;
        events.push(event);
    }
    let target = stream.name().to_owned();
    let operation = state.operation(&caller, "import", target, reason);
    let stored = write::continue_with(&state.broker, stream, &events, operation.id)
        .await
        .map_err(|error| match error {
            write::WriteError::Refused(reason) => Problem::conflict(reason),
            write::WriteError::Broker(error) => Problem::unavailable(error.to_string()),
        })?;
    note(&state, &caller, &operation).await?;
    Ok(Json(Imported {
        stored,
        message: format!("{stored} events are stored in {stream}."),
    }))
}
