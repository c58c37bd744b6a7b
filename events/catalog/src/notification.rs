//! Notifications: messages to a user, and their delivery by mail and push.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    DeliveryId, NotificationId, OrderId, UserId,
    envelope::events,
    personal::{Category, Mark},
};

/// The subject of a notification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum NotificationTopic {
    OrderPlaced,
    OrderConfirmed,
    OrderCancelled,
    /// An order waits for the restaurant's answer.
    OrderWaiting,
    /// The same, shortly before its deadline.
    OrderWaitingLong,
    /// The same, to the restaurant's second contact.
    OrderWaitingContact,
    /// Money of an order is refunded.
    OrderRefunded,
    DeliveryAssigned,
    DeliveryDeclined,
    DeliveryOnTheWay,
    DeliveryDelivered,
}

/// A channel by which a notification reaches its reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Channel {
    Mail,
    Push,
}

/// A notification was created.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NotificationCreatedV1 {
    pub notification_id: NotificationId,
    pub user_id: UserId,
    pub topic: NotificationTopic,
    /// One sentence for the reader, without names, addresses or phones.
    #[schemars(extend("x-personal" = Mark::new(Category::Text, "userId")))]
    pub text: String,
    pub order_id: OrderId,
    pub order_code: String,
    pub delivery_id: Option<DeliveryId>,
}

/// A notification left by a channel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NotificationSentV1 {
    pub notification_id: NotificationId,
    pub user_id: UserId,
    pub channel: Channel,
}

/// A notification could not leave by a channel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NotificationFailedV1 {
    pub notification_id: NotificationId,
    pub user_id: UserId,
    pub channel: Channel,
    /// Why, without the address it was for.
    pub reason: String,
}

events! {
    /// The events of a notification.
    NotificationEvent: "notification" in Notifications by "notification" {
        Created(NotificationCreatedV1) = "created", "v1", "A notification was created.";
        Sent(NotificationSentV1) = "sent", "v1", "A notification left by a channel.";
        Failed(NotificationFailedV1) = "failed", "v1", "A notification could not leave by a channel.";
    }
}
