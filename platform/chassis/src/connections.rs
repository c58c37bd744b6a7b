//! Limits of connections, for the process and for each network. The process has fewer connections than open
//! files allowed, so databases, the broker and files never lack one; and one network leaves room for
//! others.

use std::{
    net::IpAddr,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use tokio::net::TcpStream;

use crate::{
    BehindProxy, files,
    network::network,
    slots::{Full, Slot, SlotLimits, Slots},
};

/// The files that a connection may cost: itself, and one that is being sent through it.
const FILES_PER_CONNECTION: usize = 2;
/// The files that it costs as a socket.
const FILES_PER_SOCKET: usize = 1;
/// The most files for connections: beyond it memory is the limit.
const MAX_FILES: usize = 200_000;
/// The most files that are left to databases, the broker, logs and listeners; under a low limit it is a
/// quarter of all.
const RESERVED_FILES: usize = 1_024;
/// The divisor of all connections that gives the share of one network: a quarter.
const NETWORK_SHARE: usize = 4;
/// The files that are left to connections from this machine, for its health checks.
const LOOPBACK_FILES: usize = 16;
/// The time after which a refused client may try again, in seconds.
const RETRY_AFTER_SECONDS: u64 = 5;
/// The least pause between two lines of the log about refusals.
const REPORT_INTERVAL: Duration = Duration::from_mins(1);
/// A limit of open files below this is logged.
const FEW_FILES: usize = 4_096;

/// The connections of a process, over all listeners that share them. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Connections(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    slots: Slots<IpAddr>,
    limits: SlotLimits,
    reported: Mutex<Option<Instant>>,
}

/// The slots of a connection: an extension of every request. They are free once the connection and every clone of
/// this are gone.
#[derive(Clone, Debug)]
pub struct Connection(Arc<Slot<IpAddr>>);

impl Connections {
    /// As many as the process may have open files for. One network may have a quarter of them; behind a
    /// proxy of ours all connections are the proxy's, and only their sum is bounded.
    pub fn of_process(BehindProxy(is_proxied): BehindProxy) -> Self {
        let all = budget(files::limit_of_process());
        Self::with(SlotLimits {
            all,
            each: if is_proxied { all } else { all / NETWORK_SHARE },
        })
    }

    /// Those of the inner listener: a few out of the reserve, so that operators and other services get
    /// through when everything else is taken.
    pub fn internal() -> Self {
        let all = reserve(files::limit_of_process()) / NETWORK_SHARE;
        Self::with(SlotLimits { all, each: all })
    }

    fn with(limits: SlotLimits) -> Self {
        Self(Arc::new(Shared {
            slots: Slots::default(),
            limits,
            reported: Mutex::default(),
        }))
    }

    /// Takes the slots for a connection of `peer`.
    pub(crate) fn take(&self, peer: IpAddr) -> Result<Connection, Full> {
        let SlotLimits { mut all, each } = self.0.limits;
        if !peer.to_canonical().is_loopback() {
            all = all.saturating_sub(LOOPBACK_FILES);
        }
        let slot = self.0.slots.take(
            network(peer),
            FILES_PER_CONNECTION,
            SlotLimits { all, each },
        );
        slot.map(|slot| Connection(Arc::new(slot)))
    }

    /// Answers 503 and closes at once, without waiting for the client.
    pub(crate) fn refuse(&self, stream: &TcpStream, peer: IpAddr, full: Full) {
        let bound = match full {
            Full::All => "all",
            Full::Holder => "network",
        };
        metrics::counter!("http_connections_refused_total", "bound" => bound).increment(1);
        if self.should_report() {
            let (taken, most) = (
                self.0.slots.taken() / FILES_PER_CONNECTION,
                self.0.limits.all / FILES_PER_CONNECTION,
            );
            tracing::warn!(bound, network = %network(peer), taken, most, "connections are refused until others close");
        }
        // Unread bytes at the close would discard the answer.
        let _ = stream.try_read(&mut [0; 4_096]);
        let _ = stream.try_write(refusal().as_bytes());
    }

    fn should_report(&self) -> bool {
        let mut reported = self
            .0
            .reported
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let is_due = reported.is_none_or(|reported| reported.elapsed() >= REPORT_INTERVAL);
        if is_due {
            *reported = Some(Instant::now());
        }
        is_due
    }
}

impl Connection {
    /// Counts the connection as a socket: no file is sent through it any more.
    pub fn become_socket(&self) {
        self.0.shrink(FILES_PER_SOCKET);
    }
}

/// The number of open files that connections may use.
fn budget(files: usize) -> usize {
    files.saturating_sub(reserve(files)).min(MAX_FILES)
}

fn reserve(files: usize) -> usize {
    RESERVED_FILES.min(files / 4)
}

/// Raises the limit of open files, and logs where even that allows few connections.
pub fn raise_limit() {
    files::raise_limit();
    let files = files::limit_of_process();
    if files < FEW_FILES {
        let connections = budget(files) / FILES_PER_CONNECTION;
        tracing::warn!(
            files,
            connections,
            "the process may open {files} files: it takes {connections} connections at once and refuses \
             more. Raise the hard limit (`ulimit -Hn`, LimitNOFILE=, nofile in a container)"
        );
    }
}

