//! Restaurants and dishes that no form makes: the demo's.

use sqlx::PgPool;
use tiffin_bus::{Cause, Recorder};
use tiffin_events::{ItemId, RestaurantId, UserId};

use crate::{
    Error, NAME,
    error::Refusal,
    item::Item,
    restaurant::Restaurant,
    store::{items, restaurants},
};
pub use crate::{item::Dish, restaurant::Details};

/// A restaurant to make, as it shall be.
#[derive(Clone, Debug)]
pub struct NewRestaurant {
    pub id: RestaurantId,
    pub owner_id: UserId,
    pub details: Details,
    pub is_open: bool,
    pub verified: bool,
}

/// Makes a restaurant with the event that says so.
pub async fn create_restaurant(
    pool: &PgPool,
    recorder: &Recorder,
    new: NewRestaurant,
) -> Result<(), Error> {
    let clock = &recorder.clock;
    let restaurant = Restaurant {
        is_open: new.is_open,
        verified: new.verified,
        ..Restaurant::create(new.id, new.owner_id, new.details, clock.now())
    };
    let mut tx = tiffin_database::begin(pool).await?;
    restaurants::create(&mut tx, recorder, &Cause::service(NAME), &restaurant).await?;
    tx.commit().await?;
    Ok(())
}

/// Adds dishes to a restaurant's menu with the events that say so, approved or not, and answers with
/// their ids in the same order.
pub async fn add_items(
    pool: &PgPool,
    recorder: &Recorder,
    restaurant: RestaurantId,
    dishes: &[(Dish, bool)],
) -> Result<Vec<ItemId>, Error> {
    let clock = &recorder.clock;
    let mut tx = tiffin_database::begin(pool).await?;
    let owner = restaurants::lock(&mut tx, restaurant)
        .await?
        .ok_or(Refusal::NoRestaurant)?
        .owner_id;
    let mut ids = Vec::with_capacity(dishes.len());
    for (dish, approved) in dishes {
        let now = clock.now();
        let make = |id| Item {
            approved: *approved,
            ..Item::add(id, restaurant, owner, dish.clone(), now)
        };
        ids.push(
            items::add(&mut tx, recorder, &Cause::service(NAME), make)
                .await?
                .id,
        );
    }
    tx.commit().await?;
    Ok(ids)
}
