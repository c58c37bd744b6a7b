use axum::{extract::State, http::StatusCode, response::Response};
use serde::{Deserialize, Serialize};
use tiffin_chassis::{
    Caller, FieldErrors, IdempotencyKey, Json, Problem, Writes,
    refusal::{BadBody, BadField, BadKey, BadToken, BadValue, TooMany, WrongCaller},
    refused_by,
};
use tiffin_events::{Money, RestaurantId, Role, item::Category};
use utoipa::ToSchema;

use super::ItemAnswer;
use crate::{
    error::Refusal,
    item::{Dish, Item},
    limits,
    restaurant::Actor,
    rules::{self, BadInput},
    store::{items, restaurants},
};

const OPERATION: &str = "create_item";

/// A dish to add.
#[derive(Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct NewItem {
    /// The `_id` of a restaurant of the caller's.
    #[schema(required, value_type = uuid::Uuid)]
    restaurant_id: Option<RestaurantId>,
    #[schema(required)]
    name: String,
    /// In the platform's currency, more than zero.
    #[schema(required, value_type = f64)]
    price: Option<Money>,
    /// Read in any case.
    #[schema(required, value_type = Category)]
    category: Option<Category>,
    description: String,
    /// In stock, which it is when left out.
    available: Option<bool>,
    /// Up to 10 picture URLs.
    images: Vec<String>,
}

refused_by! {
    CreateItemRefusals:
        BadBody, BadField, BadKey, BadToken, WrongCaller::{Role}, TooMany,
        BadValue::{AmountDecimals, AmountWhole, AmountThousandths, AmountTooLarge, CategoryUnknown},
        BadInput::{NoText, TextTooLong, NoRestaurant, NoPrice, PriceTooLow, PriceTooHigh, NoCategory, TooManyImages, Image},
        Refusal::{NoRestaurant, NotYours},
}

/// Adds a dish to a restaurant's menu. It is shown once an administrator has approved it.
#[utoipa::path(
    post,
    path = "/api/v1/collection",
    tag = "restaurant",
    params(("Idempotency-Key" = Option<String>, Header, description = "The same key and body give the first answer again.")),
    request_body = NewItem,
    responses(
        (status = 201, description = "The dish.", body = ItemAnswer),
        CreateItemRefusals,
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["restaurant", "admin"]))),
)]
pub async fn create_item(
    State(state): State<crate::State>,
    caller: Caller,
    writes: Writes,
    key: IdempotencyKey,
    Json(body): Json<NewItem>,
) -> Result<Response, Problem> {
    caller.require(&[Role::Restaurant, Role::Admin])?;
    let (restaurant, dish) = body.check()?;
    let counted = writes.count(&limits::ITEMS, &caller).await;
    let mut tx = tiffin_database::begin(&state.pool).await?;
    if let Some(answer) = key
        .first_answer(&mut tx, caller.id, OPERATION, &body)
        .await?
    {
        return Ok(answer);
    }
    // A repeated request gets its first answer even above the limit.
    counted?;
    let restaurant = restaurants::lock(&mut tx, restaurant)
        .await?
        .ok_or(Refusal::NoRestaurant)?;
    restaurant.check_access(Actor::from(&caller))?;
    let now = state.clock.now();
    let make = |id| Item::add(id, restaurant.id, restaurant.owner_id, dish.clone(), now);
    let item = items::add(
        &mut tx,
        &state.recorder,
        &crate::State::cause(&caller),
        make,
    )
    .await?;
    let answer = ItemAnswer {
        message: "Item added successfully",
        item: item.into(),
    };
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

impl NewItem {
    /// Checks every field; 422 names all that are wrong.
    fn check(&self) -> Result<(RestaurantId, Dish), Problem> {
        let mut errors = FieldErrors::default();
        let restaurant = errors.check(
            "restaurantId",
            self.restaurant_id.ok_or(BadInput::NoRestaurant),
        );
        let name = errors.check("name", rules::text("name", 100)(self.name.clone()));
        let price = self.price.ok_or(BadInput::NoPrice).and_then(rules::price);
        let price = errors.check("price", price);
        let category = errors.check("category", self.category.ok_or(BadInput::NoCategory));
        let description = rules::optional_text("description", 2_000)(self.description.clone());
        let description = errors.check("description", description);
        let images = errors.check("images", rules::images(self.images.clone()));
        match (restaurant, name, price, category, description, images) {
            (
                Some(restaurant),
                Some(name),
                Some(price),
                Some(category),
                Some(description),
                Some(images),
            ) => {
                let available = self.available.unwrap_or(true);
                Ok((
                    restaurant,
                    Dish {
                        name,
                        price,
                        category,
                        description,
                        images,
                        available,
                    },
                ))
            }
            _ => Err(errors.into_problem()),
        }
    }
}
