//! The bridge's counters. The hub counts in plain integers and hands them over now and then, so that
//! counting costs nothing where it matters.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The figures that the asynchronous side may read.
#[derive(Debug, Default)]
pub struct Stats {
    is_linked: AtomicBool,
    sockets: AtomicUsize,
    subjects: AtomicUsize,
}

impl Stats {
    /// True if messages can come.
    pub fn is_linked(&self) -> bool {
        self.is_linked.load(Ordering::Relaxed)
    }

    pub fn sockets(&self) -> usize {
        self.sockets.load(Ordering::Relaxed)
    }

    pub fn set_linked(&self, is_linked: bool) {
        self.is_linked.store(is_linked, Ordering::Relaxed);
    }
}

/// The hub's own counters since they were last handed over.
#[derive(Debug, Default)]
pub struct Counters {
    pub deliveries: u64,
    pub conflated: u64,
    pub malformed: u64,
}

impl Counters {
    pub fn hand_over(&mut self, stats: &Stats, sockets: usize, subjects: usize) {
        // Other hubs add to the same gauges.
        let before = stats.sockets.swap(sockets, Ordering::Relaxed);
        metrics::gauge!("live_sockets").increment(gauge(sockets) - gauge(before));
        let before = stats.subjects.swap(subjects, Ordering::Relaxed);
        metrics::gauge!("live_subjects").increment(gauge(subjects) - gauge(before));
        metrics::counter!("live_deliveries_total").increment(std::mem::take(&mut self.deliveries));
        metrics::counter!("live_conflated_total").increment(std::mem::take(&mut self.conflated));
        metrics::counter!("live_protocol_errors_total")
            .increment(std::mem::take(&mut self.malformed));
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "a count of sockets is far below 2^52"
)]
fn gauge(count: usize) -> f64 {
    count as f64
}

/// Counts a socket that was closed, and why.
pub fn closed(reason: &'static str) {
    metrics::counter!("live_closed_total", "reason" => reason).increment(1);
}
