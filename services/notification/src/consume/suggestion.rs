use sqlx::PgConnection;
use tiffin_bus::{AggregateHandler, Decoded, Failure};
use tiffin_events::suggestion::SuggestionEvent;

use super::create::create_alone;
use crate::{State, drafts};

/// Creates the notification of a declined order. The service keeps nothing else of suggestions.
impl AggregateHandler<SuggestionEvent> for State {
    async fn handle(
        &self,
        tx: &mut PgConnection,
        events: &[Decoded<'_, SuggestionEvent>],
    ) -> Result<(), Failure> {
        Ok(create_alone(self, tx, events, drafts::of_suggestion).await?)
    }

    async fn project(
        &self,
        _tx: &mut PgConnection,
        _events: &[Decoded<'_, SuggestionEvent>],
    ) -> Result<(), Failure> {
        Ok(())
    }
}
