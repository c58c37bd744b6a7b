//! A cart and what it costs. Prices come from the read model of the menu, never from the
//! client.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use tiffin_chassis::refusals;
use tiffin_events::{ItemId, Money, RestaurantId, UserId};
use utoipa::ToSchema;
use uuid::Uuid;

#[cfg(test)]
mod tests;

/// The most lines of a cart.
const MAX_LINES: usize = 50;
/// The largest quantity of one dish.
const MAX_QUANTITY: i32 = 99;
/// The longest note of a dish, in characters.
const MAX_NOTE_LENGTH: usize = 200;

/// One line of a cart, as a client sends it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CartLine {
    /// The dish's `_id`.
    pub key: Uuid,
    /// 1 to 99.
    #[schema(minimum = 1, maximum = 99)]
    pub qty: i32,
    /// Words to the kitchen, at most 200 characters. Spaces around them are left out, and a note of spaces is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// The price of a cart now.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Quote {
    pub order_item: Vec<QuoteLine>,
    /// In the platform's currency.
    #[schema(value_type = f64)]
    pub total: Money,
}

/// One dish of a quote.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct QuoteLine {
    pub key: Uuid,
    pub qty: i32,
    pub name: String,
    /// The price of one.
    #[schema(value_type = f64)]
    pub price: Money,
    /// The price of all.
    #[schema(value_type = f64)]
    pub total: Money,
    /// A picture's URL.
    pub image: Option<String>,
    pub restaurant_id: Uuid,
    pub restaurant_name: String,
    #[serde(skip)]
    #[schema(ignore)]
    pub note: Option<String>,
    #[serde(skip)]
    #[schema(ignore)]
    pub owner_id: UserId,
    #[serde(skip)]
    #[schema(ignore)]
    pub answer_minutes: Option<i32>,
}

/// A dish that customers may see, and the restaurant it is from.
#[derive(Clone, Debug, PartialEq)]
pub struct Dish {
    pub id: ItemId,
    pub name: String,
    pub price: Money,
    pub image: Option<String>,
    pub available: bool,
    pub restaurant_id: RestaurantId,
    pub restaurant_name: String,
    pub is_open: bool,
    pub owner_id: UserId,
    /// The minutes in which the restaurant answers, if it chose them.
    pub answer_minutes: Option<i32>,
    /// The restaurant's clock time at the end of its pause, if it is paused.
    pub paused_until: Option<String>,
}

refusals! {
    /// The reason why a cart has no price.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum CartError {
        Empty = 422, "order.cart-empty", "Your cart is empty.", at "orderItem";
        TooManyLines = 422, "order.cart-too-long", "A cart has at most 50 lines.", at "orderItem";
        Quantity { line: usize } =
            422, "order.quantity-out-of-range", "The quantity must be from 1 to 99.",
            at "orderItem[{line}].qty";
        NoteTooLong { line: usize } =
            422, "order.note-too-long", "A note has at most 200 characters.",
            at "orderItem[{line}].note";
        Unknown { line: usize, key: Uuid } =
            422, "order.dish-unknown", "There is no dish {key}.", at "orderItem[{line}].key";
        Closed = 409, "order.restaurant-closed", "Restaurant is closed.";
        /// Until this clock time of the restaurant.
        Paused { until: String } =
            409, "order.restaurant-paused", "The restaurant takes no orders until {until}.";
        OutOfStock { dish: String } = 409, "order.dish-out-of-stock", "{dish} is out of stock.";
        TooMuch = 422, "order.total-too-large", "The total is too large.", at "orderItem";
    }
}

/// A cart that may be priced: at least one line, each dish once, quantities and notes in bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cart(Vec<CartLine>);

impl Cart {
    /// Checks the lines and merges those of the same dish.
    pub fn new(lines: &[CartLine]) -> Result<Self, CartError> {
        match lines.len() {
            0 => return Err(CartError::Empty),
            1..=MAX_LINES => {}
            _ => return Err(CartError::TooManyLines),
        }
        let mut merged: Vec<CartLine> = Vec::with_capacity(lines.len());
        for (line, CartLine { key, qty, note }) in lines.iter().enumerate() {
            let known = merged.iter().position(|other| other.key == *key);
            let before = known.map(|index| &merged[index]);
            let sum = before.map_or(0, |it| it.qty).saturating_add(*qty);
            if *qty < 1 || sum > MAX_QUANTITY {
                return Err(CartError::Quantity { line });
            }
            let note = join(before.and_then(|it| it.note.as_deref()), note.as_deref());
            if note
                .as_ref()
                .is_some_and(|note| note.chars().count() > MAX_NOTE_LENGTH)
            {
                return Err(CartError::NoteTooLong { line });
            }
            let sum = CartLine {
                key: *key,
                qty: sum,
                note,
            };
            match known {
                Some(index) => merged[index] = sum,
                None => merged.push(sum),
            }
        }
        Ok(Self(merged))
    }

    pub fn keys(&self) -> Vec<Uuid> {
        self.0.iter().map(|line| line.key).collect()
    }

    /// The price, line by line in the cart's order.
    pub fn quote(&self, dishes: &HashMap<Uuid, Dish>) -> Result<Quote, CartError> {
        let lines = self
            .0
            .iter()
            .enumerate()
            .map(|(line, CartLine { key, qty, note })| {
                let dish = dishes
                    .get(key)
                    .ok_or(CartError::Unknown { line, key: *key })?;
                if !dish.is_open {
                    return Err(CartError::Closed);
                }
                if let Some(until) = dish.paused_until.clone() {
                    return Err(CartError::Paused { until });
                }
                if !dish.available {
                    return Err(CartError::OutOfStock {
                        dish: dish.name.clone(),
                    });
                }
                Ok(QuoteLine {
                    key: *key,
                    qty: *qty,
                    name: dish.name.clone(),
                    price: dish.price,
                    total: dish.price.times(*qty).ok_or(CartError::TooMuch)?,
                    image: dish.image.clone(),
                    note: note.clone(),
                    restaurant_id: dish.restaurant_id.0,
                    restaurant_name: dish.restaurant_name.clone(),
                    owner_id: dish.owner_id,
                    answer_minutes: dish.answer_minutes,
                })
            });
        let order_item = lines.collect::<Result<Vec<_>, _>>()?;
        let total = order_item.iter().map(|line| line.total).sum();
        Ok(Quote { order_item, total })
    }
}

/// The notes of two lines of one dish, one below the other. The same words count once, and spaces are none.
fn join(before: Option<&str>, note: Option<&str>) -> Option<String> {
    let note = note.map(str::trim).filter(|note| !note.is_empty());
    match (before, note) {
        (Some(before), Some(note)) if before != note => Some(format!("{before}\n{note}")),
        _ => note.or(before).map(str::to_owned),
    }
}
