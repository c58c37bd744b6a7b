//! `export`: streams as lines of JSON, or as a Parquet file.

use std::io::{self, Stdout};

use anyhow::Result;
use clap::{Args, ValueEnum};
use reqwest::Method;

use super::{
    Reason, follow,
    names::StreamName,
    output::{Output, note, thousands},
    parquet::ParquetFile,
};
use crate::client::{
    Client,
    failure::{Exit, Failure},
};

#[derive(Debug, Args)]
pub struct Export {
    /// The stream; may be given more than once.
    #[arg(long, required = true, value_parser = StreamName)]
    stream: Vec<String>,
    /// The first stream sequence.
    #[arg(long, value_name = "SEQUENCE")]
    from: Option<u64>,
    /// The last stream sequence.
    #[arg(long, value_name = "SEQUENCE")]
    to: Option<u64>,
    /// The file's format.
    #[arg(long, value_enum, default_value_t = Format::Ndjson)]
    format: Format,
    #[command(flatten)]
    reason: Reason,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// An event a line, as `import` takes it in.
    Ndjson,
    /// One Apache Parquet file: a row an event, for tools that read by column.
    Parquet,
}

/// The destination of events.
enum Sink<'a> {
    Lines(&'a mut Output),
    File(Box<ParquetFile<Stdout>>),
}

impl Sink<'_> {
    fn write(&mut self, part: &[u8]) -> Result<()> {
        match self {
            Self::Lines(out) => out.bytes(part),
            Self::File(file) => file.write(part),
        }
    }
}

impl Export {
    pub async fn run(self, client: &Client, out: &mut Output) -> Result<()> {
        if let (Some(from), Some(to)) = (self.from, self.to)
            && from > to
        {
            return Err(Failure::usage("The window ends before it begins.").into());
        }
        let mut sink = match self.format {
            Format::Ndjson => Sink::Lines(out),
            Format::Parquet if out.width.is_some() => {
                let message = "A Parquet file can't be shown on a terminal: redirect standard output to a file.";
                return Err(Failure::usage(message).into());
            }
            Format::Parquet => Sink::File(ParquetFile::new(io::stdout())?.into()),
        };
        let reason = self.reason.get()?;
        for stream in &self.stream {
            self.export_stream(client, &mut sink, stream, &reason)
                .await?;
        }
        match sink {
            Sink::Lines(_) => Ok(()),
            Sink::File(file) => file.finish(),
        }
    }

    async fn export_stream(
        &self,
        client: &Client,
        sink: &mut Sink<'_>,
        stream: &str,
        reason: &str,
    ) -> Result<()> {
        let mut query = vec![("reason", reason.to_owned())];
        query.extend(self.from.map(|from| ("from", from.to_string())));
        query.extend(self.to.map(|to| ("to", to.to_string())));
        let request = client
            .operator(Method::GET, &["export", stream])
            .await?
            .query(&query);
        let mut answer = client.send(request).await?;
        let header = answer
            .headers()
            .get("tiffin-count")
            .and_then(|count| count.to_str().ok());
        let count: Option<u64> = header.and_then(|count| count.parse().ok());
        let bar = follow::bar(count.unwrap_or_default(), follow::EVENTS_TEMPLATE);
        bar.set_prefix(stream.to_owned());
        let mut lines = 0;
        while let Some(part) = answer.chunk().await.map_err(Failure::from)? {
            sink.write(&part)?;
            lines += u64::try_from(part.split(|byte| *byte == b'\n').count() - 1)?;
            bar.set_position(lines);
        }
        bar.finish_and_clear();
        if count.is_some_and(|count| count > lines) {
            let message =
                format!("The export of {stream} broke off after {lines} events: run it again.");
            return Err(Failure::new(Exit::Unreachable, message).into());
        }
        note(format!("{stream}: {} events.", thousands(lines)));
        Ok(())
    }
}
