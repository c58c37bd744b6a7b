//! Memory of the idle platform.

use std::{collections::BTreeMap, fs, thread, time::Duration};

use anyhow::{Context, Result, ensure};

use crate::platform::Platform;

/// The most memory that all processes of the idle platform may hold together.
const LIMIT_KB: u64 = 250_000_000 / 1024;
/// The time to settle first.
const SETTLE: Duration = Duration::from_mins(1);

/// Starts a release build with its demo data, lets it settle and prints the proportional set size of
/// each kind of process (`smaps_rollup`: shared pages are divided among those who share them).
pub fn run() -> Result<()> {
    let platform = Platform::start("release")?;
    eprintln!("settling for {} s", SETTLE.as_secs());
    thread::sleep(SETTLE);
    let mut kinds: BTreeMap<String, (usize, u64)> = BTreeMap::new();
    for process in family(platform.process_id())? {
        let kind = kinds.entry(name(process)).or_default();
        kind.0 += 1;
        kind.1 += pss_kb(process)?;
    }
    println!("{:<16} {:>9} {:>10}", "process", "count", "PSS MB");
    for (name, (count, kb)) in &kinds {
        println!("{name:<16} {count:>9} {:>10.1}", megabytes(*kb));
    }
    let total: u64 = kinds.values().map(|(_, kb)| kb).sum();
    println!("{:<16} {:>9} {:>10.1}", "total", "", megabytes(total));
    ensure!(
        total < LIMIT_KB,
        "the idle platform holds more than {:.0} MB",
        megabytes(LIMIT_KB)
    );
    Ok(())
}

/// A process and all its descendants.
fn family(root: u32) -> Result<Vec<u32>> {
    let mut children: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for entry in fs::read_dir("/proc")? {
        let Ok(process) = entry?.file_name().to_string_lossy().parse::<u32>() else {
            continue;
        };
        if let Some(parent) = parent(process) {
            children.entry(parent).or_default().push(process);
        }
    }
    let mut all = vec![root];
    let mut at = 0;
    while let Some(process) = all.get(at) {
        all.extend(children.get(process).cloned().unwrap_or_default());
        at += 1;
    }
    Ok(all)
}

/// The fourth field of `/proc/<id>/stat`, after the name in parentheses.
fn parent(process: u32) -> Option<u32> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    stat.rsplit_once(')')?
        .1
        .split_whitespace()
        .nth(1)?
        .parse()
        .ok()
}

fn name(process: u32) -> String {
    fs::read_to_string(format!("/proc/{process}/comm"))
        .map_or_else(|_| "?".to_owned(), |name| name.trim().to_owned())
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
fn megabytes(kb: u64) -> f64 {
    kb as f64 * 1024.0 / 1e6
}
