use axum::{
    BoxError,
    body::Body,
    extract,
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use futures_util::stream::{self, TryStreamExt};
use http::header;
use serde::Deserialize;
use serde_json::json;
use tiffin_bus::{
    history::OperationState,
    read::{self, Window},
};
use tiffin_chassis::{
    Caller, Path, Problem, Query,
    refusal::{BadField, BadPath, BadQuery, BadToken, WrongCaller},
    refused_by,
};
use tokio_util::sync::CancellationToken;
use utoipa::IntoParams;

use super::{record, require_fresh_operator};
use crate::{Error, State, error::Refusal, local_operations, operation::Operation, sealed};

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
    let mut operation = state.operation(&caller, "export", target, reason);
    operation.total = i64::try_from(count).unwrap_or(i64::MAX);
    if count > 0 {
        operation.state = OperationState::Running;
    }
    record(&state, &caller, &operation).await?;
    let lines = if count == 0 {
        Body::empty()
    } else {
        let export = Export::begin(&state, operation, window);
        Body::from_stream(stream::try_unfold(export, Export::next).into_stream())
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

/// An export under way. One whose client has gone away is cancelled.
struct Export {
    state: State,
    window: Window,
    stop: CancellationToken,
    /// The operation; `None` once its end is recorded.
    operation: Option<Operation>,
    written: i64,
}

impl Export {
    fn begin(state: &State, operation: Operation, window: Window) -> Self {
        Self {
            state: state.clone(),
            window,
            stop: local_operations::begin(state, operation.id),
            operation: Some(operation),
            written: 0,
        }
    }

    /// The next lines; `None` after the last ones.
    async fn next(mut self) -> Result<Option<(Bytes, Self)>, BoxError> {
        if self.stop.is_cancelled() {
            self.end(OperationState::Cancelled, None).await;
            return Err("the export was cancelled".into());
        }
        match self.lines().await {
            Ok(lines) if lines.is_empty() => {
                self.end(OperationState::Done, None).await;
                Ok(None)
            }
            Ok(lines) => Ok(Some((lines, self))),
            Err(error) => {
                self.end(OperationState::Failed, Some(error.to_string()))
                    .await;
                Err(error.into())
            }
        }
    }

    async fn lines(&mut self) -> Result<Bytes, Error> {
        let mut lines = Vec::new();
        let mut events = self.window.next().await?;
        sealed::open_exported(&self.state.broker.keys, &mut events).await?;
        for logged in events {
            lines.extend(serde_json::to_vec(&logged)?);
            lines.push(b'\n');
            self.written += 1;
        }
        Ok(lines.into())
    }

    async fn end(&mut self, ending: OperationState, error: Option<String>) {
        if let Some(operation) = self.operation.take() {
            record_end(&self.state, operation, self.written, ending, error).await;
        }
    }
}

impl Drop for Export {
    fn drop(&mut self) {
        let Some(operation) = self.operation.take() else {
            return;
        };
        let (state, written) = (self.state.clone(), self.written);
        self.state.tasks.spawn(async move {
            record_end(&state, operation, written, OperationState::Cancelled, None).await;
        });
    }
}

async fn record_end(
    state: &State,
    operation: Operation,
    written: i64,
    ending: OperationState,
    error: Option<String>,
) {
    local_operations::end(state, operation, |it| {
        it.state = ending;
        it.handled = written;
        it.report = error.map(|error| json!({ "error": error }));
    })
    .await;
}
