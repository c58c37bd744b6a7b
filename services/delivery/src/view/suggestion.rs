//! Suggestions as owners see them.

use serde::Serialize;
use tiffin_events::{driver::VehicleType, suggestion::SuggestionReason};
use time::OffsetDateTime;
use utoipa::ToSchema;
use uuid::Uuid;

/// The drivers who suit an order best.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Suggestions {
    /// The order's short readable code.
    #[schema(example = "ORD-7K3M9QX2")]
    pub order_id: String,
    /// The time of the suggestion, which a pick names.
    #[serde(with = "time::serde::rfc3339")]
    pub suggested_at: OffsetDateTime,
    /// The best one first, four at most. Empty for a restaurant that is not verified, and where a place is unknown.
    pub drivers: Vec<SuggestedDriver>,
}

/// A driver with the time at which they would have the order at its door.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SuggestedDriver {
    pub driver_id: Uuid,
    pub first_name: String,
    pub vehicle_type: VehicleType,
    /// Minutes from now until the order is at the door. The driver's place counts as the middle of its square kilometre.
    pub minutes: i64,
    pub reason: ReasonView,
}

/// The reason for a driver's rank.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = SuggestionReasonDetail)]
pub struct ReasonView {
    pub code: SuggestionReason,
    /// The address that they bring an order of the same owner to before this one.
    pub address: Option<String>,
    /// Minutes from now until they are there.
    pub minutes: Option<i64>,
}
