use axum::{
    body::Body,
    extract,
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use futures_util::stream::{self, TryStreamExt};
use http::header;
use serde::Deserialize;
use tiffin_bus::{
    BrokerError,
    read::{self, Window},
};
use tiffin_chassis::{
    Caller, Path, Problem, Query,
    refusal::{BadField, BadPath, BadQuery, BadToken, WrongCaller},
    refused_by,
};
use utoipa::IntoParams;

use super::{record, require_fresh_operator};
use crate::{Error, State, error::Refusal};

/// The part of the stream.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Part {
    /// The operator's reason, recorded in the audit because an export shows everything.
    reason: String,
    /// The first stream sequence; 1 by default.
    from: Option<u64>,
    /// The last stream sequence; the current last one by default.
    to: Option<u64>,
}

refused_by! {
    ExportStreamRefusals:
        BadQuery, BadField, BadPath, BadToken, WrongCaller::{NoOperator, ProofTooOld},
        Refusal::{NoStream, NoReason, Broker},
}

/// Every message of a stream, one JSON object a line: `{stream, seq, subject, event}`.
#[utoipa::path(
    get, path = "/api/v1/operator/export/{stream}", tag = "operator", security(("bearer" = [])),
    params(("stream" = String, Path, description = "The stream's name."), Part),
    responses(
        (status = 200, description = "Newline-delimited JSON.", content_type = "application/x-ndjson",
            body = String),
        ExportStreamRefusals,
    ),
    extensions(("x-roles" = json!(["operator"])))
)]
pub(crate) async fn export_stream(
    extract::State(state): extract::State<State>,
    caller: Caller,
    Path(name): Path<String>,
    Query(part): Query<Part>,
) -> Result<Response, Problem> {
    require_fresh_operator(&state, &caller)?;
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
    record(&state, &caller, &operation).await?;
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
        lines.extend(serde_json::to_vec(&logged)?);
        lines.push(b'\n');
    }
    Ok(Some((lines.into(), window)))
}
