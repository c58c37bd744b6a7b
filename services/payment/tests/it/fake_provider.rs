//! A provider that a test controls, and that records its calls.

use std::{
    collections::HashMap,
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

use futures_util::future::{BoxFuture, FutureExt};
use tiffin_events::Money;
use tiffin_payment::provider::{Charge, Outcome, Provider, Unanswered};
use tokio::sync::Semaphore;
use uuid::Uuid;

#[derive(Debug)]
pub struct FakeProvider {
    /// The permits: each charge waits for one.
    pub charge_permits: Semaphore,
    /// True if no call reaches the provider.
    pub is_away: AtomicBool,
    pub refunds: AtomicUsize,
    outcomes: Mutex<HashMap<Uuid, Outcome>>,
    /// The refunded cents of each key.
    refunded: Mutex<HashMap<Uuid, i64>>,
}

impl FakeProvider {
    pub fn new(permits: usize) -> Self {
        Self {
            charge_permits: Semaphore::new(permits),
            is_away: AtomicBool::new(false),
            refunds: AtomicUsize::new(0),
            outcomes: Mutex::default(),
            refunded: Mutex::default(),
        }
    }

    pub fn captured(&self) -> usize {
        let outcomes = self.outcomes.lock().unwrap();
        outcomes
            .values()
            .filter(|outcome| **outcome == Outcome::Captured)
            .count()
    }

    pub fn refunded_cents(&self) -> i64 {
        self.refunded.lock().unwrap().values().sum()
    }

    fn answer(&self, key: Uuid, outcome: Outcome) -> Outcome {
        self.outcomes
            .lock()
            .unwrap()
            .entry(key)
            .or_insert(outcome)
            .clone()
    }

    fn reachable(&self) -> Result<(), Unanswered> {
        if self.is_away.load(Ordering::SeqCst) {
            Err(Unanswered("away".to_owned()))
        } else {
            Ok(())
        }
    }
}

impl Provider for FakeProvider {
    fn name(&self) -> &'static str {
        "stand-in"
    }

    fn charge(&self, charge: Charge) -> BoxFuture<'_, Result<Outcome, Unanswered>> {
        async move {
            self.reachable()?;
            self.charge_permits.acquire().await.unwrap().forget();
            Ok(self.answer(charge.key, Outcome::Captured))
        }
        .boxed()
    }

    fn settle(&self, key: Uuid) -> BoxFuture<'_, Result<Outcome, Unanswered>> {
        async move {
            self.reachable()?;
            Ok(self.answer(key, Outcome::Declined("not_charged".to_owned())))
        }
        .boxed()
    }

    fn refund(&self, key: Uuid, in_all: Money) -> BoxFuture<'_, Result<(), Unanswered>> {
        async move {
            self.reachable()?;
            self.refunds.fetch_add(1, Ordering::SeqCst);
            let mut refunded = self.refunded.lock().unwrap();
            let refunded = refunded.entry(key).or_default();
            *refunded = in_all.cents().max(*refunded);
            Ok(())
        }
        .boxed()
    }
}
