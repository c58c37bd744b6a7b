use axum::extract;
use serde_json::Value;
use tiffin_bus::read as stored;
use tiffin_chassis::{Caller, Json, Path, Problem, documented::BadToken, problem::ProblemBody};
use tiffin_events::{DeliveryId, Stream, subject};
use uuid::Uuid;

use super::{events::EventView, operator};
use crate::{
    Error, State,
    error::Refusal,
    store::events::{self, Row},
};

/// Every event of an order, its payments, its delivery with all positions, and its notifications, in
/// the order in which they happened.
#[utoipa::path(
    get, path = "/api/v1/operator/timeline/{orderId}", tag = "operator", security(("bearer" = [])),
    params(("orderId" = String, Path, description = "The order's `_id` or its code, `ORD-…`.")),
    responses(
        (status = 200, description = "The events, oldest first; personal fields masked.",
            body = Vec<EventView>),
        BadToken,
        (status = 404, description = "There is no such order.",
            body = ProblemBody, content_type = "application/problem+json"),
        (status = 503, description = "The broker does not answer.",
            body = ProblemBody, content_type = "application/problem+json"),
    ),
    extensions(("x-roles" = json!(["admin"])))
)]
pub(crate) async fn get_timeline(
    extract::State(state): extract::State<State>,
    caller: Caller,
    Path(order): Path<String>,
) -> Result<Json<Vec<EventView>>, Problem> {
    operator(&caller)?;
    Ok(Json(read(&state, &order).await?))
}

/// Everything that happened to an order, oldest first.
pub(super) async fn read(state: &State, order: &str) -> Result<Vec<EventView>, Error> {
    let rows = of_order(state, order).await?;
    let mut timeline = positions(state, &rows).await?;
    timeline.extend(rows.into_iter().map(EventView::masked));
    timeline.sort_by_key(|one| moment(&one.event));
    Ok(timeline)
}

async fn of_order(state: &State, order: &str) -> Result<Vec<Row>, Error> {
    let mut connection = state.pool.acquire().await?;
    let id = match order.parse::<Uuid>() {
        Ok(id) => Some(id),
        Err(_) if order.contains('\0') => None,
        Err(_) => {
            let code = order.to_ascii_uppercase();
            events::order_called(&mut connection, &code).await?
        }
    };
    let rows = match id {
        Some(id) => events::of_order(&mut connection, id).await?,
        None => Vec::new(),
    };
    if rows.is_empty() {
        return Err(Refusal::NoOrder.into());
    }
    Ok(rows)
}

/// The positions of the order's delivery that the broker still has.
async fn positions(state: &State, rows: &[Row]) -> Result<Vec<EventView>, Error> {
    let delivery = rows
        .iter()
        .find(|row| row.stream == Stream::Deliveries.name())
        .and_then(|row| row.subject.split('.').nth(2)?.parse().ok());
    let Some(delivery) = delivery else {
        return Ok(Vec::new());
    };
    let filter = subject::position(DeliveryId(delivery));
    let mut window =
        stored::open(&state.broker, Stream::Positions, Some(&filter), 1, u64::MAX).await?;
    let mut positions = Vec::new();
    loop {
        let batch = window.next().await?;
        if batch.is_empty() {
            return Ok(positions);
        }
        positions.extend(batch.into_iter().map(EventView::from));
    }
}

/// When an event happened, for sorting: to the sub-second digit, whatever digits were written.
fn moment(event: &Value) -> (Option<time::OffsetDateTime>, String) {
    use time::format_description::well_known::Rfc3339;
    let text = |name: &str| event[name].as_str().unwrap_or_default().to_owned();
    let time = time::OffsetDateTime::parse(&text("time"), &Rfc3339).ok();
    (time, text("id"))
}
