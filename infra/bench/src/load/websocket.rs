//! A client's side of a websocket, as little of it as a load needs (RFC 6455).

use std::{
    io::{Read, Write},
    net::{SocketAddr, TcpStream},
    time::Duration,
};

use anyhow::{Result, ensure};
use socket2::{Domain, Socket, Type};

const PATIENCE: Duration = Duration::from_secs(10);

pub const TEXT: u8 = 0x81;
pub const BINARY: u8 = 0x82;
pub const PONG: u8 = 0x8a;

/// Connects and upgrades, blocking. `receive_buffer` is what the kernel may hold, where given.
pub fn open(
    address: SocketAddr,
    path: &str,
    receive_buffer: Option<usize>,
) -> Result<(TcpStream, Vec<u8>)> {
    let socket = Socket::new(Domain::for_address(address), Type::STREAM, None)?;
    if let Some(size) = receive_buffer {
        socket.set_recv_buffer_size(size)?;
    }
    socket.connect(&address.into())?;
    let mut stream = TcpStream::from(socket);
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    write!(
        stream,
        "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )?;
    let mut answer = Vec::new();
    let mut buffer = [0; 1024];
    loop {
        let count = stream.read(&mut buffer)?;
        ensure!(count > 0, "the server hung up");
        answer.extend_from_slice(&buffer[..count]);
        if let Some(end) = memchr::memmem::find(&answer, b"\r\n\r\n") {
            ensure!(
                answer.starts_with(b"HTTP/1.1 101"),
                "{}",
                String::from_utf8_lossy(&answer)
            );
            answer.drain(..end + 4);
            return Ok((stream, answer));
        }
    }
}

/// A client's frame, masked as it has to be.
pub fn frame(first: u8, payload: &[u8]) -> Vec<u8> {
    const MASK: [u8; 4] = [0x5a, 0x21, 0xc3, 0x7e];
    let mut frame = vec![first];
    if let Ok(short @ 0..126) = u8::try_from(payload.len()) {
        frame.push(0x80 | short);
    } else {
        let length = u16::try_from(payload.len()).unwrap_or(u16::MAX);
        frame.push(0xfe);
        frame.extend_from_slice(&length.to_be_bytes());
    }
    frame.extend_from_slice(&MASK);
    let masked = payload.iter().zip(MASK.iter().cycle());
    frame.extend(masked.map(|(byte, mask)| byte ^ mask));
    frame
}

/// A server's frame at the start of `bytes`: its first byte, where its payload is, and where it ends.
pub fn parse(bytes: &[u8]) -> Option<(u8, std::ops::Range<usize>)> {
    let (first, second) = (*bytes.first()?, *bytes.get(1)?);
    let (start, length) = match second & 0x7f {
        126 => {
            let length = bytes.get(2..4)?;
            (4, usize::from(length[0]) << 8 | usize::from(length[1]))
        }
        127 => {
            let length = bytes.get(2..10)?.iter();
            (
                10,
                length.fold(0, |sum, byte| sum << 8 | usize::from(*byte)),
            )
        }
        short => (2, usize::from(short)),
    };
    (bytes.len() >= start + length).then_some((first, start..start + length))
}

/// Reads, blocking, until `text` came.
pub fn wait_for(stream: &mut TcpStream, bytes: &mut Vec<u8>, text: &str) -> Result<()> {
    let mut buffer = [0; 4096];
    while memchr::memmem::find(bytes, text.as_bytes()).is_none() {
        let count = stream.read(&mut buffer)?;
        ensure!(
            count > 0,
            "instead of {text} came {}",
            String::from_utf8_lossy(bytes)
        );
        bytes.extend_from_slice(&buffer[..count]);
    }
    bytes.clear();
    Ok(())
}
