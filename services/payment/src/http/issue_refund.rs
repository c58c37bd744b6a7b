use axum::{extract::State, http::StatusCode, response::Response};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use tiffin_chassis::{
    Caller, IdempotencyKey, Json, Path, Problem, Scope, Writes, idempotency,
    refusal::{BadBody, BadField, BadKey, BadPath, BadToken, BadValue, TooMany, WrongCaller},
    refused_by,
};
use tiffin_events::{
    Money, RefundId, Role,
    payment::{RefundReason, RefundedBy},
};
use utoipa::ToSchema;

use super::get_refunds::{self, OrderRefunds};
use crate::{
    error::Error,
    limits,
    refund::{self, BadRefund, OwnerLimits, Refund, RefundableOrder},
    store::{self, checkouts, refunds},
};

const OPERATION: &str = "issue_refund";

/// A refund of an order, whole or in part. The customer reads the reason and the note.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct NewRefund {
    /// The whole rest of the order's price without it.
    #[schema(value_type = Option<f64>)]
    amount: Option<Money>,
    reason: RefundReason,
    /// A line to the customer, of at most 200 characters.
    note: Option<String>,
}

/// The refunds of the order with the new one.
#[derive(Debug, Serialize, ToSchema)]
pub struct RefundAnswer {
    message: String,
    refunds: OrderRefunds,
}

refused_by! {
    IssueRefundRefusals:
        BadBody, BadField, BadKey, BadPath, BadToken, WrongCaller::{Role}, TooMany,
        BadValue::{AmountDecimals, AmountWhole, AmountThousandths, AmountTooLarge}, BadRefund,
}

/// Refunds a paid order, whole or in part: an administrator up to its price, its restaurant's owner within the
/// platform's limits.
///
/// The order costs so much less from then on and stays paid. The provider is asked for the money next, and again until
/// it pays. If the order is cancelled later, the rest of its price goes back.
#[utoipa::path(
    post,
    path = "/api/v1/payment/refunds/{orderId}",
    tag = "payment",
    params(
        ("orderId" = String, Path, description = "The order's `_id` or `orderId`."),
        ("Idempotency-Key" = Option<String>, Header, description = "A repeated request with the same key and body gets the first answer again."),
    ),
    request_body = NewRefund,
    responses(
        (status = 201, description = "The refund is under way.", body = RefundAnswer),
        IssueRefundRefusals,
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["restaurant", "admin"]))),
)]
pub async fn issue_refund(
    State(state): State<crate::State>,
    caller: Caller,
    writes: Writes,
    key: IdempotencyKey,
    Path(order_key): Path<String>,
    Json(body): Json<NewRefund>,
) -> Result<Response, Problem> {
    caller.require(&[Role::Restaurant, Role::Admin])?;
    let by = refund::side(caller.role).ok_or(WrongCaller::Role)?;
    let note = refund::note(body.note.as_deref())?;
    let counted = writes.count(&limits::REFUNDS, &caller).await;
    let mut tx = idempotency::begin(&state.pool, caller.id, OPERATION).await?;
    // A key belongs to one order.
    let asked = (&order_key, &body);
    if let Some(answer) = key
        .first_answer(&mut tx, caller.id, OPERATION, &asked)
        .await?
    {
        return Ok(answer);
    }
    // A repeated request gets its first answer even above the limit.
    counted?;
    let order = refunds::find_order(&mut tx, Scope::of(&caller), &order_key)
        .await?
        .ok_or(BadRefund::NoOrder)?;
    let refund = Refund {
        id: RefundId(state.clock.new_id()),
        order: order.id,
        order_code: order.code.clone(),
        restaurant: order.restaurant,
        owner: order.owner,
        amount: body.amount.unwrap_or_default(),
        by,
        actor: caller.id,
        reason: body.reason,
        note,
        created_at: state.clock.now(),
    };
    let amount = issue(
        &mut tx,
        &state,
        &caller,
        &order,
        refund,
        body.amount.is_none(),
    )
    .await?;
    let now = state.clock.now();
    let answer = RefundAnswer {
        message: format!("{amount} is refunded"),
        refunds: get_refunds::read(&mut tx, &order, Some(by), state.owner_limits, now).await?,
    };
    let status = StatusCode::CREATED;
    let answer = key
        .keep(&mut tx, caller.id, OPERATION, &asked, status, &answer)
        .await?;
    tx.commit().await?;
    state.work_waits.notify_one();
    Ok(answer)
}

/// Checks a refund while its checkout is locked, and makes it. `is_whole` takes all that is left of the order's price.
/// Returns the amount.
async fn issue(
    tx: &mut PgConnection,
    state: &crate::State,
    caller: &Caller,
    order: &RefundableOrder,
    mut refund: Refund,
    is_whole: bool,
) -> Result<Money, Error> {
    // An erasure locks the customer before their orders, and so does a refund.
    tiffin_database::keep_from_erasure(tx, &[order.customer.0]).await?;
    let checkout = checkouts::lock(tx, order.checkout).await?;
    if refund.by == RefundedBy::Restaurant {
        refunds::lock_restaurant(tx, order.restaurant).await?;
    }
    if let Some(refusal) = checkout.refund_refusal(order.id) {
        return Err(refusal.into());
    }
    let since = OwnerLimits::day_before(refund.created_at);
    let earlier = refunds::earlier(tx, order, since).await?;
    let (limits, now) = (state.owner_limits, refund.created_at);
    if is_whole {
        refund.amount = refund::most(RefundedBy::Administrator, order, earlier, limits, now)?;
    }
    refund::check(refund.amount, refund.by, order, earlier, limits, now)?;
    let cause = crate::State::cause(caller);
    let mut parts = Vec::new();
    store::change(tx, &state.recorder, &cause, order.checkout, |checkout| {
        let (made_from, events) = checkout.issue_refund(&refund, &cause);
        parts = made_from;
        events
    })
    .await?;
    refunds::insert(tx, &refund, order, &parts).await?;
    Ok(refund.amount)
}
