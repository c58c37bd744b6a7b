use axum::{extract::State, http::StatusCode, response::Response};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use tiffin_chassis::{
    Caller, IdempotencyKey, Json, Problem, ProblemBody, Writes,
    documented::{BadBody, BadToken, TooMany},
};
use tiffin_events::{DeliveryId, Role, UserId};
use utoipa::ToSchema;
use uuid::Uuid;

use super::DeliveryAnswer;
use crate::{
    delivery::{Delivery, Order, PROMISE},
    error::Error,
    limits,
    scope::Scope,
    store::{self, deliveries, orders, people, rows},
};

/// The order to bring, and its driver. The rest comes from the order.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewDelivery {
    /// The order's `_id` or `orderId`.
    order_id: String,
    /// Needed where the order has no delivery yet.
    driver_id: Option<Uuid>,
}

/// Finds the delivery that an order's confirmation made, or makes it.
#[utoipa::path(
    post,
    path = "/api/v1/delivery",
    tag = "delivery",
    params(("Idempotency-Key" = Option<String>, Header, description = "The same key and body give the first answer again.")),
    request_body = NewDelivery,
    responses(
        (status = 200, description = "The delivery that the order has.", body = DeliveryAnswer),
        (status = 201, description = "The delivery that was made.", body = DeliveryAnswer),
        BadBody,
        BadToken,
        TooMany,
        (
            status = 403,
            description = "The caller is neither an owner nor an administrator.",
            body = ProblemBody,
            content_type = "application/problem+json",
        ),
        (
            status = 404,
            description = "There is no such order at a restaurant of the caller's.",
            body = ProblemBody,
            content_type = "application/problem+json",
        ),
        (
            status = 409,
            description = "The order was cancelled.",
            body = ProblemBody,
            content_type = "application/problem+json",
        ),
        (
            status = 422,
            description = "There is no delivery yet and no driver, or not one who may drive.",
            body = ProblemBody,
            content_type = "application/problem+json",
        ),
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["restaurant", "admin"]))),
)]
pub async fn create_delivery(
    State(state): State<crate::State>,
    caller: Caller,
    writes: Writes,
    key: IdempotencyKey,
    Json(request): Json<NewDelivery>,
) -> Result<Response, Problem> {
    caller.require(&[Role::Restaurant, Role::Admin])?;
    let counted = writes.count(&limits::CHANGES, &caller).await;
    let mut tx = state.pool.begin().await?;
    if let Some(answer) = key
        .first_answer(&mut tx, caller.id, "create_delivery", &request)
        .await?
    {
        return Ok(answer);
    }
    // What was answered before is answered again, however often.
    counted?;
    let (status, answer) = request.find_or_make(&mut tx, &state, &caller).await?;
    let answer = key
        .keep(
            &mut tx,
            caller.id,
            "create_delivery",
            &request,
            status,
            &answer,
        )
        .await?;
    tx.commit().await?;
    Ok(answer)
}

impl NewDelivery {
    async fn find_or_make(
        &self,
        tx: &mut PgConnection,
        state: &crate::State,
        caller: &Caller,
    ) -> Result<(StatusCode, DeliveryAnswer), Error> {
        let order = orders::find(tx, Scope::of(caller), &self.order_id).await?;
        let order = order.ok_or(Error::NoOrder)?;
        order.to_bring()?;
        let (id, status, message) = if let Some(id) = deliveries::of_order(tx, order.id).await? {
            (id, StatusCode::OK, "The delivery is there already.")
        } else {
            let id = self.make(tx, state, caller, &order).await?;
            (id, StatusCode::CREATED, "Delivery info saved to database.")
        };
        let delivery = rows::one(tx, Scope::of(caller), id).await?;
        Ok((
            status,
            DeliveryAnswer {
                message: message.to_owned(),
                delivery,
            },
        ))
    }

    /// Makes the delivery. The order is locked, so no other process makes it meanwhile.
    async fn make(
        &self,
        tx: &mut PgConnection,
        state: &crate::State,
        caller: &Caller,
        order: &Order,
    ) -> Result<DeliveryId, Error> {
        let Some(driver) = self.driver_id.map(UserId) else {
            return Err(Error::Invalid("driverId", "Please select a driver."));
        };
        if !people::may_drive(tx, driver).await? {
            return Err(Error::Invalid("driverId", "There is no such driver."));
        }
        let now = state.clock.now();
        let delivery = Delivery::of(
            order,
            DeliveryId(state.clock.new_id()),
            driver,
            now + PROMISE,
            now,
        )?;
        store::create(
            tx,
            &state.clock,
            &crate::State::cause(caller),
            order,
            &delivery,
        )
        .await?;
        Ok(delivery.id)
    }
}
