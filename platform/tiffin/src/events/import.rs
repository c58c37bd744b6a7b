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
    Why,
    answers::{Imported, Taken},
    client::Client,
    failure::Failure,
    follow,
    output::{Output, thousands},
};

/// The bytes of one call; the service takes 1 MiB.
const CALL: usize = 900 * 1024;
/// The bytes of a file.
const BYTES: &str =
    "{prefix} {wide_bar} {binary_bytes}/{binary_total_bytes} {binary_bytes_per_sec}";

#[derive(Debug, Args)]
pub struct Import {
    /// The file; standard input without one.
    file: Option<PathBuf>,
    #[command(flatten)]
    why: Why,
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
        let reason = self.why.reason()?;
        let (input, size) = self.open()?;
        let bar = follow::bar(size, BYTES);
        let mut import = Running {
            client,
            reason: &reason,
            bar: &bar,
            begun: BTreeMap::new(),
            stored: 0,
            read: 0,
        };
        import.all(input).await?;
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

struct Running<'a> {
    client: &'a Client,
    reason: &'a str,
    bar: &'a ProgressBar,
    /// The import of each stream.
    begun: BTreeMap<String, Uuid>,
    stored: u64,
    read: u64,
}

impl Running<'_> {
    async fn all(&mut self, mut input: BufReader<File>) -> Result<()> {
        let mut batch = Batch::default();
        let mut number = 0;
        loop {
            let mut line = Vec::new();
            // A line is bounded, so that what is no export can't fill the memory.
            let most = u64::try_from(CALL)? * 2;
            input
                .by_ref()
                .take(most)
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
            if stream != batch.stream || batch.lines.len() + line.len() > CALL {
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
        let taken = self
            .call(&batch.stream, true, batch.lines)
            .await
            .map_err(|error| named(error, batch.first))?;
        self.begun.insert(batch.stream, taken.import_id);
        self.stored += taken.stored;
        self.bar.inc(size);
        Ok(())
    }

    /// Says of every stream that nothing more comes.
    async fn end(&mut self) -> Result<()> {
        let streams: Vec<String> = self.begun.keys().cloned().collect();
        for stream in streams {
            self.call(&stream, false, Vec::new()).await?;
        }
        Ok(())
    }

    async fn call(&self, stream: &str, more: bool, lines: Vec<u8>) -> Result<Taken> {
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

/// The same failure, with where in the file it is. What lies there already is skipped the next time.
fn named(error: anyhow::Error, first: u64) -> anyhow::Error {
    match error.downcast::<Failure>() {
        Ok(failure) => Failure {
            message: format!("From line {first}: {}", failure.message),
            ..failure
        }
        .into(),
        Err(error) => error,
    }
}
