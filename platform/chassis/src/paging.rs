//! Pages of lists: `?limit=&cursor=`, the next cursor in `Link: <…>; rel="next"` (RFC 8288). Lists are bare
//! arrays. A list without a limit has 1,000 rows at most, and the same link.
//!
//! A cursor holds what its row was sorted by, so that rows which come, go or change between two pages move none
//! of the others. A sorted list is read with `order by word, rank, id desc`, and a page goes on where
//! `(word, rank) > (cursor.word, cursor.rank)`, or where both are equal and `id < cursor.id`. What runs the other
//! way has a negative rank. Other lists run newest first by id (`UUIDv7` order).

use std::{fmt, str::FromStr};

use axum::response::{IntoResponse, Response};
use http::{HeaderValue, header};
use serde::{Deserialize, Deserializer, Serialize, de};
use url::form_urlencoded::Serializer;
use uuid::Uuid;

/// The most rows of a list without `limit`, which old clients take for the whole list: more than they show, and few
/// enough to be in memory for every request at once.
const ROWS_WITHOUT_LIMIT: i64 = 1_000;

/// The most rows that `limit` may ask for.
const MAX_LIMIT: i64 = 500;

/// The longest search term, in characters.
const MAX_SEARCH_TERM: usize = 100;

/// The end of a page: `<id>`, or `<id>_<rank>_<word>` in a list that is not sorted by id.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cursor {
    pub word: String,
    pub rank: i64,
    pub id: Uuid,
}

impl Cursor {
    /// The end of a page of a list that is sorted by id.
    pub fn at(id: Uuid) -> Self {
        Self {
            id,
            ..Self::default()
        }
    }
}

/// A search term: trimmed, at most 100 characters, possibly empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchTerm(String);

/// The limit for SQL: one row more than the page has, to know whether another page follows.
pub fn sql_limit(limit: Option<i64>) -> i64 {
    rows_of(limit) + 1
}

fn rows_of(limit: Option<i64>) -> i64 {
    limit.map_or(ROWS_WITHOUT_LIMIT, |limit| limit.clamp(1, MAX_LIMIT))
}

/// Cuts `rows` to the page of `limit`, and links to the next page: `path` is the list's own path, `search` what
/// the request asked for besides the page.
pub fn answer<T: Serialize>(
    path: &str,
    search: &[(&str, Option<&str>)],
    limit: Option<i64>,
    mut rows: Vec<(T, Cursor)>,
) -> Response {
    let next = cut(&mut rows, limit).map(|cursor| {
        let mut query = Serializer::new(String::new());
        let given = search
            .iter()
            .filter_map(|(name, value)| Some((name, (*value)?)));
        query.extend_pairs(given);
        if limit.is_some() {
            query.append_pair("limit", &rows_of(limit).to_string());
        }
        query.append_pair("cursor", &cursor.to_string());
        format!("<{path}?{}>; rel=\"next\"", query.finish())
    });
    let rows: Vec<T> = rows.into_iter().map(|(row, _)| row).collect();
    let mut response = axum::Json(rows).into_response();
    if let Some(next) = next.and_then(|next| HeaderValue::from_str(&next).ok()) {
        response.headers_mut().insert(header::LINK, next);
    }
    response
}

/// Cuts `rows` to the page. Returns the page's end where another page follows.
fn cut<T>(rows: &mut Vec<(T, Cursor)>, limit: Option<i64>) -> Option<Cursor> {
    let most = usize::try_from(rows_of(limit)).unwrap_or(usize::MAX);
    if rows.len() <= most {
        return None;
    }
    rows.truncate(most);
    rows.last().map(|(_, cursor)| cursor.clone())
}

impl SearchTerm {
    /// The text, unless there is none.
    pub fn text(&self) -> Option<&str> {
        Some(self.0.as_str()).filter(|text| !text.is_empty())
    }
}

impl<'de> Deserialize<'de> for SearchTerm {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let text = text.trim();
        if text.chars().count() > MAX_SEARCH_TERM {
            return Err(de::Error::custom(format_args!(
                "what to look for must have at most {MAX_SEARCH_TERM} characters"
            )));
        }
        Ok(Self(text.to_owned()))
    }
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { word, rank, id } = self;
        if word.is_empty() && *rank == 0 {
            id.fmt(f)
        } else {
            write!(f, "{id}_{rank}_{word}")
        }
    }
}

