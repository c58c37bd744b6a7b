use std::convert::identity;

use axum::{
    extract,
    response::{IntoResponse, Response},
};
use http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tiffin_bus::{
    history::{Command, OperationState, Selection},
    read,
};
use tiffin_chassis::{
    Caller, Json, Problem,
    refusal::{BadBody, BadField, BadToken, WrongCaller},
    refusals, refused_by,
};
use tiffin_events::Stream;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    check_reason,
    dry_run::{DryRun, dry_run},
    get_timeline, record, record_outcome, require_operator_fresh_if, stream,
    window::{BadWindow, Bound, window},
};
use crate::{
    Error, State,
    error::Refusal,
    live_replay::{self, Source},
    mask::Masking,
    services::{self, ReplayConsumer},
};

/// The largest number of events that are replayed without a confirmation.
const MAX_UNCONFIRMED: u64 = 1_000;

/// The target of the events.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Target {
    /// One consumer; events that it has handled are skipped.
    Consumer(String),
    /// The browsers that watch `replay:<id>`.
    Live(bool),
}

/// A replay: its events, its target and its reason.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ReplayRequest {
    /// The stream; left out only if an order is named.
    stream: Option<String>,
    /// For browsers: an order's `_id` or its code, `ORD-…`, in place of a stream and a window. All its events
    /// are shown, from all streams, in the order in which they happened.
    order: Option<String>,
    /// The operator's reason, recorded in the audit. Only a dry run that reveals nothing needs none.
    #[serde(default)]
    #[schema(max_length = 500)]
    reason: String,
    /// The subjects to replay, with `*` for any word: `tiffin.order.*.placed`.
    filter: Option<String>,
    /// A stream sequence or an RFC 3339 time; the first event by default.
    from: Option<Bound>,
    /// A stream sequence or an RFC 3339 time; the current last event by default.
    to: Option<Bound>,
    target: Target,
    /// For browsers: the multiple of real time, 0.1 to 1000; 1 by default.
    speed: Option<f64>,
    /// For a consumer: the largest number of events a second.
    rate: Option<u32>,
    /// True to only count the events and list the rows that would change.
    #[serde(default)]
    dry_run: bool,
    /// For a dry run to a consumer: true to show personal fields. That is recorded with the reason.
    #[serde(default)]
    reveal: bool,
    /// The number of matching events, required if it is above 1,000.
    confirm: Option<u64>,
}

impl ReplayRequest {
    fn bounds(&self) -> (Option<&Bound>, Option<&Bound>) {
        (self.from.as_ref(), self.to.as_ref())
    }
}

/// A replay that has begun.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Begun {
    pub replay_id: Uuid,
    /// The exact number of selected events. Later ones are not included.
    pub matched: u64,
}

refusals! {
    /// A replay that can't be understood.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum BadReplay {
        NoRate =
            422, "operator.rate-too-low", "The rate must be at least one event a second.", at "rate";
        BadTarget =
            422, "operator.target-invalid",
            "The target must be {{\"live\": true}} or a consumer.", at "target";
        NoStreamNamed = 422, "operator.stream-required", "Name the stream to replay.", at "stream";
        OrderToConsumer =
            422, "operator.order-to-browsers-only",
            "An order is replayed to browsers only: {{\"live\": true}}.", at "target";
        OrderNotWhole =
            422, "operator.order-whole-only",
            "An order is replayed whole: leave out stream, filter, from and to.", at "order";
        SpeedOutOfRange =
            422, "operator.speed-out-of-range",
            "The speed must be 0.1 to 1000 times real time.", at "speed";
    }
}

refused_by! {
    BeginReplayRefusals:
        BadBody, BadField, BadToken, WrongCaller::{NoOperator, ProofTooOld}, BadReplay,
        BadWindow,
        Refusal::{NoReason, NoStream, NoOrder, NoConsumer, TakesNoReplays, DoesNotRead, NothingMatches, Unconfirmed, ByService, ServiceUnavailable, Broker},
}

