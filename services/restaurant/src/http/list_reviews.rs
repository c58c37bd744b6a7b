use axum::{extract::State, response::Response};
use serde::Deserialize;
use tiffin_chassis::{
    OptionalCaller, Path, Problem, Query,
    paging::{self, Cursor, SearchTerm},
    refusal::{BadField, BadPath, BadQuery, BadToken, BadValue},
    refused_by,
};
use tiffin_events::RestaurantId;
use utoipa::IntoParams;

use crate::{
    error::Refusal,
    restaurant::Actor,
    store::{
        items,
        review_list::{self, Filter},
    },
    view::ReviewView,
};

const LIST: &str = "/api/v1/reviews";

/// The filters of the list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
pub struct ReviewSearch {
    /// Words in the comment or in the names of author, dish or restaurant; of e-mail addresses too where
    /// an administrator asks. At most 100 characters.
    #[serde(default)]
    #[param(value_type = Option<String>, max_length = 100)]
    q: SearchTerm,
    /// Only those of this restaurant's dishes.
    #[param(value_type = Option<uuid::Uuid>)]
    restaurant_id: Option<RestaurantId>,
    /// Only those that are approved, or that are not.
    is_approved: Option<bool>,
    /// The largest number of rows, 1 to 500; 1,000 by default.
    limit: Option<i64>,
    /// The cursor from the previous page's `Link`.
    #[param(value_type = Option<String>)]
    cursor: Option<Cursor>,
}

refused_by! {
    ListReviewsRefusals:
        BadQuery, BadField, BadToken, BadValue::{NoCursor, WordsTooLong},
}

/// Reviews, last written first: the approved ones, besides a customer's own, those of an owner's dishes,
/// and all for an administrator.
#[utoipa::path(
    get,
    path = "/api/v1/reviews",
    tag = "restaurant",
    params(ReviewSearch),
    responses(
        (status = 200, description = "The reviews; `Link` leads to the next page.", body = Vec<ReviewView>),
        ListReviewsRefusals,
    ),
    security((), ("bearer" = [])),
    extensions(("x-roles" = json!(["*"]))),
)]
pub async fn list_reviews(
    State(state): State<crate::State>,
    OptionalCaller(caller): OptionalCaller,
    Query(search): Query<ReviewSearch>,
) -> Result<Response, Problem> {
    let filter = search.filter(caller.as_ref().map(Actor::from));
    let mut connection = state.pool.acquire().await?;
    let reviews = review_list::list(&mut connection, &filter).await?;
    Ok(search.answer(LIST, reviews))
}

refused_by! {
    ListReviewsOfRefusals:
        BadQuery, BadField, BadPath, BadToken, BadValue::{NoCursor, WordsTooLong},
        Refusal::{NoItem},
}

/// The reviews of a dish, last written first, as far as the caller may see them.
#[utoipa::path(
    get,
    path = "/api/v1/reviews/{productId}",
    tag = "restaurant",
    params(("productId" = String, Path, description = "The dish's `_id` or `itemId`."), ReviewSearch),
    responses(
        (status = 200, description = "The reviews; `Link` leads to the next page.", body = Vec<ReviewView>),
        ListReviewsOfRefusals,
    ),
    security((), ("bearer" = [])),
    extensions(("x-roles" = json!(["*"]))),
)]
pub async fn list_reviews_of(
    State(state): State<crate::State>,
    OptionalCaller(caller): OptionalCaller,
    Path(key): Path<String>,
    Query(search): Query<ReviewSearch>,
) -> Result<Response, Problem> {
    let viewer = caller.as_ref().map(Actor::from);
    let mut connection = state.pool.acquire().await?;
    let item = items::find(&mut connection, &key)
        .await?
        .filter(|item| item.is_visible_to(viewer))
        .ok_or(Refusal::NoItem)?;
    let filter = Filter {
        item: Some(item.id),
        ..search.filter(viewer)
    };
    let reviews = review_list::list(&mut connection, &filter).await?;
    Ok(search.answer(&format!("{LIST}/{}", item.id), reviews))
}

impl ReviewSearch {
    fn filter(&self, viewer: Option<Actor>) -> Filter<'_> {
        Filter {
            restaurant: self.restaurant_id,
            approved: self.is_approved,
            words: self.q.text(),
            after: self.cursor.as_ref(),
            limit: paging::sql_limit(self.limit),
            ..Filter::all(viewer)
        }
    }

    fn answer(&self, path: &str, reviews: Vec<(ReviewView, Cursor)>) -> Response {
        let restaurant = self.restaurant_id.map(|id| id.to_string());
        let approved = self.is_approved.map(|is| is.to_string());
        let search = [
            ("q", self.q.text()),
            ("restaurantId", restaurant.as_deref()),
            ("isApproved", approved.as_deref()),
        ];
        paging::answer(path, &search, self.limit, reviews)
    }
}
