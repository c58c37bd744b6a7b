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
pub struct StandIn {
    /// The permits: each charge waits for one.
    pub gate: Semaphore,
    /// True if no call reaches the provider.
    pub is_away: AtomicBool,
    pub refunds: AtomicUsize,
    said: Mutex<HashMap<Uuid, Outcome>>,
    /// The refunded cents of each key.
    back: Mutex<HashMap<Uuid, i64>>,
}

impl StandIn {
    pub fn new(permits: usize) -> Self {
        Self {
            gate: Semaphore::new(permits),
            is_away: AtomicBool::new(false),
            refunds: AtomicUsize::new(0),
            said: Mutex::default(),
            back: Mutex::default(),
        }
    }

    pub fn captured(&self) -> usize {
        let said = self.said.lock().unwrap();
        said.values()
            .filter(|outcome| **outcome == Outcome::Captured)
            .count()
    }

    pub fn given_back(&self) -> i64 {
        self.back.lock().unwrap().values().sum()
    }

    fn say(&self, key: Uuid, outcome: Outcome) -> Outcome {
        self.said
            .lock()
            .unwrap()
            .entry(key)
            .or_insert(outcome)
            .clone()
    }

    fn there(&self) -> Result<(), Unanswered> {
        if self.is_away.load(Ordering::SeqCst) {
            Err(Unanswered("away".to_owned()))
        } else {
            Ok(())
        }
    }
}

impl Provider for StandIn {
    fn name(&self) -> &'static str {
        "stand-in"
    }

    fn charge(&self, charge: Charge) -> BoxFuture<'_, Result<Outcome, Unanswered>> {
        async move {
            self.there()?;
            self.gate.acquire().await.unwrap().forget();
            Ok(self.say(charge.key, Outcome::Captured))
        }
        .boxed()
    }

    fn settle(&self, key: Uuid) -> BoxFuture<'_, Result<Outcome, Unanswered>> {
        async move {
            self.there()?;
            Ok(self.say(key, Outcome::Declined("not_charged".to_owned())))
        }
        .boxed()
    }

    fn refund(&self, key: Uuid, in_all: Money) -> BoxFuture<'_, Result<(), Unanswered>> {
        async move {
            self.there()?;
            self.refunds.fetch_add(1, Ordering::SeqCst);
            let mut back = self.back.lock().unwrap();
            let back = back.entry(key).or_default();
            *back = in_all.cents().max(*back);
            Ok(())
        }
        .boxed()
    }
}
