//! A refund of an order by people: the amount, the reason, and how much each side may refund.
//!
//! A refund lowers the price of its order. The order stays paid, and its checkout's balance has a surplus of exactly
//! this amount, which goes back as any surplus does (`checkout.rs`).

use serde::Serialize;
use tiffin_chassis::{Env, env::EnvError, refusals};
use tiffin_events::{
    Currency, Money, OrderId, RefundId, RestaurantId, Role, UserId,
    payment::{RefundReason, RefundedBy},
};
use time::{Duration, OffsetDateTime};
use utoipa::ToSchema;

use crate::checkout::surplus;

#[cfg(test)]
mod tests;

/// The longest note, in characters.
const MAX_NOTE_LENGTH: usize = 200;

/// Money of one order that people refund.
#[derive(Clone, Debug, PartialEq)]
pub struct Refund {
    pub id: RefundId,
    pub order: OrderId,
    pub order_code: String,
    pub restaurant: RestaurantId,
    /// The owner of the order's restaurant.
    pub owner: UserId,
    pub amount: Money,
    pub by: RefundedBy,
    /// The account that made it.
    pub actor: UserId,
    pub reason: RefundReason,
    /// A line to the customer.
    pub note: Option<String>,
    pub created_at: OffsetDateTime,
}

/// The state of a refund.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = RefundState)]
pub enum RefundState {
    /// The provider is asked for the money.
    UnderWay,
    /// The provider has failed several times; it is asked again until it pays.
    Delayed,
    /// The money is back.
    Refunded,
}

/// The part of an order that decides about refunds.
#[derive(Clone, Debug, PartialEq)]
pub struct RefundableOrder {
    pub id: OrderId,
    pub code: String,
    pub checkout: tiffin_events::CheckoutId,
    pub customer: UserId,
    pub owner: UserId,
    pub restaurant: RestaurantId,
    pub total: Money,
    pub placed_at: OffsetDateTime,
}

/// The sums of earlier refunds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Earlier {
    /// Of the order.
    pub order: Money,
    /// Of the order, by the restaurant.
    pub order_by_restaurant: Money,
    /// By the restaurant in the last day.
    pub day: Money,
}

/// The limits of owners. Administrators have none but the order's price.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnerLimits {
    /// The part of an order's price, in percent.
    pub percent: i64,
    /// The time after an order was placed.
    pub time: Duration,
    /// The sum for one restaurant in [`OwnerLimits::DAY`].
    pub daily: Money,
}

refusals! {
    /// The reasons why money of an order is not refunded.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum BadRefund {
        NoOrder = 404, "payment.order-not-found", "There is no such order.";
        NoteTooLong = 422, "payment.note-too-long", "A note has at most 200 characters.", at "note";
        Nothing = 422, "payment.refund-nothing", "The amount must be above zero.", at "amount";
        TooMuch { amount: Money } =
            422, "payment.refund-too-much", "At most {amount} of this order can be refunded.", at "amount";
        AboveShare { amount: Money } =
            422, "payment.refund-above-share",
            "The restaurant can refund {amount} of this order. An administrator can refund more.", at "amount";
        AboveDay { amount: Money } =
            422, "payment.refund-above-day",
            "The restaurant can refund {amount} more today. An administrator can refund more.", at "amount";
        TooLate =
            409, "payment.refund-too-late",
            "It is too late for the restaurant to refund this order. An administrator still can.";
        NotPaid = 409, "payment.refund-not-paid", "The order is not paid.";
        OrderCancelled =
            409, "payment.refund-cancelled",
            "The order was cancelled, and its money goes back without this.";
        Unsettled =
            409, "payment.refund-unsettled",
            "Another order of this checkout is being cancelled. Try again in a moment.";
    }
}

impl OwnerLimits {
    const DAY: Duration = Duration::hours(24);
    const PERCENT: &str = "TIFFIN_OWNER_REFUND_PERCENT";
    const HOURS: &str = "TIFFIN_OWNER_REFUND_HOURS";
    const DAILY: &str = "TIFFIN_OWNER_REFUND_DAILY";