/// The whole answer: a problem as every other (RFC 9457).
fn refusal() -> String {
    let body = r#"{"type":"urn:tiffin:problem:server.full","code":"server.full","title":"Service Unavailable","status":503,"detail":"Too many requests. Please try again later.","message":"Too many requests. Please try again later.","error":"Too many requests. Please try again later."}"#;
    format!(
        "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/problem+json\r\n\
         Retry-After: {RETRY_AFTER_SECONDS}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
}

#[cfg(test)]
mod tests {
    use axum::{Router, routing::get};
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt},
        net::{TcpListener, TcpSocket},
    };
    use tokio_util::sync::CancellationToken;

    use super::*;
    use crate::server;

    fn connections(all: usize) -> Connections {
        Connections::with(SlotLimits {
            all,
            each: all / NETWORK_SHARE,
        })
    }

    #[test]
    fn a_reserve_stays_for_what_is_no_connection() {
        assert_eq!(
            [600, 1_024, 20_000, 1_048_576].map(budget),
            [450, 768, 18_976, MAX_FILES]
        );
    }

    #[test]
    fn one_network_takes_a_quarter_and_leaves_the_rest_to_others() {
        let connections = connections(80);
        let address = |text: &str| text.parse::<IpAddr>().unwrap();
        let take = |text: &str| connections.take(address(text));
        // Addresses of one household count together.
        let of_household = |nth: u8| take(&format!("2001:db8::{nth}"));
        let taken: Vec<_> = (0..10).map(|nth| of_household(nth).unwrap()).collect();
        assert_eq!(of_household(10).unwrap_err(), Full::Holder);
        let other = take("198.51.100.7").unwrap();
        drop(taken);
        assert!(of_household(10).is_ok());
        other.become_socket();
        assert_eq!(connections.0.slots.taken(), 1);
    }

    #[test]
    fn the_last_slots_are_this_machines() {
        let connections = connections(80);
        let networks = (0..32).map(|nth| IpAddr::from([198, 51, 100, nth]));
        let taken: Vec<_> = networks
            .map(|peer| connections.take(peer).unwrap())
            .collect();
        let more = IpAddr::from([203, 0, 113, 1]);
        assert_eq!(connections.take(more).unwrap_err(), Full::All);
        assert!(connections.take(IpAddr::from([127, 0, 0, 1])).is_ok());
        drop(taken);
    }

    #[test]
    fn behind_a_proxy_all_are_the_proxys() {
        let SlotLimits { all, each } = Connections::of_process(BehindProxy(true)).0.limits;
        assert_eq!(all, each);
        let inside = Connections::internal().0.limits.all;
        assert!(inside >= FILES_PER_CONNECTION && all + inside < files::limit_of_process());
    }

    #[tokio::test]
    async fn who_comes_too_late_is_answered_at_once_and_gets_in_later() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let app = Router::new().route("/", get(async || "fine"));
        let shutdown = CancellationToken::new();
        let bound = connections(16 * FILES_PER_CONNECTION);
        let server = server::serve_within(listener, app, bound.clone(), shutdown.clone());
        let server = tokio::spawn(server);
        let connect = async |network: u8| {
            let socket = TcpSocket::new_v4().unwrap();
            socket.bind(([127, 0, 0, network], 0).into()).unwrap();
            socket.connect(address).await.unwrap()
        };
        let ask = async |network: u8| {
            let mut stream = connect(network).await;
            let request = b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
            let _ = stream.write_all(request).await;
            let mut answer = String::new();
            let _ = stream.read_to_string(&mut answer).await;
            answer
        };
        let mut silent = Vec::new();
        for _ in 0..4 {
            silent.push(connect(2).await);
        }
        while bound.0.slots.taken() < 4 * FILES_PER_CONNECTION {
            tokio::task::yield_now().await;
        }
        let mut late = connect(2).await;
        let mut answer = String::new();
        late.read_to_string(&mut answer).await.unwrap();
        assert!(answer.starts_with("HTTP/1.1 503 "), "{answer}");
        assert!(ask(1).await.ends_with("fine"));
        drop(silent);
        while !ask(2).await.ends_with("fine") {
            tokio::task::yield_now().await;
        }
        shutdown.cancel();
        server.await.unwrap();
    }

    #[test]
    fn a_refusal_is_a_problem() {
        let (head, body) = refusal()
            .split_once("\r\n\r\n")
            .map(|(head, body)| (head.to_owned(), body.to_owned()))
            .unwrap();
        assert!(head.contains(&format!("Content-Length: {}", body.len())));
        let body: serde_json::Value = serde_json::from_str(&body).unwrap();
        let problem = crate::Problem::from(crate::refusal::Failure::Full);
        let problem_code = problem.reason.code.to_string();
        let response = axum::response::IntoResponse::into_response(problem);
        assert_eq!(response.status().as_u16(), body["status"]);
        assert_eq!(body["title"], "Service Unavailable");
        assert_eq!(body["code"], problem_code);
    }
}
