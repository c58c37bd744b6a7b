use axum::extract;
use bytes::Bytes;
use serde::{Deserialize, Serialize};
use tiffin_chassis::{
    Caller, Json, Path, Problem, Query,
    refusal::{BadBody, BadField, BadPath, BadQuery, BadToken, WrongCaller},
    refused_by,
};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::{check_reason, require_operator_fresh_if};
use crate::{
    State,
    error::Refusal,
    import::{self, Call, check},
};

/// The reason of an import, and its continuation.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Part {
    /// The operator's reason, recorded in the audit.
    #[param(min_length = 1, max_length = 500)]
    reason: String,
    /// The import that these lines continue; by default your open one of this stream, or else a new one.
    import: Option<Uuid>,
    /// True if more calls follow. Without it the import ends with this call.
    #[serde(default)]
    more: bool,
}

/// The result of one call of an import.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Imported {
    /// The import, which further calls name to continue it.
    import_id: Uuid,
    /// The number of events that this call stored. Events that the import had stored before are skipped.
    stored: u64,
    /// True while it waits for another call, for an hour at most.
    is_open: bool,
    message: String,
}

refused_by! {
    ImportStreamRefusals:
        BadQuery, BadField, BadPath, BadToken, BadBody::{TooLarge, Unreadable},
        WrongCaller::{NoOperator, ProofTooOld},
        Refusal::{NoStream, NoReason, BadLine, TakesNoImports, NotEmpty, ImportOfAnother, ImportEnded, ImportDisturbed, Broker},
}

/// Stores exported events in a stream that was empty when the import began, with their ids and in their
/// order. They are history: read models show them, and they have no other effects.
///
/// An import takes as many calls as it needs. Each line is checked: its payload against the schema of its
/// type, its source, subject, actor and time, and that its aggregate's versions have no gaps. If a line is
/// wrong, its whole call is refused before anything is stored. If anything else was published to the stream
/// since the import began, the call is refused and the import ends. `OPERATIONS` takes no import.
#[utoipa::path(
    post, path = "/api/v1/operator/export/{stream}", tag = "operator", security(("bearer" = [])),
    params(("stream" = String, Path, description = "The stream's name."), Part),
    request_body(content = String, content_type = "application/x-ndjson",
        description = "Lines of an export of that stream, at most 1 MiB a call. A call without lines can end the import."),
    responses(
        (status = 200, description = "They are stored.", body = Imported),
        ImportStreamRefusals,
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
    // A call that names its import needs no fresh proof: its operator gave one when the import began.
    require_operator_fresh_if(&state, &caller, part.import.is_none())?;
    let reason = check_reason(&part.reason)?;
    let stream = super::stream(&name)?;
    if !stream.takes_imports() {
        return Err(Refusal::TakesNoImports { stream }.into());
    }
    let now = state.clock.now();
    let mut lines = Vec::new();
    for (index, line) in body.split(|byte| *byte == b'\n').enumerate() {
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let number = index + 1;
        let line = check::check_line(stream, line, now).map_err(|reason| Refusal::BadLine {
            line: number,
            reason,
        })?;
        lines.push((number, line));
    }
    let call = Call {
        stream,
        reason,
        import: part.import,
        more: part.more,
        lines,
    };
    let progress = import::handle_call(&state, &caller, call).await?;
    Ok(Json(Imported {
        import_id: progress.id,
        stored: progress.stored,
        is_open: progress.is_open,
        message: format!("{} events are stored in {stream}.", progress.stored),
    }))
}
