use std::slice;

use axum::{extract, response::Response};
use http::StatusCode;
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use tiffin_bus::Cause;
use tiffin_chassis::{
    Caller, IdempotencyKey, Json, Problem, Writes, idempotency,
    refusal::{BadBody, BadField, BadKey, BadToken, TooMany, WrongCaller},
    refused_by, telemetry,
};
use tiffin_events::{NotificationId, Role, notification::NotificationTopic};
use utoipa::ToSchema;

use super::NotificationAnswer;
use crate::{
    State,
    drafts::{Draft, USUAL},
    error::Refusal,
    limits,
    notification::{Channels, Notification},
    store::{
        self,
        creation::{self, Created},
        occasions::{self, Candidate},
        orders::{self, Order},
        preferences,
    },
    text,
};

const OPERATION: &str = "create_notification";

/// An order and its status. The service takes everything else from its own rows.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NewNotification {
    /// The order's `_id` or `orderId`.
    order_id: String,
    /// `picked up` (the default), `on the way` or `delivered`.
    status: Option<String>,
}

impl NewNotification {
    /// The notification for the order's customer.
    fn draft(&self, order: &Order) -> Result<Draft, Refusal> {
        let (topic, text) = match self.status.as_deref().unwrap_or("picked up") {
            "picked up" | "confirmed" => (
                NotificationTopic::OrderConfirmed,
                text::CONFIRMED.about(&order.code),
            ),
            "on the way" => (
                NotificationTopic::DeliveryOnTheWay,
                text::ON_THE_WAY.about(&order.code),
            ),
            "delivered" => (
                NotificationTopic::DeliveryDelivered,
                text::DELIVERED.about(&order.code),
            ),
            _ => {
                return Err(Refusal::Status);
            }
        };
        let (user, order_id, order_code) = (order.customer, order.id, order.code.clone());
        Ok(Draft {
            user,
            topic,
            text,
            order_id,
            order_code,
            delivery_id: None,
            window: Some(USUAL),
        })
    }
}

refused_by! {
    CreateNotificationRefusals:
        BadBody, BadField, BadKey, BadToken, WrongCaller::{Role}, TooMany,
        Refusal::{NoOrder, Status},
}

/// Notifies an order's customer of its status.
///
/// The order's events notify the customer in any case. If that notification exists already, it is the answer
/// (200). If not, one is created (201), and the later event creates no second one.
#[utoipa::path(
    post, path = "/api/v1/notification", tag = "notification", request_body = NewNotification,
    params(("Idempotency-Key" = Option<String>, Header, description = "A repeated request with the same key and body gets the first answer again.")),
    responses(
        (status = 200, description = "The notification existed before.", body = NotificationAnswer),
        (status = 201, description = "The notification is new.", body = NotificationAnswer),
        CreateNotificationRefusals,
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["restaurant", "admin"])))
)]
pub(crate) async fn create_notification(
    extract::State(state): extract::State<State>,
    caller: Caller,
    writes: Writes,
    key: IdempotencyKey,
    Json(body): Json<NewNotification>,
) -> Result<Response, Problem> {
    caller.require(&[Role::Restaurant, Role::Admin])?;
    let counted = writes.count(&limits::NOTIFICATIONS, &caller).await;
    let mut tx = idempotency::begin(&state.pool, caller.id, OPERATION).await?;
    if let Some(answer) = key
        .first_answer(&mut tx, caller.id, OPERATION, &body)
        .await?
    {
        return Ok(answer);
    }
    // A repeated request gets its first answer even above the limit.
    counted?;
    let order = orders::find(&mut tx, body.order_id.trim()).await?;
    let order = order.filter(|order| caller.is_admin() || order.owner == caller.id);
    let order = order.ok_or(Refusal::NoOrder)?;
    let draft = body.draft(&order)?;
    let cause = Cause::user(caller.id, telemetry::traceparent()).about(order.id.0);
    let (status, notification) = find_or_make(&mut tx, &state, &cause, draft).await?;
    let message = if status == StatusCode::CREATED {
        "Notification sent"
    } else {
        "Notification found"
    };
    let answer = NotificationAnswer::of(&mut tx, message, notification).await?;
    let answer = key
        .keep(&mut tx, caller.id, OPERATION, &body, status, &answer)
        .await?;
    tx.commit().await?;
    state.wake();
    Ok(answer)
}

async fn find_or_make(
    tx: &mut PgConnection,
    state: &State,
    cause: &Cause,
    draft: Draft,
) -> Result<(StatusCode, Notification), crate::Error> {
    let (order, user, topic) = (draft.order_id, draft.user, draft.topic);
    if let Some(found) = store::find_newest(tx, order, user, topic).await? {
        return Ok((StatusCode::OK, found));
    }
    let id = NotificationId(state.clock.new_id());
    let (now, preferences) = (
        state.clock.now(),
        preferences::channels_of(tx, [user]).await?,
    );
    let preferences = preferences.get(&user).copied().unwrap_or_default();
    let candidate = Candidate {
        id,
        draft: &draft,
        at: now,
        channels: Channels::due(preferences, now, now, false),
    };
    let mut bundled = (candidate.channels, None);
    for one in occasions::bundle(tx, &[candidate], now).await? {
        bundled = one;
    }
    let (channels, bundle) = bundled;
    let (mut notification, event) = Notification::make(id, draft, now, None, channels);
    notification.bundle = bundle;
    let created = Created {
        live: notification.is_fresh(now),
        cause: cause.clone(),
        notification,
        event,
        waits: true,
    };
    let inserted = creation::insert(tx, &state.recorder, slice::from_ref(&created)).await?;
    if inserted.contains(&id) {
        return Ok((StatusCode::CREATED, created.notification));
    }
    let found = store::find_newest(tx, order, user, topic).await?;
    Ok((StatusCode::OK, found.unwrap_or(created.notification)))
}
