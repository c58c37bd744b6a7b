use serde::Serialize;
use serde_json::Value;
use tiffin_bus::read::Logged;
use utoipa::ToSchema;

use crate::{mask::Masking, store::events::LoggedEvent};

/// One event and its stream sequence.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct EventView {
    pub stream: String,
    pub seq: i64,
    pub subject: String,
    /// The envelope, CloudEvents 1.0; personal fields are masked unless a reason was given.
    #[schema(value_type = Object)]
    pub event: Value,
}

impl EventView {
    pub(crate) fn of(row: LoggedEvent, masking: Masking) -> Self {
        let mut event = row.envelope;
        masking.apply(&row.stream, &mut event);
        Self {
            stream: row.stream,
            seq: row.seq,
            subject: row.subject,
            event,
        }
    }

    pub(crate) fn of_logged(logged: Logged, masking: Masking) -> Self {
        let mut event = logged.envelope;
        masking.apply(logged.stream, &mut event);
        Self {
            stream: logged.stream.to_owned(),
            seq: i64::try_from(logged.seq).unwrap_or(i64::MAX),
            subject: logged.subject,
            event,
        }
    }
}
