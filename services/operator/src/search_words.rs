//! The search words of events that were logged before the log kept words. They come from masked payloads,
//! so every operator may search for them.

use crate::{Error, State, mask, store::search_words};

/// The number of events in one transaction.
const BATCH_SIZE: i64 = 500;

/// Fills in the search words of all events that have none.
pub async fn fill_in(state: &State) -> Result<(), Error> {
    while !state.stop.is_cancelled() {
        let mut tx = tiffin_database::begin(&state.pool).await?;
        let unread = search_words::without_words(&mut tx, BATCH_SIZE).await?;
        if unread.is_empty() {
            return Ok(());
        }
        let (mut streams, mut sequences, mut payloads) = (Vec::new(), Vec::new(), Vec::new());
        for event in unread {
            streams.push(event.stream);
            sequences.push(event.seq);
            payloads.push(mask::shown_payload(&event.envelope));
        }
        search_words::save_words(&mut tx, (&streams, &sequences, &payloads)).await?;
        tx.commit().await?;
    }
    Ok(())
}
