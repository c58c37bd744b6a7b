//! One checkout: its orders, their payments, and the one balance that decides which orders are paid, how
//! much is left to pay and how much is refunded. Money for a cancelled order is refunded once the delivery
//! service has cancelled its delivery, if it has one.
//!
//! Each order pays a share, an equal part of the total, but no share alone makes an order paid. All live
//! orders (neither cancelled nor deleted) are paid once the captured money covers the price of all of them.
//! The surplus is refunded. What people refund of an order lowers its price (`refund.rs`).

use tiffin_bus::Cause;
use tiffin_events::{Money, OrderId, PaymentId, payment::PaymentEvent};

use crate::{
    payment::{Dispute, Payment, Refusal, Status},
    provider::Outcome,
    refund::{BadRefund, Refund},
};

#[cfg(test)]
mod any_order;
#[cfg(test)]
mod tests;

/// The accepted difference between a client's amount and the share, in cents.
const TOLERANCE: i64 = 1;

/// One order of a checkout.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    pub order: OrderId,
    pub total: Money,
    /// The part of its price that people refunded: it costs so much less.
    pub allowance: Money,
    /// True if it is cancelled or deleted.
    pub cancelled: bool,
    /// True if it is cancelled or deleted but its delivery is not cancelled: it may become live again, so its
    /// money stays.
    pub refund_waits: bool,
}

/// A payment that a refund is made from, with the amount of it that is refunded then.
pub type RefundPart = (PaymentId, Money);

/// The orders of one cart, in the cart's order, and all their payments.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkout {
    lines: Vec<Line>,
    payments: Vec<Payment>,
}

impl Checkout {
    pub fn new(lines: Vec<Line>, payments: Vec<Payment>) -> Self {
        Self { lines, payments }
    }

    pub fn payments(&self) -> &[Payment] {
        &self.payments
    }

    pub fn payment(&self, id: PaymentId) -> Option<&Payment> {
        self.payments.iter().find(|payment| payment.id == id)
    }

    /// The price of the live orders, less what people refunded of them.
    pub fn cost(&self) -> Money {
        self.live().map(Line::cost).sum()
    }

    /// The price of orders that may become live again, whose money stays.
    fn waiting(&self) -> Money {
        let waiting = self.lines.iter().filter(|line| line.refund_waits);
        waiting.map(Line::cost).sum()
    }

    /// The captured amount less refunds, including those under way.
    pub fn balance(&self) -> Money {
        self.payments.iter().map(Payment::balance).sum()
    }

    /// The amount left to pay: the part of the cost that neither the balance nor payments under way cover.
    pub fn due(&self) -> Money {
        let under_way = |payment: &&Payment| payment.status == Status::Pending;
        let under_way = self.payments.iter().filter(under_way);
        let covered = self.balance() + under_way.map(|payment| payment.amount).sum();
        surplus(self.cost(), covered)
    }

    pub fn is_cancelled(&self, order: OrderId) -> bool {
        self.lines
            .iter()
            .any(|line| line.order == order && line.cancelled)
    }

    /// True if an order is paid: it is live, and the balance covers all live orders.
    pub fn is_paid(&self, order: OrderId) -> bool {
        self.live().any(|line| line.order == order) && self.balance() >= self.cost()
    }

    /// The shares of the orders that can be paid now; their sum is the amount due. Orders that were paid
    /// least often come first. The shares are equal parts of the cost as long as every payment was such a
    /// share. After a cancellation, or when another order of the checkout becomes known, the amount due is
    /// split again.
    pub fn shares(&self) -> Vec<(OrderId, Money)> {
        let open = self.payable();
        let due = self.due();
        if open.is_empty() || due == Money::ZERO {
            return Vec::new();
        }
        let whole = split(self.cost(), self.live().count());
        let whole = self.live().map(|line| line.order).zip(whole);
        let whole: Vec<_> = whole.filter(|(order, _)| open.contains(order)).collect();
        if whole.iter().map(|(_, share)| *share).sum::<Money>() == due {
            return whole;
        }
        let parts = split(due, open.len());
        open.into_iter().zip(parts).collect()
    }