    /// Reads the limits from `env`.
    pub fn new(env: &Env) -> Result<Self, EnvError> {
        let number = |name, default, most: i64| match env.parse(name)?.unwrap_or(default) {
            value if (0..=most).contains(&value) => Ok(value),
            _ => Err(EnvError::Invalid {
                name,
                reason: format!("it is from 0 to {most}"),
            }),
        };
        Ok(Self {
            percent: number(Self::PERCENT, 50, 100)?,
            time: Duration::hours(number(Self::HOURS, 24, 24 * 366)?),
            daily: Money::from_cents(
                number(Self::DAILY, 20_000, 1_000_000_000)? * Currency::of_process().scale(),
            ),
        })
    }

    /// The start of the day that `now` ends.
    pub fn day_before(now: OffsetDateTime) -> OffsetDateTime {
        now - Self::DAY
    }

    /// The end of the time in which the restaurant may refund an order.
    pub fn until(&self, order: &RefundableOrder) -> OffsetDateTime {
        order.placed_at.saturating_add(self.time)
    }
}

/// The most that a side may refund of a paid order now, or the refusal.
pub fn most(
    by: RefundedBy,
    order: &RefundableOrder,
    earlier: Earlier,
    limits: OwnerLimits,
    now: OffsetDateTime,
) -> Result<Money, BadRefund> {
    let left = surplus(order.total, earlier.order);
    match by {
        RefundedBy::Administrator => Ok(left),
        RefundedBy::Restaurant if now > limits.until(order) => Err(BadRefund::TooLate),
        RefundedBy::Restaurant => {
            let share = share(order, earlier, limits).min(left);
            Ok(share.min(surplus(limits.daily, earlier.day)))
        }
    }
}

/// Checks an amount against the limits of a side.
pub fn check(
    amount: Money,
    by: RefundedBy,
    order: &RefundableOrder,
    earlier: Earlier,
    limits: OwnerLimits,
    now: OffsetDateTime,
) -> Result<(), BadRefund> {
    let most = most(by, order, earlier, limits, now)?;
    let left = surplus(order.total, earlier.order);
    if amount > left {
        return Err(BadRefund::TooMuch { amount: left });
    }
    if amount > most {
        let share = share(order, earlier, limits).min(left);
        return Err(if amount > share {
            BadRefund::AboveShare { amount: share }
        } else {
            BadRefund::AboveDay { amount: most }
        });
    }
    if amount <= Money::ZERO {
        return Err(BadRefund::Nothing);
    }
    Ok(())
}

/// The part of an order's price that its restaurant may still refund.
fn share(order: &RefundableOrder, earlier: Earlier, limits: OwnerLimits) -> Money {
    let whole = i128::from(order.total.cents()) * i128::from(limits.percent) / 100;
    let whole = Money::from_cents(i64::try_from(whole).unwrap_or(i64::MAX));
    surplus(whole, earlier.order_by_restaurant)
}

/// The side of a role that refunds; `None` for others.
pub fn side(role: Role) -> Option<RefundedBy> {
    match role {
        Role::Restaurant => Some(RefundedBy::Restaurant),
        Role::Admin => Some(RefundedBy::Administrator),
        Role::Customer | Role::Delivery | Role::Operator => None,
    }
}

/// A note without spaces around it; a note of spaces is none.
pub fn note(note: Option<&str>) -> Result<Option<String>, BadRefund> {
    let note = note.map(str::trim).filter(|note| !note.is_empty());
    if note.is_some_and(|note| note.chars().count() > MAX_NOTE_LENGTH) {
        return Err(BadRefund::NoteTooLong);
    }
    Ok(note.map(str::to_owned))
}

/// A reason in English, for the invoice.
pub const fn words(reason: RefundReason) -> Option<&'static str> {
    match reason {
        RefundReason::MissingItem => Some("missing item"),
        RefundReason::WrongItem => Some("wrong item"),
        RefundReason::PoorQuality => Some("poor quality"),
        RefundReason::Late => Some("late delivery"),
        RefundReason::NotDelivered => Some("not delivered"),
        RefundReason::Other => None,
    }
}
