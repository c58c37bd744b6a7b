use std::convert::identity;

use axum::extract;
use http::StatusCode;
use serde::{Deserialize, Serialize};
use tiffin_bus::{
    history::{Command, OperationState},
    read,
};
use tiffin_chassis::{
    Caller, Json, Path, Problem,
    refusal::{BadBody, BadField, BadPath, BadToken, WrongCaller},
    refused_by,
};
use tiffin_events::Stream;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{Reason, begin_replay::Begun, record, record_outcome, require_fresh_operator};
use crate::{
    Error, State, archive, chain, error::Refusal, log_rebuild, services, store::operations,
};

/// A rebuild or a verification.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Rebuilding {
    /// The operator's reason, recorded in the audit.
    #[schema(min_length = 1, max_length = 500)]
    reason: String,
    /// Reads from the first event, though there is a snapshot of the read model.
    #[serde(default)]
    from_first_event: bool,
}

impl Rebuilding {
    fn reason(self) -> Reason {
        let reason = self.reason;
        Reason { reason }
    }
}

refused_by! {
    RebuildProjectionRefusals:
        BadBody, BadField, BadPath, BadToken, WrongCaller::{NoOperator, ProofTooOld},
        Refusal::{NoConsumer, NoReason, TakesNoReplays, OnlyVerified, LogBusy, ByService, ServiceUnavailable, Broker},
}

/// Rebuilds a consumer's read model from its snapshot, or from the first event, while the old one goes on serving,
/// compares the two and swaps them. The old one is kept.
#[utoipa::path(
    post, path = "/api/v1/operator/projections/{consumer}/rebuild", tag = "operator",
    security(("bearer" = [])),
    params(("consumer" = String, Path,
        description = "The consumer, such as `delivery_ORDERS`, or `event-log` for the event log.")),
    request_body = Rebuilding,
    responses(
        (status = 202, description = "The operation has begun.", body = Begun),
        RebuildProjectionRefusals,
    ),
    extensions(("x-roles" = json!(["operator"])))
)]
pub(crate) async fn rebuild_projection(
    extract::State(state): extract::State<State>,
    caller: Caller,
    Path(consumer): Path<String>,
    Json(body): Json<Rebuilding>,
) -> Result<(StatusCode, Json<Begun>), Problem> {
    require_fresh_operator(&state, &caller)?;
    let from_first_event = body.from_first_event;
    let reason = body.reason();
    if consumer == log_rebuild::LOG {
        return begin_event_log(&state, &caller, "rebuild", &reason).await;
    }
    refuse_unrebuildable(&consumer)?;
    let command = |id| Command::Rebuild {
        id,
        consumer: consumer.clone(),
        from_first_event,
    };
    let service = services::find_consumer(&state.broker, &consumer)
        .await?
        .service;
    begin(
        &state,
        &caller,
        ("rebuild", service, &consumer),
        &reason,
        command,
    )
    .await
}

refused_by! {
    VerifyProjectionRefusals:
        BadBody, BadField, BadPath, BadToken, WrongCaller::{NoOperator, ProofTooOld},
        Refusal::{NoConsumer, NoArchive, NoReason, TakesNoReplays, LogBusy, ByService, ServiceUnavailable, Broker},
}

/// Rebuilds a consumer's read model, compares it with the serving one, and discards it. For the audit,
/// checks that every event names the hash of the one before it; for the archive, reads every segment and checks
/// its hashes.
#[utoipa::path(
    post, path = "/api/v1/operator/projections/{consumer}/verify", tag = "operator",
    security(("bearer" = [])),
    params(("consumer" = String, Path,
        description = "The consumer, such as `delivery_ORDERS`; `event-log` for the event log; `audit` for the chain of operators' actions; `archive` for the archive.")),
    request_body = Rebuilding,
    responses(
        (status = 202, description = "The operation has begun.", body = Begun),
        VerifyProjectionRefusals,
    ),
    extensions(("x-roles" = json!(["operator"])))
)]
pub(crate) async fn verify_projection(
    extract::State(state): extract::State<State>,
    caller: Caller,
    Path(consumer): Path<String>,
    Json(body): Json<Rebuilding>,
) -> Result<(StatusCode, Json<Begun>), Problem> {
    require_fresh_operator(&state, &caller)?;
    let from_first_event = body.from_first_event;
    let reason = body.reason();
    if consumer == log_rebuild::LOG {
        return begin_event_log(&state, &caller, "verify", &reason).await;
    }
    if consumer == chain::AUDIT {
        return begin_audit(&state, &caller, &reason).await;
    }
    if consumer == archive::ARCHIVE {
        return begin_archive(&state, &caller, &reason).await;
    }
    let command = |id| Command::Verify {
        id,
        consumer: consumer.clone(),
        from_first_event,
    };
    let service = services::find_consumer(&state.broker, &consumer)
        .await?
        .service;
    begin(
        &state,
        &caller,
        ("verify", service, &consumer),
        &reason,
        command,
    )
    .await
}

