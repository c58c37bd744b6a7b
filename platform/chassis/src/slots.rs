//! Slots of holders, counted: connections of a network, sockets of an account.

use std::{
    collections::HashMap,
    hash::Hash,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

/// The slots taken, in all and by holder. Cheap to clone; all clones count together.
#[derive(Debug)]
pub struct Slots<K>(Arc<Mutex<Taken<K>>>);

#[derive(Debug)]
struct Taken<K> {
    all: usize,
    by_holder: HashMap<K, usize>,
}

/// The most slots that may be taken.
#[derive(Clone, Copy, Debug)]
pub struct SlotLimits {
    /// By all holders together.
    pub all: usize,
    /// By one holder.
    pub each: usize,
}

/// The reason why no slot is free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Full {
    All,
    Holder,
}

/// Slots of a holder, released when this is dropped.
#[derive(Debug)]
pub struct Slot<K: Copy + Eq + Hash> {
    slots: Slots<K>,
    holder: K,
    count: AtomicUsize,
}

impl<K> Clone for Slots<K> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<K> Default for Slots<K> {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(Taken {
            all: 0,
            by_holder: HashMap::new(),
        })))
    }
}

impl<K: Copy + Eq + Hash> Slots<K> {
    /// Takes `count` slots for a holder, or none.
    pub fn take(&self, holder: K, count: usize, limits: SlotLimits) -> Result<Slot<K>, Full> {
        let mut taken = self.lock();
        let own = taken.by_holder.get(&holder).copied().unwrap_or_default();
        if own + count > limits.each {
            return Err(Full::Holder);
        }
        if taken.all + count > limits.all {
            return Err(Full::All);
        }
        taken.all += count;
        taken.by_holder.insert(holder, own + count);
        drop(taken);
        Ok(Slot {
            slots: self.clone(),
            holder,
            count: AtomicUsize::new(count),
        })
    }

    /// The number of slots taken by all holders.
    pub fn taken(&self) -> usize {
        self.lock().all
    }

    fn release(&self, holder: K, count: usize) {
        let mut taken = self.lock();
        taken.all = taken.all.saturating_sub(count);
        if let Some(own) = taken.by_holder.get_mut(&holder) {
            *own = own.saturating_sub(count);
            if *own == 0 {
                taken.by_holder.remove(&holder);
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Taken<K>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Copy + Eq + Hash> Slot<K> {
    /// Keeps no more than `count` slots.
    pub fn shrink(&self, count: usize) {
        let before = self.count.fetch_min(count, Ordering::Relaxed);
        if before > count {
            self.slots.release(self.holder, before - count);
        }
    }
}

impl<K: Copy + Eq + Hash> Drop for Slot<K> {
    fn drop(&mut self) {
        self.shrink(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_holder_and_all_together_have_so_many_slots() {
        let slots = Slots::default();
        let limits = SlotLimits { all: 5, each: 3 };
        let first = slots.take('a', 2, limits).unwrap();
        assert_eq!(slots.take('a', 2, limits).unwrap_err(), Full::Holder);
        let second = slots.take('b', 3, limits).unwrap();
        assert_eq!(slots.take('c', 1, limits).unwrap_err(), Full::All);
        first.shrink(1);
        let third = slots.take('c', 1, limits).unwrap();
        assert_eq!(slots.taken(), 5);
        drop((first, second, third));
        assert_eq!(slots.taken(), 0);
        assert!(slots.lock().by_holder.is_empty());
    }
}
