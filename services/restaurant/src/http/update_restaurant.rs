use axum::extract::State;
use serde::Deserialize;
use tiffin_chassis::{
    Caller, FieldErrors, Json, Path, Problem, Writes,
    refusal::{BadBody, BadField, BadPath, BadToken, TooMany, WrongCaller},
    refused_by,
};
use tiffin_events::Role;
use utoipa::ToSchema;

use super::{RestaurantAnswer, restaurant_id};
use crate::{
    error::Refusal,
    limits,
    restaurant::{Actor, DetailsChange, Restaurant},
    rules::{self, BadInput},
};

/// New values for a restaurant. What is left out or null stays.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RestaurantUpdate {
    name: Option<String>,
    address: Option<String>,
    phone: Option<String>,
    description: Option<String>,
    /// 1 to 10 picture URLs.
    images: Option<Vec<String>>,
    /// Degrees, with `lng`.
    lat: Option<f64>,
    lng: Option<f64>,
    /// The minutes in which it answers an order, 3 to 60; the platform's without.
    #[schema(minimum = 3, maximum = 60)]
    answer_minutes: Option<i32>,
}

refused_by! {
    UpdateRestaurantRefusals:
        BadBody, BadField, BadPath, BadToken, WrongCaller::{Role}, TooMany,
        BadInput::{NoText, TextTooLong, Phone, TooManyImages, NoImage, Image, HalfAPlace, NoPlace,
                  AnswerMinutes},
        Refusal::{NoRestaurant, NotYours, NothingToChange},
}

/// Changes a restaurant. An administrator who sends nothing verifies it.
#[utoipa::path(
    put,
    path = "/api/v1/restaurant/update/{id}",
    tag = "restaurant",
    params(("id" = String, Path, description = "The restaurant's `_id`.")),
    request_body = Option<RestaurantUpdate>,
    responses(
        (status = 200, description = "The restaurant as it is now.", body = RestaurantAnswer),
        UpdateRestaurantRefusals,
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["restaurant", "admin"]))),
)]
pub async fn update_restaurant(
    State(state): State<crate::State>,
    caller: Caller,
    writes: Writes,
    Path(id): Path<String>,
    body: Option<Json<RestaurantUpdate>>,
) -> Result<Json<RestaurantAnswer>, Problem> {
    caller.require(&[Role::Restaurant, Role::Admin])?;
    let (actor, id) = (Actor::from(&caller), restaurant_id(&id)?);
    let change = body.map(|Json(body)| body).unwrap_or_default().check()?;
    let is_empty = change == DetailsChange::default();
    let message = if is_empty {
        "Restaurant verified successfully"
    } else {
        "Restaurant updated successfully"
    };
    writes.count(&limits::CHANGES, &caller).await?;
    let mut tx = tiffin_database::begin(&state.pool).await?;
    tiffin_bus::change(
        &mut tx,
        &state.recorder,
        &crate::State::cause(&caller),
        id,
        |restaurant: &mut Restaurant| {
            restaurant.check_access(actor)?;
            match (is_empty, actor.role) {
                (false, _) => restaurant.update(change),
                (true, Role::Admin) => restaurant.verify(),
                (true, _) => Err(Refusal::NothingToChange),
            }
        },
    )
    .await?;
    let answer = RestaurantAnswer::new(&mut tx, message, id, state.clock.now()).await?;
    tx.commit().await?;
    Ok(Json(answer))
}

impl RestaurantUpdate {
    fn check(self) -> Result<DetailsChange, Problem> {
        let mut errors = FieldErrors::default();
        let name = errors.check_given("name", self.name, rules::text("name", 100));
        let address = errors.check_given("address", self.address, rules::text("address", 300));
        let phone = errors.check_given("phone", self.phone, |phone| rules::phone(&phone));
        let description = errors.check_given(
            "description",
            self.description,
            rules::text("description", 2_000),
        );
        let images = errors.check_given("images", self.images, rules::required_images);
        let place = errors.check("lat", rules::place((self.lat, self.lng)));
        let answer_minutes =
            errors.check_given("answerMinutes", self.answer_minutes, rules::answer_minutes);
        match (
            name,
            address,
            phone,
            description,
            images,
            place,
            answer_minutes,
        ) {
            (
                Some(name),
                Some(address),
                Some(phone),
                Some(description),
                Some(images),
                Some(place),
                Some(answer_minutes),
            ) => Ok(DetailsChange {
                name,
                address,
                phone,
                description,
                images,
                place,
                answer_minutes,
            }),
            _ => Err(errors.into_problem()),
        }
    }
}