/// A text that is no cursor.
#[derive(Debug, thiserror::Error)]
#[error("the cursor does not belong to this list: leave it out to begin with the first page")]
pub struct NoCursor;

impl FromStr for Cursor {
    type Err = NoCursor;

    fn from_str(text: &str) -> Result<Self, NoCursor> {
        let mut parts = text.splitn(3, '_');
        let id = parts
            .next()
            .and_then(|id| id.parse().ok())
            .ok_or(NoCursor)?;
        let rank = parts
            .next()
            .map_or(Ok(0), str::parse)
            .map_err(|_| NoCursor)?;
        let word = parts.next().unwrap_or_default().to_owned();
        Ok(Self { word, rank, id })
    }
}

impl<'de> Deserialize<'de> for Cursor {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cursor(word: &str, rank: i64) -> Cursor {
        Cursor {
            word: word.to_owned(),
            rank,
            id: Uuid::from_u128(7),
        }
    }

    #[test]
    fn a_cursor_comes_back_as_it_was_written() {
        for (cursor, text) in [
            (cursor("", 0), "00000000-0000-0000-0000-000000000007"),
            (
                cursor("", -250),
                "00000000-0000-0000-0000-000000000007_-250_",
            ),
            (
                cursor("pol_roti é", 0),
                "00000000-0000-0000-0000-000000000007_0_pol_roti é",
            ),
        ] {
            assert_eq!(cursor.to_string(), text);
            assert_eq!(text.parse::<Cursor>().unwrap(), cursor);
        }
        for text in ["", "7", "00000000-0000-0000-0000-000000000007_x_", "_0_"] {
            assert!(text.parse::<Cursor>().is_err(), "{text}");
        }
    }

    #[test]
    fn the_next_page_is_asked_for_in_the_same_words() {
        let rows = vec![("a", cursor("a&b", 1)), ("b", cursor("c", 2))];
        let search = [("q", Some("hot & sour")), ("sort", None)];
        let response = answer("/api/v1/collection", &search, Some(1), rows.clone());
        assert_eq!(
            response.headers()[header::LINK],
            "</api/v1/collection?q=hot+%26+sour&limit=1&cursor=00000000-0000-0000-0000-000000000007_1_a%26b>; \
             rel=\"next\""
        );
        let response = answer("/api/v1/collection", &search, None, rows);
        assert!(!response.headers().contains_key(header::LINK));
    }

    fn link(limit: Option<i64>, rows: u128) -> Option<String> {
        let rows = (0..rows).map(|id| (id.to_string(), Cursor::at(Uuid::from_u128(id))));
        let response = answer("/api/v1/orders", &[], limit, rows.collect());
        let link = response.headers().get(header::LINK)?;
        Some(link.to_str().unwrap().to_owned())
    }

    #[test]
    fn a_page_with_more_behind_it_names_the_next() {
        assert_eq!(
            link(Some(2), 3).unwrap(),
            "</api/v1/orders?limit=2&cursor=00000000-0000-0000-0000-000000000001>; rel=\"next\""
        );
    }

    #[test]
    fn the_last_page_and_a_whole_list_name_none() {
        assert_eq!(link(Some(3), 3), None);
        assert_eq!(link(None, 1_000), None);
    }

    #[test]
    fn a_list_without_a_limit_is_bounded_and_goes_on() {
        assert_eq!(
            link(None, 1_001).unwrap(),
            "</api/v1/orders?cursor=00000000-0000-0000-0000-0000000003e7>; rel=\"next\""
        );
    }

    #[test]
    fn limits_stay_in_bounds() {
        assert_eq!(sql_limit(Some(-4)), 2);
        assert_eq!(sql_limit(Some(10_000)), 501);
        assert_eq!(sql_limit(None), 1_001);
    }

    #[test]
    fn words_are_trimmed_and_bounded() {
        let read = |text: &str| serde_json::from_value::<SearchTerm>(text.into());
        assert_eq!(read("  kottu ").unwrap().text(), Some("kottu"));
        assert_eq!(read("  ").unwrap().text(), None);
        assert!(read(&"k".repeat(101)).is_err());
    }
}
