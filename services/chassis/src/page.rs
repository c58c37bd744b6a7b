//! Keyset pages: `?limit=&cursor=`, the next cursor in `Link: <…>; rel="next"`. Lists are bare arrays.

use axum::response::{IntoResponse, Response};
use http::{HeaderValue, header};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// The optional paging parameters of a list. Lists run newest first by id (`UUIDv7` order).
#[derive(Clone, Copy, Debug, Default, Deserialize, utoipa::IntoParams)]
pub struct Page {
    /// Rows at most, 1 to 500; all of them without it.
    pub limit: Option<i64>,
    /// Where the last page ended.
    pub cursor: Option<Uuid>,
}

impl Page {
    fn rows(self) -> Option<i64> {
        self.limit.map(|limit| limit.clamp(1, 500))
    }

    /// The limit to ask SQL for: one more than the page, to know whether another follows.
    pub fn sql_limit(self) -> i64 {
        self.rows().map_or(i64::MAX, |rows| rows + 1)
    }

    /// Cuts `rows` to the page; the page's length and last row where another page follows.
    pub(crate) fn cut<T>(self, rows: &mut Vec<T>) -> Option<(i64, &T)> {
        let limit = self.rows()?;
        let cut = usize::try_from(limit).unwrap_or(usize::MAX);
        if rows.len() <= cut {
            return None;
        }
        rows.truncate(cut);
        rows.last().map(|last| (limit, last))
    }

    /// Cuts `rows` to the page, and says where the next one starts. `path` is the list's own path.
    pub fn answer<T: Serialize>(
        self,
        path: &str,
        mut rows: Vec<T>,
        id: impl Fn(&T) -> Uuid,
    ) -> Response {
        let next = self.rows().and_then(|limit| {
            let cut = usize::try_from(limit).unwrap_or(usize::MAX);
            let last = (rows.len() > cut).then(|| rows.get(cut - 1).map(&id))??;
            rows.truncate(cut);
            HeaderValue::from_str(&format!(
                "<{path}?limit={limit}&cursor={last}>; rel=\"next\""
            ))
            .ok()
        });
        let mut response = axum::Json(rows).into_response();
        if let Some(next) = next {
            response.headers_mut().insert(header::LINK, next);
        }
        response
    }
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
        assert_eq!(Page::default().sql_limit(), i64::MAX);
    }
}
