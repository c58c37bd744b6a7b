//! The part of a stream that a replay is asked for.

use serde::Deserialize;
use tiffin_bus::{history::Selection, read};
use tiffin_chassis::{Problem, refusals};
use tiffin_events::Stream;
use time::{OffsetDateTime, format_description::well_known::Rfc3339};
use utoipa::ToSchema;

use crate::{Error, State, error::Refusal};

refusals! {
    /// A window that can't be read.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(super) enum BadWindow {
        Backwards = 422, "operator.window-backwards", "The window ends before it begins.", at "to";
        FromZero =
            422, "operator.window-from-zero", "The first sequence of a stream is 1.", at "from";
        Filter =
            422, "operator.subject-invalid",
            "The filter must be a subject such as tiffin.order.*.placed.", at "filter";
        Time =
            422, "operator.time-invalid", "Write the time as RFC 3339 does: 2026-11-21T10:00:00Z.";
    }
}

/// The beginning or end of a window: a stream sequence or a time.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(untagged)]
pub(crate) enum Bound {
    Sequence(u64),
    Time(String),
}

/// Turns the window of a request into stream sequences.
pub(super) async fn window(
    state: &State,
    stream: Stream,
    (from, to): (Option<&Bound>, Option<&Bound>),
    filter: Option<String>,
) -> Result<Selection, Problem> {
    let last = read::last(&state.broker, stream)
        .await
        .map_err(Error::from)?;
    let first = match from {
        None => 1,
        Some(Bound::Sequence(sequence)) => *sequence,
        Some(Bound::Time(text)) => first_since(state, stream, "from", text)
            .await?
            .unwrap_or(last + 1),
    };
    let last = match to {
        None => last,
        Some(Bound::Sequence(sequence)) => (*sequence).min(last),
        // Events that were stored before that moment.
        Some(Bound::Time(text)) => first_since(state, stream, "to", text)
            .await?
            .map_or(last, |after| after.saturating_sub(1)),
    };
    let is_backwards = match (from, to) {
        (Some(Bound::Sequence(from)), Some(Bound::Sequence(to))) => from > to,
        (Some(Bound::Time(from)), Some(Bound::Time(to))) => {
            parse_time("from", from)? > parse_time("to", to)?
        }
        _ => false,
    };
    if is_backwards {
        return Err(BadWindow::Backwards.into());
    }
    if first == 0 {
        return Err(BadWindow::FromZero.into());
    }
    if first > last {
        return Err(Refusal::NothingMatches.into());
    }
    if filter.as_deref().is_some_and(|filter| !is_subject(filter)) {
        return Err(BadWindow::Filter.into());
    }
    Ok(Selection {
        from: first,
        to: last,
        filter,
    })
}

/// The stream sequence of the first event at a time or later.
async fn first_since(
    state: &State,
    stream: Stream,
    field: &str,
    text: &str,
) -> Result<Option<u64>, Problem> {
    let time = parse_time(field, text)?;
    if time > state.clock.now() {
        return Ok(None);
    }
    let found = read::first_since(&state.broker, stream, time).await;
    Ok(found.map_err(Error::from)?)
}

fn parse_time(field: &str, text: &str) -> Result<OffsetDateTime, Problem> {
    OffsetDateTime::parse(text, &Rfc3339).map_err(|_| Problem::from(BadWindow::Time).at(field))
}

fn is_subject(text: &str) -> bool {
    let is_word = |word: &str| {
        !word.is_empty()
            && !word.contains(|letter: char| letter.is_whitespace() || letter.is_control())
    };
    text.len() <= 200 && text.starts_with("tiffin.") && text.split('.').all(is_word)
}
