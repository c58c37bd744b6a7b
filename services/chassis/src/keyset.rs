//! Keyset pages of lists that are searched and sorted. A cursor holds what its row was sorted by, so
//! that rows which come, go or change between two pages move none of the others.
//!
//! Such a list is read with `order by word, rank, id desc`, and a page goes on where
//! `(word, rank) > (cursor.word, cursor.rank)`, or where both are equal and `id < cursor.id`. What runs
//! the other way has a negative rank.

use std::{fmt, str::FromStr};

use axum::response::Response;
use serde::{Deserialize, Deserializer, Serialize, de};
use url::form_urlencoded::Serializer;
use uuid::Uuid;

use crate::{Page, page};

/// The longest text to look for, in characters.
const LONGEST_WORDS: usize = 100;

/// The end of a page: `<id>`, or `<id>_<rank>_<word>` in a list that is not sorted by id.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cursor {
    pub word: String,
    pub rank: i64,
    pub id: Uuid,
}

/// A search term: trimmed, at most 100 characters, possibly empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words(String);

/// Cuts `rows` to the page of `limit`, and says where the next one starts: `path` is the list's own path,
/// `search` what it was asked for besides the page.
pub fn answer<T: Serialize>(
    path: &str,
    search: &[(&str, Option<&str>)],
    limit: Option<i64>,
    mut rows: Vec<(T, Cursor)>,
) -> Response {
    let page = Page {
        limit,
        cursor: None,
    };
    let next = page.cut(&mut rows).map(|(_, cursor)| {
        let mut query = Serializer::new(String::new());
        let given = search
            .iter()
            .filter_map(|(name, value)| Some((name, (*value)?)));
        query.extend_pairs(given);
        page.next(path, query, &cursor.to_string())
    });
    page::answer(rows.into_iter().map(|(row, _)| row).collect(), next)
}

impl Words {
    /// The text, unless there is none.
    pub fn text(&self) -> Option<&str> {
        Some(self.0.as_str()).filter(|text| !text.is_empty())
    }
}

impl<'de> Deserialize<'de> for Words {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let text = text.trim();
        if text.chars().count() > LONGEST_WORDS {
            return Err(de::Error::custom(format_args!(
                "what to look for must have at most {LONGEST_WORDS} characters"
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
#[error("the cursor is none of this list's")]
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
    use http::header;

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

    #[test]
    fn words_are_trimmed_and_bounded() {
        let read = |text: &str| serde_json::from_value::<Words>(text.into());
        assert_eq!(read("  kottu ").unwrap().text(), Some("kottu"));
        assert_eq!(read("  ").unwrap().text(), None);
        assert!(read(&"k".repeat(101)).is_err());
    }
}
