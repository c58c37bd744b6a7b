use std::convert::identity;

use axum::extract;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tiffin_bus::history::{Command, OperationState};
use tiffin_chassis::{
    Caller, Json, Path, Problem, Query,
    refusal::{BadBody, BadField, BadPath, BadQuery, BadToken, WrongCaller},
    refused_by,
};
use time::OffsetDateTime;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::{Reason, record_outcome, require_fresh_operator, require_operator};
use crate::{
    Error, State, error::Refusal, import, local_operations, operation::Operation, progress,
    services, store::operations,
};

/// The progress of a replay, or of another action that takes time.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ReplayView {
    replay_id: Uuid,
    /// `replay`, `live`, `rebuild`, `verify` or `republish`.
    verb: String,
    /// The consumer, the service, or `live`.
    target: String,
    stream: Option<String>,
    reason: String,
    /// The operator who asked for it.
    actor: Uuid,
    /// The request: window, filter, speed.
    #[schema(value_type = Object)]
    spec: Value,
    /// `running`, `paused`, `done`, `cancelled` or `failed`.
    #[schema(value_type = String)]
    state: OperationState,
    total: i64,
    /// The number of events that were handed on so far.
    published: i64,
    /// The number of them that took effect.
    handled: i64,
    /// The number of them that had taken effect before.
    skipped: i64,
    failed: i64,
    /// Events a second, so far.
    rate: f64,
    /// The result: which tables are equal, and the reasons of failures.
    #[schema(value_type = Option<Object>)]
    report: Option<Value>,
    #[serde(with = "time::serde::rfc3339")]
    started_at: OffsetDateTime,
    #[serde(with = "time::serde::rfc3339")]
    updated_at: OffsetDateTime,
}

impl From<Operation> for ReplayView {
    fn from(operation: Operation) -> Self {
        let published = operation.handled + operation.skipped + operation.failed;
        let took = (operation.updated_at - operation.begun_at).as_seconds_f64();
        let done = f64::from(i32::try_from(published).unwrap_or(i32::MAX));
        Self {
            replay_id: operation.id,
            verb: operation.verb,
            target: operation.target,
            stream: operation.stream,
            reason: operation.reason,
            actor: operation.actor.0,
            spec: operation.spec,
            state: operation.state,
            total: operation.total,
            published,
            handled: operation.handled,
            skipped: operation.skipped,
            failed: operation.failed,
            rate: if took > 0.0 { done / took } else { 0.0 },
            report: operation.report,
            started_at: operation.begun_at,
            updated_at: operation.updated_at,
        }
    }
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ReplayQuery {
    /// The largest number of rows, 1 to 500; 50 by default.
    limit: Option<i64>,
    /// The last replay of the previous page.
    cursor: Option<Uuid>,
}

refused_by! {
    ListReplaysRefusals:
        BadQuery, BadField, BadToken, WrongCaller::{NoOperator},
}

/// Replays and other actions that take time, newest first.
#[utoipa::path(
    get, path = "/api/v1/operator/replays", tag = "operator", security(("bearer" = [])),
    params(ReplayQuery),
    responses(
        (status = 200, description = "The replays.", body = Vec<ReplayView>),
        ListReplaysRefusals,
    ),
    extensions(("x-roles" = json!(["operator"])))
)]
pub(crate) async fn list_replays(
    extract::State(state): extract::State<State>,
    caller: Caller,
    Query(query): Query<ReplayQuery>,
) -> Result<Json<Vec<ReplayView>>, Problem> {
    require_operator(&caller)?;
    let limit = query.limit.unwrap_or(50).clamp(1, 500);
    let mut connection = state.pool.acquire().await?;
    let found = operations::list(&mut connection, query.cursor, limit).await?;
    Ok(Json(found.into_iter().map(ReplayView::from).collect()))
}

refused_by! {
    GetReplayRefusals:
        BadPath, BadToken, WrongCaller::{NoOperator}, Refusal::{NoReplay, Broker},
}

/// The current progress of a replay.
#[utoipa::path(
    get, path = "/api/v1/operator/replays/{id}", tag = "operator", security(("bearer" = [])),
    params(("id" = Uuid, Path, description = "The replay.")),
    responses(
        (status = 200, description = "The replay.", body = ReplayView),
        GetReplayRefusals,
    ),
    extensions(("x-roles" = json!(["operator"])))
)]
pub(crate) async fn get_replay(
    extract::State(state): extract::State<State>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<ReplayView>, Problem> {
    require_operator(&caller)?;
    let operation = find(&state, &id).await?;
    Ok(Json(fresh(&state, operation).await?.into()))
}

refused_by! {
    CancelReplayRefusals:
        BadQuery, BadField, BadPath, BadToken, WrongCaller::{NoOperator, ProofTooOld},
        Refusal::{NoReplay, NoStream, NoReason, HasEnded, OnlyCancelled, ByService, ImportEnded, ServiceUnavailable, Broker},
}

/// Stops a replay for good, at the next event.
#[utoipa::path(
    delete, path = "/api/v1/operator/replays/{id}", tag = "operator", security(("bearer" = [])),
    params(("id" = Uuid, Path, description = "The replay."), Reason),
    responses(
        (status = 200, description = "The replay is stopped.", body = ReplayView),
        CancelReplayRefusals,
    ),
    extensions(("x-roles" = json!(["operator"])))
)]
pub(crate) async fn cancel_replay(
    extract::State(state): extract::State<State>,
    caller: Caller,
    Path(id): Path<String>,
    Query(reason): Query<Reason>,
) -> Result<Json<ReplayView>, Problem> {
    require_fresh_operator(&state, &caller)?;
    let reason = reason.check()?;
    let replay = find(&state, &id).await?;
    if !replay.is_under_way() {
        return Err(Refusal::HasEnded { id: replay.id }.into());
    }
    let operation = state.operation(&caller, "cancel", replay.id.to_string(), reason);
    let stopped = cancel(&state, replay).await;
    let stopped = record_outcome(&state, &caller, operation, stopped, identity).await?;
    Ok(Json(stopped.into()))
}

