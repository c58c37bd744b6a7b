//! Orders by the thousand while everything breaks: `platform/tiffin/tests/faults/chaos` at length.

use anyhow::Result;

use crate::step;

/// So many faults and orders a second, on a release build. The seed is drawn and printed where there is
/// none.
pub fn run(faults: u32, orders_a_second: u32, seed: Option<u64>) -> Result<()> {
    let mut command = step::cargo();
    command
        .args(["test", "--release", "-p", "tiffin", "--test", "faults"])
        .args(["the_books_agree_whatever_breaks", "--", "--nocapture"])
        .env("CHAOS_FAULTS", faults.to_string())
        .env("CHAOS_ORDERS_A_SECOND", orders_a_second.to_string());
    if let Some(seed) = seed {
        command.env("CHAOS_SEED", seed.to_string());
    }
    step::run("chaos", &mut command).map(drop)
}
