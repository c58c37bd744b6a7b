use axum::{extract::State, response::Response};
use serde::{Deserialize, Serialize};
use tiffin_chassis::{
    Caller, Problem, Query, Scope,
    paging::{self, Cursor, SearchTerm},
    refusal::{BadField, BadQuery, BadToken, BadValue},
    refused_by,
};
use tiffin_events::order::OrderStatus;
use utoipa::{IntoParams, ToSchema};

use crate::{
    store::order_list::{self, Filter},
    view::OrderView,
};

const LIST: &str = "/api/v1/orders";

/// The filters of the list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
pub struct OrderSearch {
    /// A part of the `orderId`, or of the name of dish, restaurant, customer or driver, or of the
    /// customer's e-mail, phone or address. At most 100 characters.
    #[serde(default)]
    #[param(value_type = Option<String>, max_length = 100)]
    q: SearchTerm,
    /// Only orders with this status.
    status: Option<OrderStatus>,
    /// Only orders that are neither delivered nor cancelled, or only the others.
    is_open: Option<bool>,
    /// Only orders that an administrator has approved, or only those that wait for it; a cancelled one does not.
    is_approve: Option<bool>,
    /// The newest first without it.
    #[serde(default)]
    #[param(value_type = Option<Sort>, inline)]
    sort: Sort,
    /// The largest number of rows, 1 to 500; 1,000 by default.
    limit: Option<i64>,
    /// The cursor from the previous page's `Link`.
    #[param(value_type = Option<String>)]
    cursor: Option<Cursor>,
}

/// The order of a list of orders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = OrderSort)]
pub enum Sort {
    #[default]
    Newest,
    Oldest,
    /// The largest amount.
    Amount,
    /// The smallest amount.
    Smallest,
}

refused_by! {
    ListOrdersRefusals:
        BadQuery, BadField, BadToken, BadValue::{NoCursor, WordsTooLong},
}

/// The caller's orders: a customer's own, those of an owner's restaurants, those a driver brings, all
/// for an administrator.
#[utoipa::path(
    get,
    path = "/api/v1/orders",
    tag = "order",
    params(OrderSearch),
    responses(
        (status = 200, description = "The orders; `Link` leads to the next page.", body = Vec<OrderView>),
        ListOrdersRefusals,
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["customer", "restaurant", "delivery", "admin", "operator"]))),
)]
pub async fn list_orders(
    State(state): State<crate::State>,
    caller: Caller,
    Query(search): Query<OrderSearch>,
) -> Result<Response, Problem> {
    let filter = Filter {
        words: search.q.text(),
        status: search.status,
        is_open: search.is_open,
        is_approved: search.is_approve,
        sort: search.sort.as_str(),
        after: search.cursor.as_ref(),
        limit: paging::sql_limit(search.limit),
        ..Filter::all(Scope::of(&caller))
    };
    let mut connection = state.pool.acquire().await?;
    let orders = order_list::list(&mut connection, filter).await?;
    let asked = [
        ("q", search.q.text()),
        ("status", search.status.map(OrderStatus::as_str)),
        ("isOpen", search.is_open.map(flag)),
        ("isApprove", search.is_approve.map(flag)),
        ("sort", Some(search.sort.as_str())),
    ];
    Ok(paging::answer(LIST, &asked, search.limit, orders))
}

const fn flag(is: bool) -> &'static str {
    if is { "true" } else { "false" }
}

impl Sort {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Newest => "newest",
            Self::Oldest => "oldest",
            Self::Amount => "amount",
            Self::Smallest => "smallest",
        }
    }
}
