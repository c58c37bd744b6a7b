//! The parts of a person's copy: each service answers with what it holds about an account, a page at a time, on
//! `personal.<service>`. Only the user service may ask (`events/catalog/src/rights.rs`).

mod ask;
mod respond;

use std::sync::Arc;

use bytes::Bytes;
use futures_util::future::BoxFuture;
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};
use sqlx::PgConnection;
use tiffin_events::UserId;
use uuid::Uuid;

pub use self::{
    ask::{AskError, ask_for_file, ask_for_page},
    respond::Responder,
};

/// The rows of a page take at most this many bytes; the broker's messages have at most a megabyte.
const PAGE_SIZE: usize = 512 * 1024;
/// The bytes of a file in one answer.
const CHUNK_SIZE: usize = 512 * 1024;
/// The number of rows that one query reads.
const BATCH: i64 = 200;

/// Tables that every service has, and the reasons why a copy leaves them out.
const LEFT_OUT_EVERYWHERE: [(&str, &str); 17] = [
    ("bus.outbox", "events about rows that are in a section"),
    ("bus.reached", "numbers of events"),
    ("bus.blocked", "places of events in streams"),
    ("bus.parked", "places of events in streams"),
    ("bus.discarded", "places of events in streams"),
    ("bus.runs", "operations, which the operator service lists"),
    ("bus.replaced", "names of consumers"),
    ("bus.snapshots", "names of consumers"),
    ("bus.snapshot_tables", "numbers and hashes of rows"),
    ("bus.heads", "places of events in streams"),
    ("bus.families", "names of consumers"),
    (
        "http.idempotency",
        "answers of the last day about rows that are in a section",
    ),
    ("http.limits", "counters that end with their window"),
    ("platform.currency", "the code of a currency"),
    ("bus._migrations", "names of migrations"),
    ("http._migrations", "names of migrations"),
    ("public._sqlx_migrations", "names of migrations"),
];

/// The holdings of a service about accounts: sections of the copy, and the tables that it leaves out.
#[derive(Debug)]
pub struct Personal {
    pub sections: &'static [Section],
    /// Tables that are in no section, each with the reason.
    pub left_out: &'static [(&'static str, &'static str)],
}

/// A list in the copy, such as an account's orders.
#[derive(Debug)]
pub struct Section {
    pub name: &'static str,
    /// The tables that it shows.
    pub tables: &'static [&'static str],
    pub read: ReadRows,
}

/// Reads the rows of an account whose keys come after a key, in their order, up to a number.
pub type ReadRows =
    for<'a> fn(&'a mut PgConnection, Uuid, Uuid, i64) -> BoxFuture<'a, sqlx::Result<Vec<Row>>>;

/// Reads the file of an account's row; `None` if it is gone.
pub type ReadFile = Arc<dyn Fn(UserId, Uuid) -> BoxFuture<'static, FileResult> + Send + Sync>;
pub type FileResult = Result<Option<Bytes>, Box<dyn std::error::Error + Send + Sync>>;

/// A row of a section. One with a `file` has a file of that path in the copy, which is asked for by the row's `id`.
#[derive(Debug)]
pub struct Row {
    pub key: Uuid,
    pub row: serde_json::Value,
}

/// The place after which the next page begins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cursor {
    section: String,
    after: Uuid,
}

/// Some rows of an account, by section.
#[derive(Debug, Serialize, Deserialize)]
pub struct Page {
    pub parts: Vec<Part>,
    /// Absent on the last page.
    pub next: Option<Cursor>,
}

/// Rows of one section. A section that a page breaks off is continued by the next one.
#[derive(Debug, Serialize, Deserialize)]
pub struct Part {
    pub section: String,
    pub rows: Vec<Box<RawValue>>,
}

