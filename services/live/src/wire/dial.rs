//! Connecting to nats-server: handshake, credentials and back-off.

use std::{io, net::TcpStream as StdStream, time::Duration};

use serde_json::json;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};
use url::Url;

use super::protocol::{self, Op};

const DIAL_TIMEOUT: Duration = Duration::from_secs(3);
const FIRST_PAUSE: Duration = Duration::from_millis(50);
const MAX_PAUSE: Duration = Duration::from_secs(2);
const DEFAULT_PORT: u16 = 4222;

/// A connection that the server has taken our credentials on.
#[derive(Debug)]
pub struct Dialled {
    pub stream: StdStream,
    /// Bytes that were read beyond the greeting.
    pub early: Vec<u8>,
}

/// Connects, and retries with back-off until it succeeds. `nats://[user:password@]host[:port]`, or `token@`
/// in place of both.
pub async fn dial(url: &Url) -> Dialled {
    let mut pause = FIRST_PAUSE;
    let mut is_reported = false;
    loop {
        let attempt = tokio::time::timeout(DIAL_TIMEOUT, handshake(url)).await;
        match attempt.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into())) {
            Ok(dialled) => return dialled,
            Err(error) if is_reported => {
                tracing::debug!(%error, "the hub still can't reach the broker");
            }
            Err(error) => {
                tracing::warn!(%error, "the hub can't reach the broker; trying again");
                is_reported = true;
            }
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(MAX_PAUSE);
    }
}

async fn handshake(url: &Url) -> io::Result<Dialled> {
    let host = url
        .host_str()
        .ok_or_else(|| io::Error::other("NATS_URL has no host"))?;
    let mut stream = TcpStream::connect((host, url.port().unwrap_or(DEFAULT_PORT))).await?;
    stream.set_nodelay(true)?;
    let mut input = Vec::new();
    loop {
        match next(&mut stream, &mut input).await? {
            Greeting::Info => break,
            Greeting::Pong => {}
        }
    }
    let connect = format!("CONNECT {}\r\nPING\r\n", options(url));
    stream.write_all(connect.as_bytes()).await?;
    while !matches!(next(&mut stream, &mut input).await?, Greeting::Pong) {}
    Ok(Dialled {
        stream: stream.into_std()?,
        early: input,
    })
}

enum Greeting {
    Info,
    Pong,
}

/// The next line that matters.
async fn next(stream: &mut TcpStream, input: &mut Vec<u8>) -> io::Result<Greeting> {
    loop {
        match protocol::parse(input).map_err(io::Error::other)? {
            Some((Op::Error(text), _)) => {
                return Err(io::Error::other(String::from_utf8_lossy(text).into_owned()));
            }
            Some((Op::Pong, used)) => {
                input.drain(..used);
                return Ok(Greeting::Pong);
            }
            Some((Op::Other, used)) => {
                let is_info = input.starts_with(b"INFO");
                input.drain(..used);
                if is_info {
                    return Ok(Greeting::Info);
                }
            }
            Some((Op::Ping, used)) => {
                input.drain(..used);
                stream.write_all(b"PONG\r\n").await?;
            }
            Some((Op::Message(_), used)) => drop(input.drain(..used)),
            None => {
                if stream.read_buf(input).await? == 0 {
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
            }
        }
    }
}

fn options(url: &Url) -> serde_json::Value {
    let mut options = json!({
        "verbose": false, "pedantic": false, "tls_required": false, "headers": true, "protocol": 1,
        "echo": true, "no_responders": false, "name": "tiffin/live", "lang": "rust",
        "version": env!("CARGO_PKG_VERSION"),
    });
    let user = decoded(url.username());
    match url.password() {
        Some(password) => {
            options["user"] = user.into();
            options["pass"] = decoded(password).into();
        }
        None if !user.is_empty() => options["auth_token"] = user.into(),
        None => {}
    }
    options
}

/// A part of a URL without its percent signs (RFC 3986, section 2.1).
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        let hex = tail.get(..2).and_then(|hex| std::str::from_utf8(hex).ok());
        let escaped = hex.and_then(|hex| u8::from_str_radix(hex, 16).ok());
        if let (b'%', Some(byte)) = (first, escaped) {
            bytes.push(byte);
            rest = &tail[2..];
        } else {
            bytes.push(*first);
            rest = tail;
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_come_from_the_url() {
        let of = |url: &str| options(&url.parse().unwrap());
        let both = of("nats://tiffin:p%40ss@127.0.0.1:4222");
        assert_eq!(
            (&both["user"], &both["pass"]),
            (&json!("tiffin"), &json!("p@ss"))
        );
        assert_eq!(of("nats://secret@127.0.0.1")["auth_token"], "secret");
        assert!(of("nats://127.0.0.1")["user"].is_null());
        assert_eq!(decoded("50%"), "50%");
    }
}
