//! How the price of a checkout is shared out over its orders: equal parts, to the cent.

use tiffin_events::{Money, OrderId};

#[cfg(test)]
mod tests;

/// How far a client's amount may be off, in cents.
const TOLERANCE: i64 = 1;

/// One order of a checkout.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    pub order: OrderId,
    pub total: Money,
    pub cancelled: bool,
    /// Once a payment of the checkout was begun.
    pub share: Option<Money>,
}

/// The orders of one cart, in the cart's order.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkout(Vec<Line>);

impl Checkout {
    pub fn new(lines: Vec<Line>) -> Self {
        Self(lines)
    }

    /// Fixes the shares that are not fixed yet. The first time: equal parts of what the orders that
    /// are not cancelled cost. An order that comes to light later pays its own price, so that the
    /// shares add up to what all of them cost, whatever came when.
    pub fn fix(&mut self) {
        let is_fixed = self.0.iter().any(|line| line.share.is_some());
        let open = || self.0.iter().filter(|line| !line.cancelled);
        let total = open().map(|line| line.total).sum();
        let mut parts = split(total, open().count()).into_iter();
        for line in self.0.iter_mut().filter(|line| !line.cancelled) {
            let part = parts.next();
            if line.share.is_none() {
                line.share = if is_fixed { Some(line.total) } else { part };
            }
        }
    }

    /// What an order is to pay, once fixed.
    pub fn share(&self, order: OrderId) -> Option<Money> {
        self.0
            .iter()
            .find(|line| line.order == order)
            .and_then(|line| line.share)
    }

    pub fn is_cancelled(&self, order: OrderId) -> bool {
        self.0
            .iter()
            .any(|line| line.order == order && line.cancelled)
    }

    /// Whether a client that names this amount means the order's share. The last order of a checkout
    /// takes the remainder, which can be off by more than a cent; a client that names the equal part
    /// means the share too. The share is what is charged in either case.
    pub fn is_meant(&self, order: OrderId, amount: Money) -> bool {
        let shared = || self.0.iter().filter(|line| line.share.is_some());
        let equal = equal_part(shared().map(|line| line.total).sum(), shared().count());
        self.share(order)
            .into_iter()
            .chain([equal])
            .any(|due| (due.cents() - amount.cents()).abs() <= TOLERANCE)
    }

    /// The orders with their shares.
    pub fn shares(&self) -> impl Iterator<Item = (OrderId, Money)> {
        self.0
            .iter()
            .filter_map(|line| Some((line.order, line.share?)))
    }
}

/// `total` in `count` equal parts of whole cents, the last taking the remainder. Where the total has
/// fewer cents than rounded parts need, the later parts have none: no part is ever below zero, and the
/// sum is always exact.
pub fn split(total: Money, count: usize) -> Vec<Money> {
    let part = equal_part(total, count).cents();
    let mut left = total.cents();
    (1..=count)
        .map(|nth| {
            let share = if nth == count { left } else { part.min(left) };
            left -= share;
            Money::from_cents(share)
        })
        .collect()
}

/// `total` divided by `count`, rounded to the cent, halves up.
fn equal_part(total: Money, count: usize) -> Money {
    let count = i64::try_from(count).unwrap_or(i64::MAX).max(1);
    let (whole, rest) = (total.cents() / count, total.cents() % count);
    Money::from_cents(whole + i64::from(rest >= count - rest))
}
