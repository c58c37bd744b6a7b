//! Processor time and memory of a process and all its descendants, from `/proc`.

use std::{collections::BTreeMap, fs, time::Duration};

use anyhow::{Context, Result, ensure};

#[derive(Debug, clap::Args)]
pub struct Options {
    /// The process that began all others.
    #[arg(long)]
    pid: u32,
    /// The most memory in MB that they may hold together.
    #[arg(long)]
    most: u64,
}

pub fn run(options: &Options) -> Result<()> {
    let total = print_memory(&memory(&[options.pid])?);
    ensure!(
        total < options.most * 1_000_000 / 1024,
        "the platform holds more than {} MB",
        options.most
    );
    Ok(())
}

/// The processes of one name.
#[derive(Clone, Debug, Default)]
pub struct Kind {
    pub count: usize,
    /// Proportional set size: shared pages are divided among the processes that share them.
    pub pss_kb: u64,
}

/// Processor time by name of process.
pub type Times = BTreeMap<String, Duration>;

/// Memory by name of process, below `roots` and with them.
pub fn memory(roots: &[u32]) -> Result<BTreeMap<String, Kind>> {
    let mut kinds: BTreeMap<String, Kind> = BTreeMap::new();
    for process in families(roots)? {
        // A process may end while the others are read.
        let (Some(name), Ok(pss)) = (name(process), pss_kb(process)) else {
            continue;
        };
        let kind = kinds.entry(name).or_default();
        kind.count += 1;
        kind.pss_kb += pss;
    }
    Ok(kinds)
}

/// Processor time since each process began, with that of its ended children. It is read again by the
/// caller, and only differences count.
pub fn times(roots: &[u32]) -> Result<Times> {
    let mut times = Times::new();
    for process in families(roots)? {
        if let (Some(name), Some(stat)) = (name(process), stat(process)) {
            *times.entry(name).or_default() += stat.time;
        }
    }
    Ok(times)
}

/// Processes and all their descendants.
fn families(roots: &[u32]) -> Result<Vec<u32>> {
    let mut children: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for entry in fs::read_dir("/proc")? {
        let Ok(process) = entry?.file_name().to_string_lossy().parse::<u32>() else {
            continue;
        };
        if let Some(stat) = stat(process) {
            children.entry(stat.parent).or_default().push(process);
        }
    }
    let mut all = roots.to_vec();
    let mut at = 0;
    while let Some(process) = all.get(at) {
        all.extend(children.get(process).cloned().unwrap_or_default());
        at += 1;
    }
    Ok(all)
}

struct Stat {
    parent: u32,
    time: Duration,
}

/// The parts of `/proc/<id>/stat` after the name in parentheses, as `proc_pid_stat(5)` numbers them.
fn stat(process: u32) -> Option<Stat> {
    let text = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let (_, rest) = text.rsplit_once(')')?;
    let fields: Vec<&str> = rest.split_whitespace().collect();
    let ticks: u64 = (11..15)
        .map_while(|at| fields.get(at)?.parse::<u64>().ok())
        .sum();
    Some(Stat {
        parent: fields.get(1)?.parse().ok()?,
        time: Duration::from_millis(ticks * 1_000 / rustix::param::clock_ticks_per_second()),
    })
}

fn name(process: u32) -> Option<String> {
    let name = fs::read_to_string(format!("/proc/{process}/comm")).ok()?;
    Some(name.trim().to_owned())
}

fn pss_kb(process: u32) -> Result<u64> {
    let path = format!("/proc/{process}/smaps_rollup");
    let text = fs::read_to_string(&path).with_context(|| path.clone())?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("Pss:"))
        .with_context(|| format!("{path} has no Pss"))?;
    line.trim()
        .trim_end_matches(" kB")
        .parse()
        .with_context(|| path)
}

#[expect(clippy::cast_precision_loss, reason = "a figure for people")]
pub fn megabytes(kb: u64) -> f64 {
    kb as f64 * 1024.0 / 1e6
}

/// Prints memory by name of process, and returns the sum in kB.
pub fn print_memory(kinds: &BTreeMap<String, Kind>) -> u64 {
    println!("{:<16} {:>9} {:>10}", "process", "count", "PSS MB");
    for (name, kind) in kinds {
        println!(
            "{name:<16} {:>9} {:>10.1}",
            kind.count,
            megabytes(kind.pss_kb)
        );
    }
    let total = kinds.values().map(|kind| kind.pss_kb).sum();
    println!("{:<16} {:>9} {:>10.1}", "total", "", megabytes(total));
    total
}