/// Replays a frozen part of a stream to one consumer, or to the browsers that watch.
///
/// A consumer skips events that it has handled, and outside effects (mail, push, charges) are never
/// repeated. No other consumer gets the events.
#[utoipa::path(
    post, path = "/api/v1/operator/replays", tag = "operator", security(("bearer" = [])),
    request_body = ReplayRequest,
    responses(
        (status = 200, description = "The result of a dry run: the changes that a replay would make.", body = DryRun),
        (status = 202, description = "The replay has begun.", body = Begun),
        BeginReplayRefusals,
    ),
    extensions(("x-roles" = json!(["operator"])))
)]
pub(crate) async fn begin_replay(
    extract::State(state): extract::State<State>,
    caller: Caller,
    Json(body): Json<ReplayRequest>,
) -> Result<Response, Problem> {
    let is_recorded = !body.dry_run || body.reveal;
    require_operator_fresh_if(&state, &caller, is_recorded)?;
    let reason = if is_recorded {
        check_reason(&body.reason)?
    } else {
        String::new()
    };
    if body.rate == Some(0) {
        return Err(BadReplay::NoRate.into());
    }
    if let Some(order) = &body.order {
        return replay_order(&state, &caller, order, &body, reason).await;
    }
    match &body.target {
        Target::Consumer(consumer) => {
            let consumer = services::find_consumer(&state.broker, consumer).await?;
            let stream = stream_read_by(&consumer, &body)?;
            let window = window(&state, stream, body.bounds(), body.filter.clone()).await?;
            if body.dry_run {
                let reveal = body.reveal.then_some(reason.as_str());
                let changes = dry_run(&state, &caller, stream, &consumer, window, reveal).await?;
                return Ok(Json(changes).into_response());
            }
            let to = (stream, consumer);
            let begun = replay_to_consumer(&state, &caller, to, window, &body, reason);
            Ok((StatusCode::ACCEPTED, Json(begun.await?)).into_response())
        }
        Target::Live(true) => {
            let stream = stream_of(&body)?;
            let window = window(&state, stream, body.bounds(), body.filter.clone()).await?;
            let matched = count_matching(&state, stream, &window, &[]).await?;
            if body.dry_run {
                return Ok(Json(DryRun::only(matched)).into_response());
            }
            require_confirmation(matched, body.confirm)?;
            let spec = json!({ "from": window.from, "to": window.to, "filter": window.filter });
            let source = Source::Window(stream, window);
            let begun = replay_to_browsers(&state, &caller, source, matched, &body, spec, reason);
            Ok((StatusCode::ACCEPTED, Json(begun.await?)).into_response())
        }
        Target::Live(false) => Err(BadReplay::BadTarget.into()),
    }
}

/// The number of selected events: of the filter's subject, of those that a consumer takes of its stream, or
/// of all.
async fn count_matching(
    state: &State,
    stream: Stream,
    window: &Selection,
    taken: &[String],
) -> Result<u64, Problem> {
    let (from, to) = (window.from, window.to);
    let subjects: Vec<Option<&str>> = match (&window.filter, taken) {
        (Some(filter), _) => vec![Some(filter)],
        (None, []) => vec![None],
        (None, taken) => taken.iter().map(|subject| Some(subject.as_str())).collect(),
    };
    let mut matched = 0;
    for subject in subjects {
        matched += read::count(&state.broker, stream, subject, from, to)
            .await
            .map_err(Error::from)?;
    }
    if matched == 0 {
        return Err(Refusal::NothingMatches.into());
    }
    Ok(matched)
}

fn require_confirmation(matched: u64, typed: Option<u64>) -> Result<(), Error> {
    if matched > MAX_UNCONFIRMED && typed != Some(matched) {
        return Err(Refusal::Unconfirmed { matched }.into());
    }
    Ok(())
}

