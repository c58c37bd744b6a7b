use axum::extract;
use serde::Serialize;
use tiffin_chassis::{
    Caller, Json, Problem,
    refusal::{BadToken, WrongCaller},
    refused_by,
};
use tiffin_events::Stream;
use utoipa::ToSchema;

use super::require_operator;
use crate::{
    Error, State,
    error::Refusal,
    services,
    streams::{self, StreamView},
};

/// The state of the streams, the consumers and the services' outboxes.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Standing {
    streams: Vec<StreamView>,
    services: Vec<ServiceView>,
    /// The number of dead letters that are not settled.
    #[serde(rename = "deadLetters")]
    dead_letters: u64,
}

/// A service's outbox.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ServiceView {
    name: String,
    /// True if the service answers.
    is_there: bool,
    /// The number of events that wait to be published.
    outbox_waiting: i64,
    /// The age of the oldest of them in seconds.
    outbox_lag_seconds: f64,
}

refused_by! {
    ListStreamsRefusals:
        BadToken, WrongCaller::{NoOperator}, Refusal::{Broker},
}

/// Every stream's size, every consumer's progress and lag, and every service's outbox.
#[utoipa::path(
    get, path = "/api/v1/operator/streams", tag = "operator", security(("bearer" = [])),
    responses(
        (status = 200, description = "The current state.", body = Standing),
        ListStreamsRefusals,
    ),
    extensions(("x-roles" = json!(["operator"])))
)]
pub(crate) async fn list_streams(
    extract::State(state): extract::State<State>,
    caller: Caller,
) -> Result<Json<Standing>, Problem> {
    require_operator(&caller)?;
    let now = state.clock.now();
    let views = Stream::ALL.map(|stream| streams::view(&state.broker, stream, now));
    let asked = services::names().map(|name| services::describe(&state.broker, name));
    let (views, described) = tokio::join!(
        futures_util::future::try_join_all(views),
        futures_util::future::join_all(asked)
    );
    let mut streams = views.map_err(Error::from)?;
    let mut services = Vec::new();
    for (name, description) in services::names().zip(described) {
        services.push(ServiceView {
            name: name.to_owned(),
            is_there: description.is_some(),
            outbox_waiting: description.as_ref().map_or(0, |it| it.outbox_waiting),
            outbox_lag_seconds: description.as_ref().map_or(0.0, |it| it.outbox_lag_seconds),
        });
        for own in description.into_iter().flat_map(|it| it.consumers) {
            let mut views = streams.iter_mut().flat_map(|stream| &mut stream.consumers);
            if let Some(view) = views.find(|view| view.name == own.name) {
                view.takes_replays = true;
                view.tables = own.tables;
                view.blocked = own.blocked;
                view.parked = own.parked;
            }
        }
    }
    let letters = streams
        .iter()
        .find(|one| one.name == Stream::DeadLetters.name());
    let dead_letters = letters.map_or(0, |letters| letters.messages);
    Ok(Json(Standing {
        streams,
        services,
        dead_letters,
    }))
}
