use axum::{extract::State, response::Response};
use serde::Deserialize;
use tiffin_chassis::{
    Caller, Problem, Query, Scope,
    paging::{self, Cursor, SearchTerm},
    refusal::{BadField, BadQuery, BadToken, BadValue},
    refused_by,
};
use tiffin_events::delivery::DeliveryStatus;
use utoipa::IntoParams;

use crate::{
    store::delivery_list::{self, Filter},
    view::DeliveryView,
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
    q: SearchTerm,
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
    let deliveries = delivery_list::list(&mut connection, filter).await?;
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
