use axum::{extract::State, response::Response};
use serde::Deserialize;
use tiffin_chassis::{
    Caller, Json, Path, Problem, Query, Scope,
    paging::{self, Cursor, Words},
    refusal::{BadField, BadPath, BadQuery, BadToken, BadValue},
    refused_by,
};
use tiffin_events::delivery::DeliveryStatus;
use utoipa::IntoParams;

use crate::{
    delivery::Refusal,
    store::{
        deliveries,
        rows::{self, Filter},
    },
    view::{DeliveryCounts, DeliveryLocation, DeliveryView},
};

const LIST: &str = "/api/v1/delivery";

/// The filters of the list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
pub struct DeliverySearch {
    /// A part of the `orderId`, of the dish, of the driver's name or phone, of the customer's e-mail or
    /// phone, or of the address. At most 100 characters.
    #[serde(default)]
    #[param(value_type = Option<String>, max_length = 100)]
    q: Words,
    /// Only deliveries with this status.
    status: Option<DeliveryStatus>,
    /// Only those that are not delivered yet.
    #[serde(default)]
    #[param(value_type = Option<bool>)]
    under_way: bool,
    /// The largest number of rows, 1 to 500; 1,000 by default.
    limit: Option<i64>,
    /// The cursor from the previous page's `Link`.
    #[param(value_type = Option<String>)]
    cursor: Option<Cursor>,
}

refused_by! {
    ListDeliveriesRefusals:
        BadQuery, BadField, BadToken, BadValue::{NoCursor, WordsTooLong},
}

/// The caller's deliveries, newest first: a customer's or a driver's own, those of an owner's
/// restaurants, all for an administrator.
#[utoipa::path(
    get,
    path = "/api/v1/delivery",
    tag = "delivery",
    params(DeliverySearch),
    responses(
        (status = 200, description = "The deliveries; `Link` leads to the next page.", body = Vec<DeliveryView>),
        ListDeliveriesRefusals,
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["customer", "restaurant", "delivery", "admin", "operator"]))),
)]
pub async fn list_deliveries(
    State(state): State<crate::State>,
    caller: Caller,
    Query(search): Query<DeliverySearch>,
) -> Result<Response, Problem> {
    let filter = Filter {
        words: search.q.text(),
        status: search.status,
        under_way: search.under_way,
        before: search.cursor.map(|cursor| cursor.id),
        limit: paging::sql_limit(search.limit),
        ..Filter::all(Scope::of(&caller))
    };
    let mut connection = state.pool.acquire().await?;
    let deliveries = rows::read(&mut connection, filter).await?;
    let rows = deliveries.into_iter().map(|delivery| {
        let cursor = Cursor::at(delivery.id);
        (delivery, cursor)
    });
    let asked = [
        ("q", search.q.text()),
        ("status", search.status.map(DeliveryStatus::as_str)),
        ("underWay", search.under_way.then_some("true")),
    ];
    Ok(paging::answer(LIST, &asked, search.limit, rows.collect()))
}

refused_by! {
    CountDeliveriesRefusals:
        BadToken,
}

/// Counts the deliveries that the caller sees in the list of deliveries.
#[utoipa::path(
    get,
    path = "/api/v1/delivery/counts",
    tag = "delivery",
    responses(
        (status = 200, description = "The number of deliveries by status.", body = DeliveryCounts),
        CountDeliveriesRefusals,
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["customer", "restaurant", "delivery", "admin", "operator"]))),
)]
pub async fn count_deliveries(
    State(state): State<crate::State>,
    caller: Caller,
) -> Result<Json<DeliveryCounts>, Problem> {
    let mut connection = state.pool.acquire().await?;
    Ok(Json(
        rows::counts(&mut connection, Scope::of(&caller)).await?,
    ))
}

refused_by! {
    GetDeliveryLocationRefusals:
        BadPath, BadToken, Refusal::{NotFound},
}

/// The last position of a delivery's driver, for the accounts whose delivery it is.
#[utoipa::path(
    get,
    path = "/api/v1/delivery/loc/{id}",
    tag = "delivery",
    params(("id" = String, Path, description = "The delivery's `_id`, or its order's `_id` or `orderId`.")),
    responses(
        (status = 200, description = "The driver's last position; 0,0 if it is unknown.", body = DeliveryLocation),
        GetDeliveryLocationRefusals,
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["customer", "restaurant", "delivery", "admin", "operator"]))),
)]
pub async fn get_delivery_location(
    State(state): State<crate::State>,
    caller: Caller,
    Path(key): Path<String>,
) -> Result<Json<DeliveryLocation>, Problem> {
    let mut connection = state.pool.acquire().await?;
    let id = deliveries::find(&mut connection, Scope::of(&caller), &key)
        .await?
        .ok_or(Refusal::NotFound)?;
    Ok(Json(rows::location(&mut connection, id).await?))
}
