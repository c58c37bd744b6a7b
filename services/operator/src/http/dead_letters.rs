use axum::extract;
use serde::Deserialize;
use serde_json::Value;
use sqlx::PgConnection;
use tiffin_bus::{Broker, DeadLetter, Outgoing, history::Command, outbox, read};
use tiffin_chassis::{
    Caller, Json, Path, Problem, Query,
    refusal::{BadBody, BadField, BadPath, BadQuery, BadToken, WrongCaller},
    refusals, refused_by,
};
use tiffin_events::{Envelope, Stream, personal::Sealed};
use utoipa::ToSchema;

use super::{Reason, check_reason, projections::Done, record_outcome, require_fresh_operator};
use crate::{
    Error, State, dead_letters, error::Refusal, mask, operation::Operation, store::operations,
};

refused_by! {
    RetryDeadLetterRefusals:
        BadBody, BadField, BadPath, BadToken, WrongCaller::{NoOperator, ProofTooOld},
        Refusal::{NoDeadLetter, NoReason, ByService, ServiceUnavailable, Broker},
}

/// Hands a dead letter to its consumer again; the events that wait behind it follow.
#[utoipa::path(
    post, path = "/api/v1/operator/dead/{seq}/retry", tag = "operator", security(("bearer" = [])),
    params(("seq" = u64, Path, description = "Its number among the dead letters.")),
    request_body = Reason,
    responses(
        (status = 200, description = "The event took effect.", body = Done),
        RetryDeadLetterRefusals,
    ),
    extensions(("x-roles" = json!(["operator"])))
)]
pub(crate) async fn retry_dead_letter(
    extract::State(state): extract::State<State>,
    caller: Caller,
    Path(seq): Path<String>,
    Json(reason): Json<Reason>,
) -> Result<Json<Done>, Problem> {
    require_fresh_operator(&state, &caller)?;
    let reason = reason.check()?;
    let (seq, letter) = find(&state.broker, &seq).await?;
    let command = Command::Retry {
        consumer: letter.consumer.clone(),
        stream_sequence: letter.stream_sequence,
    };
    let operation = state.operation(&caller, "retry", dead_letters::target(&letter), reason);
    let message = settle(&state, &caller, &letter, &command, operation).await?;
    dead_letters::remove(&state.broker, seq).await?;
    Ok(Json(Done { message }))
}

/// The corrected payload of a dead letter's event.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct Edit {
    /// The operator's reason, recorded in the audit.
    #[schema(min_length = 1, max_length = 500)]
    reason: String,
    /// The event's corrected payload.
    #[schema(value_type = Object)]
    data: Value,
}

refusals! {
    /// A payload that can't take another's place.
    #[derive(Clone, Debug, PartialEq, Eq)]
    enum BadPayload {
        Masked =
            422, "operator.payload-masked",
            "The payload still has masked fields: write their values.", at "data";
        OtherType { kind: String } =
            422, "operator.payload-of-other-type",
            "The payload does not fit {kind}: correct its fields.", at "data";
    }
}

refused_by! {
    EditDeadLetterRefusals:
        BadBody, BadField, BadPath, BadToken, WrongCaller::{NoOperator, ProofTooOld}, BadPayload,
        Refusal::{NoDeadLetter, NoReason, EventUnreadable, Broker},
}

