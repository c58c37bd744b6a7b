//! Filters of the lists of dishes and restaurants.

use axum::response::Response;
use serde::{Deserialize, Serialize};
use tiffin_chassis::paging::{self, Cursor, SearchTerm};
use tiffin_events::{UserId, item::Category};
use utoipa::{IntoParams, ToSchema};

/// The filters and the order of a list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
pub struct Search {
    /// Words in the name or the description, at most 100 characters. Mistyped names are found too; of
    /// restaurants also those that have such dishes.
    #[serde(default)]
    #[param(value_type = Option<String>, max_length = 100)]
    pub q: SearchTerm,
    /// Only dishes of this category, in any case, or restaurants that have some.
    pub category: Option<Category>,
    /// Of restaurants only those of this owner.
    #[param(value_type = Option<String>)]
    pub owner_id: Option<UserId>,
    /// Of dishes only those that are approved, or that wait for it.
    pub approve: Option<bool>,
    /// Without it, what fits the words of `q` best leads; without these too, what is newest.
    #[param(inline)]
    sort: Option<Sort>,
    /// The largest number of rows, 1 to 500; 1,000 by default.
    limit: Option<i64>,
    /// The cursor from the previous page's `Link`.
    #[param(value_type = Option<String>)]
    pub cursor: Option<Cursor>,
}

/// The order of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Sort {
    /// A to Z.
    Name,
    /// The cheapest; of restaurants, that with the cheapest dish.
    Price,
    /// The best rated; unrated ones come last.
    Rating,
    Newest,
    /// The best match of the words.
    #[serde(skip)]
    Relevance,
}

impl Search {
    pub fn sort(&self) -> Sort {
        let default = if self.q.text().is_some() {
            Sort::Relevance
        } else {
            Sort::Newest
        };
        self.sort.unwrap_or(default)
    }

    /// The limit to ask SQL for.
    pub fn sql_limit(&self) -> i64 {
        paging::sql_limit(self.limit)
    }

    /// The page, and the way to the next one of the same search.
    pub fn answer<T: Serialize>(&self, path: &str, rows: Vec<(T, Cursor)>) -> Response {
        let approve = self.approve.map(|is| is.to_string());
        let owner = self.owner_id.map(|UserId(id)| id.to_string());
        let asked = [
            ("q", self.q.text()),
            ("category", self.category.map(Category::as_str)),
            ("ownerId", owner.as_deref()),
            ("approve", approve.as_deref()),
            ("sort", self.sort.map(Sort::as_str)),
        ];
        paging::answer(path, &asked, self.limit, rows)
    }
}

impl Sort {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Price => "price",
            Self::Rating => "rating",
            Self::Newest => "newest",
            Self::Relevance => "relevance",
        }
    }
}
