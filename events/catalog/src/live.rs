//! The frames of the live websocket (`GET /live`): JSON in text frames.

use std::{fmt, str::FromStr};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{DeliveryId, OrderId, UserId};

/// A topic that a socket can watch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Topic {
    /// Positions and status of a delivery.
    Delivery(DeliveryId),
    /// Positions of every delivery under way, for administrators.
    Deliveries,
    /// Status of an order.
    Order(OrderId),
    /// The user's notifications, and hints to fetch their lists again; hints for their role too.
    Me,
    /// An operator's replay: how far it is, and what a live one shows. For administrators.
    Replay(Uuid),
}

impl fmt::Display for Topic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Delivery(id) => write!(f, "delivery:{id}"),
            Self::Deliveries => f.write_str("deliveries"),
            Self::Order(id) => write!(f, "order:{id}"),
            Self::Me => f.write_str("me"),
            Self::Replay(id) => write!(f, "replay:{id}"),
        }
    }
}

/// A topic that does not exist.
#[derive(Debug, thiserror::Error)]
#[error("a topic is delivery:<id>, deliveries, order:<id>, replay:<id> or me")]
pub struct UnknownTopic;

impl FromStr for Topic {
    type Err = UnknownTopic;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let id = |text: &str| text.parse::<Uuid>().map_err(|_| UnknownTopic);
        match text.split_once(':') {
            None if text == "me" => Ok(Self::Me),
            None if text == "deliveries" => Ok(Self::Deliveries),
            Some(("delivery", rest)) => Ok(Self::Delivery(DeliveryId(id(rest)?))),
            Some(("order", rest)) => Ok(Self::Order(OrderId(id(rest)?))),
            Some(("replay", rest)) => Ok(Self::Replay(id(rest)?)),
            _ => Err(UnknownTopic),
        }
    }
}

/// A client's frame.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum ClientFrame {
    /// The first frame, within 5 s.
    Auth {
        token: String,
    },
    /// Asks for a topic; `after` is the stream sequence of the last status the client has seen.
    Watch {
        topic: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        after: Option<u64>,
    },
    Unwatch {
        topic: String,
    },
    /// A driver's position.
    Position(DevicePosition),
    /// Positions buffered while offline, newest first.
    Positions {
        positions: Vec<DevicePosition>,
    },
}

/// One position of a driver's device.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DevicePosition {
    /// Left out, it counts for all the driver's deliveries under way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delivery_id: Option<DeliveryId>,
    /// WGS 84 degrees.
    pub lat: f64,
    pub lng: f64,
    /// Metres.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accuracy: Option<f64>,
    /// Degrees clockwise from true north.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heading: Option<f64>,
    /// Metres a second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed: Option<f64>,
    /// By the device's clock.
    #[serde(with = "time::serde::rfc3339")]
    #[schemars(with = "String", extend("format" = "date-time"))]
    pub at: OffsetDateTime,
}

/// A frame of the bridge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum ServerFrame {
    #[serde(rename_all = "camelCase")]
    Ready {
        user_id: UserId,
        #[serde(with = "time::serde::rfc3339")]
        #[schemars(with = "String", extend("format" = "date-time"))]
        expires_at: OffsetDateTime,
    },
    Watching {
        topic: String,
    },
    /// The answer to a `watch` that is refused, or the end of one whose right was lost.
    Refused {
        topic: String,
        /// The reason, such as `live.not-allowed`. It is stable; the sentence is not.
        code: String,
        /// The reason as a sentence in English.
        message: String,
    },
    /// A driver's position. The topic is `delivery:<id>`, to those who watch `deliveries` too.
    #[serde(rename_all = "camelCase")]
    Position {
        topic: String,
        delivery_id: DeliveryId,
        lat: f64,
        lng: f64,
        /// Radius in metres of the 95 % circle.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[serde(default)]
        accuracy: Option<f64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        #[serde(default)]
        heading: Option<f64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        #[serde(default)]
        speed: Option<f64>,
        #[serde(with = "time::serde::rfc3339")]
        #[schemars(with = "String", extend("format" = "date-time"))]
        at: OffsetDateTime,
    },
    /// A domain event. `seq` is its stream sequence, to resume after; a hint on `me` has none. A hint
    /// for a role has empty `data`: something of its type changed, and one hint covers several. A
    /// replay shows events of the past, personal fields masked, and names the stream of each.
    Event {
        topic: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        #[serde(default)]
        seq: Option<u64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        #[serde(default)]
        stream: Option<String>,
        /// The subject that it was published on, of a replayed one only.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[serde(default)]
        subject: Option<String>,
        event: Box<crate::Envelope>,
    },
    /// The progress of a replay. After `done`, `cancelled` or `failed` nothing more comes of its topic.
    Progress {
        topic: String,
        /// `running`, `paused`, `done`, `cancelled` or `failed`.
        state: String,
        /// Events to go through.
        total: u64,
        handled: u64,
        skipped: u64,
        failed: u64,
    },
    /// The payload of `tiffin.notification.created.v1`, without its text, which is sealed: `GET /api/v1/notification`
    /// has it.
    Notification {
        notification: serde_json::Value,
    },
    /// The answer to any other frame that is refused. The socket stays open, until too many.
    Error {
        /// The reason, such as `live.too-fast`. It is stable; the sentence is not.
        code: String,
        /// The reason as a sentence in English.
        message: String,
    },
}
