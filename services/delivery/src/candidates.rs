//! The drivers who suit an order best, from what each of them has to do and from the streets. An owner learns no
//! place of a driver or of another owner's customer from the minutes: both are moved to the middle of their square
//! kilometre first.

mod streets;
mod tours;

use std::{collections::HashMap, sync::Arc};

use tiffin_events::{
    Coordinates, OrderId, UserId,
    driver::VehicleType,
    suggestion::{SuggestedDriverV1, SuggestionReason},
};
use time::{Duration, OffsetDateTime};

use crate::{
    State,
    delivery::Order,
    dispatch::{self, Courier, OpenOrder, Plan, Reason, Stop, Task, Travel},
    forecast::{STOP, TripStatistics},
    routing::straight_seconds,
    store::{
        candidates::{self, Candidate, Carried},
        restaurants,
    },
    suggestion::RESERVED,
    view::suggestion::{ReasonView, SuggestedDriver},
};

use streets::Streets;

/// The number of drivers that are suggested.
const SUGGESTED: usize = 4;
/// An older position says nothing about where a driver is.
const MAX_POSITION_AGE: Duration = Duration::minutes(30);

/// The facts that drivers are ranked by.
struct Facts {
    statistics: Arc<TripStatistics>,
    now: OffsetDateTime,
    order: OpenOrder,
    owner: UserId,
    candidates: HashMap<UserId, Candidate>,
    carried: HashMap<OrderId, Carried>,
}

/// The drivers who have the order at its door first, the best one first. Empty where a place is unknown, and for a
/// restaurant that is not verified: its owner sees no drivers.
pub(crate) async fn suggest(state: &State, order: &Order) -> sqlx::Result<Vec<SuggestedDriver>> {
    let Some(facts) = read(state, order).await? else {
        return Ok(Vec::new());
    };
    let couriers = facts.couriers();
    let best: Vec<_> = dispatch::rank(&couriers, &facts.order, &facts.straight(), stop())
        .into_iter()
        .take(SUGGESTED)
        .filter_map(|plan| couriers.iter().find(|courier| courier.id == plan.driver))
        .cloned()
        .collect();
    let streets = Streets::find(&state.router, &best, &facts.order, facts.straight()).await;
    let plans = dispatch::rank(&best, &facts.order, &streets, stop());
    Ok(plans
        .iter()
        .filter_map(|plan| facts.view(plan, &best, &streets))
        .collect())
}

async fn read(state: &State, order: &Order) -> sqlx::Result<Option<Facts>> {
    let statistics = state.statistics.read().await?;
    let now = state.clock.now();
    let mut connection = state.pool.acquire().await?;
    let restaurant = restaurants::verified_place(&mut connection, order.restaurant_id).await?;
    let Some((restaurant, door)) = restaurant.zip(order.destination) else {
        return Ok(None);
    };
    let drivers = candidates::drivers(&mut connection, order.id, now - MAX_POSITION_AGE).await?;
    let carried = candidates::carried(&mut connection, &drivers, order.id, now - RESERVED).await?;
    let assigned_at = candidates::assigned_at(&mut connection, order.id).await?;
    let cooked = assigned_at.unwrap_or(now) + statistics.preparation(order.restaurant_id);
    Ok(Some(Facts {
        order: OpenOrder {
            id: order.id,
            restaurant,
            door,
            ready: (cooked - now).max(Duration::ZERO).as_seconds_f64(),
            due: None,
        },
        owner: order.owner_id,
        candidates: drivers.into_iter().map(|it| (it.id, it)).collect(),
        carried: carried.into_iter().map(|it| (it.order_id, it)).collect(),
        statistics,
        now,
    }))
}

impl Facts {
    /// Rides in straight lines with a detour.
    fn straight(&self) -> Paced {
        Paced {
            pace: self.statistics.riding(1.0, self.now).as_seconds_f64(),
        }
    }

    fn view(
        &self,
        plan: &Plan,
        couriers: &[Courier],
        travel: &impl Travel,
    ) -> Option<SuggestedDriver> {
        let candidate = self.candidates.get(&plan.driver)?;
        let courier = couriers.iter().find(|courier| courier.id == plan.driver)?;
        let first = match plan.reason {
            Reason::BringsFirst(order) => self.own(order).map(|carried| {
                let address = carried.address.clone();
                (address, arrival(courier, plan, order, travel).map(minutes))
            }),
            _ => None,
        };
        let (address, until) = first.unzip();
        Some(SuggestedDriver {
            driver_id: plan.driver.0,
            first_name: candidate.first_name.clone(),
            vehicle_type: candidate.vehicle,
            minutes: minutes(plan.door),
            reason: ReasonView {
                code: code(plan.reason),
                address,
                minutes: until.flatten(),
            },
        })
    }

    /// An order of the same owner.
    fn own(&self, order: OrderId) -> Option<&Carried> {
        let carried = self.carried.get(&order)?;
        (carried.owner_id == self.owner).then_some(carried)
    }
}

/// The time at which a driver with this plan is at the door of one order.
fn arrival(courier: &Courier, plan: &Plan, order: OrderId, travel: &impl Travel) -> Option<f64> {
    let planned = Courier {
        tour: plan.tour.clone(),
        ..courier.clone()
    };
    let is_door = |stop: &Stop| stop.order == order && matches!(stop.task, Task::Bring { .. });
    let place = plan.tour.iter().position(is_door)?;
    let times = dispatch::times(&planned, travel, stop());
    times.get(place).copied()
}

fn stop() -> f64 {
    STOP.as_seconds_f64()
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "no tour takes more than some hours"
)]
fn minutes(seconds: f64) -> i64 {
    (seconds / 60.0).ceil() as i64
}

const fn code(reason: Reason) -> SuggestionReason {
    match reason {
        Reason::Free => SuggestionReason::Free,
        Reason::SameRestaurant => SuggestionReason::SameRestaurant,
        Reason::BringsFirst(_) => SuggestionReason::BringsFirst,
        Reason::OnTheWay => SuggestionReason::OnTheWay,
        Reason::PlaceUnknown => SuggestionReason::PlaceUnknown,
    }
}

/// Rides in straight lines with a detour, at the pace of this hour.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Paced {
    /// The ratio of a ride's duration to the router's.
    pace: f64,
}

impl Travel for Paced {
    fn seconds(&self, _: Option<VehicleType>, from: Coordinates, to: Coordinates) -> f64 {
        straight_seconds(from, to) * self.pace
    }
}

impl SuggestedDriver {
    /// The driver as the event says them.
    pub(crate) fn event(&self) -> SuggestedDriverV1 {
        SuggestedDriverV1 {
            driver_id: UserId(self.driver_id),
            minutes: self.minutes,
            reason: self.reason.code,
        }
    }
}
