//! localstripe for a task: the test kit's, in a separate process.

use std::{
    collections::BTreeMap,
    io::{BufRead, BufReader},
    process::{Child, Stdio},
};

use anyhow::{Context, Result};

use crate::step;

/// It ends when it is dropped.
pub struct LocalStripe {
    process: Child,
    pub url: String,
    /// The settings of a platform that uses it.
    pub settings: Vec<(String, String)>,
}

impl LocalStripe {
    pub fn start() -> Result<Self> {
        let mut command = step::cargo();
        command.args(["run", "--quiet", "--package", "tiffin-testkit"]);
        command.args(["--example", "localstripe"]);
        let mut process = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context("localstripe")?;
        let output = process.stdout.take().context("localstripe's output")?;
        let mut lines = BufReader::new(output).lines();
        let mut next = || {
            lines
                .next()
                .context("localstripe has ended")?
                .context("a line")
        };
        let url = next()?;
        let settings: BTreeMap<String, String> = serde_json::from_str(&next()?)?;
        Ok(Self {
            process,
            url,
            settings: settings.into_iter().collect(),
        })
    }
}

impl Drop for LocalStripe {
    fn drop(&mut self) {
        // It ends with its standard input.
        drop(self.process.stdin.take());
        let _ = self.process.wait();
    }
}
