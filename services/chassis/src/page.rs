//! Keyset pages: `?limit=&cursor=`, the next cursor in `Link: <…>; rel="next"`. Lists are bare arrays.

use axum::response::Response;
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
    /// The limit to ask SQL for: one more than the page, to know whether another follows.
    pub fn sql_limit(self) -> i64 {
        self.limit.map_or(i64::MAX, |limit| limit.clamp(1, 500) + 1)
    }

    /// Cuts `rows` to the page, and says where the next one starts. `path` is the list's own path.
    pub fn answer<T: Serialize>(self, _path: &str, _rows: Vec<T>, _id: impl Fn(&T) -> Uuid) -> Response {
        unimplemented!()
    }
}
