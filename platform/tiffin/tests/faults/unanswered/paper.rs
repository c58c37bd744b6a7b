//! The paper that came out of a kitchen's printer.

use std::{collections::BTreeMap, str};

use tiffin_testkit::TestPrinter;
use uuid::Uuid;

use super::verdict::OrderRow;

/// The number of times that an order is on paper.
#[derive(Clone, Copy, Debug, Default)]
pub struct Copies {
    pub whole: usize,
    /// On tickets without an end, because the printer broke down.
    pub torn: usize,
    /// On whole tickets with the word REPRINT.
    pub marked: usize,
}

/// Counts the copies of each order on a printer's paper.
pub fn count(printer: &TestPrinter, orders: &[OrderRow], copies: &mut BTreeMap<Uuid, Copies>) {
    let checkouts: BTreeMap<&str, Uuid> = orders
        .iter()
        .map(|order| (order.code.as_str(), order.checkout_id))
        .collect();
    let mut on_checkout: BTreeMap<Uuid, Vec<&OrderRow>> = BTreeMap::new();
    for order in orders {
        on_checkout
            .entry(order.checkout_id)
            .or_default()
            .push(order);
    }
    for (papers, is_whole) in [(printer.tickets(), true), (printer.torn(), false)] {
        for paper in papers {
            // A beginning may be too short for the code.
            let Some(code) = code(&paper) else { continue };
            let ticket = &on_checkout[&checkouts[code]];
            for order in ticket {
                // The dish may be torn off.
                if ticket.len() > 1 && !contains(&paper, order.item_name.as_bytes()) {
                    continue;
                }
                let of = copies.entry(order.id).or_default();
                match (is_whole, contains(&paper, b"REPRINT")) {
                    (true, true) => of.marked += 1,
                    (true, false) => of.whole += 1,
                    (false, false) => of.torn += 1,
                    (false, true) => {}
                }
            }
        }
    }
}

/// `ORD-7K3M9QX2`.
fn code(paper: &[u8]) -> Option<&str> {
    let at = paper.windows(4).position(|part| part == b"ORD-")?;
    Some(str::from_utf8(paper.get(at..at + 12)?).unwrap())
}

fn contains(paper: &[u8], text: &[u8]) -> bool {
    paper.windows(text.len()).any(|part| part == text)
}