    /// The share that an order pays now, if any.
    pub fn share(&self, order: OrderId) -> Option<Money> {
        let share = self.shares().into_iter().find(|(known, _)| *known == order);
        share.map(|(_, share)| share)
    }

    /// The reason why an order without a share can't be paid now.
    pub fn refusal(&self, order: OrderId) -> Refusal {
        let is_pending = |payment: &Payment| payment.status == Status::Pending;
        let mut own = self.payments.iter().filter(|it| it.order.id == order);
        if self.is_cancelled(order) {
            Refusal::Cancelled
        } else if own.any(is_pending) {
            Refusal::UnderWay
        } else if self.is_paid(order) {
            Refusal::AlreadyPaid
        } else if self.due() == Money::ZERO {
            Refusal::UnderWay
        } else {
            Refusal::ShareMade
        }
    }

    /// True if a client's amount matches `share`. The last order's share includes the remainder and can differ
    /// from an equal part by more than a cent, so the equal part is accepted, too. The share is charged in
    /// either case.
    pub fn matches_share(&self, share: Money, amount: Money) -> bool {
        let difference = |a: Money, b: Money| (a.cents() - b.cents()).abs();
        let count = self.live().count();
        let remainder = i64::try_from(count.div_ceil(2)).unwrap_or(i64::MAX);
        let equal = [
            equal_part(self.cost(), count),
            equal_part(self.due(), self.payable().len()),
        ];
        let mut equal = equal
            .into_iter()
            .filter(|it| difference(*it, share) <= remainder);
        difference(share, amount) <= TOLERANCE
            || equal.any(|it| difference(it, amount) <= TOLERANCE)
    }

    /// The number of payments of an order that succeeded or are under way.
    pub fn round(&self, order: OrderId) -> usize {
        let counts = |it: &&Payment| it.order.id == order && !it.is_refused();
        self.payments.iter().filter(counts).count()
    }

    /// Records the provider's outcome of a payment. Recording it again changes nothing. Money that is no
    /// longer needed is refunded at once.
    pub fn record(
        &mut self,
        id: PaymentId,
        outcome: &Outcome,
        cause: &Cause,
    ) -> Vec<(PaymentId, PaymentEvent)> {
        let events = self.with(id, |payment| payment.record(outcome, cause));
        self.refund_surplus(cause);
        events
    }

    /// Refunds the surplus after an order was cancelled or deleted. Its line must be updated before.
    pub fn cancel_order(&mut self, order: OrderId, cause: &Cause) {
        for payment in self.payments.iter_mut().filter(|it| it.order.id == order) {
            payment.expect_refund(cause);
        }
        self.refund_surplus(cause);
    }

    /// The reason why no money of an order is refunded by people now, whatever the amount.
    pub fn refund_refusal(&self, order: OrderId) -> Option<BadRefund> {
        if self.is_cancelled(order) {
            Some(BadRefund::OrderCancelled)
        } else if !self.is_paid(order) {
            Some(BadRefund::NotPaid)
        } else if self.balance() < self.cost() + self.waiting() {
            Some(BadRefund::Unsettled)
        } else {
            None
        }
    }

