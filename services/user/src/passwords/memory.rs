//! The 19 MiB that a password is hashed in.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use argon2::Block;

use super::COST;

/// The time without a password after which the memory is freed.
const KEPT_FOR: Duration = Duration::from_secs(30);

/// The memory of computations that are over; never more than there are turns.
#[derive(Debug, Default)]
pub(super) struct Memory(Mutex<Kept>);

#[derive(Debug, Default)]
pub(super) struct Kept {
    pub blocks: Vec<Vec<Block>>,
    /// The number of computations so far.
    computations: u64,
    /// True while a task waits to free them.
    is_watched: bool,
}

impl Memory {
    pub fn take(&self) -> Vec<Block> {
        let kept = self.kept().blocks.pop();
        kept.unwrap_or_else(|| vec![Block::new(); COST as usize])
    }

    pub fn give_back(self: &Arc<Self>, blocks: Vec<Block>) {
        let mut kept = self.kept();
        kept.blocks.push(blocks);
        kept.computations += 1;
        if !std::mem::replace(&mut kept.is_watched, true) {
            tokio::spawn(Arc::clone(self).free_when_unused());
        }
    }

    async fn free_when_unused(self: Arc<Self>) {
        loop {
            let before = self.kept().computations;
            tokio::time::sleep(KEPT_FOR).await;
            let mut kept = self.kept();
            if kept.computations == before {
                kept.blocks = Vec::new();
                kept.is_watched = false;
                return;
            }
        }
    }

    pub fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Uses the memory, and waits until it is freed.
    async fn use_once(memory: &Arc<Memory>) {
        let blocks = memory.take();
        memory.give_back(blocks);
        assert_eq!(memory.kept().blocks.len(), 1);
        tokio::time::sleep(KEPT_FOR * 2).await;
        assert!(memory.kept().blocks.is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn memory_is_kept_for_a_while_and_then_freed_every_time() {
        let memory = Arc::default();
        use_once(&memory).await;
        use_once(&memory).await;
    }

    #[tokio::test(start_paused = true)]
    async fn memory_in_use_is_kept() {
        let memory: Arc<Memory> = Arc::default();
        for _ in 0..4 {
            let blocks = memory.take();
            memory.give_back(blocks);
            tokio::time::sleep(KEPT_FOR * 2 / 3).await;
            assert_eq!(memory.kept().blocks.len(), 1);
        }
    }
}
