//! The connection that positions are published on.

use std::{
    io::{self, Read, Write},
    net::SocketAddr,
};

use anyhow::{Context, Result, ensure};
use mio::net::TcpStream;

use super::{outgoing::Outgoing, positions::Template};
use crate::systems::audience::{delivery, driver};

/// Bytes that may wait for the broker.
const MAX_WAITING: usize = 256 * 1024;

#[derive(Debug)]
pub struct Publisher {
    pub stream: TcpStream,
    templates: Vec<Template>,
    next: usize,
    outgoing: Outgoing,
}

impl Publisher {
    pub fn connect(address: SocketAddr, hello: &str, topics: u128) -> Result<Self> {
        let mut stream = std::net::TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        let mut buffer = [0; 8192];
        ensure!(stream.read(&mut buffer)? > 0, "no greeting");
        stream.write_all(format!("{hello}PING\r\n").as_bytes())?;
        let count = stream.read(&mut buffer)?;
        let answer = String::from_utf8_lossy(&buffer[..count]);
        ensure!(answer.contains("PONG"), "{answer}");
        stream.set_nonblocking(true)?;
        Ok(Self {
            stream: TcpStream::from_std(stream),
            templates: (0..topics)
                .map(|topic| Template::message(delivery(topic), driver(topic)))
                .collect(),
            next: 0,
            outgoing: Outgoing::default(),
        })
    }

    /// The number of published positions of each topic.
    pub fn published(&self) -> impl Iterator<Item = u64> {
        self.templates.iter().map(Template::published)
    }

    /// Publishes up to `count` positions, one topic after the other; how many it were.
    pub fn publish(&mut self, count: u64, now: u64) -> Result<u64> {
        let mut published = 0;
        while published < count && self.outgoing.bytes.len() < MAX_WAITING {
            self.templates[self.next].append(now, &mut self.outgoing.bytes);
            self.next = (self.next + 1) % self.templates.len();
            published += 1;
        }
        self.flush()?;
        Ok(published)
    }

    pub fn flush(&mut self) -> Result<()> {
        let flushed = self.outgoing.flush(&mut self.stream);
        flushed.context("publishing")
    }

    /// Answers the broker's pings.
    pub fn read(&mut self) -> Result<()> {
        let mut buffer = [0; 1024];
        loop {
            match self.stream.read(&mut buffer) {
                Ok(0) => anyhow::bail!("the broker hung up"),
                Ok(count) => {
                    let text = String::from_utf8_lossy(&buffer[..count]);
                    ensure!(!text.contains("-ERR"), "{text}");
                    if text.contains("PING") {
                        self.outgoing.bytes.extend_from_slice(b"PONG\r\n");
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(()),
                Err(error) => return Err(error).context("the broker"),
            }
        }
    }
}