/// Cancels an operation where it is worked on, and returns its state afterwards.
async fn cancel(state: &State, replay: Operation) -> Result<Operation, Error> {
    let id = replay.id;
    if replay.verb == import::VERB {
        let stream = super::stream(&replay.target)?;
        import::end(state, stream, id, OperationState::Cancelled).await?;
        find(state, &id.to_string()).await
    } else if replay.service.is_none() {
        local_operations::stop(state, id);
        progress::save(state, replay, |it| it.state = OperationState::Cancelled).await
    } else {
        send(state, replay, &Command::Cancel { id }).await
    }
}

refused_by! {
    PauseReplayRefusals:
        BadBody, BadField, BadPath, BadToken, WrongCaller::{NoOperator, ProofTooOld},
        Refusal::{NoReplay, NoReason, OnlyCancelled, ByService, ServiceUnavailable, Broker},
}

/// Pauses a replay to a consumer until it is resumed.
#[utoipa::path(
    post, path = "/api/v1/operator/replays/{id}/pause", tag = "operator", security(("bearer" = [])),
    params(("id" = Uuid, Path, description = "The replay.")),
    request_body = Reason,
    responses(
        (status = 200, description = "The replay is paused.", body = ReplayView),
        PauseReplayRefusals,
    ),
    extensions(("x-roles" = json!(["operator"])))
)]
pub(crate) async fn pause_replay(
    extract::State(state): extract::State<State>,
    caller: Caller,
    Path(id): Path<String>,
    Json(reason): Json<Reason>,
) -> Result<Json<ReplayView>, Problem> {
    require_fresh_operator(&state, &caller)?;
    let reason = reason.check()?;
    let replay = find(&state, &id).await?;
    let id = replay.id;
    let operation = state.operation(&caller, "pause", id.to_string(), reason);
    let answer = send(&state, replay, &Command::Pause { id }).await;
    let answer = record_outcome(&state, &caller, operation, answer, identity).await?;
    Ok(Json(answer.into()))
}

refused_by! {
    ResumeReplayRefusals:
        BadBody, BadField, BadPath, BadToken, WrongCaller::{NoOperator, ProofTooOld},
        Refusal::{NoReplay, NoReason, OnlyCancelled, ByService, ServiceUnavailable, Broker},
}

/// Resumes a paused replay where it stopped.
#[utoipa::path(
    post, path = "/api/v1/operator/replays/{id}/resume", tag = "operator", security(("bearer" = [])),
    params(("id" = Uuid, Path, description = "The replay.")),
    request_body = Reason,
    responses(
        (status = 200, description = "The replay goes on.", body = ReplayView),
        ResumeReplayRefusals,
    ),
    extensions(("x-roles" = json!(["operator"])))
)]
pub(crate) async fn resume_replay(
    extract::State(state): extract::State<State>,
    caller: Caller,
    Path(id): Path<String>,
    Json(reason): Json<Reason>,
) -> Result<Json<ReplayView>, Problem> {
    require_fresh_operator(&state, &caller)?;
    let reason = reason.check()?;
    let replay = find(&state, &id).await?;
    let id = replay.id;
    let operation = state.operation(&caller, "resume", id.to_string(), reason);
    let answer = send(&state, replay, &Command::Resume { id }).await;
    let answer = record_outcome(&state, &caller, operation, answer, identity).await?;
    Ok(Json(answer.into()))
}

async fn find(state: &State, id: &str) -> Result<Operation, Error> {
    let missing = || Refusal::NoReplay { id: id.to_owned() };
    let key = id.parse().map_err(|_| missing())?;
    let mut connection = state.pool.acquire().await?;
    let found = operations::find(&mut connection, key).await?;
    Ok(found.ok_or_else(missing)?)
}

/// The current state of an operation from its service; the last known state if the service does not answer.
async fn fresh(state: &State, operation: Operation) -> Result<Operation, Error> {
    match progress::refresh(state, operation.clone()).await {
        Err(Error::Refused(Refusal::ServiceUnavailable { .. })) => Ok(operation),
        refreshed => refreshed,
    }
}

/// Sends the command to the service that works on it, and returns its state afterwards.
async fn send(state: &State, operation: Operation, command: &Command) -> Result<Operation, Error> {
    let Some(service) = operation.service.clone() else {
        return Err(Refusal::OnlyCancelled { id: operation.id }.into());
    };
    services::send_for_progress(&state.broker, &service, command).await?;
    fresh(state, operation).await
}
