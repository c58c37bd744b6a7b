//! The routes of this service, all for operators. Those that act on the history or show personal data need
//! a fresh proof of who the operator is.

mod archive_events;
mod begin_replay;
mod dead_letters;
mod dry_run;
mod events;
mod export_stream;
mod get_capacity;
mod get_timeline;
mod import_stream;
mod list_dead_letters;
mod list_streams;
mod projections;
mod read_replays;
mod reveal;
mod window;

use serde::Deserialize;
use tiffin_chassis::{Caller, Problem};
use tiffin_events::Stream;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::{Error, State, error::Refusal, operation::Operation, store::operations};

/// The service's HTTP interface.
pub fn router(state: State) -> OpenApiRouter {
    OpenApiRouter::with_openapi(tiffin_chassis::refusal::openapi::base())
        .routes(routes!(list_streams::list_streams))
        .routes(routes!(get_capacity::get_capacity))
        .routes(routes!(events::search_events))
        .routes(routes!(events::get_event))
        .routes(routes!(get_timeline::get_timeline))
        .routes(routes!(
            begin_replay::begin_replay,
            read_replays::list_replays
        ))
        .routes(routes!(
            read_replays::get_replay,
            read_replays::cancel_replay
        ))
        .routes(routes!(read_replays::pause_replay))
        .routes(routes!(read_replays::resume_replay))
        .routes(routes!(projections::rebuild_projection))
        .routes(routes!(projections::verify_projection))
        .routes(routes!(projections::roll_back_projection))
        .routes(routes!(projections::republish))
        .routes(routes!(archive_events::archive_events))
        .routes(routes!(list_dead_letters::list_dead_letters))
        .routes(routes!(list_dead_letters::list_dead_letter_causes))
        .routes(routes!(dead_letters::retry_dead_letter))
        .routes(routes!(dead_letters::edit_dead_letter))
        .routes(routes!(dead_letters::discard_dead_letter))
        .routes(routes!(
            export_stream::export_stream,
            import_stream::import_stream
        ))
        .with_state(state)
}

/// An operator's reason for an action. It is recorded.
#[derive(Debug, Deserialize, IntoParams, ToSchema)]
#[into_params(parameter_in = Query)]
pub(crate) struct Reason {
    /// The operator's reason.
    #[param(min_length = 1, max_length = 500)]
    #[schema(min_length = 1, max_length = 500)]
    reason: String,
}

impl Reason {
    fn check(&self) -> Result<String, Refusal> {
        check_reason(&self.reason)
    }
}

/// A trimmed reason; refused if it is empty or too long.
fn check_reason(reason: &str) -> Result<String, Refusal> {
    let reason = reason.trim();
    if reason.is_empty() || reason.chars().count() > 500 || reason.contains('\0') {
        return Err(Refusal::NoReason);
    }
    Ok(reason.to_owned())
}

/// 403 unless the caller is an operator.
fn require_operator(caller: &Caller) -> Result<(), Problem> {
    caller.require_operator()
}

/// The same for operations and personal data: 401 unless the caller showed who they are within the last five
/// minutes (ASVS 7.5.3).
fn require_fresh_operator(state: &State, caller: &Caller) -> Result<(), Problem> {
    caller.require_operator()?;
    caller.require_fresh(state.clock.now())
}

/// [`require_fresh_operator`] if `is_fresh_required`, else [`require_operator`].
fn require_operator_fresh_if(
    state: &State,
    caller: &Caller,
    is_fresh_required: bool,
) -> Result<(), Problem> {
    if is_fresh_required {
        require_fresh_operator(state, caller)
    } else {
        require_operator(caller)
    }
}

fn stream(name: &str) -> Result<Stream, Refusal> {
    let read = name.to_ascii_uppercase().parse();
    read.map_err(|_| Refusal::NoStream {
        name: name.to_owned(),
    })
}

/// Records an operation and appends its events.
async fn record(state: &State, caller: &Caller, operation: &Operation) -> Result<(), Error> {
    let mut tx = tiffin_database::begin(&state.pool).await?;
    let cause = State::cause(caller);
    operations::begin(&mut tx, state, &cause, operation).await?;
    tx.commit().await?;
    state.begun.notify_one();
    Ok(())
}

/// Records an operation that has ended at once, done or refused: the audit has everything that was asked for with a
/// reason. `without_personal` takes the personal data out of an error.
async fn record_outcome<T>(
    state: &State,
    caller: &Caller,
    operation: Operation,
    outcome: Result<T, Error>,
    without_personal: impl Fn(String) -> String,
) -> Result<T, Error> {
    let error = match outcome {
        Ok(value) => {
            record(state, caller, &operation).await?;
            return Ok(value);
        }
        Err(error) => error,
    };
    let operation = operation.failed(&without_personal(error.to_string()));
    if let Err(unrecorded) = record(state, caller, &operation).await {
        let (verb, target) = (operation.verb, operation.target);
        tracing::warn!(error = %unrecorded, verb, target, "a refused operation is missing in the audit");
    }
    Err(error)
}

impl State {
    /// An operation of the caller that is done at once.
    pub(crate) fn operation(
        &self,
        caller: &Caller,
        verb: &str,
        target: String,
        reason: String,
    ) -> Operation {
        Operation::done(&self.clock, caller.id, verb, target, reason)
    }
}
