//! `archive`: how fast archived messages are read, beside DuckDB, which reads the same columns of the same files
//! with all cores; and how much smaller they are than in a stream. Both read from the page cache.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, ensure};
use tempfile::TempDir;
use tiffin_archive::{Archive, Filter, Message, SEGMENT_BYTES, Segment};
use tiffin_events::Stream;
use uuid::Uuid;

use crate::{
    figures::median,
    processes,
    replay::orders::{Lives, Outgoing},
};

/// The least part of DuckDB's speed that the archive's reader reaches.
const SHARE: f64 = 0.5;
const STREAM: Stream = Stream::Orders;
/// Messages that the relay publishes together at most.
const BATCH: u64 = 256;

/// Reads every column that a message has. The time is without starting Python.
const DUCKDB: &str = "
import duckdb, json, sys, time
began, cpu = time.perf_counter(), time.process_time()
row = duckdb.sql(f\"\"\"
    select count(*), sum(seq)::bigint, sum(octet_length(event))::bigint, sum(strlen(subject))::bigint,
           sum(strlen(headers))::bigint, max(epoch_ns(stored_at))
    from read_parquet('{sys.argv[1]}')\"\"\").fetchall()[0]
print(json.dumps([time.perf_counter() - began, time.process_time() - cpu, list(row)]))
";

#[derive(Debug, clap::Args)]
pub struct Options {
    /// Messages in the archive.
    #[arg(long, default_value_t = 1_000_000)]
    events: u64,
    /// The number of rounds, by turns; medians are compared.
    #[arg(long, default_value_t = 5)]
    rounds: u32,
}

pub fn run(options: &Options) -> Result<()> {
    tokio::runtime::Runtime::new()?.block_on(measure(options))
}

async fn measure(options: &Options) -> Result<()> {
    let folder = TempDir::new()?;
    fill(&Archive::folder(folder.path().to_owned()), options.events).await?;
    println!("\n{} rounds by turns", options.rounds);
    println!("{:>14} {:>14} {:>16}", "", "messages/s", "a second of CPU");
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..options.rounds {
        let own = scan(&Archive::folder(folder.path().to_owned())).await?;
        let other = duckdb(folder.path())?;
        let (sums, read) = (own.sums, other.sums);
        ensure!(sums == read, "DuckDB reads {read:?} instead of {sums:?}");
        ensure!(sums[0] == i64::try_from(options.events)?, "{sums:?}");
        own.print("archive");
        other.print("DuckDB");
        ours.push(own);
        theirs.push(other);
    }
    let bytes = ours.first().map_or(0, |scan| scan.sums[2]);
    let middle = |scans: &[Scan], rate: fn(&Scan) -> f64| median(scans.iter().map(rate).collect());
    let (own, other) = (middle(&ours, Scan::rate), middle(&theirs, Scan::rate));
    let by_cpu = middle(&ours, Scan::rate_by_cpu) / middle(&theirs, Scan::rate_by_cpu);
    let megabytes = own * each(u64::try_from(bytes)?, options.events) / 1e6;
    let share = own / other;
    println!("{own:.0} messages and {megabytes:.0} MB of bodies a second");
    println!("{share:.2} of DuckDB's speed, {by_cpu:.2} of it for the same CPU time");
    ensure!(
        share >= SHARE,
        "a scan reaches {share:.2} of DuckDB's speed"
    );
    Ok(())
}

/// Seconds that a scan took, and count and sums over its columns.
struct Scan {
    seconds: f64,
    cpu: f64,
    sums: [i64; 6],
}

impl Scan {
    fn rate(&self) -> f64 {
        per_second(self.sums[0], self.seconds)
    }

    fn rate_by_cpu(&self) -> f64 {
        per_second(self.sums[0], self.cpu)
    }

    fn print(&self, name: &str) {
        println!(
            "{name:>14} {:>14.0} {:>16.0}",
            self.rate(),
            self.rate_by_cpu()
        );
    }
}

/// Archives the lives of orders in segments of the usual size, and prints what they take.
async fn fill(archive: &Archive, count: u64) -> Result<()> {
    let (mut lives, mut last) = (Lives::new(), 0);
    let (mut messages, mut bytes, mut raw) = (Vec::new(), 0, 0);
    let mut segments: Vec<Segment> = Vec::new();
    let mut writing = Duration::ZERO;
    for sequence in 1..=count {
        let message = stored(sequence, lives.event()?);
        bytes += message.body.len();
        raw += size_in_stream(&message);
        messages.push(message);
        if bytes >= SEGMENT_BYTES || sequence == count {
            let began = Instant::now();
            segments.push(
                archive
                    .append(STREAM, last + 1..=sequence, &messages)
                    .await?,
            );
            writing += began.elapsed();
            (last, bytes) = (sequence, 0);
            messages.clear();
        }
    }
    let sum = |size: fn(&Segment) -> u64| segments.iter().map(size).sum::<u64>();
    let (files, indexes) = (sum(|it| it.bytes), sum(|it| it.index_bytes));
    println!(
        "{count} messages in {} segments, written in {:.1} s",
        segments.len(),
        writing.as_secs_f64(),
    );
    println!(
        "{:.0} bytes a message in the stream, {:.0} in the archive, {:.0} of them the index",
        each(raw, count),
        each(files + indexes, count),
        each(indexes, count),
    );
    Ok(())
}

/// A message with the headers that the relay gives it.
fn stored(stream_sequence: u64, event: Outgoing) -> Message {
    let batch = Uuid::from_u64_pair(0x0193_0000_0000_7000, stream_sequence / BATCH);
    let headers = [
        ("Nats-Batch-Id", batch.to_string()),
        (
            "Nats-Batch-Sequence",
            (stream_sequence % BATCH + 1).to_string(),
        ),
        ("Nats-Msg-Id", event.id.to_string()),
    ];
    Message {
        stream_sequence,
        stored_at: event.time,
        subject: event.subject,
        headers: headers
            .map(|(name, value)| (name.to_owned(), value))
            .into_iter()
            .collect(),
        body: event.body.into(),
    }
}

/// The bytes of a message in a stream's file: its head of 22 bytes and hash of 8, subject, length and text of the
/// headers, body. <https://github.com/nats-io/nats-server/blob/main/server/filestore.go>
fn size_in_stream(message: &Message) -> u64 {
    let headers = message.headers.pairs();
    let headers: usize = headers
        .iter()
        .map(|(name, value)| name.len() + value.len() + 4)
        .sum();
    let all = 22 + 8 + message.subject.len() + 4 + headers + 14 + message.body.len();
    all as u64
}

/// Everything by the archive's reader.
async fn scan(archive: &Archive) -> Result<Scan> {
    let (began, cpu) = (Instant::now(), cpu_seconds()?);
    let mut reader = archive.read(STREAM, 1..=u64::MAX, Filter::all()).await?;
    let mut sums = [0; 6];
    loop {
        let batch = reader.next().await?;
        if batch.is_empty() {
            break;
        }
        for message in &batch {
            let stored_at = i64::try_from(message.stored_at.unix_timestamp_nanos())?;
            sums[0] += 1;
            sums[1] += i64::try_from(message.stream_sequence)?;
            sums[2] += i64::try_from(message.body.len())?;
            sums[3] += i64::try_from(message.subject.len())?;
            sums[4] += i64::try_from(message.headers.json().len())?;
            sums[5] = sums[5].max(stored_at);
        }
    }
    Ok(Scan {
        seconds: began.elapsed().as_secs_f64(),
        cpu: cpu_seconds()? - cpu,
        sums,
    })
}

/// The same by DuckDB.
fn duckdb(folder: &Path) -> Result<Scan> {
    let files = folder.join(format!("{STREAM}/segments/*.parquet"));
    let output = tiffin_testkit::duckdb()
        .args(["-c", DUCKDB])
        .arg(files)
        .output()
        .context("python3")?;
    ensure!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let (seconds, cpu, sums) = serde_json::from_slice(&output.stdout)?;
    Ok(Scan { seconds, cpu, sums })
}

/// CPU time of this process.
fn cpu_seconds() -> Result<f64> {
    let times = processes::times(&[std::process::id()])?;
    Ok(times.values().map(Duration::as_secs_f64).sum())
}

#[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
fn per_second(count: i64, seconds: f64) -> f64 {
    count as f64 / seconds.max(1e-9)
}

#[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
fn each(bytes: u64, count: u64) -> f64 {
    bytes as f64 / count as f64
}
