use axum::{extract, response::Response};
use serde::Deserialize;
use tiffin_bus::read::{self, Logged};
use tiffin_chassis::{
    Caller, Json, Path, Problem, Query,
    refusal::{BadField, BadPath, BadQuery, BadToken, WrongCaller},
    refusals, refused_by,
};
use tiffin_events::Stream;
use time::OffsetDateTime;
use utoipa::IntoParams;
use uuid::Uuid;

use super::{require_operator_fresh_if, reveal, stream};
use crate::{
    State,
    error::Refusal,
    event_view::EventView,
    log::{self, Found},
    mask::{self, Masking},
    store::events::{LoggedEvent, Search},
};

/// The filters of a search; each narrows it.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct EventQuery {
    stream: Option<String>,
    /// `tiffin.order.placed.v1`.
    #[serde(rename = "type")]
    kind: Option<String>,
    /// The id of an order, a delivery, a user …
    aggregate: Option<Uuid>,
    /// The order that the events belong to.
    correlation: Option<Uuid>,
    /// The actor: a user's id, or `tiffin/<service>`.
    actor: Option<String>,
    /// Not before, RFC 3339.
    #[serde(default, with = "time::serde::rfc3339::option")]
    #[param(value_type = Option<String>, format = DateTime)]
    from: Option<OffsetDateTime>,
    /// Not after, RFC 3339.
    #[serde(default, with = "time::serde::rfc3339::option")]
    #[param(value_type = Option<String>, format = DateTime)]
    to: Option<OffsetDateTime>,
    /// A stream sequence, `12`, or a range of them, `12-40`.
    seq: Option<String>,
    /// Words in the payload. Personal fields are searched only with a reason to see them.
    q: Option<String>,
    /// The reason for seeing and searching personal fields. It is recorded for every page.
    reveal: Option<String>,
    /// The largest number of rows, 1 to 500; 100 by default.
    limit: Option<i64>,
    /// The last event of the previous page.
    cursor: Option<Uuid>,
}

refusals! {
    /// A search that can't be understood.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum BadSearch {
        Backwards = 422, "operator.window-backwards", "The window ends before it begins.";
        HasNul = 422, "operator.query-has-nul", "The query must not contain the character NUL.";
        Sequence =
            422, "operator.sequence-invalid", "Give a stream sequence, 12, or a range, 12-40.", at "seq";
    }
}

impl EventQuery {
    fn check(self) -> Result<Search, Problem> {
        if let (Some(from), Some(to)) = (self.from, self.to)
            && from > to
        {
            return Err(Problem::from(BadSearch::Backwards).at("to"));
        }
        let given = [&self.kind, &self.actor, &self.q];
        if given.into_iter().flatten().any(|text| text.contains('\0')) {
            return Err(BadSearch::HasNul.into());
        }
        let sequences = self.seq.as_deref().map(sequences).transpose()?;
        let stream = self.stream.map(|name| stream(&name)).transpose()?;
        Ok(Search {
            stream: stream.map(|stream| stream.name().to_owned()),
            kind: self.kind,
            aggregate: self.aggregate,
            correlation: self.correlation,
            actor: self.actor,
            from: self.from,
            to: self.to,
            sequences,
            text: self.q.filter(|text| !text.trim().is_empty()),
            is_revealed: self.reveal.is_some(),
            before: self.cursor,
            limit: self.limit.unwrap_or(100).clamp(1, 500),
        })
    }

    /// The filters, as they are recorded. Search words are left out: those that need a reason are personal,
    /// and the audit is never erased.
    fn target(&self) -> String {
        let shown = [
            ("stream", self.stream.clone()),
            ("type", self.kind.clone()),
            ("aggregate", self.aggregate.map(|id| id.to_string())),
            ("correlation", self.correlation.map(|id| id.to_string())),
            ("actor", self.actor.clone()),
            ("seq", self.seq.clone()),
            ("q", self.q.as_ref().map(|_| mask::MASK.to_owned())),
            ("cursor", self.cursor.map(|id| id.to_string())),
        ];
        let shown = shown
            .into_iter()
            .filter_map(|(name, value)| Some(format!(" {name}={}", value?)));
        format!("search{}", shown.collect::<String>())
    }
}

/// The first and the last stream sequence of a range; a single one is both.
fn sequences(text: &str) -> Result<(i64, i64), Problem> {
    let (from, to) = text.split_once('-').unwrap_or((text, text));
    match (from.trim().parse(), to.trim().parse()) {
        (Ok(from), Ok(to)) if from <= to => Ok((from, to)),
        (Ok(_), Ok(_)) => Err(Problem::from(BadSearch::Backwards).at("seq")),
        _ => Err(BadSearch::Sequence.into()),
    }
}

refused_by! {
    SearchEventsRefusals:
        BadQuery, BadField, BadToken, WrongCaller::{NoOperator, ProofTooOld}, BadSearch,
        Refusal::{NoStream, NoReason, Broker},
}

