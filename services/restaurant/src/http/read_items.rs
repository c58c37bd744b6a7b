use axum::{extract::State, response::Response};
use tiffin_chassis::{Json, OptionalCaller, Page, Path, Problem, Query, problem::ProblemBody};
use tiffin_events::item::Category;

use super::restaurant_id;
use crate::{
    error::Refusal,
    restaurant::Actor,
    store::{
        items::{self, Filter},
        restaurants,
    },
    view::ItemView,
};

const LIST: &str = "/api/v1/collection";

/// Every dish, newest first: the approved ones; an owner's own and an administrator's all besides.
#[utoipa::path(
    get,
    path = "/api/v1/collection",
    tag = "restaurant",
    params(Page),
    responses(
        (status = 200, description = "The dishes; `Link` leads to the next page.", body = Vec<ItemView>),
        (
            status = 401,
            description = "There is a token, but it is not valid any more.",
            body = ProblemBody,
            content_type = "application/problem+json",
        ),
        (
            status = 422,
            description = "The page is not valid.",
            body = ProblemBody,
            content_type = "application/problem+json",
        ),
    ),
    security((), ("bearer" = [])),
    extensions(("x-roles" = json!(["*"]))),
)]
pub async fn list_items(
    State(state): State<crate::State>,
    OptionalCaller(caller): OptionalCaller,
    Query(page): Query<Page>,
) -> Result<Response, Problem> {
    let filter = Filter {
        restaurant: None,
        category: None,
        viewer: caller.as_ref().map(Actor::from),
        page,
    };
    answer(&state, filter, LIST).await
}

/// The dishes of a restaurant or of a category. What can be read as a category is one.
#[utoipa::path(
    get,
    path = "/api/v1/collection/getAll/{x}",
    tag = "restaurant",
    params(("x" = String, Path, description = "A restaurant's `_id`, or a category in any case."), Page),
    responses(
        (status = 200, description = "The dishes; `Link` leads to the next page.", body = Vec<ItemView>),
        (
            status = 401,
            description = "There is a token, but it is not valid any more.",
            body = ProblemBody,
            content_type = "application/problem+json",
        ),
        (
            status = 404,
            description = "There is no such restaurant or category.",
            body = ProblemBody,
            content_type = "application/problem+json",
        ),
        (
            status = 422,
            description = "The page is not valid.",
            body = ProblemBody,
            content_type = "application/problem+json",
        ),
    ),
    security((), ("bearer" = [])),
    extensions(("x-roles" = json!(["*"]))),
)]
pub async fn list_items_of(
    State(state): State<crate::State>,
    OptionalCaller(caller): OptionalCaller,
    Path(x): Path<String>,
    Query(page): Query<Page>,
) -> Result<Response, Problem> {
    let viewer = caller.as_ref().map(Actor::from);
    let filter = Filter {
        restaurant: None,
        category: Category::parse(&x),
        viewer,
        page,
    };
    if filter.category.is_some() {
        return answer(&state, filter, &format!("{LIST}/getAll/{x}")).await;
    }
    let restaurant = restaurant_id(&x)?;
    let mut connection = state.pool.acquire().await?;
    restaurants::one(&mut connection, restaurant)
        .await?
        .ok_or(Refusal::NoRestaurant)?;
    drop(connection);
    let filter = Filter {
        restaurant: Some(restaurant),
        ..filter
    };
    answer(&state, filter, &format!("{LIST}/getAll/{restaurant}")).await
}

/// One dish.
#[utoipa::path(
    get,
    path = "/api/v1/collection/getOne/{key}",
    tag = "restaurant",
    params(("key" = String, Path, description = "The dish's `_id` or `itemId`.")),
    responses(
        (status = 200, description = "The dish.", body = ItemView),
        (
            status = 401,
            description = "There is a token, but it is not valid any more.",
            body = ProblemBody,
            content_type = "application/problem+json",
        ),
        (
            status = 404,
            description = "There is no such dish, or it is not approved and not the caller's.",
            body = ProblemBody,
            content_type = "application/problem+json",
        ),
    ),
    security((), ("bearer" = [])),
    extensions(("x-roles" = json!(["*"]))),
)]
pub async fn get_item(
    State(state): State<crate::State>,
    OptionalCaller(caller): OptionalCaller,
    Path(key): Path<String>,
) -> Result<Json<ItemView>, Problem> {
    let viewer = caller.as_ref().map(Actor::from);
    let mut connection = state.pool.acquire().await?;
    let item = items::find(&mut connection, &key)
        .await?
        .filter(|item| item.is_visible_to(viewer));
    Ok(Json(item.ok_or(Refusal::NoItem)?.into()))
}

async fn answer(state: &crate::State, filter: Filter, path: &str) -> Result<Response, Problem> {
    let mut connection = state.pool.acquire().await?;
    let items = items::list(&mut connection, filter)
        .await?
        .into_iter()
        .map(ItemView::from)
        .collect();
    Ok(filter.page.answer(path, items, |item: &ItemView| item.id))
}
