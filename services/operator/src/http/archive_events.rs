use std::time::Duration;

use axum::extract;
use http::StatusCode;
use serde::Deserialize;
use serde_json::json;
use tiffin_bus::{archiver::Window, history::OperationState};
use tiffin_chassis::{
    Caller, Json, Problem,
    refusal::{BadBody, BadField, BadToken, WrongCaller},
    refused_by,
};
use utoipa::ToSchema;

use super::{begin_replay::Begun, check_reason, require_fresh_operator};
use crate::{State, archive, error::Refusal, store::operations};

/// The verb of an operation that archives.
const ARCHIVE_VERB: &str = "archive";

/// The events to archive.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ArchiveRequest {
    /// The operator's reason, recorded in the audit.
    #[schema(min_length = 1, max_length = 500)]
    reason: String,
    /// The age in days above which events move; by default, those outside the configured window.
    #[schema(maximum = 36500)]
    after_days: Option<u16>,
}

impl ArchiveRequest {
    /// The events that stay. Segments may be small: the operator does not wait for more events.
    fn window(&self, configured: Window) -> Window {
        let days = self.after_days.map(u64::from);
        Window {
            max_age: days.map_or(configured.max_age, |days| Duration::from_hours(days * 24)),
            min_segment_bytes: 1,
            ..configured
        }
    }
}

refused_by! {
    ArchiveEventsRefusals:
        BadBody, BadField, BadToken, WrongCaller::{NoOperator, ProofTooOld},
        Refusal::{NoArchive, NoReason, ArchiveBusy},
}

/// Moves old events of all streams to the archive now, without waiting for whole segments. Events that a consumer has
/// not handled stay.
#[utoipa::path(
    post, path = "/api/v1/operator/archive", tag = "operator", security(("bearer" = [])),
    request_body = ArchiveRequest,
    responses(
        (status = 202, description = "Archiving has begun.", body = Begun),
        ArchiveEventsRefusals,
    ),
    extensions(("x-roles" = json!(["operator"])))
)]
pub(crate) async fn archive_events(
    extract::State(state): extract::State<State>,
    caller: Caller,
    Json(request): Json<ArchiveRequest>,
) -> Result<(StatusCode, Json<Begun>), Problem> {
    require_fresh_operator(&state, &caller)?;
    let reason = check_reason(&request.reason)?;
    let found = state.broker.archive.clone().ok_or(Refusal::NoArchive)?;
    let mut operation = state.operation(&caller, ARCHIVE_VERB, archive::ARCHIVE.to_owned(), reason);
    operation.spec = json!({ "afterDays": request.after_days });
    operation.state = OperationState::Running;
    let mut tx = tiffin_database::begin(&state.pool).await?;
    if operations::is_any_under_way(&mut tx, &[ARCHIVE_VERB.to_owned()]).await? {
        return Err(Refusal::ArchiveBusy.into());
    }
    operations::begin(&mut tx, &state, &State::cause(&caller), &operation).await?;
    tx.commit().await?;
    let replay_id = operation.id;
    let window = request.window(state.window);
    archive::start_run(&state, operation, found, window);
    let begun = Begun {
        replay_id,
        matched: 0,
    };
    Ok((StatusCode::ACCEPTED, Json(begun)))
}
