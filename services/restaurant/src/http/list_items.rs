use axum::{extract::State, response::Response};
use tiffin_chassis::{
    OptionalCaller, Path, Problem, Query,
    refusal::{BadField, BadPath, BadQuery, BadToken, BadValue},
    refused_by,
};
use tiffin_events::item::Category;

use super::restaurant_id;
use crate::{
    error::Refusal,
    restaurant::Actor,
    search::Search,
    store::{
        item_list::{self, Filter},
        restaurant_list,
    },
    view::ItemView,
};

const LIST: &str = "/api/v1/collection";

refused_by! {
    ListItemsRefusals:
        BadQuery, BadField, BadToken, BadValue::{NoCursor, WordsTooLong, CategoryUnknown},
}

/// The dishes: the approved ones; an owner's own and an administrator's all besides.
#[utoipa::path(
    get,
    path = "/api/v1/collection",
    tag = "restaurant",
    params(Search),
    responses(
        (status = 200, description = "The dishes; `Link` leads to the next page.", body = Vec<ItemView>),
        ListItemsRefusals,
    ),
    security((), ("bearer" = [])),
    extensions(("x-roles" = json!(["*"]))),
)]
pub async fn list_items(
    State(state): State<crate::State>,
    OptionalCaller(caller): OptionalCaller,
    Query(search): Query<Search>,
) -> Result<Response, Problem> {
    let filter = Filter {
        restaurant: None,
        category: search.category,
        viewer: caller.as_ref().map(Actor::from),
        search: &search,
    };
    answer(&state, filter, LIST).await
}

refused_by! {
    ListItemsOfRefusals:
        BadQuery, BadField, BadPath, BadToken,
        BadValue::{NoCursor, WordsTooLong, CategoryUnknown}, Refusal::{NoRestaurant},
}

/// The dishes of a restaurant or of a category. What can be read as a category is one.
#[utoipa::path(
    get,
    path = "/api/v1/collection/getAll/{x}",
    tag = "restaurant",
    params(("x" = String, Path, description = "A restaurant's `_id`, or a category in any case."), Search),
    responses(
        (status = 200, description = "The dishes; `Link` leads to the next page.", body = Vec<ItemView>),
        ListItemsOfRefusals,
    ),
    security((), ("bearer" = [])),
    extensions(("x-roles" = json!(["*"]))),
)]
pub async fn list_items_of(
    State(state): State<crate::State>,
    OptionalCaller(caller): OptionalCaller,
    Path(x): Path<String>,
    Query(search): Query<Search>,
) -> Result<Response, Problem> {
    let filter = Filter {
        restaurant: None,
        category: Category::parse(&x),
        viewer: caller.as_ref().map(Actor::from),
        search: &search,
    };
    if let Some(category) = filter.category {
        return answer(
            &state,
            filter,
            &format!("{LIST}/getAll/{}", category.as_str()),
        )
        .await;
    }
    let restaurant = restaurant_id(&x)?;
    let mut connection = state.pool.acquire().await?;
    restaurant_list::find(&mut connection, restaurant, state.clock.now())
        .await?
        .ok_or(Refusal::NoRestaurant)?;
    drop(connection);
    let filter = Filter {
        restaurant: Some(restaurant),
        category: search.category,
        ..filter
    };
    answer(&state, filter, &format!("{LIST}/getAll/{restaurant}")).await
}

async fn answer(state: &crate::State, filter: Filter<'_>, path: &str) -> Result<Response, Problem> {
    let mut tx = tiffin_database::begin(&state.pool).await?;
    let items = item_list::list(&mut tx, filter).await?;
    Ok(filter.search.answer(path, items))
}
