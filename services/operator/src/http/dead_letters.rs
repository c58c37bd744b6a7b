use axum::extract;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::PgConnection;
use tiffin_bus::{Broker, DeadLetter, Outgoing, history::Command, outbox, read};
use tiffin_chassis::{
    Caller, Json, Path, Problem, Query,
    refusal::{BadBody, BadField, BadPath, BadQuery, BadToken, WrongCaller},
    refusals, refused_by,
};
use tiffin_events::{Envelope, Stream};
use time::OffsetDateTime;
use utoipa::ToSchema;

use super::{
    Reason, check_reason, projections::Done, record, require_fresh_operator, require_operator,
};
use crate::{
    Error, State, dead_letters,
    error::Refusal,
    log, mask,
    operation::Operation,
    store::{events::WaitingEvents, operations},
};

/// An event that a consumer could not handle.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DeadLetterView {
    /// Its number among the dead letters.
    seq: u64,
    consumer: String,
    reason: String,
    attempts: i64,
    #[serde(with = "time::serde::rfc3339")]
    time: OffsetDateTime,
    /// The event's stream.
    stream: String,
    stream_seq: u64,
    subject: String,
    /// The number of later events of the same aggregate, which wait until it is settled.
    waiting: i64,
    /// True if an account's deletion waits for it, or it is one: personal data stays until it is settled.
    holds_up_deletion: bool,
    /// The event with personal fields masked; a string if it is not a valid event.
    #[schema(value_type = Object)]
    event: Value,
}

impl DeadLetterView {
    fn new(seq: u64, letter: DeadLetter, behind: &WaitingEvents) -> Self {
        let holds_up_deletion = behind.has_deletion || dead_letters::is_deletion(&letter);
        let (event, reason) = mask::content_of_letter(&letter.body, letter.reason);
        Self {
            seq,
            consumer: letter.consumer,
            reason,
            attempts: letter.attempts,
            time: letter.time,
            stream: letter.stream,
            stream_seq: letter.stream_sequence,
            subject: letter.subject,
            waiting: behind.waiting,
            holds_up_deletion,
            event,
        }
    }
}

refused_by! {
    ListLettersRefusals:
        BadToken, WrongCaller::{NoOperator}, Refusal::{Broker},
}

/// All dead letters that are not settled.
///
/// Dead letters that hold up an account's deletion come first, then the oldest.
#[utoipa::path(
    get, path = "/api/v1/operator/dead", tag = "operator", security(("bearer" = [])),
    responses(
        (status = 200, description = "The dead letters.", body = Vec<DeadLetterView>),
        ListLettersRefusals,
    ),
    extensions(("x-roles" = json!(["operator"])))
)]
pub(crate) async fn list_dead_letters(
    extract::State(state): extract::State<State>,
    caller: Caller,
) -> Result<Json<Vec<DeadLetterView>>, Problem> {
    require_operator(&caller)?;
    let found = dead_letters::all(&state).await.map_err(Error::from)?;
    let (mut streams, mut aggregates, mut sequences) = (Vec::new(), Vec::new(), Vec::new());
    for (_, letter) in found.iter() {
        streams.push(letter.stream.clone());
        aggregates.push(dead_letters::aggregate(letter).unwrap_or_default());
        sequences.push(i64::try_from(letter.stream_sequence).unwrap_or(i64::MAX));
    }
    let behind = log::waiting_behind(&state, (&streams, &aggregates, &sequences)).await?;
    let mut views: Vec<DeadLetterView> = found
        .iter()
        .cloned()
        .zip(&behind)
        .map(|((seq, letter), behind)| DeadLetterView::new(seq, letter, behind))
        .collect();
    views.sort_by_key(|view| (!view.holds_up_deletion, view.seq));
    Ok(Json(views))
}

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
    let message = dead_letters::settle(&state.broker, &letter, &command).await?;
    let operation = state.operation(&caller, "retry", dead_letters::target(&letter), reason);
    record(&state, &caller, &operation).await?;
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
        data: edit.data,
        ..old
    };
    let operation = state.operation(&caller, "edit", dead_letters::target(&letter), reason);
    let mut tx = tiffin_database::begin(&state.pool).await?;
    publish(&mut tx, &state, &caller, &letter, &corrected, &operation).await?;
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
    corrected: &Envelope,
    operation: &Operation,
) -> Result<(), Error> {
    let cause = State::cause(caller);
    operations::begin(tx, state, &cause, operation).await?;
    outbox::append(tx, &[Outgoing::correction(&letter.subject, corrected)?]).await?;
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
    let message = dead_letters::settle(&state.broker, &letter, &command).await?;
    let operation = state.operation(&caller, "discard", dead_letters::target(&letter), reason);
    record(&state, &caller, &operation).await?;
    dead_letters::remove(&state.broker, seq).await?;
    Ok(Json(Done { message }))
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
