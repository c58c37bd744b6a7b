//! The routes of this service.

mod count_unread_notifications;
mod create_notification;
mod list_notifications;
mod preferences;
mod push;
mod read_all_notifications;
mod read_notification;
mod show_push_key;

use serde::Serialize;
use sqlx::PgConnection;
use tiffin_events::{DeliveryId, NotificationId, OrderId, notification::NotificationTopic};
use time::OffsetDateTime;
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::{
    Error, State, bundle::Bundle, error::Refusal, notification, store::bundles, text::CodedText,
};

/// The service's HTTP interface.
pub fn router(state: State) -> OpenApiRouter {
    OpenApiRouter::with_openapi(tiffin_chassis::refusal::openapi::base())
        .routes(routes!(
            list_notifications::list_notifications,
            create_notification::create_notification
        ))
        .routes(routes!(read_notification::read_notification))
        .routes(routes!(read_all_notifications::read_all_notifications))
        .routes(routes!(
            count_unread_notifications::count_unread_notifications
        ))
        .routes(routes!(
            preferences::show_preferences,
            preferences::set_preferences
        ))
        .routes(routes!(push::subscribe, push::unsubscribe))
        .routes(routes!(show_push_key::show_push_key))
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
    /// The code of that sentence and the values in it, to translate it by.
    #[schema(inline)]
    coded: Option<CodedText>,
    order_id: OrderId,
    /// The order's short code.
    order_code: String,
    /// The dishes of the orders, with their quantities, if it is about several orders of a ticket: `2 × Kottu`.
    dishes: Vec<String>,
    /// The name of the restaurant that the order is from, if it is known.
    restaurant_name: Option<String>,
    delivery_id: Option<DeliveryId>,
    read: bool,
    /// The time of the event.
    #[serde(with = "time::serde::rfc3339")]
    timestamp: OffsetDateTime,
}

impl From<Bundle> for Notification {
    fn from(bundle: Bundle) -> Self {
        let (coded, text, dishes) = (bundle.coded(), bundle.text(), bundle.dishes());
        let restaurant_name = bundle.restaurant().map(str::to_owned);
        let made = bundle.notification;
        Self {
            coded,
            dishes,
            restaurant_name,
            text,
            id: made.id,
            topic: made.topic,
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
    async fn of(
        tx: &mut PgConnection,
        message: &str,
        notification: notification::Notification,
    ) -> Result<Self, Error> {
        let mut bundles = bundles::with_orders(tx, vec![notification]).await?;
        let bundle = bundles.pop().ok_or(Refusal::Unknown)?;
        Ok(Self {
            message: message.to_owned(),
            notification: bundle.into(),
        })
    }
}
