//! Counts places by their holders: connections of a network, sockets of an account.

use std::{
    collections::HashMap,
    hash::Hash,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

/// The places taken, in all and by holder. Cheap to clone; all clones count together.
#[derive(Debug)]
pub struct Places<K>(Arc<Mutex<Taken<K>>>);

#[derive(Debug)]
struct Taken<K> {
    all: usize,
    by_holder: HashMap<K, usize>,
}

/// The most that may be taken.
#[derive(Clone, Copy, Debug)]
pub struct Most {
    /// By all together.
    pub all: usize,
    /// By one holder.
    pub each: usize,
}

/// The reason why there is no place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Full {
    All,
    Holder,
}

/// Places that a holder has, until this is dropped.
#[derive(Debug)]
pub struct Place<K: Copy + Eq + Hash> {
    places: Places<K>,
    holder: K,
    count: AtomicUsize,
}

impl<K> Clone for Places<K> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<K> Default for Places<K> {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(Taken {
            all: 0,
            by_holder: HashMap::new(),
        })))
    }
}

impl<K: Copy + Eq + Hash> Places<K> {
    /// Takes `count` places for a holder, or none.
    pub fn take(&self, holder: K, count: usize, most: Most) -> Result<Place<K>, Full> {
        let mut taken = self.lock();
        let own = taken.by_holder.get(&holder).copied().unwrap_or_default();
        if own + count > most.each {
            return Err(Full::Holder);
        }
        if taken.all + count > most.all {
            return Err(Full::All);
        }
        taken.all += count;
        taken.by_holder.insert(holder, own + count);
        drop(taken);
        Ok(Place {
            places: self.clone(),
            holder,
            count: AtomicUsize::new(count),
        })
    }

    /// The number of places taken by all holders.
    pub fn taken(&self) -> usize {
        self.lock().all
    }

    fn give_back(&self, holder: K, count: usize) {
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

impl<K: Copy + Eq + Hash> Place<K> {
    /// Keeps no more than `count` places.
    pub fn shrink(&self, count: usize) {
        let before = self.count.fetch_min(count, Ordering::Relaxed);
        if before > count {
            self.places.give_back(self.holder, before - count);
        }
    }
}

impl<K: Copy + Eq + Hash> Drop for Place<K> {
    fn drop(&mut self) {
        self.shrink(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_holder_and_all_together_have_so_many_places() {
        let places = Places::default();
        let most = Most { all: 5, each: 3 };
        let first = places.take('a', 2, most).unwrap();
        assert_eq!(places.take('a', 2, most).unwrap_err(), Full::Holder);
        let second = places.take('b', 3, most).unwrap();
        assert_eq!(places.take('c', 1, most).unwrap_err(), Full::All);
        first.shrink(1);
        let third = places.take('c', 1, most).unwrap();
        assert_eq!(places.taken(), 5);
        drop((first, second, third));
        assert_eq!(places.taken(), 0);
        assert!(places.lock().by_holder.is_empty());
    }
}