/// The result.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Done {
    pub message: String,
}

refused_by! {
    RollBackProjectionRefusals:
        BadBody, BadField, BadPath, BadToken, WrongCaller::{NoOperator, ProofTooOld},
        Refusal::{NoConsumer, NoReason, TakesNoReplays, OnlyVerified, ByService, ServiceUnavailable, Broker},
}

/// Puts back the read model that the last rebuild replaced, and has it catch up.
#[utoipa::path(
    post, path = "/api/v1/operator/projections/{consumer}/rollback", tag = "operator",
    security(("bearer" = [])),
    params(("consumer" = String, Path, description = "The consumer, such as `delivery_ORDERS`.")),
    request_body = Reason,
    responses(
        (status = 200, description = "The previous read model serves again.", body = Done),
        RollBackProjectionRefusals,
    ),
    extensions(("x-roles" = json!(["operator"])))
)]
pub(crate) async fn roll_back_projection(
    extract::State(state): extract::State<State>,
    caller: Caller,
    Path(consumer): Path<String>,
    Json(reason): Json<Reason>,
) -> Result<Json<Done>, Problem> {
    require_fresh_operator(&state, &caller)?;
    let reason = reason.check()?;
    refuse_unrebuildable(&consumer)?;
    let service = services::find_consumer(&state.broker, &consumer)
        .await?
        .service;
    let command = Command::RollBack {
        consumer: consumer.clone(),
    };
    let operation = state.operation(&caller, "rollback", consumer, reason);
    let done = services::send_for_sentence(&state.broker, service, &command).await;
    let message = record_outcome(&state, &caller, operation, done, identity).await?;
    Ok(Json(Done { message }))
}

/// The outbox to publish from.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct Republish {
    /// The operator's reason, recorded in the audit.
    #[schema(min_length = 1, max_length = 500)]
    reason: String,
    /// Only this service; all services by default.
    service: Option<String>,
}

refused_by! {
    RepublishRefusals:
        BadBody, BadField, BadToken, WrongCaller::{NoOperator, ProofTooOld},
        Refusal::{NoService, NoReason, NoConsumer, ByService, ServiceUnavailable, Broker},
}

/// Republishes the events that streams have lost, from the services' outboxes: with the same ids, in the
/// same order for each aggregate, and only the missing ones.
#[utoipa::path(
    post, path = "/api/v1/operator/republish", tag = "operator", security(("bearer" = [])),
    request_body = Republish,
    responses(
        (status = 202, description = "The operation has begun, one for each service.", body = Vec<Begun>),
        RepublishRefusals,
    ),
    extensions(("x-roles" = json!(["operator"])))
)]
pub(crate) async fn republish(
    extract::State(state): extract::State<State>,
    caller: Caller,
    Json(body): Json<Republish>,
) -> Result<(StatusCode, Json<Vec<Begun>>), Problem> {
    require_fresh_operator(&state, &caller)?;
    let reason = Reason {
        reason: body.reason,
    };
    reason.check()?;
    let services: Vec<&str> = services::names()
        .filter(|name| body.service.as_deref().is_none_or(|only| only == *name))
        .collect();
    if services.is_empty() {
        return Err(Refusal::NoService {
            name: body.service.unwrap_or_default(),
        }
        .into());
    }
    let mut begun = Vec::new();
    let mut failed = None;
    for service in services {
        let target = ("republish", service, service);
        let beginning = begin(&state, &caller, target, &reason, |id| Command::Republish {
            id,
        });
        match beginning.await {
            Ok((_, Json(one))) => begun.push(one),
            Err(problem) => failed = Some(problem),
        }
    }
    // The streams are restored last: nothing is published before they exist, so that old events come before
    // new ones.
    state.broker.restore().await.map_err(Error::from)?;
    match failed {
        Some(problem) => Err(problem),
        None => Ok((StatusCode::ACCEPTED, Json(begun))),
    }
}

