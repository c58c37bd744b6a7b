//! The 19 MiB that a password is hashed in.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use argon2::Block;

use super::MEMORY_KIB;

/// The time without a password after which the memory is freed.
const FREED_AFTER: Duration = Duration::from_secs(30);

/// The buffers of finished computations; never more than there are turns.
#[derive(Debug, Default)]
pub(super) struct Buffers(Mutex<Unused>);

#[derive(Debug, Default)]
pub(super) struct Unused {
    pub blocks: Vec<Vec<Block>>,
    /// The number of computations so far.
    computations: u64,
    /// True while a task waits to free the buffers.
    is_freeing_scheduled: bool,
}

impl Buffers {
    pub fn take(&self) -> Vec<Block> {
        let unused = self.lock().blocks.pop();
        unused.unwrap_or_else(|| vec![Block::new(); MEMORY_KIB as usize])
    }

    pub fn restore(self: &Arc<Self>, blocks: Vec<Block>) {
        let mut unused = self.lock();
        unused.blocks.push(blocks);
        unused.computations += 1;
        if !std::mem::replace(&mut unused.is_freeing_scheduled, true) {
            tokio::spawn(Arc::clone(self).free_when_unused());
        }
    }

    async fn free_when_unused(self: Arc<Self>) {
        loop {
            let before = self.lock().computations;
            tokio::time::sleep(FREED_AFTER).await;
            let mut unused = self.lock();
            if unused.computations == before {
                unused.blocks = Vec::new();
                unused.is_freeing_scheduled = false;
                return;
            }
        }
    }

    pub fn lock(&self) -> MutexGuard<'_, Unused> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Uses the memory, and waits until it is freed.
    async fn use_once(memory: &Arc<Buffers>) {
        let blocks = memory.take();
        memory.restore(blocks);
        assert_eq!(memory.lock().blocks.len(), 1);
        tokio::time::sleep(FREED_AFTER * 2).await;
        assert!(memory.lock().blocks.is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn memory_is_kept_for_a_while_and_then_freed_every_time() {
        let memory = Arc::default();
        use_once(&memory).await;
        use_once(&memory).await;
    }

    #[tokio::test(start_paused = true)]
    async fn memory_in_use_is_kept() {
        let memory: Arc<Buffers> = Arc::default();
        for _ in 0..4 {
            let blocks = memory.take();
            memory.restore(blocks);
            tokio::time::sleep(FREED_AFTER * 2 / 3).await;
            assert_eq!(memory.lock().blocks.len(), 1);
        }
    }
}
