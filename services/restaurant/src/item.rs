//! A dish and what may happen to it. Every transition returns the events it caused, or refuses; an
//! empty list means that nothing changed.

use tiffin_events::{
    ItemCode, ItemId, Money, RestaurantId, UserId,
    item::{Category, ItemEvent, ItemProfileV1, ItemRefV1},
};
use time::OffsetDateTime;

use crate::{error::Refusal, restaurant::Actor, review::Rating};

#[cfg(test)]
mod tests;

/// A dish on a restaurant's menu.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    pub id: ItemId,
    pub code: ItemCode,
    pub restaurant_id: RestaurantId,
    /// The restaurant's.
    pub owner_id: UserId,
    pub dish: Dish,
    /// True once an administrator approved it; customers see it then.
    pub approved: bool,
    /// The sum of its approved reviews; only they change it.
    pub rating: Rating,
    pub created_at: OffsetDateTime,
    pub deleted_at: Option<OffsetDateTime>,
    /// The sequence of its last event.
    pub sequence: i64,
}

/// Its owner's description, checked.
#[derive(Clone, Debug, PartialEq)]
pub struct Dish {
    pub name: String,
    pub price: Money,
    pub category: Category,
    pub description: String,
    /// Picture URLs.
    pub images: Vec<String>,
    /// In stock.
    pub available: bool,
}

/// New values for some of a dish; what is `None` stays.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DishChange {
    pub name: Option<String>,
    pub price: Option<Money>,
    pub category: Option<Category>,
    pub description: Option<String>,
    pub images: Option<Vec<String>>,
    pub available: Option<bool>,
}

pub type Transition = Result<Vec<ItemEvent>, Refusal>;

impl Item {
    /// A new dish, unseen until an administrator approves it.
    pub fn add(
        id: ItemId,
        restaurant_id: RestaurantId,
        owner_id: UserId,
        dish: Dish,
        now: OffsetDateTime,
    ) -> Self {
        Self {
            id,
            // The lower bits of an id are random.
            code: ItemCode::from_bits(id.0.as_u64_pair().1),
            restaurant_id,
            owner_id,
            dish,
            approved: false,
            rating: Rating::default(),
            created_at: now,
            deleted_at: None,
            sequence: 1,
        }
    }

    /// The event of its creation.
    pub fn added(&self) -> ItemEvent {
        ItemEvent::Added(self.profile())
    }

    /// True if it may be shown: to everyone once it is approved, before that to its owner and
    /// administrators.
    pub fn is_visible_to(&self, viewer: Option<Actor>) -> bool {
        self.approved || viewer.is_some_and(|viewer| viewer.may_act_for(self.owner_id))
    }

    /// Fails unless the actor is the restaurant's owner or an administrator. For others a dish that is not
    /// approved does not exist.
    pub fn check_access(&self, actor: Actor) -> Result<(), Refusal> {
        self.exists()?;
        if actor.may_act_for(self.owner_id) {
            Ok(())
        } else if self.approved {
            Err(Refusal::NotYours)
        } else {
            Err(Refusal::NoItem)
        }
    }

    /// Takes new values; an approval survives, and a change that changes nothing makes no event.
    pub fn update(&mut self, change: DishChange) -> Transition {
        self.exists()?;
        let before = self.dish.clone();
        self.dish = Dish {
            name: change.name.unwrap_or(before.name.clone()),
            price: change.price.unwrap_or(before.price),
            category: change.category.unwrap_or(before.category),
            description: change.description.unwrap_or(before.description.clone()),
            images: change.images.unwrap_or(before.images.clone()),
            available: change.available.unwrap_or(before.available),
        };
        if self.dish == before {
            return Ok(Vec::new());
        }
        Ok(vec![ItemEvent::Updated(self.profile())])
    }

    /// Approves the dish. The approval can't be withdrawn.
    pub fn approve(&mut self) -> Transition {
        self.exists()?;
        if std::mem::replace(&mut self.approved, true) {
            return Ok(Vec::new());
        }
        Ok(vec![ItemEvent::Approved(self.reference())])
    }

    /// Takes it off the menu.
    pub fn delete(&mut self, now: OffsetDateTime) -> Transition {
        self.exists()?;
        self.deleted_at = Some(now);
        Ok(vec![ItemEvent::Deleted(self.reference())])
    }

    fn exists(&self) -> Result<(), Refusal> {
        if self.deleted_at.is_some() {
            Err(Refusal::NoItem)
        } else {
            Ok(())
        }
    }

    fn reference(&self) -> ItemRefV1 {
        ItemRefV1 {
            item_id: self.id,
            restaurant_id: self.restaurant_id,
        }
    }

    fn profile(&self) -> ItemProfileV1 {
        let dish = self.dish.clone();
        ItemProfileV1 {
            item_id: self.id,
            item_code: self.code.to_string(),
            restaurant_id: self.restaurant_id,
            name: dish.name,
            price: dish.price,
            category: dish.category,
            description: dish.description,
            images: dish.images,
            available: dish.available,
            approved: self.approved,
        }
    }
}
