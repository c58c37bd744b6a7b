use axum::extract::State;
use serde::Serialize;
use sqlx::PgConnection;
use tiffin_chassis::{
    Caller, Json, Path, Problem, Scope,
    refusal::{BadPath, BadToken, WrongCaller},
    refused_by,
};
use tiffin_events::{
    Money, Role,
    payment::{RefundReason, RefundedBy},
};
use time::OffsetDateTime;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    error::Error,
    refund::{self, BadRefund, OwnerLimits, Refund, RefundState, RefundableOrder},
    store::{checkouts, refunds},
};

/// Money of one order that the restaurant or an administrator refunds.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Refund)]
pub struct RefundView {
    #[serde(rename = "_id")]
    id: Uuid,
    #[schema(value_type = f64)]
    amount: Money,
    state: RefundState,
    reason: RefundReason,
    /// A line to the customer; null without one, and of a closed account.
    note: Option<String>,
    by: RefundedBy,
    #[serde(with = "time::serde::rfc3339")]
    created_at: OffsetDateTime,
}

/// The refunds of an order, and how much more the caller may refund.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrderRefunds {
    /// The order's `orderId`.
    #[schema(example = "ORD-7K3M9QX2")]
    order_id: String,
    /// The price of the order when it was placed.
    #[schema(value_type = f64)]
    total_amount: Money,
    /// The sum of its refunds, made or under way.
    #[schema(value_type = f64)]
    refunded: Money,
    /// The most that the caller may refund now; 0 for customers.
    #[schema(value_type = f64)]
    refundable: Money,
    /// The moment until which the restaurant may refund it.
    #[serde(with = "time::serde::rfc3339")]
    restaurant_until: OffsetDateTime,
    /// The oldest first.
    refunds: Vec<RefundView>,
}

refused_by! {
    GetRefundsRefusals:
        BadPath, BadToken, WrongCaller::{Role}, BadRefund::{NoOrder},
}

/// The refunds of an order by people: for its customer, its restaurant's owner and administrators.
///
/// Money that goes back because an order was cancelled is no such refund; the payments have it.
#[utoipa::path(
    get,
    path = "/api/v1/payment/refunds/{orderId}",
    tag = "payment",
    params(("orderId" = String, Path, description = "The order's `_id` or `orderId`.")),
    responses(
        (status = 200, description = "The refunds.", body = OrderRefunds),
        GetRefundsRefusals,
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["customer", "restaurant", "admin"]))),
)]
pub async fn get_refunds(
    State(state): State<crate::State>,
    caller: Caller,
    Path(key): Path<String>,
) -> Result<Json<OrderRefunds>, Problem> {
    caller.require(&[Role::Customer, Role::Restaurant, Role::Admin])?;
    let mut connection = state.pool.acquire().await?;
    let order = refunds::find_order(&mut connection, Scope::of(&caller), &key)
        .await?
        .ok_or(BadRefund::NoOrder)?;
    let now = state.clock.now();
    let read = read(
        &mut connection,
        &order,
        refund::side(caller.role),
        state.owner_limits,
        now,
    );
    Ok(Json(read.await?))
}

/// An order's refunds as a side sees them.
pub(super) async fn read(
    tx: &mut PgConnection,
    order: &RefundableOrder,
    side: Option<RefundedBy>,
    limits: OwnerLimits,
    now: OffsetDateTime,
) -> Result<OrderRefunds, Error> {
    let earlier = refunds::earlier(tx, order, OwnerLimits::day_before(now)).await?;
    let checkout = checkouts::read(tx, order.checkout).await?;
    let refusal = checkout.refund_refusal(order.id);
    let refundable = side
        .filter(|_| refusal.is_none())
        .and_then(|side| refund::most(side, order, earlier, limits, now).ok());
    let refunds = refunds::of_order(tx, order.id).await?.into_iter();
    Ok(OrderRefunds {
        order_id: order.code.clone(),
        total_amount: order.total,
        refunded: earlier.order,
        refundable: refundable.unwrap_or(Money::ZERO),
        restaurant_until: limits.until(order),
        refunds: refunds.map(RefundView::from).collect(),
    })
}

impl From<(Refund, RefundState)> for RefundView {
    fn from((refund, state): (Refund, RefundState)) -> Self {
        Self {
            id: refund.id.0,
            amount: refund.amount,
            state,
            reason: refund.reason,
            note: refund.note,
            by: refund.by,
            created_at: refund.created_at,
        }
    }
}
