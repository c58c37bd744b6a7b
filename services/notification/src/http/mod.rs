//! The routes of this service.

mod create;
mod preferences;
mod push;
mod reads;

use serde::Serialize;
use tiffin_events::{DeliveryId, NotificationId, OrderId, notification::NotificationTopic};
use time::OffsetDateTime;
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::{State, notification};

/// The service's HTTP interface.
pub fn router(state: State) -> OpenApiRouter {
    OpenApiRouter::new()
        .routes(routes!(
            reads::list_notifications,
            create::create_notification
        ))
        .routes(routes!(reads::read_notification))
        .routes(routes!(reads::read_all_notifications))
        .routes(routes!(reads::count_unread_notifications))
        .routes(routes!(
            preferences::show_preferences,
            preferences::set_preferences
        ))
        .routes(routes!(push::subscribe, push::unsubscribe))
        .routes(routes!(push::show_push_key))
        .with_state(state)
}

/// A notification.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Notification {
    #[serde(rename = "_id")]
    id: NotificationId,
    topic: NotificationTopic,
    /// One sentence.
    text: String,
    order_id: OrderId,
    /// The order's short code.
    order_code: String,
    delivery_id: Option<DeliveryId>,
    read: bool,
    /// The time of the event.
    #[serde(with = "time::serde::rfc3339")]
    timestamp: OffsetDateTime,
}

impl From<notification::Notification> for Notification {
    fn from(made: notification::Notification) -> Self {
        Self {
            id: made.id,
            topic: made.topic,
            text: made.text,
            order_id: made.order_id,
            order_code: made.order_code,
            delivery_id: made.delivery_id,
            read: made.read,
            timestamp: made.at,
        }
    }
}

/// A notification and the result of the request.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct NotificationAnswer {
    message: String,
    notification: Notification,
}

impl NotificationAnswer {
    fn new(message: &str, notification: notification::Notification) -> Self {
        Self {
            message: message.to_owned(),
            notification: notification.into(),
        }
    }
}