/// The sections of a service. Each is a query of the account `$1` that returns `key` and `row` for the keys after `$2`
/// in their order, at most `$3`.
#[macro_export]
macro_rules! personal_sections {
    ($($name:literal of [$($table:literal),+ $(,)?] = $query:literal;)*) => {
        &[$($crate::personal::Section {
            name: $name,
            tables: &[$($table),+],
            read: |conn, account, after, limit| {
                Box::pin(async move {
                    sqlx::query_as!($crate::personal::Row, $query, account, after, limit)
                        .fetch_all(conn)
                        .await
                })
            },
        }),*]
    };
}

impl Personal {
    /// The tables of the database that are neither in a section nor left out with a reason, and those that are both or
    /// are not there.
    pub fn misplaced<'a>(&self, tables: impl Iterator<Item = &'a str>) -> Vec<String> {
        let in_sections = self.sections.iter().flat_map(|section| section.tables);
        let left_out = self.left_out.iter().map(|(table, _)| table);
        let mut own: Vec<&str> = in_sections.copied().collect();
        own.sort_unstable();
        own.dedup();
        own.extend(left_out);
        let everywhere = LEFT_OUT_EVERYWHERE.map(|(table, _)| table);
        let (mut wrong, mut seen) = (Vec::new(), Vec::new());
        for table in tables {
            let name = table.strip_prefix("public.").unwrap_or(table);
            seen.push(name);
            let is_everywhere = everywhere.contains(&table);
            match own.iter().filter(|one| **one == name).count() + usize::from(is_everywhere) {
                1 => {}
                0 => wrong.push(format!("{name} is in no section and not left out")),
                _ => wrong.push(format!("{name} is listed twice")),
            }
        }
        let gone = own.iter().filter(|one| !seen.contains(one));
        wrong.extend(gone.map(|one| format!("{one} does not exist")));
        wrong
    }

    /// The rows of an account after a cursor, up to the size of a page.
    pub async fn page(
        &self,
        conn: &mut PgConnection,
        account: UserId,
        cursor: Option<&Cursor>,
    ) -> Result<Page, PageError> {
        let first = match cursor {
            None => 0,
            Some(cursor) => self.position(cursor)?,
        };
        let (mut parts, mut size) = (Vec::new(), 0);
        for section in &self.sections[first..] {
            let resumed = cursor.filter(|cursor| cursor.section == section.name);
            let mut after = resumed.map_or(Uuid::nil(), |cursor| cursor.after);
            let mut part = Part {
                section: section.name.to_owned(),
                rows: Vec::new(),
            };
            loop {
                let found = (section.read)(conn, account.0, after, BATCH).await?;
                let is_last = i64::try_from(found.len()).is_ok_and(|count| count < BATCH);
                for Row { key, row } in found {
                    let row = to_raw_value(&row)?;
                    if size > 0 && size + row.get().len() > PAGE_SIZE {
                        let section = section.name.to_owned();
                        parts.push(part);
                        let next = Some(Cursor { section, after });
                        return Ok(Page { parts, next });
                    }
                    size += row.get().len();
                    after = key;
                    part.rows.push(row);
                }
                if is_last {
                    break;
                }
            }
            parts.push(part);
        }
        Ok(Page { parts, next: None })
    }

    fn position(&self, cursor: &Cursor) -> Result<usize, PageError> {
        let mut names = self.sections.iter().map(|section| section.name);
        names
            .position(|name| name == cursor.section)
            .ok_or_else(|| PageError::NoSection(cursor.section.clone()))
    }
}

/// The reason why a page can't be read.
#[derive(Debug, thiserror::Error)]
pub enum PageError {
    #[error("database: {0}")]
    Database(#[from] sqlx::Error),
    #[error("a row can't be written: {0}")]
    Row(#[from] serde_json::Error),
    #[error("there is no section {0}")]
    NoSection(String),
}

/// A request for an account's rows or for a part of a file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "ask", rename_all = "camelCase")]
enum Ask {
    Page {
        account: UserId,
        after: Option<Cursor>,
    },
    File {
        account: UserId,
        id: Uuid,
        from: usize,
    },
}
