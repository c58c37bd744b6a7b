use serde::Serialize;
use serde_json::Value;
use tiffin_bus::{read::Logged, seal::Keys};
use utoipa::ToSchema;

use crate::{Error, mask::Masking, sealed, store::events::LoggedEvent};

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
    /// Events of the log, in their order.
    pub(crate) async fn all(
        keys: &Keys,
        rows: Vec<LoggedEvent>,
        masking: Masking,
    ) -> Result<Vec<Self>, Error> {
        let mut views = Vec::with_capacity(rows.len());
        for row in rows {
            views.push(Self::of(keys, row, masking).await?);
        }
        Ok(views)
    }

    pub(crate) async fn of(keys: &Keys, row: LoggedEvent, masking: Masking) -> Result<Self, Error> {
        Ok(Self {
            event: shown(keys, &row.stream, row.envelope, masking).await?,
            stream: row.stream,
            seq: row.seq,
            subject: row.subject,
        })
    }

    pub(crate) async fn of_logged(
        keys: &Keys,
        logged: Logged,
        masking: Masking,
    ) -> Result<Self, Error> {
        Ok(Self {
            event: shown(keys, logged.stream, logged.envelope, masking).await?,
            stream: logged.stream.to_owned(),
            seq: i64::try_from(logged.seq).unwrap_or(i64::MAX),
            subject: logged.subject,
        })
    }
}

async fn shown(
    keys: &Keys,
    stream: &str,
    mut event: Value,
    masking: Masking,
) -> Result<Value, Error> {
    // What is masked is opened for no one.
    if masking != Masking::All {
        sealed::reveal(keys, &mut event).await?;
    }
    masking.apply(stream, &mut event);
    Ok(event)
}
