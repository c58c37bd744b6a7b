use std::sync::Arc;

use futures_util::{StreamExt, stream};
use memchr::memmem::Finder;
use tiffin_events::Stream;
use tokio::task::spawn_blocking;
use tokio_util::{sync::CancellationToken, task::AbortOnDropHandle};

use crate::{
    Archive, ArchiveError, Message, Page, Segment,
    newest::{Newest, newest_in},
    parquet_file::Column,
};

/// Segments that are read at once.
const AT_ONCE: usize = 2;

/// A text to look for in subjects and bodies, as it is written there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextScan {
    pub text: String,
    /// [`Page::next`] of the page before.
    pub after: Option<u64>,
    /// The most messages in a page, one at least.
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
        mut progress: impl FnMut(Progress) + Send,
        stop: &CancellationToken,
    ) -> Result<Page, ArchiveError> {
        let segments = self.manifest(stream).await?.whole()?;
        let mut page = Newest::new(scan.after, scan.limit);
        let (below, limit) = (page.below(), page.left());
        let finder = Arc::new(Finder::new(scan.text.as_bytes()).into_owned());
        let older = segments.iter().rev().filter(|it| it.first < below);
        let older: Vec<Segment> = older.cloned().collect();
        let mut through = Progress {
            of: older.len() as u64,
            ..Progress::default()
        };
        let mut found = stream::iter(older)
            .map(|segment| {
                let (archive, finder) = (self.clone(), finder.clone());
                let scan = async move {
                    let found = archive.find(&segment, (below, limit), finder).await;
                    (segment, found)
                };
                AbortOnDropHandle::new(tokio::spawn(scan))
            })
            .buffered(AT_ONCE);
        // The first stream sequence of the segments that are through.
        let mut reached = below;
        loop {
            let next = tokio::select! {
                biased;
                () = stop.cancelled() => return Ok(page.page_before(reached)),
                next = found.next() => next,
            };
            let Some(next) = next else {
                return Ok(page.last_page());
            };
            let (segment, messages) = next?;
            page.add(messages?.into_iter().take(page.left()).collect());
            reached = segment.first;
            through.segments += 1;
            through.messages += segment.count;
            progress(through);
            if page.left() == 0 {
                return Ok(page.full_page());
            }
        }
    }

    /// The newest messages of a segment that have the text.
    async fn find(
        &self,
        segment: &Segment,
        wanted: (u64, usize),
        finder: Arc<Finder<'static>>,
    ) -> Result<Vec<Message>, ArchiveError> {
        let file = self.file(segment).await?;
        let found = spawn_blocking(move || {
            newest_in(&file, wanted, |file, group| {
                let subjects = file.texts(group, Column::Subject)?;
                let bodies = file.texts(group, Column::Body)?;
                let has_text = |bytes: &[u8]| finder.find(bytes).is_some();
                let rows = (0..).zip(subjects.iter().zip(&bodies));
                let chosen = rows.filter(|(_, (subject, body))| {
                    has_text(body.data()) || has_text(subject.data())
                });
                Ok(chosen.map(|(row, _)| row).collect())
            })
        });
        found.await?
    }
}