/// Publishes a new event in place of one that a consumer can't handle. It names the old one as its cause;
/// consumers that have handled the old one skip it.
#[utoipa::path(
    post, path = "/api/v1/operator/dead/{seq}/edit", tag = "operator", security(("bearer" = [])),
    params(("seq" = u64, Path, description = "Its number among the dead letters.")),
    request_body = Edit,
    responses(
        (status = 200, description = "The new event is on its way.", body = Done),
        EditDeadLetterRefusals,
    ),
    extensions(("x-roles" = json!(["operator"])))
)]
pub(crate) async fn edit_dead_letter(
    extract::State(state): extract::State<State>,
    caller: Caller,
    Path(seq): Path<String>,
    Json(edit): Json<Edit>,
) -> Result<Json<Done>, Problem> {
    require_fresh_operator(&state, &caller)?;
    let reason = check_reason(&edit.reason)?;
    let (seq, letter) = find(&state.broker, &seq).await?;
    let old: Envelope =
        serde_json::from_str(&letter.body).map_err(|_| Refusal::EventUnreadable { seq })?;
    if mask::contains_mask(&edit.data) {
        return Err(BadPayload::Masked.into());
    }
    let reads = tiffin_events::catalogue::entries()
        .into_iter()
        .find(|entry| entry.kind == old.kind)
        .is_some_and(|entry| (entry.round_trip)(&edit.data).is_some());
    if !reads {
        return Err(BadPayload::OtherType { kind: old.kind }.into());
    }
    let corrected = Envelope {
        id: state.clock.new_id(),
        time: state.clock.now(),
        actor: caller.id.to_string(),
        causationid: Some(old.id),
        sealed: Sealed::default(),
        data: edit.data,
        ..old
    };
    let operation = state.operation(&caller, "edit", dead_letters::target(&letter), reason);
    let mut tx = tiffin_database::begin(&state.pool).await?;
    publish(&mut tx, &state, &caller, &letter, corrected, &operation).await?;
    tx.commit().await?;
    dead_letters::remove(&state.broker, seq).await?;
    Ok(Json(Done {
        message: "A new event takes its place; the events parked behind it go on.".to_owned(),
    }))
}

async fn publish(
    tx: &mut PgConnection,
    state: &State,
    caller: &Caller,
    letter: &DeadLetter,
    corrected: Envelope,
    operation: &Operation,
) -> Result<(), Error> {
    let cause = State::cause(caller);
    operations::begin(tx, state, &cause, operation).await?;
    let correction = Outgoing::correction(&state.broker.keys, &letter.subject, corrected).await?;
    outbox::append(tx, &[correction]).await?;
    Ok(())
}

refused_by! {
    DiscardDeadLetterRefusals:
        BadQuery, BadField, BadPath, BadToken, WrongCaller::{NoOperator, ProofTooOld},
        Refusal::{NoDeadLetter, NoReason, ByService, ServiceUnavailable, Broker},
}

/// Discards a dead letter for good; the events that wait behind it go on without it.
#[utoipa::path(
    delete, path = "/api/v1/operator/dead/{seq}", tag = "operator", security(("bearer" = [])),
    params(("seq" = u64, Path, description = "Its number among the dead letters."), Reason),
    responses(
        (status = 200, description = "The dead letter is discarded.", body = Done),
        DiscardDeadLetterRefusals,
    ),
    extensions(("x-roles" = json!(["operator"])))
)]
pub(crate) async fn discard_dead_letter(
    extract::State(state): extract::State<State>,
    caller: Caller,
    Path(seq): Path<String>,
    Query(reason): Query<Reason>,
) -> Result<Json<Done>, Problem> {
    require_fresh_operator(&state, &caller)?;
    let reason = reason.check()?;
    let (seq, letter) = find(&state.broker, &seq).await?;
    let command = Command::Discard {
        consumer: letter.consumer.clone(),
        stream_sequence: letter.stream_sequence,
    };
    let operation = state.operation(&caller, "discard", dead_letters::target(&letter), reason);
    let message = settle(&state, &caller, &letter, &command, operation).await?;
    dead_letters::remove(&state.broker, seq).await?;
    Ok(Json(Done { message }))
}

/// Has the consumer's service settle a dead letter, and records the outcome.
async fn settle(
    state: &State,
    caller: &Caller,
    letter: &DeadLetter,
    command: &Command,
    operation: Operation,
) -> Result<String, Error> {
    let settled = dead_letters::settle(&state.broker, letter, command).await;
    // A consumer's reason may quote the event.
    let without_personal = |text: String| mask::content_of_letter(&letter.body, text).1;
    record_outcome(state, caller, operation, settled, without_personal).await
}

async fn find(broker: &Broker, seq: &str) -> Result<(u64, DeadLetter), Error> {
    let missing = || Refusal::NoDeadLetter {
        seq: seq.to_owned(),
    };
    let key = seq.parse().map_err(|_| missing())?;
    let found = read::one(broker, Stream::DeadLetters, key).await?;
    let letter = found.and_then(|logged| serde_json::from_value(logged.envelope).ok());
    Ok((key, letter.ok_or_else(missing)?))
}
