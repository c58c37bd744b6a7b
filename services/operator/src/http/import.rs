use axum::extract;
use bytes::Bytes;
use serde::{Deserialize, Serialize};
use tiffin_chassis::{
    Caller, Json, Path, Problem, Query, documented::BadToken, problem::ProblemBody,
};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::{acting_if, check_reason};
use crate::{
    State,
    error::Refusal,
    import::{self, Call, check},
};

/// Why, and whether it goes on.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Part {
    /// In your own words. It is kept.
    #[param(min_length = 1, max_length = 500)]
    reason: String,
    /// The import that these lines go on with; without it, your open one of this stream, or a new one.
    import: Option<Uuid>,
    /// Whether more calls follow. Without it the import ends with this one.
    #[serde(default)]
    more: bool,
}

/// What was taken in.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Imported {
    /// The import, to go on with.
    import_id: Uuid,
    /// Events that this call stored; those that the import had stored before are passed over.
    stored: u64,
    /// Whether it waits for another call, for an hour at most.
    is_open: bool,
    message: String,
}

/// Puts exported events into a stream that was empty when the import began, with their ids and in their
/// order, as history: read models show it, and nothing follows from it.
///
/// An import takes as many calls as it needs. Each line is checked: its payload against the schema of its
/// type, its source, subject, actor and time, and that its aggregate's versions have no gaps. A line that
/// is wrong refuses its whole call before anything is stored, and so does anything else that was published
/// to the stream since the import began, which ends it. `OPERATIONS` takes no import.
#[utoipa::path(
    post, path = "/api/v1/operator/export/{stream}", tag = "operator", security(("bearer" = [])),
    params(("stream" = String, Path, description = "The stream's name."), Part),
    request_body(content = String, content_type = "application/x-ndjson",
        description = "Lines of an export of that stream, at most 1 MiB of them a call; none only ends the import."),
    responses(
        (status = 200, description = "They are stored.", body = Imported),
        (status = 413, description = "The lines are too many for one call.",
            body = ProblemBody, content_type = "application/problem+json"),
        BadToken,
        (status = 404, description = "There is no such stream.",
            body = ProblemBody, content_type = "application/problem+json"),
        (status = 409, description = "The stream was not empty, takes no import, or was published to meanwhile; or the import has ended.",
            body = ProblemBody, content_type = "application/problem+json"),
        (status = 422, description = "A line is no event of that stream as its service publishes it, or there is no reason.",
            body = ProblemBody, content_type = "application/problem+json"),
        (status = 503, description = "The broker does not answer.",
            body = ProblemBody, content_type = "application/problem+json"),
    ),
    extensions(("x-roles" = json!(["operator"])))
)]
pub(crate) async fn import_stream(
    extract::State(state): extract::State<State>,
    caller: Caller,
    Path(name): Path<String>,
    Query(part): Query<Part>,
    body: Bytes,
) -> Result<Json<Imported>, Problem> {
    // An import that goes on was begun by its operator, who showed then who they are.
    acting_if(&state, &caller, part.import.is_none())?;
    let reason = check_reason(&part.reason)?;
    let stream = super::stream(&name)?;
    if !stream.takes_imports() {
        return Err(Refusal::TakesNoImports(stream).into());
    }
    let now = state.clock.now();
    let mut lines = Vec::new();
    for (place, line) in body.split(|byte| *byte == b'\n').enumerate() {
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let number = place + 1;
        let line = check::line(stream, line, now)
            .map_err(|reason| Problem::unprocessable(format!("Line {number}: {reason}")))?;
        lines.push((number, line));
    }
    let call = Call {
        stream,
        reason,
        import: part.import,
        more: part.more,
        lines,
    };
    let standing = import::take(&state, &caller, call).await?;
    Ok(Json(Imported {
        import_id: standing.id,
        stored: standing.stored,
        is_open: standing.is_open,
        message: format!("{} events are stored in {stream}.", standing.stored),
    }))
}
