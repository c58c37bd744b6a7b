//! `tiffin print` as a kitchen uses it: the real agent between a running platform and a printer on a TCP port.
#![expect(
    clippy::unwrap_used,
    reason = "a test stops where something is not as it should be"
)]

#[expect(dead_code, reason = "the platform's own tests use the rest")]
#[path = "../platform/accounts.rs"]
mod accounts;
#[expect(dead_code, reason = "the tests of faults use the rest")]
mod agent;
mod crashes;
mod kitchen;
#[expect(dead_code, reason = "the tests of faults use the rest")]
#[path = "../faults/chaos/link.rs"]
mod link;
mod printers;
#[expect(dead_code, reason = "the platform's own tests use the rest")]
#[path = "../platform/restaurant_fixture.rs"]
mod restaurant_fixture;
#[expect(dead_code, reason = "the platform's own tests use the rest")]
#[path = "../platform/stack.rs"]
mod stack;

use crate::{kitchen::Kitchen, stack::Stack};

/// One platform for all of it: starting one is what takes longest.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn confirmed_tickets_are_on_paper_once() {
    let stack = Stack::start("print::confirmed_tickets").await;
    let kitchen = Kitchen::new(&stack).await;
    printers::wrong_calls_end_at_once(&kitchen);
    printers::three_dishes_are_one_ticket(&kitchen).await;
    printers::what_is_cancelled_is_not_printed(&kitchen).await;
    printers::tickets_wait_for_paper(&kitchen).await;
    printers::printers_with_fewer_answers(&kitchen).await;
    printers::a_printer_dies_in_a_ticket(&kitchen).await;
    crashes::before_while_and_after_printing(&kitchen).await;
    crashes::without_the_platform(&kitchen).await;
    crashes::thirty_tickets_and_two_agents_that_are_killed(&kitchen).await;
}