/// Has a service begin an operation that takes time, and records it.
async fn begin(
    state: &State,
    caller: &Caller,
    (verb, service, target): (&str, &'static str, &str),
    reason: &Reason,
    command: impl FnOnce(Uuid) -> Command,
) -> Result<(StatusCode, Json<Begun>), Problem> {
    let reason = reason.check()?;
    if target.contains('\0') {
        return Err(Refusal::NoConsumer {
            name: target.to_owned(),
        }
        .into());
    }
    let mut operation = state.operation(caller, verb, target.to_owned(), reason);
    operation.service = Some(service.to_owned());
    operation.state = OperationState::Running;
    let command = command(operation.id);
    let progress = services::send_for_progress(&state.broker, service, &command).await;
    operation.total = progress.as_ref().map_or(0, |progress| progress.total);
    let progress = record_outcome(state, caller, operation.clone(), progress, identity).await?;
    let begun = Begun {
        replay_id: operation.id,
        matched: u64::try_from(progress.total).unwrap_or_default(),
    };
    Ok((StatusCode::ACCEPTED, Json(begun)))
}

/// Begins a rebuild or a check of the event log, which is this service's own read model.
async fn begin_event_log(
    state: &State,
    caller: &Caller,
    verb: &str,
    reason: &Reason,
) -> Result<(StatusCode, Json<Begun>), Problem> {
    let reason = reason.check()?;
    let matched = log_rebuild::count(state).await?;
    let mut operation = state.operation(caller, verb, log_rebuild::LOG.to_owned(), reason);
    operation.total = i64::try_from(matched).unwrap_or(i64::MAX);
    operation.state = OperationState::Running;
    let mut tx = tiffin_database::begin(&state.pool).await?;
    let verbs = ["rebuild", "verify"].map(str::to_owned);
    if operations::is_any_under_way(&mut tx, &verbs).await? {
        return Err(Refusal::LogBusy.into());
    }
    operations::begin(&mut tx, state, &State::cause(caller), &operation).await?;
    tx.commit().await?;
    let replay_id = operation.id;
    log_rebuild::start(state, operation, verb == "verify");
    Ok((StatusCode::ACCEPTED, Json(Begun { replay_id, matched })))
}

/// Begins a check of the audit's chain.
async fn begin_audit(
    state: &State,
    caller: &Caller,
    reason: &Reason,
) -> Result<(StatusCode, Json<Begun>), Problem> {
    let reason = reason.check()?;
    let mut operation = state.operation(caller, "verify", chain::AUDIT.to_owned(), reason);
    operation.state = OperationState::Running;
    record(state, caller, &operation).await?;
    let last = read::last(&state.broker, Stream::Operations).await;
    let begun = Begun {
        replay_id: operation.id,
        matched: last.unwrap_or_default(),
    };
    chain::start_check(state, operation);
    Ok((StatusCode::ACCEPTED, Json(begun)))
}

/// Begins a verification of the archive.
async fn begin_archive(
    state: &State,
    caller: &Caller,
    reason: &Reason,
) -> Result<(StatusCode, Json<Begun>), Problem> {
    let reason = reason.check()?;
    let found = state.broker.archive.clone().ok_or(Refusal::NoArchive)?;
    let matched = archive::count(&found).await;
    let mut operation = state.operation(caller, "verify", archive::ARCHIVE.to_owned(), reason);
    operation.total = i64::try_from(matched).unwrap_or(i64::MAX);
    operation.state = OperationState::Running;
    record(state, caller, &operation).await?;
    let replay_id = operation.id;
    archive::start_check(state, operation, found);
    Ok((StatusCode::ACCEPTED, Json(Begun { replay_id, matched })))
}

/// Refuses what is no read model and can only be verified.
fn refuse_unrebuildable(consumer: &str) -> Result<(), Refusal> {
    if [chain::AUDIT, archive::ARCHIVE].contains(&consumer) {
        return Err(Refusal::OnlyVerified {
            name: consumer.to_owned(),
        });
    }
    Ok(())
}
