//! The events of an order, from the log and the archive.

use std::{collections::HashSet, pin::pin};

use futures_util::StreamExt;
use tiffin_archive::Query;
use uuid::Uuid;

use super::segments::Candidates;
use crate::{
    Error, State,
    store::{
        archived,
        events::{self, LoggedEvent, Search},
    },
};

/// All events of an order, its payments, delivery and notifications, in any order.
pub async fn of_order(state: &State, order: Uuid) -> Result<Vec<LoggedEvent>, Error> {
    let mut connection = state.pool.acquire().await?;
    // The log first: what leaves it meanwhile is in the archive, and found twice.
    let mut all = events::of_order(&mut connection, order).await?;
    drop(connection);
    let queries = [
        Query {
            correlation: Some(order),
            ..Query::default()
        },
        Query {
            aggregate: Some(order),
            ..Query::default()
        },
    ];
    if let Some(candidates) = Candidates::of(state, &Search::default(), |_| false).await? {
        let mut segments = pin!(candidates.matching(queries.to_vec()));
        while let Some(next) = segments.next().await {
            let (segment, may_match) = next?;
            for query in queries.iter().filter(|_| may_match) {
                all.extend(candidates.read(&segment, query).await?);
            }
        }
    }
    let mut seen = HashSet::new();
    all.retain(|event| seen.insert((event.stream.clone(), event.seq)));
    Ok(all)
}

/// The order with a code such as `ORD-7K3M9QX2`.
pub async fn find_order_by_code(state: &State, code: &str) -> Result<Option<Uuid>, Error> {
    let mut connection = state.pool.acquire().await?;
    let logged = events::find_order_by_code(&mut connection, code).await?;
    if logged.is_some() {
        return Ok(logged);
    }
    Ok(archived::find_order(&mut connection, code).await?)
}
