use axum::{extract::State, http::StatusCode, response::Response};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use tiffin_chassis::{
    Caller, IdempotencyKey, Json, Problem, Scope, Writes, idempotency,
    refusal::{BadBody, BadField, BadKey, BadToken, TooMany, WrongCaller},
    refusals, refused_by,
};
use tiffin_events::{DeliveryId, Role, UserId};
use utoipa::ToSchema;
use uuid::Uuid;

use super::DeliveryAnswer;
use crate::{
    delivery::{AssignedDriver, DELIVERY_TIME, Delivery, Order, Refusal},
    limits,
    store::{self, accounts, deliveries, delivery_list, orders},
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

refusals! {
    /// The reason why no delivery is made.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum BadDriver {
        Missing = 422, "delivery.driver-required", "Please select a driver.", at "driverId";
        Unknown = 422, "delivery.driver-unknown", "There is no such driver.", at "driverId";
    }
}

refused_by! {
    CreateDeliveryRefusals:
        BadBody, BadField, BadKey, BadToken, WrongCaller::{Role}, TooMany,
        Refusal::{NoOrder, OrderCancelled, NotFound}, BadDriver,
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
        CreateDeliveryRefusals,
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
    let mut tx = idempotency::begin(&state.pool, caller.id, "create_delivery").await?;
    if let Some(answer) = key
        .first_answer(&mut tx, caller.id, "create_delivery", &request)
        .await?
    {
        return Ok(answer);
    }
    // A repeated request gets its first answer even above the limit.
    counted?;
    let (status, answer) = request.find_or_create(&mut tx, &state, &caller).await?;
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
    async fn find_or_create(
        &self,
        tx: &mut PgConnection,
        state: &crate::State,
        caller: &Caller,
    ) -> Result<(StatusCode, DeliveryAnswer), Problem> {
        let order = orders::find(tx, Scope::of(caller), &self.order_id).await?;
        let order = order.ok_or(Refusal::NoOrder)?;
        order.check_deliverable()?;
        let (id, status, message) = if let Some(id) = deliveries::of_order(tx, order.id).await? {
            (id, StatusCode::OK, "The delivery is there already.")
        } else {
            let id = self.insert(tx, state, caller, &order).await?;
            (id, StatusCode::CREATED, "Delivery info saved to database.")
        };
        let delivery = delivery_list::find(tx, Scope::of(caller), id).await?;
        Ok((
            status,
            DeliveryAnswer {
                message: message.to_owned(),
                delivery,
            },
        ))
    }

    /// Inserts the delivery. The order is locked, so no other process inserts one meanwhile.
    async fn insert(
        &self,
        tx: &mut PgConnection,
        state: &crate::State,
        caller: &Caller,
        order: &Order,
    ) -> Result<DeliveryId, Problem> {
        let Some(driver) = self.driver_id.map(UserId) else {
            return Err(BadDriver::Missing.into());
        };
        if !accounts::is_active_driver(tx, driver).await? {
            return Err(BadDriver::Unknown.into());
        }
        let now = state.clock.now();
        let delivery = Delivery::of(
            order,
            DeliveryId(state.clock.new_id()),
            AssignedDriver {
                id: driver,
                vehicle: None,
            },
            now + DELIVERY_TIME,
            now,
        )?;
        store::create(
            tx,
            &state.recorder,
            &crate::State::cause(caller),
            order,
            &delivery,
        )
        .await?;
        Ok(delivery.id)
    }
}
