//! Figures of a restaurant's orders, for its owner and administrators.

use serde::Serialize;
use tiffin_events::Money;
use time::Date;
use utoipa::ToSchema;
use uuid::Uuid;

time::serde::format_description!(day, Date, "[year]-[month]-[day]");

/// Orders of some days by the clocks of the platform. A cancelled order counts only among
/// the cancelled. Revenue and the unpaid add up to the prices of the other orders; where a checkout is paid in part,
/// each of its orders gets a share in proportion to its price.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Figures {
    /// The first day.
    #[serde(with = "day")]
    pub from: Date,
    /// The last day.
    #[serde(with = "day")]
    pub to: Date,
    pub orders: i64,
    /// The captures less refunds.
    #[schema(value_type = f64)]
    pub revenue: Money,
    /// The amount that is still to be paid.
    #[schema(value_type = f64)]
    pub unpaid: Money,
    pub cancelled: i64,
    /// Each day, quiet ones too.
    pub days: Vec<DayFigures>,
    /// Each hour of the day, over all days.
    pub hours: Vec<HourFigures>,
    /// The ten dishes that were ordered most, then others of the ten that brought most.
    pub best_items: Vec<ItemFigures>,
    /// The time from placing to confirmation.
    pub to_confirm: Wait,
    /// The time from placing to delivery.
    pub to_deliver: Wait,
}

#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DayFigures {
    #[serde(with = "day")]
    pub date: Date,
    pub orders: i64,
    /// The captures less refunds.
    #[schema(value_type = f64)]
    pub revenue: Money,
    /// The amount that is still to be paid.
    #[schema(value_type = f64)]
    pub unpaid: Money,
}

#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct HourFigures {
    /// 0 to 23.
    pub hour: i32,
    pub orders: i64,
    /// The captures less refunds.
    #[schema(value_type = f64)]
    pub revenue: Money,
    /// The amount that is still to be paid.
    #[schema(value_type = f64)]
    pub unpaid: Money,
}

#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ItemFigures {
    pub item_id: Uuid,
    /// As it was last ordered under.
    pub name: String,
    /// A picture's URL.
    pub image: Option<String>,
    pub orders: i64,
    /// The ordered quantity.
    pub quantity: i64,
    /// The captures less refunds.
    #[schema(value_type = f64)]
    pub revenue: Money,
    /// The amount that is still to be paid.
    #[schema(value_type = f64)]
    pub unpaid: Money,
}

/// The time that a step took.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Wait {
    /// The number of orders that were measured.
    pub orders: i64,
    /// Seconds; null where there is no order.
    pub mean: Option<i64>,
    /// Seconds; null where there is no order.
    pub median: Option<i64>,
}
