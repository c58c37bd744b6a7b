//! Connecting to nats-server: handshake, credentials and back-off.

use std::{
    io,
    net::TcpStream as StdStream,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use serde::Deserialize;
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

/// The servers of the broker: those of the configuration, and those that a server has named since.
#[derive(Debug)]
pub struct Servers {
    configured: Vec<Url>,
    named: Mutex<Vec<Url>>,
    /// The place of the server that is tried next.
    next: AtomicUsize,
}

impl Servers {
    /// `nats://[user:password@]host[:port]`, or `token@` in place of both. The first credentials hold for servers
    /// without any.
    pub fn new(mut configured: Vec<Url>) -> Self {
        if let Some(known) = configured
            .iter()
            .find(|url| !url.username().is_empty())
            .cloned()
        {
            for url in &mut configured {
                if url.username().is_empty() {
                    take_credentials(url, &known);
                }
            }
        }
        Self {
            configured,
            named: Mutex::default(),
            next: AtomicUsize::new(0),
        }
    }

    /// Takes the servers that the cluster has now, from the `INFO` of one of them. Without any it is no cluster.
    pub fn learn(&self, info: &[u8]) {
        let addresses = Info::read(info).connect_urls;
        let urls = addresses.iter().filter_map(|address| {
            let mut url: Url = format!("nats://{address}").parse().ok()?;
            take_credentials(&mut url, self.configured.first()?);
            Some(url)
        });
        *self.named.lock().unwrap_or_else(PoisonError::into_inner) = urls.collect();
    }

    /// The next server, and how many there are.
    fn next(&self) -> (Option<Url>, usize) {
        let named = self.named.lock().unwrap_or_else(PoisonError::into_inner);
        let is_new = |url: &&Url| !self.configured.contains(url);
        let all: Vec<&Url> = self
            .configured
            .iter()
            .chain(named.iter().filter(is_new))
            .collect();
        let place = self.next.fetch_add(1, Ordering::Relaxed) % all.len().max(1);
        (all.get(place).copied().cloned(), all.len())
    }
}

fn take_credentials(url: &mut Url, from: &Url) {
    // Both fail only without a host, which each address has.
    let _ = url.set_username(from.username());
    let _ = url.set_password(from.password());
}

/// The parts of a server's `INFO` that are read
/// (<https://docs.nats.io/reference/reference-protocols/nats-protocol#info>).
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Info {
    /// `host:port` of each server of the cluster.
    connect_urls: Vec<String>,
    /// True if the server is about to stop ("lame duck mode").
    ldm: bool,
}

impl Info {
    fn read(info: &[u8]) -> Self {
        serde_json::from_slice(info).unwrap_or_default()
    }
}

/// True if the server of this `INFO` is about to stop and takes no more connections.
pub fn is_leaving(info: &[u8]) -> bool {
    Info::read(info).ldm
}

/// Connects to one server after the other, and pauses after each round, longer each time, until it succeeds.
pub async fn dial(servers: &Servers) -> Dialled {
    let mut pause = FIRST_PAUSE;
    let mut is_reported = false;
    let mut tried = 0;
    loop {
        let (server, count) = servers.next();
        let attempt = async {
            let url = server.ok_or_else(|| io::Error::other("NATS_URL names no server"))?;
            handshake(&url, servers).await
        };
        let attempt = tokio::time::timeout(DIAL_TIMEOUT, attempt).await;
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
        tried += 1;
        if tried < count {
            continue;
        }
        tried = 0;
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(MAX_PAUSE);
    }
}

async fn handshake(url: &Url, servers: &Servers) -> io::Result<Dialled> {
    let host = url
        .host_str()
        .ok_or_else(|| io::Error::other("NATS_URL has no host"))?;
    let mut stream = TcpStream::connect((host, url.port().unwrap_or(DEFAULT_PORT))).await?;
    stream.set_nodelay(true)?;
    let mut input = Vec::new();
    loop {
        match next(&mut stream, &mut input).await? {
            Greeting::Info(info) => {
                servers.learn(&info);
                break;
            }
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
    Info(Vec<u8>),
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
            Some((Op::Info(info), used)) => {
                let info = info.to_vec();
                input.drain(..used);
                return Ok(Greeting::Info(info));
            }
            Some((Op::Ping, used)) => {
                input.drain(..used);
                stream.write_all(b"PONG\r\n").await?;
            }
            Some((Op::Message(_) | Op::Ok, used)) => drop(input.drain(..used)),
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
    use tokio::net::TcpListener;

    use super::*;

    /// Greets the next connection with this `INFO`.
    async fn greet(listener: &TcpListener, info: &str) {
        let (mut stream, _) = listener.accept().await.unwrap();
        let greeting = format!("INFO {info}\r\nPONG\r\n");
        stream.write_all(greeting.as_bytes()).await.unwrap();
        let mut line = vec![0; 1024];
        assert!(stream.read(&mut line).await.unwrap() > 0);
    }

    async fn listen() -> (TcpListener, String) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        (listener, address)
    }

    #[tokio::test]
    async fn a_server_that_another_one_named_is_found() {
        let ((first, one), (second, other)) = (listen().await, listen().await);
        let away = "nats://127.0.0.1:1".parse().unwrap();
        let servers = Servers::new(vec![away, format!("nats://{one}").parse().unwrap()]);
        let info = json!({ "connect_urls": [one, other] }).to_string();
        tokio::join!(dial(&servers), greet(&first, &info));
        drop(first);
        tokio::join!(dial(&servers), greet(&second, "{}"));
    }

    #[test]
    fn credentials_hold_for_servers_without_any() {
        let configured = ["nats://a.example", "nats://tiffin:p%40ss@b.example"];
        let servers = Servers::new(configured.map(|one| one.parse().unwrap()).to_vec());
        servers.learn(br#"{"connect_urls":["c.example:4333"]}"#);
        let urls = std::iter::repeat_with(|| servers.next().0.unwrap().to_string());
        assert_eq!(
            urls.take(4).collect::<Vec<_>>(),
            [
                "nats://tiffin:p%40ss@a.example",
                "nats://tiffin:p%40ss@b.example",
                "nats://tiffin:p%40ss@c.example:4333",
                "nats://tiffin:p%40ss@a.example",
            ]
        );
    }

    #[test]
    fn a_server_says_that_it_is_about_to_stop() {
        assert!(is_leaving(br#"{"server_id":"A","ldm":true}"#));
        assert!(!is_leaving(br#"{"server_id":"A"}"#));
        assert!(!is_leaving(b"no JSON"));
    }

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
