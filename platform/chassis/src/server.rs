//! The HTTP server: HTTP/1.1 by hyper with a header time-out, upgrades and a graceful drain.

use std::{io, net::SocketAddr, pin::pin, time::Duration};

use axum::{
    Router,
    extract::{FromRequestParts, Request},
    response::IntoResponse,
};
use bytes::Bytes;
use http::{Version, header, request::Parts, uri::Authority};
use hyper::{body::Incoming, server::conn::http1, service::service_fn, upgrade::Upgraded};
use hyper_util::rt::{TokioIo, TokioTimer};
use socket2::SockRef;
use tokio::net::{TcpListener, TcpStream};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tower::Service;

pub use crate::harden::{cors, harden, wrap};
use crate::{
    BehindProxy, Problem,
    connections::{Connection, Connections},
    refusal::NoOperation,
};

/// Time-outs of clients.
#[derive(Clone, Copy, Debug)]
struct Timeouts {
    /// To send a request's head, and between two requests.
    head: Duration,
    /// To take any more of an answer. The kernel counts, so that it costs no timer.
    answer: Duration,
    /// The time that requests under way have once the server stops.
    drain: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            head: Duration::from_secs(10),
            answer: Duration::from_mins(1),
            drain: Duration::from_secs(10),
        }
    }
}

/// The largest request head, in bytes.
const LARGEST_HEAD: usize = 64 * 1024;

/// The address at the other end of the connection: an extension of every request, and an extractor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Peer(pub SocketAddr);

impl<S: Send + Sync> FromRequestParts<S> for Peer {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, Problem> {
        parts
            .extensions
            .get()
            .copied()
            .ok_or_else(|| Problem::internal("the request has no peer address"))
    }
}

/// Serves until `shutdown`, then lets requests under way finish for at most ten seconds. Slow headers end
/// after ten seconds, and a client that reads nothing of an answer is cut off after a minute. `TCP_NODELAY`
/// is set. An upgraded connection belongs to its handler alone ([`into_tcp`]): it neither delays the stop
/// nor ends with it. [`Connections::of_process`] bounds the connections.
pub async fn serve(listener: TcpListener, app: Router, shutdown: CancellationToken) {
    let connections = Connections::of_process(BehindProxy(false));
    serve_within(listener, app, connections, shutdown).await;
}

/// The same within a number of connections that other listeners may share. Those beyond it are answered
/// 503 and closed as soon as they come.
pub async fn serve_within(
    listener: TcpListener,
    app: Router,
    connections: Connections,
    shutdown: CancellationToken,
) {
    serve_with(listener, app, connections, shutdown, Timeouts::default()).await;
}

async fn serve_with(
    listener: TcpListener,
    app: Router,
    bound: Connections,
    shutdown: CancellationToken,
    timeouts: Timeouts,
) {
    // hyper's own HTTP/1 builder: hyper-util's automatic one waits without a limit for the first
    // bytes, to tell HTTP/1 from HTTP/2.
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(timeouts.head)
        .max_buf_size(LARGEST_HEAD);
    let connections = TaskTracker::new();
    loop {
        let (stream, peer) = tokio::select! {
            () = shutdown.cancelled() => break,
            accepted = listener.accept() => match accepted {
                Ok(accepted) => accepted,
                Err(error) => {
                    pause_after(&error).await;
                    continue;
                }
            },
        };
        let connection = match bound.take(peer.ip()) {
            Ok(connection) => connection,
            Err(full) => {
                bound.refuse(&stream, peer.ip(), full);
                continue;
            }
        };
        connections.spawn(serve_connection(
            http.clone(),
            stream,
            (Peer(peer), connection),
            app.clone(),
            timeouts.answer,
            shutdown.clone(),
        ));
    }
    drop(listener);
    connections.close();
    if tokio::time::timeout(timeouts.drain, connections.wait())
        .await
        .is_err()
    {
        tracing::warn!(
            connections = connections.len(),
            "requests were still under way after the drain; their connections are cut off"
        );
    }
}

async fn serve_connection(
    http: http1::Builder,
    stream: TcpStream,
    (peer, slots): (Peer, Connection),
    app: Router,
    answer_timeout: Duration,
    shutdown: CancellationToken,
) {
    let socket = SockRef::from(&stream);
    let set = socket
        .set_tcp_nodelay(true)
        .and_then(|()| socket.set_tcp_user_timeout(Some(answer_timeout)));
    if let Err(error) = set {
        tracing::debug!(%error, "the options of a connection can't be set; it is served without them");
    }
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(peer);
        request.extensions_mut().insert(slots.clone());
        let mut app = app.clone();
        async move {
            if names_a_host(&request) {
                app.call(request).await
            } else {
                Ok(Problem::from(NoOperation::Host).into_response())
            }
        }
    });
    let mut connection = pin!(
        http.serve_connection(TokioIo::new(stream), service)
            .with_upgrades()
    );
    let result = tokio::select! {
        result = connection.as_mut() => result,
        () = shutdown.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = result {
        tracing::debug!(%error, peer = %peer.0, "connection ended");
    }
}

/// True if a request has the one valid `Host` that HTTP/1.1 asks for (RFC 9112, section 3.2).
fn names_a_host(request: &Request<Incoming>) -> bool {
    let mut hosts = request.headers().get_all(header::HOST).iter();
    match (hosts.next(), hosts.next()) {
        (None, _) => request.version() < Version::HTTP_11,
        (Some(host), None) => {
            Authority::try_from(host.as_bytes()).is_ok() && !host.as_bytes().contains(&b'@')
        }
        (Some(_), Some(_)) => false,
    }
}

/// Pauses after an error of `accept`, unless the client broke the connection: too few file descriptors pass, but not
/// at once.
async fn pause_after(error: &io::Error) {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    if !matches!(
        error.kind(),
        ConnectionAborted | ConnectionRefused | ConnectionReset
    ) {
        tracing::error!(%error, "a connection can't be accepted; trying again");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

/// The TCP connection behind an upgraded request of [`serve`], which is a `TokioIo<TcpStream>`
/// without anything around it, and the bytes that were read from it already. Gives the connection
/// back if another server made it.
pub fn into_tcp(upgraded: Upgraded) -> Result<(TcpStream, Bytes), Upgraded> {
    let parts = upgraded.downcast::<TokioIo<TcpStream>>()?;
    Ok((parts.io.into_inner(), parts.read_buf))
}

#[cfg(test)]
mod tests;
