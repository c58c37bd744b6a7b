//! The routes of this service.

mod approve_item;
mod create_item;
mod create_restaurant;
mod delete_item;
mod delete_restaurant;
mod opening;
mod read_items;
mod read_restaurants;
mod update_item;
mod update_restaurant;

use serde::Serialize;
use sqlx::PgConnection;
use tiffin_chassis::Caller;
use tiffin_events::RestaurantId;
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::{
    State,
    error::{Error, Refusal},
    restaurant::Actor,
    store::restaurants,
    view::{ItemView, RestaurantView},
};

/// The service's HTTP interface.
pub fn router(state: State) -> OpenApiRouter {
    OpenApiRouter::new()
        .routes(routes!(
            read_restaurants::list_restaurants,
            create_restaurant::create_restaurant
        ))
        .routes(routes!(read_restaurants::get_restaurant))
        .routes(routes!(update_restaurant::update_restaurant))
        .routes(routes!(delete_restaurant::delete_restaurant))
        .routes(routes!(opening::open_restaurant))
        .routes(routes!(opening::close_restaurant))
        .routes(routes!(read_items::list_items, create_item::create_item))
        .routes(routes!(read_items::list_items_of))
        .routes(routes!(read_items::get_item))
        .routes(routes!(update_item::update_item))
        .routes(routes!(approve_item::approve_item))
        .routes(routes!(delete_item::delete_item))
        .with_state(state)
}

/// What became of a restaurant.
#[derive(Debug, Serialize, ToSchema)]
struct RestaurantAnswer {
    message: &'static str,
    restaurant: RestaurantView,
}

impl RestaurantAnswer {
    /// The restaurant as it is now, within the transaction that changed it.
    async fn new(
        tx: &mut PgConnection,
        message: &'static str,
        id: RestaurantId,
    ) -> Result<Self, Error> {
        let restaurant = restaurants::one(tx, id)
            .await?
            .ok_or(Refusal::NoRestaurant)?;
        Ok(Self {
            message,
            restaurant,
        })
    }
}

/// What became of a dish.
#[derive(Debug, Serialize, ToSchema)]
struct ItemAnswer {
    message: &'static str,
    item: ItemView,
}

/// A sentence for the reader.
#[derive(Debug, Serialize, ToSchema)]
struct Message {
    message: &'static str,
}

impl From<&Caller> for Actor {
    fn from(caller: &Caller) -> Self {
        Self {
            id: caller.id,
            role: caller.role,
        }
    }
}

/// The restaurant that a path names. What is no id names none.
fn restaurant_id(text: &str) -> Result<RestaurantId, Refusal> {
    text.parse().map_err(|_| Refusal::NoRestaurant)
}
