use std::collections::BTreeMap;

use axum::extract;
use serde_json::Value;
use tiffin_bus::read as broker_read;
use tiffin_chassis::{
    Caller, Json, Path, Problem, Query,
    refusal::{BadField, BadPath, BadQuery, BadToken, WrongCaller},
    refused_by,
};
use tiffin_events::{DeliveryId, Stream, subject};
use uuid::Uuid;

use super::{events::Shown, require_operator_fresh_if, reveal};
use crate::{
    Error, State, error::Refusal, event_view::EventView, log, mask::Masking,
    store::events::LoggedEvent,
};

refused_by! {
    GetTimelineRefusals:
        BadQuery, BadField, BadPath, BadToken, WrongCaller::{NoOperator, ProofTooOld},
        Refusal::{NoOrder, NoReason, Broker},
}

/// The events of an order, its payments, its delivery with all positions, and its notifications, in the
/// order in which they happened.
#[utoipa::path(
    get, path = "/api/v1/operator/timeline/{orderId}", tag = "operator", security(("bearer" = [])),
    params(
        ("orderId" = String, Path, description = "The order's `_id` or its code, `ORD-…`."),
        Shown,
    ),
    responses(
        (status = 200, description = "The events, oldest first; personal fields are masked unless a reason is given.",
            body = Vec<EventView>),
        GetTimelineRefusals,
    ),
    extensions(("x-roles" = json!(["operator"])))
)]
pub(crate) async fn get_timeline(
    extract::State(state): extract::State<State>,
    caller: Caller,
    Path(order): Path<String>,
    Query(shown): Query<Shown>,
) -> Result<Json<Vec<EventView>>, Problem> {
    require_operator_fresh_if(&state, &caller, shown.reveal.is_some())?;
    let Some(reason) = shown.reveal else {
        return Ok(Json(read(&state, &order, Masking::All).await?));
    };
    let timeline = read(&state, &order, Masking::None).await?;
    reveal::record(&state, &caller, format!("timeline {order}"), &reason).await?;
    Ok(Json(timeline))
}

/// Reads all events of an order, oldest first.
pub(super) async fn read(
    state: &State,
    order: &str,
    masking: Masking,
) -> Result<Vec<EventView>, Error> {
    let rows = logged_events(state, order).await?;
    let mut timeline = positions(state, &rows, masking).await?;
    timeline.extend(EventView::all(&state.broker.keys, rows, masking).await?);
    timeline.sort_by_key(|one| sort_key(&one.event));
    Ok(timeline)
}

async fn logged_events(state: &State, order: &str) -> Result<Vec<LoggedEvent>, Error> {
    let id = match order.parse::<Uuid>() {
        Ok(id) => Some(id),
        Err(_) if order.contains('\0') => None,
        Err(_) => {
            let code = order.to_ascii_uppercase();
            log::find_order_by_code(state, &code).await?
        }
    };
    let rows = match id {
        Some(id) => log::of_order(state, id).await?,
        None => Vec::new(),
    };
    if rows.is_empty() {
        return Err(Refusal::NoOrder {
            order: order.to_owned(),
        }
        .into());
    }
    Ok(rows)
}

/// The positions of the order's delivery that the broker still has, those that came late among them. One may have come
/// both ways; its sequence, the device's time, shows it.
async fn positions(
    state: &State,
    rows: &[LoggedEvent],
    masking: Masking,
) -> Result<Vec<EventView>, Error> {
    let delivery = rows
        .iter()
        .find(|row| row.stream == Stream::Deliveries.name())
        .and_then(|row| subject::Subject::parse(&row.subject));
    let Some(delivery) = delivery else {
        return Ok(Vec::new());
    };
    let id = DeliveryId(delivery.id);
    let mut positions = BTreeMap::new();
    for filter in [subject::position(id), subject::late_positions(id)] {
        let mut window =
            broker_read::open(&state.broker, Stream::Positions, Some(&filter), 1, u64::MAX).await?;
        loop {
            let batch = window.next().await?;
            if batch.is_empty() {
                break;
            }
            for logged in batch {
                let sequence = logged.envelope["sequence"].as_i64();
                positions.entry(sequence).or_insert(logged);
            }
        }
    }
    let mut views = Vec::with_capacity(positions.len());
    for logged in positions.into_values() {
        views.push(EventView::of_logged(&state.broker.keys, logged, masking).await?);
    }
    Ok(views)
}

/// The time of an event as a sort key, exact to any number of sub-second digits.
fn sort_key(event: &Value) -> (Option<time::OffsetDateTime>, String) {
    use time::format_description::well_known::Rfc3339;
    let text = |name: &str| event[name].as_str().unwrap_or_default().to_owned();
    let time = time::OffsetDateTime::parse(&text("time"), &Rfc3339).ok();
    (time, text("id"))
}
