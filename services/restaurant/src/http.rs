//! The routes of this service.

mod approve_item;
mod approve_review;
mod close_restaurant;
mod create_item;
mod create_restaurant;
mod delete_item;
mod delete_restaurant;
mod delete_review;
mod get_item;
mod get_restaurant;
mod list_items;
mod list_restaurants;
mod list_reviews;
mod open_restaurant;
mod pause_restaurant;
mod slow_restaurant;
mod submit_review;
mod update_item;
mod update_restaurant;

use serde::Serialize;
use sqlx::PgConnection;
use tiffin_chassis::Caller;
use tiffin_events::{RestaurantId, ReviewId};
use time::OffsetDateTime;
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::{
    State,
    error::{Error, Refusal},
    restaurant::Actor,
    store::{restaurant_list, review_list},
    view::{ItemView, RestaurantView, ReviewView},
};

/// The service's HTTP interface.
pub fn router(state: State) -> OpenApiRouter {
    OpenApiRouter::with_openapi(tiffin_chassis::refusal::openapi::base())
        .routes(routes!(
            list_restaurants::list_restaurants,
            create_restaurant::create_restaurant
        ))
        .routes(routes!(get_restaurant::get_restaurant))
        .routes(routes!(update_restaurant::update_restaurant))
        .routes(routes!(delete_restaurant::delete_restaurant))
        .routes(routes!(open_restaurant::open_restaurant))
        .routes(routes!(close_restaurant::close_restaurant))
        .routes(routes!(pause_restaurant::pause_restaurant))
        .routes(routes!(slow_restaurant::slow_restaurant))
        .routes(routes!(list_items::list_items, create_item::create_item))
        .routes(routes!(list_items::list_items_of))
        .routes(routes!(get_item::get_item))
        .routes(routes!(update_item::update_item))
        .routes(routes!(approve_item::approve_item))
        .routes(routes!(delete_item::delete_item))
        .routes(routes!(
            list_reviews::list_reviews,
            submit_review::submit_review
        ))
        .routes(routes!(list_reviews::list_reviews_of))
        .routes(routes!(approve_review::approve_review))
        .routes(routes!(delete_review::delete_review))
        .with_state(state)
}

/// The result of a change of a restaurant.
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
        now: OffsetDateTime,
    ) -> Result<Self, Error> {
        let restaurant = restaurant_list::find(tx, id, now)
            .await?
            .ok_or(Refusal::NoRestaurant)?;
        Ok(Self {
            message,
            restaurant,
        })
    }
}

/// The result of a change of a dish.
#[derive(Debug, Serialize, ToSchema)]
struct ItemAnswer {
    message: &'static str,
    item: ItemView,
}

/// The result of a change of a review.
#[derive(Debug, Serialize, ToSchema)]
struct ReviewAnswer {
    message: &'static str,
    review: ReviewView,
}

impl ReviewAnswer {
    /// The review as `viewer` sees it now, within the transaction that changed it.
    async fn new(
        tx: &mut PgConnection,
        message: &'static str,
        viewer: Actor,
        id: ReviewId,
    ) -> Result<Self, Error> {
        let review = review_list::find(tx, viewer, id)
            .await?
            .ok_or(Refusal::NoReview)?;
        Ok(Self { message, review })
    }
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

/// The restaurant that a path names. `NoRestaurant` where it is no id.
fn restaurant_id(text: &str) -> Result<RestaurantId, Refusal> {
    text.parse().map_err(|_| Refusal::NoRestaurant)
}

/// The review that a path names. `NoReview` where it is no id.
fn review_id(text: &str) -> Result<ReviewId, Refusal> {
    text.parse().map_err(|_| Refusal::NoReview)
}
