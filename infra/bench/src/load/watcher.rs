//! One browser's socket.

use std::{
    io::{self, Read, Write},
    net::SocketAddr,
};

use anyhow::{Context, Result, ensure};
use mio::net::TcpStream;
use serde_json::json;
use tiffin_events::{DeliveryId, live::Topic, subject};

use super::{
    Dialect,
    positions::Reader,
    tally::{Tally, TopicProgress},
    websocket::{self, BINARY, PONG, TEXT},
};

/// The kernel's buffer for a watcher that never reads, in bytes.
const STALLED_BUFFER: usize = 4096;

#[derive(Debug)]
pub struct Watcher {
    pub stream: TcpStream,
    is_nats: bool,
    progress: TopicProgress,
    reader: Reader,
    /// The start of a websocket frame.
    partial: Vec<u8>,
    /// The start of a NATS message, which may go on in the next frame.
    message: Vec<u8>,
}

impl Watcher {
    /// Connects, logs in and watches.
    pub fn open(
        address: SocketAddr,
        dialect: &Dialect,
        delivery: DeliveryId,
        is_stalled: bool,
    ) -> Result<Self> {
        let path = match dialect {
            Dialect::Tiffin { .. } => "/live",
            Dialect::Nats { .. } => "/",
        };
        let buffer = is_stalled.then_some(STALLED_BUFFER);
        let (mut stream, mut bytes) = websocket::open(address, path, buffer)?;
        let mut send = |stream: &mut std::net::TcpStream, first: u8, text: &str, answer: &str| {
            stream.write_all(&websocket::frame(first, text.as_bytes()))?;
            websocket::wait_for(stream, &mut bytes, answer)
        };
        match dialect {
            Dialect::Tiffin { token } => {
                let auth = json!({"type": "auth", "token": token}).to_string();
                send(&mut stream, TEXT, &auth, "\"ready\"")?;
                let topic = Topic::Delivery(delivery).to_string();
                let watch = json!({"type": "watch", "topic": topic}).to_string();
                send(&mut stream, TEXT, &watch, "\"watching\"")?;
            }
            Dialect::Nats { connect } => {
                let subject = subject::position(delivery);
                let hello = format!("{connect}SUB {subject} 1\r\nPING\r\n");
                send(&mut stream, BINARY, &hello, "PONG\r\n")?;
            }
        }
        stream.set_nonblocking(true)?;
        Ok(Self {
            stream: TcpStream::from_std(stream),
            is_nats: matches!(dialect, Dialect::Nats { .. }),
            progress: TopicProgress::default(),
            reader: Reader::default(),
            partial: Vec::new(),
            message: Vec::new(),
        })
    }

    /// Reads all there is.
    pub fn read(&mut self, buffer: &mut [u8], now: u64, tally: &mut Tally) -> Result<()> {
        loop {
            match self.stream.read(buffer) {
                Ok(0) => anyhow::bail!("a watcher was hung up on"),
                Ok(count) => {
                    self.take(&buffer[..count], now, tally)?;
                    if count < buffer.len() {
                        return Ok(());
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(()),
                Err(error) => return Err(error).context("a watcher's socket"),
            }
        }
    }

    fn take(&mut self, bytes: &[u8], now: u64, tally: &mut Tally) -> Result<()> {
        if self.partial.is_empty() {
            let used = self.frames(bytes, now, tally)?;
            self.partial.extend_from_slice(&bytes[used..]);
            return Ok(());
        }
        let mut buffered = std::mem::take(&mut self.partial);
        buffered.extend_from_slice(bytes);
        let used = self.frames(&buffered, now, tally)?;
        buffered.drain(..used);
        self.partial = buffered;
        Ok(())
    }

    fn frames(&mut self, bytes: &[u8], now: u64, tally: &mut Tally) -> Result<usize> {
        let mut used = 0;
        while let Some((first, payload)) = websocket::parse(&bytes[used..]) {
            let end = used + payload.end;
            let payload = &bytes[used + payload.start..end];
            used = end;
            match first & 0x0f {
                0..=2 if self.is_nats => self.nats(payload, now, tally)?,
                0..=2 => self.count(payload, now, tally)?,
                8 => anyhow::bail!("closed: {}", String::from_utf8_lossy(payload)),
                9 => self.answer(PONG, payload)?,
                _ => {}
            }
        }
        Ok(used)
    }

    fn nats(&mut self, bytes: &[u8], now: u64, tally: &mut Tally) -> Result<()> {
        if self.message.is_empty() {
            let used = self.messages(bytes, now, tally)?;
            self.message.extend_from_slice(&bytes[used..]);
            return Ok(());
        }
        let mut buffered = std::mem::take(&mut self.message);
        buffered.extend_from_slice(bytes);
        let used = self.messages(&buffered, now, tally)?;
        buffered.drain(..used);
        self.message = buffered;
        Ok(())
    }

    fn messages(&mut self, bytes: &[u8], now: u64, tally: &mut Tally) -> Result<usize> {
        let mut used = 0;
        while let Some(end) = memchr::memchr(b'\n', &bytes[used..]) {
            let line = &bytes[used..used + end];
            let after = used + end + 1;
            if line.starts_with(b"MSG ") {
                let digits = line.trim_ascii_end().rsplit(|byte| *byte == b' ').next();
                let length: usize = std::str::from_utf8(digits.unwrap_or_default())?.parse()?;
                let Some(payload) = bytes.get(after..after + length + 2) else {
                    return Ok(used);
                };
                self.count(&payload[..length], now, tally)?;
                used = after + length + 2;
            } else {
                ensure!(
                    !line.starts_with(b"-ERR"),
                    "{}",
                    String::from_utf8_lossy(line)
                );
                if line.starts_with(b"PING") {
                    self.answer(BINARY, b"PONG\r\n")?;
                }
                used = after;
            }
        }
        Ok(used)
    }

    fn count(&mut self, payload: &[u8], now: u64, tally: &mut Tally) -> Result<()> {
        let (number, latency) = self
            .reader
            .read(payload, now)
            .with_context(|| format!("no position: {}", String::from_utf8_lossy(payload)))?;
        tally.count(&mut self.progress, number, latency);
        Ok(())
    }

    fn answer(&mut self, first: u8, payload: &[u8]) -> Result<()> {
        let frame = websocket::frame(first, payload);
        self.stream.write_all(&frame).context("answering a ping")
    }
}
