//! Deadlines once everything works again.

use std::{collections::BTreeSet, time::Duration};

use time::OffsetDateTime;
use tokio::time::sleep;

use crate::stack::Stack;

/// The longest time from a deadline, or from the recovery after it, to the refusal: a look every five seconds, a lock
/// that waits ten at most, and a busy machine.
pub const SLACK: time::Duration = time::Duration::seconds(30);

/// A look at all deadlines from the moment on at which everything works again.
#[derive(Clone, Copy, Debug)]
pub struct DeadlineWatch(OffsetDateTime);

impl DeadlineWatch {
    #[expect(clippy::disallowed_methods, reason = "an onlooker has a clock")]
    pub fn begin() -> Self {
        Self(OffsetDateTime::now_utc())
    }

    /// The moment from which nothing excuses a missed deadline.
    pub const fn since(self) -> OffsetDateTime {
        self.0
    }

    /// Looks until no order is pending. Returns the orders that are past their deadline meanwhile.
    #[expect(clippy::disallowed_methods, reason = "an onlooker has a clock")]
    pub async fn until_all_are_answered(self, stack: &Stack) -> Vec<String> {
        let mut late = BTreeSet::new();
        let sql = "select code, answer_by from orders where status = 'pending'";
        loop {
            let now = OffsetDateTime::now_utc();
            let pending: Vec<(String, OffsetDateTime)> = stack.rows("order", sql).await;
            if pending.is_empty() {
                break;
            }
            for (code, answer_by) in pending {
                if now - answer_by.max(self.0) > SLACK && late.insert(code.clone()) {
                    eprintln!("chaos: {code} is past its deadline {answer_by}");
                }
            }
            assert!(now - self.0 < time::Duration::minutes(15), "{late:?} wait");
            sleep(Duration::from_millis(500)).await;
        }
        let sentence = |code| format!("{code} was pending after its deadline");
        late.into_iter().map(sentence).collect()
    }
}
