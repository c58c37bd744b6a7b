//! Orders by the thousand while everything breaks: `platform/tiffin/tests/faults` at length.

use anyhow::Result;

use crate::step;

/// A rate and a seed, which is drawn and printed where there is none.
#[derive(Clone, Copy)]
pub struct Pace {
    pub orders_a_second: u32,
    pub seed: Option<u64>,
}

/// So many faults while orders are delivered.
pub fn run(faults: u32, pace: Pace) -> Result<()> {
    let test = "the_books_agree_whatever_breaks";
    run_test(test, ("CHAOS_FAULTS", faults), pace)
}

/// So many checkouts at restaurants that leave orders without an answer.
pub fn run_unanswered(checkouts: u32, pace: Pace) -> Result<()> {
    let test = "no_order_is_left_refused_after_its_answer_or_printed_twice";
    run_test(test, ("CHAOS_CHECKOUTS", checkouts), pace)
}

/// So many orders paid by Stripe while it fails and the payment service is killed.
pub fn run_stripe(payments: u32, seed: Option<u64>) -> Result<()> {
    let test = "stripes_book_agrees_whatever_breaks";
    let pace = Pace {
        orders_a_second: 0,
        seed,
    };
    run_test(test, ("CHAOS_PAYMENTS", payments), pace)
}

/// Runs a test on a release build.
fn run_test(test: &str, (name, size): (&str, u32), pace: Pace) -> Result<()> {
    let mut command = step::cargo();
    command
        .args(["test", "--release", "-p", "tiffin", "--test", "faults"])
        .args([test, "--", "--nocapture"])
        .env(name, size.to_string())
        .env("CHAOS_ORDERS_A_SECOND", pace.orders_a_second.to_string());
    if let Some(seed) = pace.seed {
        command.env("CHAOS_SEED", seed.to_string());
    }
    step::run("chaos", &mut command).map(drop)
}
