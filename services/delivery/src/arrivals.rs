//! Forecasts of arrivals: which rides are still to come, and the events of ranges that moved.

use tiffin_bus::Cause;
use tiffin_chassis::Scope;
use tiffin_events::{Coordinates, delivery::DeliveryStatus};

use crate::{
    NAME, State,
    delivery::Delivery,
    error::Error,
    forecast::{Forecast, Situation, TripStatistics},
    routing::{Profile, Ride, is_within_reach},
    store::{
        etas::{self, Due},
        restaurants::Kitchen,
    },
    view::DeliveryEstimate,
};

/// The number of deliveries that are taken at a time.
const BATCH: i64 = 100;
/// The distance in metres within which two doors count as one: the dishes of a checkout go to one door.
pub(crate) const SAME_DOOR: f64 = 30.0;

/// Forecasts the arrival of each delivery that is due.
pub async fn forecast_due(state: &State) -> Result<(), Error> {
    loop {
        let due = take(state).await?;
        if due.is_empty() {
            return Ok(());
        }
        let statistics = state.statistics.read().await?;
        for delivery in &due {
            let forecast = forecast(state, delivery, &statistics).await;
            let now = state.clock.now();
            // Most forecasts say what is shown: those need no transaction.
            let Some(forecast) = forecast else { continue };
            if delivery.shown.reason_for(forecast.range, now).is_some() {
                save(state, delivery, &forecast).await?;
            } else if let Some(eta) = delivery.shown.eta.filter(|_| delivery.differs) {
                let shown = Forecast {
                    range: eta.range,
                    ..forecast
                };
                save(state, delivery, &shown).await?;
            }
        }
    }
}

async fn take(state: &State) -> Result<Vec<Due>, Error> {
    let mut tx = tiffin_database::begin(&state.pool).await?;
    let due = etas::take(&mut tx, state.clock.now(), BATCH).await?;
    tx.commit().await?;
    Ok(due)
}

/// Publishes the forecast of a ticket: one range for all its deliveries.
async fn save(state: &State, due: &Due, forecast: &Forecast) -> Result<(), Error> {
    let mut tx = tiffin_database::begin(&state.pool).await?;
    let now = state.clock.now();
    let (cause, shown) = (Cause::service(NAME), due.shown);
    let key = (Scope::default(), due.id);
    let mut is_taken = false;
    tiffin_bus::change(
        &mut tx,
        &state.recorder,
        &cause,
        key,
        |delivery: &mut Delivery| {
            // Meanwhile the driver may have set out: then this forecast is out of date.
            is_taken = delivery.status == shown.status && delivery.status_at == shown.since;
            Ok(if is_taken {
                delivery.set_eta(forecast, now)
            } else {
                Vec::new()
            })
        },
    )
    .await?;
    for other in due.others.iter().filter(|_| is_taken) {
        let key = (Scope::default(), *other);
        tiffin_bus::change(
            &mut tx,
            &state.recorder,
            &cause,
            key,
            |delivery: &mut Delivery| {
                Ok(if delivery.status == shown.status {
                    delivery.share_eta(forecast, now)
                } else {
                    Vec::new()
                })
            },
        )
        .await?;
    }
    tx.commit().await?;
    Ok(())
}

/// The arrival as it looks now; `None` if the route to the customer is unknown.
async fn forecast(state: &State, due: &Due, statistics: &TripStatistics) -> Option<Forecast> {
    let (before, with_food) = rides(state, due).await;
    let situation = Situation {
        status: due.shown.status,
        restaurant: due.restaurant_id,
        busy: due.busy,
        since: due.shown.since,
        seen_at: due.seen_at,
        rides_before: before,
        rides_with_food: with_food,
    };
    situation.forecast(statistics, state.clock.now())
}

/// The time in which an order placed now would arrive from each restaurant.
pub(crate) async fn estimates(
    state: &State,
    kitchens: &[Kitchen],
    place: Coordinates,
) -> sqlx::Result<Vec<DeliveryEstimate>> {
    let statistics = state.statistics.read().await?;
    let now = state.clock.now();
    let from: Vec<_> = kitchens.iter().map(|kitchen| kitchen.place).collect();
    let rides = state.router.rides_to(Profile::of(None), &from, place).await;
    let estimate = |(kitchen, ride): (&Kitchen, Ride)| {
        let range = statistics.before_ordering(kitchen.id, kitchen.busy, ride, now);
        DeliveryEstimate {
            restaurant_id: kitchen.id.0,
            earliest_minutes: (range.earliest - now).whole_minutes(),
            latest_minutes: (range.latest - now).whole_minutes(),
            basis: ride.basis,
        }
    };
    Ok(kitchens.iter().zip(rides).map(estimate).collect())
}

/// The rides until the driver has the food, and those with it.
async fn rides(state: &State, due: &Due) -> (Vec<Ride>, Vec<Ride>) {
    let Some(destination) = due.destination else {
        return Default::default();
    };
    let mut stops: Vec<Coordinates> = due.stops.clone();
    stops.dedup_by(|next, stop| next.metres_to(*stop) <= SAME_DOOR);
    stops.retain(|stop| stop.metres_to(destination) > SAME_DOOR);
    let driver = due
        .driver
        .filter(|driver| is_within_reach(*driver, due.restaurant, destination));
    let (before, mut with_food) = match (due.shown.status, driver, due.restaurant) {
        (DeliveryStatus::PickedUp, Some(driver), Some(restaurant)) => {
            ([&[driver], &*stops].concat(), vec![restaurant])
        }
        (DeliveryStatus::PickedUp, _, restaurant) => (Vec::new(), restaurant.into_iter().collect()),
        (_, driver, restaurant) => {
            let from = driver.or(restaurant);
            (Vec::new(), from.into_iter().chain(stops).collect())
        }
    };
    if with_food.is_empty() {
        return Default::default();
    }
    with_food.push(destination);
    let places = [&*before, &*with_food].concat();
    let mut rides = state.router.rides(Profile::of(due.vehicle), &places).await;
    let with_food = rides.split_off(before.len());
    (rides, with_food)
}
