//! The answers of the platform, kept by the callers themselves.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Mutex, MutexGuard, PoisonError},
};

use uuid::Uuid;

/// A step of an order that the platform has said yes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    Paid,
    /// Asked for, without a last word.
    MayBePaid,
    Confirmed,
    Cancelled,
    Delivered,
}

/// The answers about one order.
#[derive(Clone, Debug, Default)]
pub struct Order {
    /// Cents.
    pub total: i64,
    pub steps: BTreeSet<Step>,
}

impl Order {
    pub fn is(&self, step: Step) -> bool {
        self.steps.contains(&step)
    }
}

/// All answers, by order.
#[derive(Debug, Default)]
pub struct Journal {
    orders: Mutex<BTreeMap<Uuid, Order>>,
}

impl Journal {
    pub fn placed(&self, order: Uuid, total: i64) {
        self.lock().entry(order).or_default().total = total;
    }

    pub fn record(&self, order: Uuid, step: Step) {
        self.lock().entry(order).or_default().steps.insert(step);
    }

    pub fn orders(&self) -> BTreeMap<Uuid, Order> {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<Uuid, Order>> {
        self.orders.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
