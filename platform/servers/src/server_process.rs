//! The process of a server that can be started again.

use std::{
    path::{Path, PathBuf},
    process::{Command, ExitStatus},
    time::{Duration, Instant},
};

use rustix::process::Signal;

use crate::{
    Home, ServersError,
    process::{self, Process},
};

/// The interval of checks whether a server is ready.
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// A server's process while it runs, and what starts another one.
#[derive(Debug)]
pub(crate) struct ServerProcess {
    /// The server's name in errors.
    name: &'static str,
    stop: Signal,
    log: PathBuf,
    remove: Option<PathBuf>,
    process: Option<Process>,
}

impl ServerProcess {
    /// A server that does not run yet, and stops on `stop`.
    pub fn new(
        name: &'static str,
        stop: Signal,
        log: &str,
        home: &Home,
    ) -> Result<Self, ServersError> {
        Ok(Self {
            name,
            stop,
            log: home.log(log)?,
            remove: home.to_remove().map(Path::to_owned),
            process: None,
        })
    }

    pub fn id(&self) -> Option<u32> {
        self.process.as_ref().map(Process::id)
    }

    pub fn is_running(&mut self) -> bool {
        let process = self.process.as_mut();
        process.is_some_and(|process| process.ended().is_none())
    }

    /// Its exit status, if it has ended without being stopped.
    pub fn ended(&mut self) -> Option<ExitStatus> {
        self.process.as_mut()?.ended()
    }

    /// Stops it cleanly.
    pub async fn stop(&mut self) {
        if let Some(process) = self.process.take() {
            process.stop().await;
        }
    }

    /// Kills it as a crash would.
    pub fn kill(&mut self) {
        if let Some(process) = self.process.take() {
            process.kill();
        }
    }

    /// Starts `command` and waits until it is ready. Fails if it ends before.
    pub async fn start(
        &mut self,
        command: Command,
        timeout: Duration,
        is_ready: impl Fn(u32) -> bool,
    ) -> Result<(), ServersError> {
        match self.try_start(command, timeout, is_ready).await? {
            None => Ok(()),
            Some(status) => Err(self.ended_early(status)),
        }
    }

    /// Starts `command` and waits until it is ready. Returns its exit status if it ends before.
    pub async fn try_start(
        &mut self,
        mut command: Command,
        timeout: Duration,
        is_ready: impl Fn(u32) -> bool,
    ) -> Result<Option<ExitStatus>, ServersError> {
        self.process = None;
        let started = Instant::now();
        let mut process =
            Process::spawn(&mut command, self.stop, &self.log, self.remove.as_deref())?;
        while !is_ready(process.id()) {
            if let Some(status) = process.ended() {
                return Ok(Some(status));
            }
            if started.elapsed() > timeout {
                let seconds = timeout.as_secs();
                return Err(self.failed(&format!("it was not ready within {seconds} s")));
            }
            tokio::time::sleep(POLL_INTERVAL).await;
        }
        self.process = Some(process);
        Ok(None)
    }

    /// The error of a server that ended before it was ready.
    pub fn ended_early(&self, status: ExitStatus) -> ServersError {
        self.failed(&format!("it ended with {status}"))
    }

    /// The error of a server that did not start, with the end of its log.
    pub fn failed(&self, reason: &str) -> ServersError {
        let reason = format!(
            "{reason}; {} ends with: {}",
            self.log.display(),
            process::last_lines(&self.log)
        );
        ServersError::Start {
            name: self.name,
            reason,
        }
    }
}
