//! The check of the whole chain: from the stream's first event to the end that the database keeps.

use serde_json::{Value, json};
use tiffin_bus::{history::OperationState, read};
use tiffin_events::Stream;

use super::{AUDIT, Walk};
use crate::{
    Error, State,
    operation::Operation,
    running,
    store::chain::{self, End},
};

/// Starts a check in this process.
pub fn start(state: &State, operation: Operation) {
    let stop = running::begin(state, operation.id);
    let own = state.clone();
    state.tasks.spawn(async move {
        let checked = tokio::select! {
            () = stop.cancelled() => None,
            checked = check(&own) => Some(checked),
        };
        running::end(&own, operation, |it| match checked {
            Some(Ok(found)) => {
                it.handled = found.read;
                it.total = found.read;
                it.state = OperationState::Done;
                it.report = Some(found.report());
            }
            Some(Err(error)) => {
                it.state = OperationState::Failed;
                it.report = Some(json!({ "error": error.to_string() }));
            }
            None => it.state = OperationState::Cancelled,
        })
        .await;
    });
}

/// The result of a check.
struct Found {
    /// Messages that were read.
    read: i64,
    walk: Walk,
    /// The end of the chain that the database has.
    end: End,
    /// The stream sequence at which the chain breaks, and the reason.
    broken: Option<(u64, String)>,
}

/// Walks the chain. The end is read first, then the outbox, then the stream: every event up to the end is
/// in one of the two.
async fn check(state: &State) -> Result<Found, Error> {
    let mut connection = state.pool.acquire().await?;
    let end = chain::end(&mut connection).await?;
    let waiting = chain::unpublished(&mut connection).await?;
    drop(connection);
    let mut found = Found {
        read: 0,
        walk: Walk::default(),
        end,
        broken: None,
    };
    let mut last = 0;
    let mut window = read::open(&state.broker, Stream::Operations, None, 1, u64::MAX).await?;
    'stream: loop {
        let batch = window.next().await?;
        if batch.is_empty() {
            break;
        }
        for logged in batch {
            last = logged.seq;
            found.read += 1;
            if let Err(reason) = found.walk.take(&logged.envelope) {
                found.broken = Some((last, reason));
                break 'stream;
            }
        }
    }
    if found.broken.is_none() {
        found.broken = found.beyond(&waiting).map(|reason| (last + 1, reason));
    }
    Ok(found)
}

impl Found {
    /// Checks the events that wait in the outbox and the chain's end; returns the fault, if there is one.
    fn beyond(&mut self, waiting: &[Value]) -> Option<String> {
        for event in waiting {
            if let Err(reason) = self.walk.take(event) {
                return Some(format!("an event waits in the outbox, and {reason}"));
            }
        }
        let End { number, hash } = &self.end;
        if self.walk.number() < *number {
            let missing = number - self.walk.number();
            return Some(format!(
                "the stream ends here, and {missing} events are missing"
            ));
        }
        if *number > 0 && self.walk.at(*number) != hash.as_deref() {
            return Some(format!(
                "event {number} of the chain is another one than the database knows"
            ));
        }
        None
    }

    /// The report, in the form of a read model's comparison, with the chain's figures.
    fn report(&self) -> Value {
        let equal = self.broken.is_none();
        let number = self.walk.number();
        let broken = self.broken.as_ref();
        json!({
            "equal": equal,
            "tables": [{
                "table": Stream::Operations.name(), "equal": equal,
                "servingRows": self.end.number, "servingHash": self.end.hash,
                "rebuiltRows": number, "rebuiltHash": self.walk.at(number),
            }],
            "failures": broken.map(|(place, reason)| format!("{}/{place}: {reason}.", Stream::Operations))
                .into_iter().collect::<Vec<_>>(),
            "chain": {
                "name": AUDIT, "earlier": self.walk.count_of_earlier(), "number": number,
                "hash": self.walk.at(number), "brokenAt": broken.map(|(place, _)| place),
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn beyond(number: i64, hash: Option<&str>) -> Option<String> {
        let mut found = Found {
            read: 0,
            walk: Walk::default(),
            end: End {
                number,
                hash: hash.map(str::to_owned),
            },
            broken: None,
        };
        found.beyond(&[])
    }

    #[test]
    fn a_stream_that_ends_before_the_end_that_is_known_was_cut_off() {
        assert_eq!(beyond(0, None), None);
        assert_eq!(
            beyond(2, Some("7f")).as_deref(),
            Some("the stream ends here, and 2 events are missing")
        );
    }
}
