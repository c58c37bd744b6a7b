//! Dishes on a menu.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{ItemId, Money, RestaurantId, envelope::events};

/// The kind of a dish. Read in any case, written as `fastfood`, `familymeals`, `dessert`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, JsonSchema, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Category {
    FastFood,
    FamilyMeals,
    Dessert,
}

impl Category {
    pub const ALL: [Self; 3] = [Self::FastFood, Self::FamilyMeals, Self::Dessert];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::FastFood => "fastfood",
            Self::FamilyMeals => "familymeals",
            Self::Dessert => "dessert",
        }
    }

    /// Reads a category in any case: `familyMeals` and `familymeals` are the same.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|category| category.as_str().eq_ignore_ascii_case(text))
    }
}

impl<'de> Deserialize<'de> for Category {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| {
            serde::de::Error::custom("the category must be fastfood, familymeals or dessert")
        })
    }
}

/// A dish, whole, as it is after the event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ItemProfileV1 {
    pub item_id: ItemId,
    /// The short readable code shown to people.
    pub item_code: String,
    pub restaurant_id: RestaurantId,
    pub name: String,
    pub price: Money,
    pub category: Category,
    pub description: String,
    /// Picture URLs.
    pub images: Vec<String>,
    /// In stock.
    pub available: bool,
    /// True once an administrator approved it; customers see it then.
    pub approved: bool,
}

/// A reference to a dish and its restaurant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ItemRefV1 {
    pub item_id: ItemId,
    pub restaurant_id: RestaurantId,
}

events! {
    /// The events of a dish.
    ItemEvent: "item" in Catalog by "restaurant" {
        Added(ItemProfileV1) = "added", "v1", "An owner added a dish.";
        Updated(ItemProfileV1) = "updated", "v1", "A dish changed.";
        Approved(ItemRefV1) = "approved", "v1", "An administrator let a dish be shown and ordered.";
        Deleted(ItemRefV1) = "deleted", "v1", "A dish is gone.";
    }
}

#[cfg(test)]
mod tests {
    use super::Category;

    /// Every spelling of a word by upper and lower case.
    fn spellings(word: &str) -> impl Iterator<Item = String> {
        (0_u32..1 << word.len()).map(move |upper| {
            let letters = word.chars().enumerate();
            let spelt = letters.map(|(n, letter)| match (upper >> n) & 1 {
                1 => letter.to_ascii_uppercase(),
                _ => letter,
            });
            spelt.collect()
        })
    }

    #[test]
    fn a_category_is_read_in_every_case_and_written_in_one() {
        for category in Category::ALL {
            for text in spellings(category.as_str()) {
                let read = serde_json::from_value::<Category>(text.as_str().into());
                assert_eq!(read.ok(), Some(category), "{text}");
            }
            assert_eq!(
                serde_json::to_value(category).ok(),
                Some(category.as_str().into())
            );
        }
        for text in [
            "",
            "soup",
            "fast food",
            "family-meals",
            "desserts",
            " dessert",
            "deßert",
        ] {
            assert_eq!(Category::parse(text), None, "{text}");
        }
    }
}
