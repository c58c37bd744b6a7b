//! A server process: what it costs.

use std::{
    fs,
    io::{BufRead, BufReader},
    process::{Child, ChildStdin, Command, Stdio},
    time::Duration,
};

use anyhow::{Context, Result};

/// A child that ends with this value.
#[derive(Debug)]
pub struct Process {
    child: Child,
    /// Children that watch it end when it closes.
    _input: Option<ChildStdin>,
}

impl Process {
    pub fn start(command: &mut Command) -> Result<Self> {
        let mut child = command
            .stdin(Stdio::piped())
            .spawn()
            .with_context(|| format!("{command:?}"))?;
        Ok(Self {
            _input: child.stdin.take(),
            child,
        })
    }

    /// Starts one that says a line on standard output when it is ready.
    pub fn with_line(command: &mut Command) -> Result<(Self, String)> {
        let mut process = Self::start(command.stdout(Stdio::piped()))?;
        let output = process.child.stdout.take().context("standard output")?;
        let mut line = String::new();
        BufReader::new(output).read_line(&mut line)?;
        anyhow::ensure!(!line.is_empty(), "{command:?} ended before it was ready");
        Ok((process, line))
    }

    /// User and system time so far (`proc_pid_stat(5)`).
    pub fn cpu(&self) -> Result<Duration> {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.child.id()))?;
        let after_name = stat.rsplit_once(')').context("a process")?.1;
        let mut fields = after_name.split_ascii_whitespace().skip(11);
        let mut ticks = || -> Result<u64> { Ok(fields.next().context("a time")?.parse()?) };
        let ticks = ticks()? + ticks()?;
        Ok(Duration::from_millis(
            ticks * 1000 / rustix::param::clock_ticks_per_second(),
        ))
    }

    /// Proportional set size in bytes (`proc_pid_smaps(5)`).
    pub fn memory(&self) -> Result<u64> {
        let rollup = fs::read_to_string(format!("/proc/{}/smaps_rollup", self.child.id()))?;
        let line = rollup.lines().find(|line| line.starts_with("Pss:"));
        let kib = line.and_then(|line| line.split_ascii_whitespace().nth(1));
        Ok(kib.context("its memory")?.parse::<u64>()? * 1024)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
