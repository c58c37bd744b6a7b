//! Drivers, each with a websocket on which they send their positions.

use std::{
    io::{self, Read, Write},
    net::SocketAddr,
};

use anyhow::{Context, Result, bail, ensure};
use mio::{Interest, Registry, Token, net::TcpStream};
use serde_json::json;

use super::{
    Dialect,
    outgoing::Outgoing,
    positions::Template,
    websocket::{self, BINARY, TEXT},
};
use crate::systems::{
    Running,
    audience::{delivery, driver},
};

#[derive(Debug)]
pub struct Drivers {
    all: Vec<Driver>,
    next: usize,
}

#[derive(Debug)]
struct Driver {
    stream: TcpStream,
    template: Template,
    /// The first byte of its frames.
    first: u8,
    outgoing: Outgoing,
}

impl Drivers {
    /// Connects one driver for each of `topics` deliveries.
    pub fn connect(running: &Running, topics: u128) -> Result<Self> {
        let all = (0..topics).map(|topic| Driver::connect(running, topic));
        Ok(Self {
            all: all.collect::<Result<_>>()?,
            next: 0,
        })
    }

    /// Has `registry` wait for all of them, by tokens from `first` on.
    pub fn register(&mut self, registry: &Registry, first: usize) -> io::Result<()> {
        let interest = Interest::READABLE | Interest::WRITABLE;
        for (index, driver) in self.all.iter_mut().enumerate() {
            registry.register(&mut driver.stream, Token(first + index), interest)?;
        }
        Ok(())
    }

    /// Sends `count` positions, one driver after the other.
    pub fn publish(&mut self, count: u64, now: u64) -> Result<u64> {
        for _ in 0..count {
            self.all[self.next].send(now)?;
            self.next = (self.next + 1) % self.all.len();
        }
        Ok(count)
    }

    /// Reads what a driver was sent, and sends what waits.
    pub fn ready(&mut self, index: usize, buffer: &mut [u8]) -> Result<()> {
        let driver = &mut self.all[index];
        driver.read(buffer)?;
        driver.flush()
    }

    /// The number of positions sent on each topic.
    pub fn published(&self) -> impl Iterator<Item = u64> {
        self.all.iter().map(|driver| driver.template.published())
    }
}

impl Driver {
    fn connect(running: &Running, topic: u128) -> Result<Self> {
        let (path, first, hello, answer, template) = match &running.dialect {
            Dialect::Tiffin { .. } => {
                let token = running.drivers.get(usize::try_from(topic)?);
                let token = token.context("a driver's token")?;
                let auth = json!({"type": "auth", "token": token}).to_string();
                ("/live", TEXT, auth, "\"ready\"", Template::frame())
            }
            Dialect::Nats { connect } => {
                let hello = format!("{connect}PING\r\n");
                (
                    "/",
                    BINARY,
                    hello,
                    "PONG\r\n",
                    Template::message(delivery(topic), driver(topic)),
                )
            }
        };
        let stream = open(
            running.address,
            path,
            &websocket::frame(first, hello.as_bytes()),
            answer,
        )?;
        Ok(Self {
            stream,
            template,
            first,
            outgoing: Outgoing::default(),
        })
    }

    fn send(&mut self, now: u64) -> Result<()> {
        let mut position = Vec::new();
        self.template.append(now, &mut position);
        self.outgoing
            .bytes
            .extend(websocket::frame(self.first, &position));
        self.flush()
    }

    fn flush(&mut self) -> Result<()> {
        let flushed = self.outgoing.flush(&mut self.stream);
        flushed.context("a driver's socket")
    }

    /// Reads all there is: pings, which are too rare to matter, and errors.
    fn read(&mut self, buffer: &mut [u8]) -> Result<()> {
        loop {
            match self.stream.read(buffer) {
                Ok(0) => bail!("a driver was hung up on"),
                Ok(count) => {
                    let text = String::from_utf8_lossy(&buffer[..count]);
                    let is_error = text.contains("\"error\"") || text.contains("-ERR");
                    ensure!(!is_error, "a driver was refused: {text}");
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(()),
                Err(error) => return Err(error).context("a driver's socket"),
            }
        }
    }
}

/// Opens a websocket, sends the first frame and waits for its answer.
fn open(address: SocketAddr, path: &str, hello: &[u8], answer: &str) -> Result<TcpStream> {
    let (mut stream, mut bytes) = websocket::open(address, path, None)?;
    stream.write_all(hello)?;
    websocket::wait_for(&mut stream, &mut bytes, answer)?;
    stream.set_nonblocking(true)?;
    Ok(TcpStream::from_std(stream))
}