fn stream_of(body: &ReplayRequest) -> Result<Stream, Problem> {
    let name = body.stream.as_deref();
    let name = name.ok_or(BadReplay::NoStreamNamed)?;
    Ok(stream(name)?)
}

/// The requested stream; refused if it is not the consumer's.
fn stream_read_by(consumer: &ReplayConsumer, body: &ReplayRequest) -> Result<Stream, Problem> {
    let stream = stream_of(body)?;
    if consumer.name == format!("{}_{stream}", consumer.service) {
        return Ok(stream);
    }
    let consumer = consumer.name.clone();
    Err(Refusal::DoesNotRead { consumer, stream }.into())
}

async fn replay_to_consumer(
    state: &State,
    caller: &Caller,
    (stream, consumer): (Stream, ReplayConsumer),
    selection: Selection,
    body: &ReplayRequest,
    reason: String,
) -> Result<Begun, Problem> {
    let matched = count_matching(state, stream, &selection, &consumer.subjects).await?;
    require_confirmation(matched, body.confirm)?;
    let mut operation = state.operation(caller, "replay", consumer.name.clone(), reason);
    operation.service = Some(consumer.service.to_owned());
    operation.stream = Some(stream.name().to_owned());
    operation.spec = json!({ "selection": selection, "rate": body.rate });
    operation.total = i64::try_from(matched).unwrap_or(i64::MAX);
    operation.state = OperationState::Running;
    let command = Command::Replay {
        id: operation.id,
        consumer: consumer.name,
        selection,
        rate: body.rate,
    };
    let id = operation.id;
    let progress = services::send_for_progress(&state.broker, consumer.service, &command).await;
    let progress = record_outcome(state, caller, operation, progress, identity).await?;
    Ok(Begun {
        replay_id: id,
        matched: u64::try_from(progress.total).unwrap_or_default(),
    })
}

/// Begins the replay of an order, which goes to browsers only and is always whole. It changes no data, so
/// the number of events needs no confirmation.
async fn replay_order(
    state: &State,
    caller: &Caller,
    order: &str,
    body: &ReplayRequest,
    reason: String,
) -> Result<Response, Problem> {
    if !matches!(body.target, Target::Live(true)) {
        return Err(BadReplay::OrderToConsumer.into());
    }
    if body.stream.is_some() || body.filter.is_some() || body.from.is_some() || body.to.is_some() {
        return Err(BadReplay::OrderNotWhole.into());
    }
    let events = get_timeline::read(state, order, Masking::ExceptCoordinates).await?;
    let matched = u64::try_from(events.len()).unwrap_or(u64::MAX);
    if body.dry_run {
        return Ok(Json(DryRun::only(matched)).into_response());
    }
    let (source, spec) = (Source::Events(events), json!({ "order": order }));
    let begun = replay_to_browsers(state, caller, source, matched, body, spec, reason).await?;
    Ok((StatusCode::ACCEPTED, Json(begun)).into_response())
}

async fn replay_to_browsers(
    state: &State,
    caller: &Caller,
    source: Source,
    matched: u64,
    body: &ReplayRequest,
    mut spec: Value,
    reason: String,
) -> Result<Begun, Problem> {
    let speed = body.speed.unwrap_or(1.0);
    if !(0.1..=1_000.0).contains(&speed) {
        return Err(BadReplay::SpeedOutOfRange.into());
    }
    spec["speed"] = speed.into();
    let mut operation = state.operation(caller, "live", "live".to_owned(), reason);
    operation.stream = source.stream().map(|stream| stream.name().to_owned());
    operation.spec = spec;
    operation.total = i64::try_from(matched).unwrap_or(i64::MAX);
    operation.state = OperationState::Running;
    record(state, caller, &operation).await?;
    let replay_id = operation.id;
    live_replay::start(state, operation, source, speed);
    Ok(Begun { replay_id, matched })
}