    /// Lowers the price of an order by a refund, and requests the surplus that this leaves: exactly the refund's amount.
    /// Returns the payments that it is made from and their events. The order is refundable
    /// ([`Checkout::refund_refusal`]) and costs at least as much.
    pub fn issue_refund(
        &mut self,
        refund: &Refund,
        cause: &Cause,
    ) -> (Vec<RefundPart>, Vec<(PaymentId, PaymentEvent)>) {
        let mut lines = self.lines.iter_mut();
        if let Some(line) = lines.find(|line| line.order == refund.order) {
            line.allowance = line.allowance + refund.amount;
        }
        let before: Vec<Money> = self.payments.iter().map(|it| it.to_refund).collect();
        self.refund_surplus(cause);
        let parts = self.payments.iter().zip(before);
        let parts: Vec<&Payment> = parts
            .filter(|(payment, before)| payment.to_refund > *before)
            .map(|(payment, _)| payment)
            .collect();
        let count = parts.len();
        let events = parts.iter().enumerate();
        let events = events.map(|(at, payment)| (payment.id, payment.issued(refund, at, count)));
        let events = events.collect();
        let parts = parts.iter().map(|it| (it.id, it.to_refund)).collect();
        (parts, events)
    }

    /// Records that the provider has refunded `in_all` of a payment, earlier refunds included.
    pub fn refunded(&mut self, id: PaymentId, in_all: Money) -> Vec<(PaymentId, PaymentEvent)> {
        self.with(id, |payment| payment.refund(in_all))
    }

    /// Records what the provider did without being asked: refunds and a dispute.
    pub fn observed(
        &mut self,
        id: PaymentId,
        given_back: Money,
        dispute: Option<Dispute>,
    ) -> Vec<(PaymentId, PaymentEvent)> {
        let mut events = self.with(id, |payment| {
            dispute.map_or_else(Vec::new, |dispute| payment.dispute(dispute))
        });
        events.extend(self.with(id, |payment| payment.given_back(given_back)));
        events
    }

    /// Requests the refund of the balance above the cost of live orders and those whose refund waits: first from
    /// payments of cancelled orders, then from the newest.
    fn refund_surplus(&mut self, cause: &Cause) {
        let mut excess = surplus(self.balance(), self.cost() + self.waiting());
        let live: Vec<OrderId> = self.live().map(|line| line.order).collect();
        let mut payments: Vec<&mut Payment> = self.payments.iter_mut().collect();
        payments.sort_by_key(|it| (live.contains(&it.order.id), std::cmp::Reverse(it.id.0)));
        for payment in payments {
            let part = excess.min(payment.balance());
            if part > Money::ZERO {
                payment.request_refund(part, cause);
                excess = surplus(excess, part);
            }
        }
    }

    /// The live orders that may be paid next: those without a payment under way that were paid least often.
    fn payable(&self) -> Vec<OrderId> {
        let is_pending = |order| {
            let mut all = self.payments.iter();
            all.any(|it| it.order.id == order && it.status == Status::Pending)
        };
        let free = self.live().map(|line| line.order);
        let free: Vec<_> = free.filter(|order| !is_pending(*order)).collect();
        let least = free.iter().map(|order| self.round(*order)).min();
        let open = |order: &OrderId| Some(self.round(*order)) == least;
        free.into_iter().filter(open).collect()
    }

    fn live(&self) -> impl Iterator<Item = &Line> {
        self.lines.iter().filter(|line| !line.cancelled)
    }

    fn with(
        &mut self,
        id: PaymentId,
        change: impl FnOnce(&mut Payment) -> Vec<PaymentEvent>,
    ) -> Vec<(PaymentId, PaymentEvent)> {
        let payment = self.payments.iter_mut().find(|payment| payment.id == id);
        let events = payment.map(change).unwrap_or_default();
        events.into_iter().map(|event| (id, event)).collect()
    }
}

impl Line {
    /// The price less what people refunded.
    fn cost(&self) -> Money {
        surplus(self.total, self.allowance)
    }
}

/// The amount by which `one` exceeds `other`; zero if it does not.
pub fn surplus(one: Money, other: Money) -> Money {
    Money::from_cents(one.cents().saturating_sub(other.cents()).max(0))
}

/// Splits `total` into `count` equal parts of whole cents. The last part takes the remainder. If rounding up
/// uses up the total early, later parts are zero: no part is negative, and the sum is always exact.
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
