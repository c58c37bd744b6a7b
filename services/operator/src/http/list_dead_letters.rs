use axum::{extract, response::Response};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tiffin_chassis::{
    Caller, Json, Problem, Query,
    paging::{self, Cursor},
    refusal::{BadField, BadQuery, BadToken, BadValue, WrongCaller},
    refused_by,
};
use time::OffsetDateTime;
use utoipa::{IntoParams, ToSchema};

use super::require_operator;
use crate::{
    State,
    dead_letters::{self, DeadLetterCause, ListedLetter},
    error::Refusal,
    mask,
    store::events::WaitingEvents,
};

const LIST: &str = "/api/v1/operator/dead";

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
    fn new(one: &ListedLetter, behind: &WaitingEvents) -> Self {
        let (event, _) = mask::content_of_letter(&one.letter.body, String::new());
        let letter = &one.letter;
        Self {
            seq: one.seq,
            consumer: letter.consumer.clone(),
            reason: one.reason.clone(),
            attempts: letter.attempts,
            time: letter.time,
            stream: letter.stream.clone(),
            stream_seq: letter.stream_sequence,
            subject: letter.subject.clone(),
            waiting: behind.waiting,
            holds_up_deletion: dead_letters::holds_up_deletion(one, behind),
            event,
        }
    }
}

refused_by! {
    ListCausesRefusals:
        BadToken, WrongCaller::{NoOperator}, Refusal::{Broker},
}

/// The causes of all dead letters: those that hold up an account's deletion come first, then the oldest.
#[utoipa::path(
    get, path = "/api/v1/operator/dead/causes", tag = "operator", security(("bearer" = [])),
    responses(
        (status = 200, description = "The causes.", body = Vec<DeadLetterCause>),
        ListCausesRefusals,
    ),
    extensions(("x-roles" = json!(["operator"])))
)]
pub(crate) async fn list_dead_letter_causes(
    extract::State(state): extract::State<State>,
    caller: Caller,
) -> Result<Json<Vec<DeadLetterCause>>, Problem> {
    require_operator(&caller)?;
    Ok(Json(dead_letters::listing(&state).await?.causes()))
}

/// The filter of the list.
#[derive(Debug, Deserialize, IntoParams)]
pub(crate) struct DeadLetterSearch {
    /// Only dead letters with this cause: the `id` of a cause.
    cause: Option<String>,
    /// The largest number of rows, 1 to 500; 1,000 by default.
    limit: Option<i64>,
    /// The cursor from the previous page's `Link`.
    #[param(value_type = Option<String>)]
    cursor: Option<Cursor>,
}

refused_by! {
    ListLettersRefusals:
        BadQuery, BadField, BadToken, BadValue::{NoCursor}, WrongCaller::{NoOperator}, Refusal::{Broker},
}

/// The dead letters that are not settled.
///
/// Dead letters that hold up an account's deletion come first, then the oldest.
#[utoipa::path(
    get, path = "/api/v1/operator/dead", tag = "operator", security(("bearer" = [])),
    params(DeadLetterSearch),
    responses(
        (status = 200, description = "The dead letters; `Link` leads to the next page.",
            body = Vec<DeadLetterView>),
        ListLettersRefusals,
    ),
    extensions(("x-roles" = json!(["operator"])))
)]
pub(crate) async fn list_dead_letters(
    extract::State(state): extract::State<State>,
    caller: Caller,
    Query(search): Query<DeadLetterSearch>,
) -> Result<Response, Problem> {
    require_operator(&caller)?;
    let listing = dead_letters::listing(&state).await?;
    let cause = search.cause.as_deref();
    let after = search.cursor.map_or(i64::MIN, |cursor| cursor.rank);
    let limit = usize::try_from(paging::sql_limit(search.limit)).unwrap_or(usize::MAX);
    let ranked = listing.ranked(cause).into_iter();
    let rows = ranked
        .filter(|(rank, ..)| *rank > after)
        .take(limit)
        .map(|(rank, one, behind)| {
            let cursor = Cursor {
                rank,
                ..Cursor::default()
            };
            (DeadLetterView::new(one, behind), cursor)
        });
    Ok(paging::answer(
        LIST,
        &[("cause", cause)],
        search.limit,
        rows.collect(),
    ))
}
