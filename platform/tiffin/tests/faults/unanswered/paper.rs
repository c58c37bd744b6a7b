//! What came out of a kitchen's printer.

use std::{collections::BTreeMap, str};

use tiffin_testkit::TestPrinter;

/// How many times an order's ticket is on paper.
#[derive(Clone, Copy, Debug, Default)]
pub struct Copies {
    pub whole: usize,
    /// Without an end, because the printer broke down.
    pub torn: usize,
    /// With the word REPRINT, whole.
    pub marked: usize,
}

/// The copies of each ticket, by the order's code.
pub fn copies(printer: &TestPrinter) -> BTreeMap<String, Copies> {
    let mut copies: BTreeMap<String, Copies> = BTreeMap::new();
    for (papers, is_whole) in [(printer.tickets(), true), (printer.torn(), false)] {
        for paper in papers {
            // The code is torn off a beginning that is too short for it.
            let Some(code) = code(&paper) else { continue };
            let of = copies.entry(code).or_default();
            match (is_whole, contains(&paper, b"REPRINT")) {
                (true, true) => of.marked += 1,
                (true, false) => of.whole += 1,
                (false, false) => of.torn += 1,
                (false, true) => {}
            }
        }
    }
    copies
}

/// `ORD-7K3M9QX2`.
fn code(paper: &[u8]) -> Option<String> {
    let at = paper.windows(4).position(|part| part == b"ORD-")?;
    Some(str::from_utf8(paper.get(at..at + 12)?).unwrap().to_owned())
}

fn contains(paper: &[u8], text: &[u8]) -> bool {
    paper.windows(text.len()).any(|part| part == text)
}
