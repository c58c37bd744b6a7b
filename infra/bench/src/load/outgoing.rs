//! Bytes that wait for a socket.

use std::io::{self, Write};

use mio::net::TcpStream;

#[derive(Debug, Default)]
pub struct Outgoing {
    pub bytes: Vec<u8>,
    written: usize,
}

impl Outgoing {
    /// Writes what the socket takes; the rest waits until it is writable.
    pub fn flush(&mut self, stream: &mut TcpStream) -> io::Result<()> {
        while self.written < self.bytes.len() {
            match stream.write(&self.bytes[self.written..]) {
                Ok(count) => self.written += count,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(()),
                Err(error) => return Err(error),
            }
        }
        self.bytes.clear();
        self.written = 0;
        Ok(())
    }
}
