//! Keyset pages: `?limit=&cursor=`, the next cursor in `Link: <…>; rel="next"` (RFC 8288). Lists are
//! bare arrays. One that is asked for without a limit has 1,000 rows at most, and the same link.

use axum::response::{IntoResponse, Response};
use http::{HeaderValue, header};
use serde::{Deserialize, Serialize};
use url::form_urlencoded::Serializer;
use uuid::Uuid;

/// Rows of a list without `limit`, which old clients take for the whole: more than they show, and few
/// enough to be held in memory by every request at once.
const UNASKED: i64 = 1_000;

/// The optional paging parameters of a list. Lists run newest first by id (`UUIDv7` order).
#[derive(Clone, Copy, Debug, Default, Deserialize, utoipa::IntoParams)]
pub struct Page {
    /// Rows at most, 1 to 500; the first 1,000 without it.
    pub limit: Option<i64>,
    /// The end of the last page.
    pub cursor: Option<Uuid>,
}

impl Page {
    fn rows(self) -> i64 {
        self.limit.map_or(UNASKED, |limit| limit.clamp(1, 500))
    }

    /// The limit to ask SQL for: one more than the page, to know whether another follows.
    pub fn sql_limit(self) -> i64 {
        self.rows() + 1
    }

    /// Cuts `rows` to the page; the page's last row where another page follows.
    pub(crate) fn cut<T>(self, rows: &mut Vec<T>) -> Option<&T> {
        let cut = usize::try_from(self.rows()).unwrap_or(usize::MAX);
        if rows.len() <= cut {
            return None;
        }
        rows.truncate(cut);
        rows.last()
    }

    /// The link to the next page of `path`, of the same length.
    pub(crate) fn next(
        self,
        path: &str,
        mut query: Serializer<'_, String>,
        cursor: &str,
    ) -> String {
        if self.limit.is_some() {
            query.append_pair("limit", &self.rows().to_string());
        }
        query.append_pair("cursor", cursor);
        format!("<{path}?{}>; rel=\"next\"", query.finish())
    }

    /// Cuts `rows` to the page, and says where the next one starts. `path` is the list's own path.
    pub fn answer<T: Serialize>(
        self,
        path: &str,
        mut rows: Vec<T>,
        id: impl Fn(&T) -> Uuid,
    ) -> Response {
        let next = self.cut(&mut rows).map(|last| {
            let query = Serializer::new(String::new());
            self.next(path, query, &id(last).to_string())
        });
        answer(rows, next)
    }
}

/// The rows as a bare array, with a `Link` to the next page where there is one.
pub(crate) fn answer<T: Serialize>(rows: Vec<T>, next: Option<String>) -> Response {
    let mut response = axum::Json(rows).into_response();
    if let Some(next) = next.and_then(|next| HeaderValue::from_str(&next).ok()) {
        response.headers_mut().insert(header::LINK, next);
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(limit: Option<i64>, rows: u128) -> (Option<String>, http::HeaderMap) {
        let rows = (0..rows).map(Uuid::from_u128).collect();
        let response = Page {
            limit,
            cursor: None,
        }
        .answer("/api/v1/orders", rows, |id| *id);
        let headers = response.headers().clone();
        (
            headers
                .get(header::LINK)
                .map(|link| link.to_str().unwrap().to_owned()),
            headers,
        )
    }

    #[test]
    fn a_page_with_more_behind_it_names_the_next() {
        assert_eq!(
            answer(Some(2), 3).0.unwrap(),
            "</api/v1/orders?limit=2&cursor=00000000-0000-0000-0000-000000000001>; rel=\"next\""
        );
    }

    #[test]
    fn the_last_page_and_a_whole_list_name_none() {
        assert_eq!(answer(Some(3), 3).0, None);
        assert_eq!(answer(None, 1_000).0, None);
    }

    #[test]
    fn a_list_without_a_limit_is_bounded_and_goes_on() {
        assert_eq!(
            answer(None, 1_001).0.unwrap(),
            "</api/v1/orders?cursor=00000000-0000-0000-0000-0000000003e7>; rel=\"next\""
        );
    }

    #[test]
    fn limits_stay_in_bounds() {
        assert_eq!(
            Page {
                limit: Some(-4),
                cursor: None
            }
            .sql_limit(),
            2
        );
        assert_eq!(
            Page {
                limit: Some(10_000),
                cursor: None
            }
            .sql_limit(),
            501
        );
        assert_eq!(Page::default().sql_limit(), 1_001);
    }
}
