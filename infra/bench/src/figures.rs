//! The measured figures and their form.

use std::time::Duration;

/// Latencies in microseconds, each to within 1.6 %.
#[derive(Clone, Debug)]
pub struct Latencies {
    buckets: Vec<u64>,
    count: u64,
}

impl Default for Latencies {
    fn default() -> Self {
        Self {
            buckets: vec![0; 64 * 40],
            count: 0,
        }
    }
}

impl Latencies {
    pub fn add(&mut self, microseconds: u64) {
        let shift = (u64::BITS - microseconds.leading_zeros()).saturating_sub(7);
        let bucket = u64::from(shift) * 64 + (microseconds >> shift);
        let last = self.buckets.len() - 1;
        self.buckets[usize::try_from(bucket).unwrap_or(last).min(last)] += 1;
        self.count += 1;
    }

    /// The latency that `share` of all are at or below.
    pub fn quantile(&self, share: f64) -> Duration {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "a share of a count"
        )]
        let wanted = (self.count as f64 * share).ceil() as u64;
        let mut seen = 0;
        for (bucket, count) in (0_u64..).zip(&self.buckets) {
            seen += count;
            if seen >= wanted.max(1) {
                let shift = (bucket / 64).saturating_sub(1);
                return Duration::from_micros((bucket - shift * 64) << shift);
            }
        }
        Duration::ZERO
    }
}

/// The result of one run of a load.
#[derive(Clone, Debug, Default)]
pub struct Figures {
    /// Positions received by watchers while it was measured.
    pub deliveries: u64,
    pub wall: Duration,
    /// CPU time of all server processes while it was measured.
    pub cpu: Duration,
    /// The broker's part of it.
    pub broker: Duration,
    pub latencies: Latencies,
    /// Positions that never came, or came twice, in the whole run.
    pub lost: u64,
    pub doubled: u64,
}

impl Figures {
    /// Deliveries for each second of CPU time.
    pub fn per_cpu_second(&self) -> f64 {
        ratio(self.deliveries, self.cpu)
    }

    pub fn per_second(&self) -> f64 {
        ratio(self.deliveries, self.wall)
    }

    /// The parts of a line.
    pub fn line(&self) -> String {
        format!(
            "{:>9.0} deliveries/s {:>9.0} a CPU second ({:>3.0} % broker)   p50 {:>9}  p99 {:>9}   lost {}  doubled {}",
            self.per_second(),
            self.per_cpu_second(),
            100.0 * self.broker.as_secs_f64() / self.cpu.as_secs_f64().max(1e-9),
            milliseconds(self.latencies.quantile(0.5)),
            milliseconds(self.latencies.quantile(0.99)),
            self.lost,
            self.doubled,
        )
    }
}

#[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
fn ratio(count: u64, time: Duration) -> f64 {
    count as f64 / time.as_secs_f64().max(1e-9)
}

pub fn milliseconds(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1000.0)
}

/// The middle one; of an even number the upper of the two.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_close() {
        let mut latencies = Latencies::default();
        for microseconds in 1..=100_000 {
            latencies.add(microseconds);
        }
        for (share, expected) in [(0.001, 100.0), (0.5, 50_000.0), (0.99, 99_000.0)] {
            let found = latencies.quantile(share).as_secs_f64() * 1e6;
            assert!((found / expected - 1.0).abs() < 0.017, "{share}: {found}");
        }
    }
}
