use axum::{extract, response::Response};
use serde::Deserialize;
use tiffin_chassis::{
    Caller, Problem, Query,
    paging::{self, Cursor, SearchTerm},
    refusal::{BadField, BadQuery, BadToken, BadValue, WrongCaller},
    refused_by,
};
use tiffin_events::Role;
use utoipa::IntoParams;

use super::answers::User;
use crate::{
    State,
    store::user_list::{self, Sort, UserFilter},
};

/// The filters and the order of the list.
#[derive(Deserialize, IntoParams)]
pub(crate) struct UserQuery {
    /// Words to look for in name, e-mail address, phone and address.
    #[serde(default)]
    #[param(value_type = Option<String>)]
    q: SearchTerm,
    role: Option<Role>,
    /// `newest` without it.
    #[param(inline)]
    sort: Option<Sort>,
    /// The largest number of rows, 1 to 500; 1,000 by default.
    limit: Option<i64>,
    /// The cursor from the previous page's `Link`.
    #[param(value_type = Option<String>)]
    cursor: Option<Cursor>,
}

refused_by! {
    ListUsersRefusals:
        BadQuery, BadField, BadToken, WrongCaller::{Role}, BadValue::{NoCursor, WordsTooLong},
}

/// Every account, searched and sorted.
#[utoipa::path(
    get, path = "/api/v1/users", tag = "user", security(("bearer" = [])), params(UserQuery),
    responses(
        (status = 200, description = "The accounts; `Link` names the next page.", body = [User]),
        ListUsersRefusals,
    ),
    extensions(("x-roles" = json!(["admin"])))
)]
pub(crate) async fn list_users(
    extract::State(state): extract::State<State>,
    caller: Caller,
    Query(query): Query<UserQuery>,
) -> Result<Response, Problem> {
    caller.require(&[Role::Admin])?;
    let filter = UserFilter {
        words: query.q.text(),
        role: query.role,
        sort: query.sort.unwrap_or_default(),
        limit: query.limit,
        after: query.cursor,
    };
    let mut conn = state.pool.acquire().await?;
    let found = user_list::list(&mut conn, filter).await?;
    let rows = found
        .into_iter()
        .map(|(user, cursor)| (User::from(user), cursor))
        .collect();
    let search = [
        ("q", query.q.text()),
        ("role", query.role.map(Role::as_str)),
        ("sort", query.sort.map(Sort::as_str)),
    ];
    Ok(paging::answer("/api/v1/users", &search, query.limit, rows))
}
