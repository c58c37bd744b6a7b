//! The connection on which the broker delivers messages.

use std::{
    collections::HashMap,
    hash::{BuildHasherDefault, Hasher},
    io::{self, Read, Write},
    time::{Duration, Instant},
};

use mio::{Interest, Registry, Token, net::TcpStream};

use super::dial::Dialled;

/// The silence of the server after which it is pinged.
const PING_AFTER: Duration = Duration::from_secs(15);
/// The silence of the server after which the connection is given up.
const GIVE_UP_AFTER: Duration = Duration::from_secs(40);
/// The bytes that are read at once. More than a burst: each read is a system call.
const READ_SIZE: usize = 256 * 1024;

/// Bytes that have arrived and are not taken yet.
#[derive(Debug, Default)]
pub struct Input {
    bytes: Vec<u8>,
    filled: usize,
}

impl Input {
    pub fn arrived(&self) -> &[u8] {
        &self.bytes[..self.filled]
    }

    /// Removes the first `used` bytes, and makes room for a message that is larger than the buffer.
    pub fn consume(&mut self, used: usize) {
        self.bytes.copy_within(used..self.filled, 0);
        self.filled -= used;
        if self.filled * 2 > self.bytes.len() {
            self.bytes.resize(self.bytes.len() * 2, 0);
        } else if self.filled == 0 && self.bytes.len() > READ_SIZE {
            self.bytes = vec![0; READ_SIZE];
        }
    }
}

/// The result of one read.
#[derive(Debug)]
pub enum Filled {
    /// The server ended the connection.
    Closed,
    /// `is_all` where nothing was left behind.
    Bytes { count: usize, is_all: bool },
}

/// Hashes numbers that we count ourselves: no client can choose them to collide, so they need no more.
#[derive(Debug, Default)]
struct NumberHasher(u64);

impl Hasher for NumberHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte));
        }
    }

    fn write_u64(&mut self, number: u64) {
        // 2^64 divided by the golden ratio (Knuth, The Art of Computer Programming, 6.4).
        self.0 = (self.0 ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

/// The subscriptions, each with the use of its messages, and the connection while there is one. Subscriptions
/// outlive a connection.
#[derive(Debug)]
pub struct Link<Target> {
    stream: Option<TcpStream>,
    input: Input,
    output: Vec<u8>,
    subscriptions: HashMap<u64, (Target, String), BuildHasherDefault<NumberHasher>>,
    last_subscription: u64,
    pings: u64,
    pongs: u64,
    last_heard: Instant,
}

impl<Target: Copy> Link<Target> {
    pub fn new(now: Instant) -> Self {
        Self {
            stream: None,
            input: Input::default(),
            output: Vec::new(),
            subscriptions: HashMap::default(),
            last_subscription: 0,
            pings: 0,
            pongs: 0,
            last_heard: now,
        }
    }

    pub fn is_up(&self) -> bool {
        self.stream.is_some()
    }

    pub fn subscriptions(&self) -> usize {
        self.subscriptions.len()
    }

    pub fn target(&self, subscription: u64) -> Option<Target> {
        let (target, _) = self.subscriptions.get(&subscription)?;
        Some(*target)
    }

    pub fn subscribe(&mut self, subject: String, target: Target) -> u64 {
        self.last_subscription += 1;
        let number = self.last_subscription;
        if self.is_up() {
            self.append(format_args!("SUB {subject} {number}\r\n"));
        }
        self.subscriptions.insert(number, (target, subject));
        number
    }

    pub fn unsubscribe(&mut self, number: u64) {
        if self.subscriptions.remove(&number).is_some() && self.is_up() {
            self.append(format_args!("UNSUB {number}\r\n"));
        }
    }

    /// Asks for a PONG: once [`Link::passed`] reaches the number returned, the server has taken
    /// everything that was sent before. Without a connection that is the first PONG of the next.
    pub fn fence(&mut self) -> u64 {
        if !self.is_up() {
            return self.pongs + 1;
        }
        self.pings += 1;
        self.append(format_args!("PING\r\n"));
        self.pings
    }

    pub fn passed(&self) -> u64 {
        self.pongs
    }

    pub fn on_pong(&mut self) {
        self.pongs += 1;
    }

    pub fn pong(&mut self) {
        self.append(format_args!("PONG\r\n"));
    }

    /// Takes a new connection: every subscription is made again, and fences start at zero. Returns the
    /// fence after all subscriptions.
    pub fn connect(
        &mut self,
        dialled: Dialled,
        registry: &Registry,
        token: Token,
        now: Instant,
    ) -> io::Result<u64> {
        let mut stream = TcpStream::from_std(dialled.stream);
        registry.register(&mut stream, token, Interest::READABLE | Interest::WRITABLE)?;
        self.stream = Some(stream);
        self.input.bytes = vec![0; READ_SIZE.max(dialled.early.len() * 2)];
        self.input.bytes[..dialled.early.len()].copy_from_slice(&dialled.early);
        self.input.filled = dialled.early.len();
        self.output.clear();
        for (number, (_, subject)) in &self.subscriptions {
            let _ = write!(self.output, "SUB {subject} {number}\r\n");
        }
        (self.pings, self.pongs, self.last_heard) = (0, 0, now);
        Ok(self.fence())
    }

    /// Drops the connection.
    pub fn disconnect(&mut self, registry: &Registry) {
        if let Some(mut stream) = self.stream.take() {
            // It closes in the next moment anyway.
            let _ = registry.deregister(&mut stream);
        }
        self.input = Input::default();
        self.output = Vec::new();
        self.pings = self.pongs;
    }

    /// Reads once.
    pub fn fill(&mut self, now: Instant) -> io::Result<Filled> {
        let Some(stream) = &mut self.stream else {
            return Err(io::ErrorKind::WouldBlock.into());
        };
        let room = &mut self.input.bytes[self.input.filled..];
        let size = room.len();
        let count = stream.read(room)?;
        if count == 0 {
            return Ok(Filled::Closed);
        }
        self.input.filled += count;
        self.last_heard = now;
        let is_all = count < size;
        Ok(Filled::Bytes { count, is_all })
    }

    /// Takes the input out, so that its bytes can be read while the rest of the link is used.
    pub fn take_input(&mut self) -> Input {
        std::mem::take(&mut self.input)
    }

    pub fn put_input(&mut self, input: Input) {
        if self.is_up() {
            self.input = input;
        }
    }

    /// Sends what was said. The rest waits until the socket is writable.
    pub fn flush(&mut self) -> io::Result<()> {
        let Some(stream) = &mut self.stream else {
            return Ok(());
        };
        let mut sent = 0;
        while sent < self.output.len() {
            match stream.write(&self.output[sent..]) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(count) => sent += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                Err(error) => return Err(error),
            }
        }
        self.output.drain(..sent);
        Ok(())
    }

    /// Pings a silent server; an error once it has been silent for too long.
    pub fn check_liveness(&mut self, now: Instant) -> io::Result<()> {
        if !self.is_up() {
            return Ok(());
        }
        let silence = now.duration_since(self.last_heard);
        if silence > GIVE_UP_AFTER {
            return Err(io::ErrorKind::TimedOut.into());
        }
        if silence > PING_AFTER && self.pings == self.pongs {
            self.fence();
        }
        Ok(())
    }

    fn append(&mut self, operation: std::fmt::Arguments<'_>) {
        // Writing into memory does not fail.
        let _ = self.output.write_fmt(operation);
    }
}
