use axum::{extract::State, http::StatusCode, response::Response};
use serde::{Deserialize, Serialize};
use tiffin_chassis::{
    Caller, FieldErrors, IdempotencyKey, Json, Problem, Writes, idempotency,
    refusal::{BadBody, BadField, BadKey, BadToken, TooMany, WrongCaller},
    refused_by,
};
use tiffin_events::{RestaurantId, Role};
use utoipa::ToSchema;

use super::RestaurantAnswer;
use crate::{
    limits,
    restaurant::{Details, Restaurant},
    rules::{self, BadInput},
    store::restaurants,
};

const OPERATION: &str = "create_restaurant";

/// A restaurant to add. Who owns it is who asks.
#[derive(Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct NewRestaurant {
    #[schema(required)]
    name: String,
    #[schema(required)]
    address: String,
    /// The shop's own number: digits, with an optional leading `+`.
    #[schema(required)]
    phone: String,
    #[schema(required)]
    description: String,
    /// 1 to 10 picture URLs.
    #[schema(required)]
    images: Vec<String>,
    /// Its latitude in degrees; with `lng` or not at all.
    lat: Option<f64>,
    lng: Option<f64>,
}

refused_by! {
    CreateRestaurantRefusals:
        BadBody, BadField, BadKey, BadToken, WrongCaller::{Role}, TooMany,
        BadInput::{NoText, TextTooLong, Phone, TooManyImages, NoImage, Image, HalfAPlace, NoPlace},
}

/// Adds a restaurant. It takes orders from the start; its dishes wait for approval.
#[utoipa::path(
    post,
    path = "/api/v1/restaurant",
    tag = "restaurant",
    params(("Idempotency-Key" = Option<String>, Header, description = "The same key and body give the first answer again.")),
    request_body = NewRestaurant,
    responses(
        (status = 201, description = "The restaurant.", body = RestaurantAnswer),
        CreateRestaurantRefusals,
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["restaurant", "admin"]))),
)]
pub async fn create_restaurant(
    State(state): State<crate::State>,
    caller: Caller,
    writes: Writes,
    key: IdempotencyKey,
    Json(body): Json<NewRestaurant>,
) -> Result<Response, Problem> {
    caller.require(&[Role::Restaurant, Role::Admin])?;
    let details = body.check()?;
    let counted = writes.count(&limits::RESTAURANTS, &caller).await;
    let mut tx = idempotency::begin(&state.pool, caller.id, OPERATION).await?;
    if let Some(answer) = key
        .first_answer(&mut tx, caller.id, OPERATION, &body)
        .await?
    {
        return Ok(answer);
    }
    // A repeated request gets its first answer even above the limit.
    counted?;
    let id = RestaurantId(state.clock.new_id());
    let restaurant = Restaurant::create(id, caller.id, details, state.clock.now());
    let cause = crate::State::cause(&caller);
    restaurants::create(&mut tx, &state.recorder, &cause, &restaurant).await?;
    let answer = RestaurantAnswer::new(
        &mut tx,
        "Restaurant added successfully",
        id,
        state.clock.now(),
    )
    .await?;
    let answer = key
        .keep(
            &mut tx,
            caller.id,
            OPERATION,
            &body,
            StatusCode::CREATED,
            &answer,
        )
        .await?;
    tx.commit().await?;
    Ok(answer)
}

impl NewRestaurant {
    /// Checks every field; 422 names all that are wrong.
    fn check(&self) -> Result<Details, Problem> {
        let mut errors = FieldErrors::default();
        let name = errors.check("name", rules::text("name", 100)(self.name.clone()));
        let address = errors.check("address", rules::text("address", 300)(self.address.clone()));
        let phone = errors.check("phone", rules::phone(&self.phone));
        let description = errors.check(
            "description",
            rules::text("description", 2_000)(self.description.clone()),
        );
        let images = errors.check("images", rules::required_images(self.images.clone()));
        let place = errors.check("lat", rules::place((self.lat, self.lng)));
        match (name, address, phone, description, images, place) {
            (
                Some(name),
                Some(address),
                Some(phone),
                Some(description),
                Some(images),
                Some(place),
            ) => Ok(Details {
                name,
                address,
                phone,
                description,
                images,
                place,
                answer_minutes: None,
            }),
            _ => Err(errors.into_problem()),
        }
    }
}
