//! The results of the systems side by side, and the aim.

use std::fmt;

use anyhow::{Result, bail};

use crate::{
    figures::{Figures, median},
    systems::System,
};

/// Positions a second of a steady run.
pub const RATE: u64 = 10_000;
/// Bytes of memory that a connection may cost, and what we aim at.
const MOST_MEMORY: u64 = 12_000;
const AIMED_MEMORY: u64 = 8_000;
/// The multiple of nats-server's own figure that we aim at.
const AIMED_AT: f64 = 1.6;

/// One system's result in one round.
pub struct Row {
    pub system: System,
    pub saturated: Figures,
    pub steady: Figures,
    /// Bytes for each connection.
    pub memory: u64,
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.system.name();
        writeln!(f, "  {name:<12} saturated  {}", self.saturated.line())?;
        writeln!(f, "  {name:<12} {RATE}/s    {}", self.steady.line())?;
        write!(
            f,
            "  {name:<12} memory     {:>9} bytes a connection",
            self.memory
        )
    }
}

/// Every round over so many topics.
pub struct Comparison {
    pub topics: u128,
    pub rows: Vec<Row>,
}

impl Comparison {
    fn of(&self, system: System) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(move |row| row.system == system)
    }

    /// The median over the rounds of how many times better we were than the other in the same round.
    fn times(&self, other: System, figure: impl Fn(&Row) -> f64) -> Option<f64> {
        let pairs = self.of(System::Bridge).zip(self.of(other));
        let ratios: Vec<f64> = pairs
            .map(|(ours, theirs)| figure(ours) / figure(theirs))
            .collect();
        (!ratios.is_empty()).then(|| median(ratios))
    }
}

/// Says how the systems compare, and fails where less came out than has to.
pub fn judge(all: &[Comparison]) -> Result<()> {
    let mut failed = 0;
    for comparison in all {
        println!("\n{} topics", comparison.topics);
        for (is_met, what) in findings(comparison) {
            println!("  {}  {what}", if is_met { "ok    " } else { "FAILED" });
            failed += u32::from(!is_met);
        }
    }
    if failed > 0 {
        bail!("{failed} of what is required is not met");
    }
    Ok(())
}

fn findings(comparison: &Comparison) -> Vec<(bool, String)> {
    let mut found = Vec::new();
    let ours: Vec<&Row> = comparison.of(System::Bridge).collect();
    if ours.is_empty() {
        return found;
    }
    let missed = ours.iter().flat_map(|row| [&row.saturated, &row.steady]);
    let missed: u64 = missed.map(|figures| figures.lost + figures.doubled).sum();
    found.push((missed == 0, format!("{missed} lost or doubled")));
    let memory = ours.iter().map(|row| row.memory).max().unwrap_or_default();
    found.push((
        memory <= MOST_MEMORY,
        format!("{memory} bytes a connection (at most {MOST_MEMORY}, aim {AIMED_MEMORY})"),
    ));
    for (other, least, aim) in [
        (System::NatsServer, 1.0, AIMED_AT),
        (System::Node, 2.0, 2.0),
    ] {
        let saturated = comparison.times(other, |row| row.saturated.per_cpu_second());
        let steady = comparison.times(other, |row| row.steady.per_cpu_second());
        if let (Some(saturated), Some(steady)) = (saturated, steady) {
            let name = other.name();
            found.push((
                saturated >= least,
                format!(
                    "{saturated:.2} times the deliveries of {name} for the same CPU time when saturated \
                     (at least {least:.1}, aim {aim:.1})"
                ),
            ));
            found.push((
                steady >= least,
                format!("{steady:.2} times at {RATE}/s (at least {least:.1})"),
            ));
        }
    }
    found
}
