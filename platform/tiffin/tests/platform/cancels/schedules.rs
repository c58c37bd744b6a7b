//! All orders in which things can happen.

use super::simulation::Step;

/// Goes through every schedule, each from its beginning: what is possible at a step depends on the steps
/// before it.
#[derive(Default)]
pub struct Schedules {
    /// The choice at each step, and of how many.
    choices: Vec<(usize, usize)>,
    at: usize,
    has_begun: bool,
}

impl Schedules {
    /// Begins the next schedule; `false` after the last one.
    pub fn begin(&mut self) -> bool {
        self.at = 0;
        if !std::mem::replace(&mut self.has_begun, true) {
            return true;
        }
        while let Some((choice, of)) = self.choices.pop() {
            if choice + 1 < of {
                self.choices.push((choice + 1, of));
                return true;
            }
        }
        false
    }

    /// The next step, of those that are possible.
    pub fn choose(&mut self, possible: &[Step]) -> Option<Step> {
        if possible.is_empty() {
            return None;
        }
        if self.at == self.choices.len() {
            self.choices.push((0, possible.len()));
        }
        let (choice, _) = self.choices[self.at];
        self.at += 1;
        Some(possible[choice])
    }
}

/// Every way to hear a few events of orders and a few of deliveries.
pub fn merges(orders: usize, deliveries: usize) -> Vec<Vec<Step>> {
    let one = |step: Step, rest: Vec<Vec<Step>>| {
        rest.into_iter()
            .map(move |rest| [vec![step], rest].concat())
    };
    match (orders, deliveries) {
        (0, 0) => vec![Vec::new()],
        (0, _) => one(Step::DeliveriesToPayment, merges(0, deliveries - 1)).collect(),
        (_, 0) => one(Step::OrdersToPayment, merges(orders - 1, 0)).collect(),
        _ => one(Step::OrdersToPayment, merges(orders - 1, deliveries))
            .chain(one(
                Step::DeliveriesToPayment,
                merges(orders, deliveries - 1),
            ))
            .collect(),
    }
}
