use axum::{extract, response::Response};
use serde::Deserialize;
use tiffin_chassis::{
    Caller, Problem, Query,
    paging::{self, Cursor, SearchTerm},
    refusal::{BadField, BadQuery, BadToken, BadValue},
    refused_by,
};
use utoipa::IntoParams;

use super::Inquiry;
use crate::{State, store::inquiries};

/// The filters of the list.
#[derive(Deserialize, IntoParams)]
pub(crate) struct InquiryQuery {
    /// Words to look for in question, answer and who asks.
    #[serde(default)]
    #[param(value_type = Option<String>)]
    q: SearchTerm,
    /// The largest number of rows, 1 to 500; 1,000 by default.
    limit: Option<i64>,
    /// The cursor from the previous page's `Link`.
    #[param(value_type = Option<String>)]
    cursor: Option<Cursor>,
}

refused_by! {
    ListInquiriesRefusals:
        BadQuery, BadField, BadToken, BadValue::{NoCursor, WordsTooLong},
}

/// The caller's own inquiries; everybody's for administrators. Newest first.
#[utoipa::path(
    get, path = "/api/v1/inquiry", tag = "user", security(("bearer" = [])), params(InquiryQuery),
    responses(
        (status = 200, description = "The inquiries; `Link` names the next page.", body = [Inquiry]),
        ListInquiriesRefusals,
    ),
    extensions(("x-roles" = json!(["customer", "restaurant", "delivery", "admin", "operator"])))
)]
pub(crate) async fn list_inquiries(
    extract::State(state): extract::State<State>,
    caller: Caller,
    Query(query): Query<InquiryQuery>,
) -> Result<Response, Problem> {
    let (author, words) = ((!caller.is_admin()).then_some(caller.id), query.q.text());
    let mut conn = state.pool.acquire().await?;
    let before = query.cursor.map(|cursor| cursor.id);
    let limit = paging::sql_limit(query.limit);
    let found = inquiries::list(&mut conn, author, words, before, limit).await?;
    let rows = found.into_iter().map(|row| {
        let cursor = Cursor::at(row.inquiry.id.0);
        (Inquiry::from(row), cursor)
    });
    let search = [("q", words)];
    Ok(paging::answer(
        "/api/v1/inquiry",
        &search,
        query.limit,
        rows.collect(),
    ))
}
