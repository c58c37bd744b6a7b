//! The caller's copy of all that the platform holds about them.

pub(super) mod download;
pub(super) mod read;
pub(super) mod request;

use serde::Serialize;
use tiffin_chassis::refusals;
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::store::copies::{self, CopyState};

refusals! {
    /// The reason why there is no copy, or no new one.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum CopyRefusal {
        UnderWay = 409, "user.copy-under-way", "Your copy is being made already.";
        NotReady = 404, "user.copy-not-ready", "There is no copy to download.";
    }
}

/// The state of the caller's copy.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
enum CopyProgress {
    /// None was requested within its time.
    None,
    UnderWay,
    Ready,
    Failed,
}

/// The caller's copy.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CopyAnswer {
    state: CopyProgress,
    #[serde(with = "time::serde::rfc3339::option")]
    requested_at: Option<OffsetDateTime>,
    /// Bytes, of one that is ready.
    size: Option<i64>,
    /// The end of its time, of one that is ready.
    #[serde(with = "time::serde::rfc3339::option")]
    expires_at: Option<OffsetDateTime>,
    /// The service that did not answer, of one that failed.
    missing: Option<String>,
}

impl CopyAnswer {
    fn new(copy: Option<copies::Copy>) -> Self {
        let Some(copy) = copy else {
            return Self {
                state: CopyProgress::None,
                requested_at: None,
                size: None,
                expires_at: None,
                missing: None,
            };
        };
        let is_ready = copy.state == CopyState::Ready;
        let has_failed = copy.state == CopyState::Failed;
        Self {
            state: match copy.state {
                CopyState::Waiting => CopyProgress::UnderWay,
                CopyState::Ready => CopyProgress::Ready,
                CopyState::Failed => CopyProgress::Failed,
            },
            requested_at: Some(copy.requested_at),
            size: copy.size.filter(|_| is_ready),
            expires_at: is_ready.then_some(copy.due_at),
            missing: copy.missing.filter(|_| has_failed),
        }
    }
}
