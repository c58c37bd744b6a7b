//! `import`: lines of an export, into streams that were empty when it began.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{self, BufRead, BufReader, Read},
    os::fd::AsFd,
    path::PathBuf,
};

use anyhow::{Context, Result};
use clap::Args;
use indicatif::ProgressBar;
use reqwest::Method;
use serde::Deserialize;
use uuid::Uuid;

use super::{
    Reason, follow,
    output::{Output, thousands},
    responses::{ImportCallResult, Imported},
};
use crate::client::{Client, failure::Failure};

/// The bytes of one call; the service takes 1 MiB.
const CALL_BYTES: usize = 900 * 1024;
/// The bytes of a file.
const BYTES_TEMPLATE: &str =
    "{prefix} {wide_bar} {binary_bytes}/{binary_total_bytes} {binary_bytes_per_sec}";

#[derive(Debug, Args)]
pub struct Import {
    /// The file; standard input without one.
    file: Option<PathBuf>,
    #[command(flatten)]
    reason: Reason,
}

/// The fields of a line that are needed here; the platform reads the rest.
#[derive(Deserialize)]
struct Line {
    stream: String,
}

/// Lines of one stream that go together.
#[derive(Default)]
struct Batch {
    stream: String,
    lines: Vec<u8>,
    /// The first one's number in the file.
    first: u64,
}

impl Import {
    pub async fn run(self, client: &Client, out: &mut Output) -> Result<()> {
        let reason = self.reason.get()?;
        let (input, size) = self.open()?;
        let bar = follow::bar(size, BYTES_TEMPLATE);
        let mut import = RunningImport {
            client,
            reason: &reason,
            bar: &bar,
            begun: BTreeMap::new(),
            stored: 0,
            read: 0,
        };
        import.send_all(input).await?;
        import.end().await?;
        let (stored, read) = (import.stored, import.read);
        bar.finish_and_clear();
        let message = format!(
            "{} of {} events are stored now.",
            thousands(stored),
            thousands(read)
        );
        let imported = Imported {
            stored,
            message: message.clone(),
        };
        out.done(&imported, &message)
    }

    /// The input, and its length if it is known.
    fn open(&self) -> Result<(BufReader<File>, u64)> {
        let path = self.file.as_deref().filter(|file| file.as_os_str() != "-");
        let file = if let Some(path) = path {
            File::open(path)
                .map_err(|error| Failure::usage(format!("{}: {error}", path.display())))?
        } else {
            File::from(io::stdin().as_fd().try_clone_to_owned()?)
        };
        let metadata = file.metadata().ok().filter(fs::Metadata::is_file);
        let size = metadata.map_or(0, |metadata| metadata.len());
        Ok((BufReader::new(file), size))
    }
}

struct RunningImport<'a> {
    client: &'a Client,
    reason: &'a str,
    bar: &'a ProgressBar,
    /// The import of each stream.
    begun: BTreeMap<String, Uuid>,
    stored: u64,
    read: u64,
}

impl RunningImport<'_> {
    async fn send_all(&mut self, mut input: BufReader<File>) -> Result<()> {
        let mut batch = Batch::default();
        let mut number = 0;
        loop {
            let mut line = Vec::new();
            // A line is bounded, so that a file that is no export can't fill the memory.
            let max = u64::try_from(CALL_BYTES)? * 2;
            input
                .by_ref()
                .take(max)
                .read_until(b'\n', &mut line)
                .context("the events")?;
            if line.is_empty() {
                break;
            }
            number += 1;
            if line.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            let Line { stream } = serde_json::from_slice(&line)
                .map_err(|error| Failure::usage(format!("Line {number} is no event: {error}")))?;
            if stream != batch.stream || batch.lines.len() + line.len() > CALL_BYTES {
                self.send(std::mem::take(&mut batch)).await?;
                batch.stream = stream;
                batch.first = number;
            }
            self.read += 1;
            batch.lines.extend(line);
        }
        self.send(batch).await
    }

    async fn send(&mut self, batch: Batch) -> Result<()> {
        if batch.lines.is_empty() {
            return Ok(());
        }
        self.bar.set_prefix(batch.stream.clone());
        let size = u64::try_from(batch.lines.len())?;
        let result = self
            .call(&batch.stream, true, batch.lines)
            .await
            .map_err(|error| with_line(error, batch.first))?;
        self.begun.insert(batch.stream, result.import_id);
        self.stored += result.stored;
        self.bar.inc(size);
        Ok(())
    }

    /// Ends the import of every stream.
    async fn end(&mut self) -> Result<()> {
        let streams: Vec<String> = self.begun.keys().cloned().collect();
        for stream in streams {
            self.call(&stream, false, Vec::new()).await?;
        }
        Ok(())
    }

    async fn call(&self, stream: &str, more: bool, lines: Vec<u8>) -> Result<ImportCallResult> {
        let request = self
            .client
            .operator(Method::POST, &["export", stream])
            .await?;
        let begun = self.begun.get(stream).map(|id| ("import", id));
        let request = request
            .query(&[("reason", self.reason)])
            .query(&[("more", more)])
            .query(&begun.as_slice())
            .header(reqwest::header::CONTENT_TYPE, "application/x-ndjson")
            .body(lines);
        let answer = self.client.send(request).await?;
        Ok(answer.json().await.map_err(Failure::from)?)
    }
}

/// The same failure with the line of the file. Stored events are skipped at the next try.
fn with_line(error: anyhow::Error, first: u64) -> anyhow::Error {
    match error.downcast::<Failure>() {
        Ok(failure) => Failure {
            message: format!("From line {first}: {}", failure.message),
            ..failure
        }
        .into(),
        Err(error) => error,
    }
}
