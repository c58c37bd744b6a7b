//! Faults one after the other, each ended in its time.

use std::{collections::BTreeMap, ops::Range, time::Duration};

use rand::{RngExt, SeedableRng, rngs::StdRng};
use tokio::time::{Instant, sleep, sleep_until};

use super::fault::{self, Fault, Target};
use crate::stack::Stack;

/// The faults that are open, and the moments of their ends.
type Open = BTreeMap<Target, (Instant, Fault)>;

/// The number of faults by kind.
pub type Tally = BTreeMap<String, usize>;

/// Begins faults with pauses of so many milliseconds while `goes_on`, given their number, says so, each of something that is well. Ends each in its time.
pub async fn inject_faults(
    stack: &mut Stack,
    seed: u64,
    pauses: Range<u64>,
    draw: impl Fn(&mut StdRng) -> Fault,
    goes_on: impl Fn(u64) -> bool,
) -> Tally {
    let mut random = StdRng::seed_from_u64(!seed);
    let mut open = Open::new();
    let mut tally = Tally::new();
    let mut begun = 0;
    while goes_on(begun) {
        let next = Instant::now() + Duration::from_millis(random.random_range(pauses.clone()));
        end_until(stack, &mut open, &mut tally, next).await;
        let fault = draw(&mut random);
        if open.contains_key(&fault.target) {
            continue;
        }
        eprintln!("chaos: {fault}");
        fault.begin(stack).await;
        *tally.entry(fault.name()).or_default() += 1;
        open.insert(fault.target, (Instant::now() + fault.lasts, fault));
        begun += 1;
    }
    let all_over = Instant::now() + Duration::from_secs(31);
    end_until(stack, &mut open, &mut tally, all_over).await;
    fault::empty_streams(stack).await;
    tally
}

/// Ends what is due until then; returns earlier where nothing is open.
async fn end_until(stack: &mut Stack, open: &mut Open, tally: &mut Tally, until: Instant) {
    loop {
        let due = open
            .values()
            .map(|(due, fault)| (*due, *fault))
            .min_by_key(|(due, _)| *due);
        match due {
            Some((due, fault)) if due <= until => {
                sleep_until(due).await;
                if fault.has_reached_point(stack) {
                    *tally
                        .entry(format!("{} reached", fault.name()))
                        .or_default() += 1;
                }
                if fault.end(stack).await {
                    open.remove(&fault.target);
                } else {
                    let again = Instant::now() + Duration::from_secs(1);
                    open.insert(fault.target, (again, fault));
                }
            }
            _ => break,
        }
    }
    if !open.is_empty() || until <= Instant::now() + Duration::from_secs(2) {
        sleep(until.saturating_duration_since(Instant::now())).await;
    }
}
