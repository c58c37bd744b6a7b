//! The check of the whole chain: from the stream's first event to the end that the database has.

use serde_json::{Value, json};
use tiffin_bus::{history::OperationState, read};
use tiffin_events::Stream;

use super::{AUDIT, ChainVerifier};
use crate::{
    Error, State, local_operations,
    operation::Operation,
    store::chain::{self, ChainEnd},
};

/// Starts a check in this process.
pub fn start_check(state: &State, operation: Operation) {
    let stop = local_operations::begin(state, operation.id);
    let own = state.clone();
    state.tasks.spawn(async move {
        let checked = tokio::select! {
            () = stop.cancelled() => None,
            checked = check(&own) => Some(checked),
        };
        local_operations::end(&own, operation, |it| match checked {
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
struct CheckResult {
    /// Messages that were read.
    read: i64,
    verifier: ChainVerifier,
    /// The end of the chain that the database has.
    end: ChainEnd,
    /// The stream sequence at which the chain breaks, and the reason.
    broken: Option<(u64, String)>,
}

/// Verifies the chain. The end is read first, then the outbox, then the stream: every event up to the end is
/// in one of the two.
async fn check(state: &State) -> Result<CheckResult, Error> {
    let mut connection = state.pool.acquire().await?;
    let end = chain::end(&mut connection).await?;
    let waiting = chain::unpublished(&mut connection).await?;
    drop(connection);
    let mut found = CheckResult {
        read: 0,
        verifier: ChainVerifier::default(),
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
            if let Err(reason) = found.verifier.verify_next(&logged.envelope) {
                found.broken = Some((last, reason));
                break 'stream;
            }
        }
    }
    if found.broken.is_none() {
        found.broken = found.check_end(&waiting).map(|reason| (last + 1, reason));
    }
    Ok(found)
}

impl CheckResult {
    /// Checks the events that wait in the outbox and the chain's end; returns the fault, if there is one.
    fn check_end(&mut self, waiting: &[Value]) -> Option<String> {
        for event in waiting {
            if let Err(reason) = self.verifier.verify_next(event) {
                return Some(format!("an event waits in the outbox, and {reason}"));
            }
        }
        let ChainEnd { number, hash } = &self.end;
        if self.verifier.number() < *number {
            let missing = number - self.verifier.number();
            return Some(format!(
                "the stream ends here, and {missing} events are missing"
            ));
        }
        if *number > 0 && self.verifier.hash_at(*number) != hash.as_deref() {
            return Some(format!(
                "event {number} of the chain is another one than the database knows"
            ));
        }
        None
    }

    /// The report, in the form of a read model's comparison, with the chain's figures.
    fn report(&self) -> Value {
        let equal = self.broken.is_none();
        let number = self.verifier.number();
        let broken = self.broken.as_ref();
        json!({
            "equal": equal,
            "tables": [{
                "table": Stream::Operations.name(), "equal": equal,
                "servingRows": self.end.number, "servingHash": self.end.hash,
                "rebuiltRows": number, "rebuiltHash": self.verifier.hash_at(number),
            }],
            "failures": broken.map(|(seq, reason)| format!("{}/{seq}: {reason}.", Stream::Operations))
                .into_iter().collect::<Vec<_>>(),
            "chain": {
                "name": AUDIT, "earlier": self.verifier.unchained_count(), "number": number,
                "hash": self.verifier.hash_at(number), "brokenAt": broken.map(|(seq, _)| seq),
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault_at_end(number: i64, hash: Option<&str>) -> Option<String> {
        let mut found = CheckResult {
            read: 0,
            verifier: ChainVerifier::default(),
            end: ChainEnd {
                number,
                hash: hash.map(str::to_owned),
            },
            broken: None,
        };
        found.check_end(&[])
    }

    #[test]
    fn a_stream_that_ends_before_the_end_that_is_known_was_cut_off() {
        assert_eq!(fault_at_end(0, None), None);
        assert_eq!(
            fault_at_end(2, Some("7f")).as_deref(),
            Some("the stream ends here, and 2 events are missing")
        );
    }
}
