use axum::extract::State;
use serde::Deserialize;
use tiffin_chassis::{
    Caller, FieldErrors, Json, Path, Problem, Writes,
    refusal::{BadBody, BadField, BadPath, BadToken, BadValue, TooMany, WrongCaller},
    refused_by,
};
use tiffin_events::{Money, Role, item::Category};
use utoipa::ToSchema;

use super::ItemAnswer;
use crate::{
    error::Refusal,
    item::{DishChange, Item},
    limits,
    restaurant::Actor,
    rules::{self, BadInput},
    store::items,
};

/// New values for a dish. What is left out or null stays.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ItemUpdate {
    name: Option<String>,
    /// In the platform's currency, more than zero.
    #[schema(value_type = Option<f64>)]
    price: Option<Money>,
    /// Read in any case.
    category: Option<Category>,
    description: Option<String>,
    available: Option<bool>,
    /// Up to 10 picture URLs.
    images: Option<Vec<String>>,
}

refused_by! {
    UpdateItemRefusals:
        BadBody, BadField, BadPath, BadToken, WrongCaller::{Role}, TooMany,
        BadValue::{AmountDecimals, AmountWhole, AmountThousandths, AmountTooLarge, CategoryUnknown},
        BadInput::{NoText, TextTooLong, PriceTooLow, PriceTooHigh, TooManyImages, Image},
        Refusal::{NoItem, NotYours, NothingToChange},
}

/// Changes a dish. An approval survives.
#[utoipa::path(
    put,
    path = "/api/v1/collection/update/{id}",
    tag = "restaurant",
    params(("id" = String, Path, description = "The dish's `_id` or `itemId`.")),
    request_body = ItemUpdate,
    responses(
        (status = 200, description = "The dish as it is now.", body = ItemAnswer),
        UpdateItemRefusals,
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["restaurant", "admin"]))),
)]
pub async fn update_item(
    State(state): State<crate::State>,
    caller: Caller,
    writes: Writes,
    Path(key): Path<String>,
    Json(body): Json<ItemUpdate>,
) -> Result<Json<ItemAnswer>, Problem> {
    caller.require(&[Role::Restaurant, Role::Admin])?;
    let change = body.check()?;
    writes.count(&limits::CHANGES, &caller).await?;
    let mut tx = tiffin_database::begin(&state.pool).await?;
    let id = items::find(&mut tx, &key).await?.ok_or(Refusal::NoItem)?.id;
    let item = tiffin_bus::change(
        &mut tx,
        &state.recorder,
        &crate::State::cause(&caller),
        id,
        |item: &mut Item| {
            item.check_access(Actor::from(&caller))?;
            if change == DishChange::default() {
                Err(Refusal::NothingToChange)
            } else {
                item.update(change)
            }
        },
    )
    .await?;
    tx.commit().await?;
    Ok(Json(ItemAnswer {
        message: "Item updated successfully",
        item: item.into(),
    }))
}

impl ItemUpdate {
    fn check(self) -> Result<DishChange, Problem> {
        let mut errors = FieldErrors::default();
        let name = errors.check_given("name", self.name, rules::text("name", 100));
        let price = errors.check_given("price", self.price, rules::price);
        let description = rules::optional_text("description", 2_000);
        let description = errors.check_given("description", self.description, description);
        let images = errors.check_given("images", self.images, rules::images);
        match (name, price, description, images) {
            (Some(name), Some(price), Some(description), Some(images)) => {
                let (category, available) = (self.category, self.available);
                Ok(DishChange {
                    name,
                    price,
                    category,
                    description,
                    images,
                    available,
                })
            }
            _ => Err(errors.into_problem()),
        }
    }
}