/// The header with the number of segments that a search has not read yet.
const SEGMENTS_LEFT: &str = "tiffin-segments-left";

/// Events that match, newest first, in the log and the archive. `Link` leads to the next page.
///
/// A search that no index answers reads archived events a part at a time: its page may then have few events or none,
/// with `Tiffin-Segments-Left` and a `Link` to go on. It stops where the client goes away.
///
/// Personal fields are masked and not searched. With a reason (`reveal`), which is recorded before anything
/// is read, they are shown and searched, too.
#[utoipa::path(
    get, path = "/api/v1/operator/events", tag = "operator", security(("bearer" = [])),
    params(EventQuery),
    responses(
        (status = 200, description = "The events.", body = Vec<EventView>),
        SearchEventsRefusals,
    ),
    extensions(("x-roles" = json!(["operator"])))
)]
pub(crate) async fn search_events(
    extract::State(state): extract::State<State>,
    caller: Caller,
    extract::OriginalUri(uri): extract::OriginalUri,
    Query(query): Query<EventQuery>,
) -> Result<Response, Problem> {
    require_operator_fresh_if(&state, &caller, query.reveal.is_some())?;
    let (target, reason) = (query.target(), query.reveal.clone());
    let search = query.check()?;
    let masking = match reason {
        Some(reason) => {
            reveal::record(&state, &caller, target, &reason).await?;
            Masking::None
        }
        None => Masking::All,
    };
    let Found {
        events,
        next,
        segments_left,
    } = log::search(&state, &search).await?;
    let found = EventView::all(&state.broker.keys, events, masking).await?;
    Ok(page(&uri, &found, next, segments_left))
}

/// A page with a link to the next one.
fn page(
    uri: &http::Uri,
    found: &[EventView],
    next: Option<Uuid>,
    segments_left: usize,
) -> Response {
    use axum::response::IntoResponse;
    let mut response = axum::Json(found).into_response();
    if let Some(next) = next {
        let others: String = uri
            .query()
            .unwrap_or_default()
            .split('&')
            .filter(|pair| !pair.is_empty() && !pair.starts_with("cursor="))
            .flat_map(|pair| [pair, "&"])
            .collect();
        let link = format!("<{}?{others}cursor={next}>; rel=\"next\"", uri.path());
        if let Ok(link) = http::HeaderValue::from_str(&link) {
            response.headers_mut().insert(http::header::LINK, link);
        }
        if segments_left > 0 {
            let headers = response.headers_mut();
            headers.insert(SEGMENTS_LEFT, segments_left.into());
        }
    }
    response
}

/// The choice to see personal fields.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Shown {
    /// The reason for seeing personal fields. It is recorded.
    pub(super) reveal: Option<String>,
}

refused_by! {
    GetEventRefusals:
        BadQuery, BadField, BadPath, BadToken, WrongCaller::{NoOperator, ProofTooOld},
        Refusal::{NoStream, NoEvent, NoReason, Broker},
}

/// One event.
#[utoipa::path(
    get, path = "/api/v1/operator/events/{stream}/{seq}", tag = "operator", security(("bearer" = [])),
    params(
        ("stream" = String, Path, description = "The stream's name."),
        ("seq" = i64, Path, description = "Its stream sequence."),
        Shown,
    ),
    responses(
        (status = 200, description = "The event.", body = EventView),
        GetEventRefusals,
    ),
    extensions(("x-roles" = json!(["operator"])))
)]
pub(crate) async fn get_event(
    extract::State(state): extract::State<State>,
    caller: Caller,
    Path((name, seq)): Path<(String, i64)>,
    Query(shown): Query<Shown>,
) -> Result<Json<EventView>, Problem> {
    require_operator_fresh_if(&state, &caller, shown.reveal.is_some())?;
    let stream = stream(&name)?;
    let row = match log::find(&state, stream, seq).await? {
        Some(row) => row,
        None => not_yet_logged(&state, stream, seq)
            .await
            .ok_or(Refusal::NoEvent { stream, seq })?,
    };
    let keys = &state.broker.keys;
    let Some(reason) = shown.reveal else {
        return Ok(Json(EventView::of(keys, row, Masking::All).await?));
    };
    let target = format!("{}/{}", row.stream, row.seq);
    reveal::record(&state, &caller, target, &reason).await?;
    Ok(Json(EventView::of(keys, row, Masking::None).await?))
}

/// Reads an event from the stream that the event log does not have yet.
async fn not_yet_logged(state: &State, stream: Stream, seq: i64) -> Option<LoggedEvent> {
    let found = read::one(&state.broker, stream, seq.try_into().ok()?).await;
    let Logged {
        stream,
        subject,
        envelope,
        ..
    } = found
        .inspect_err(|error| tracing::warn!(%error, "an event can't be read from its stream"))
        .ok()??;
    Some(LoggedEvent {
        stream: stream.to_owned(),
        seq,
        subject,
        id: envelope["id"].as_str()?.parse().ok()?,
        envelope,
    })
}
