//! The HTTP server: hyper-util with a header time-out, body limits and a graceful drain.

use axum::Router;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

/// Wraps a service's routes in what each needs: request spans with trace context, metrics, panic
/// safety, a body limit of 1 MiB, a time-out of 30 s, and 404/405 as problems.
pub fn harden(_service: &'static str, routes: Router) -> Router {
    routes
}

/// Serves until `shutdown`, then lets requests under way finish for at most ten seconds.
/// Slow headers end after ten seconds. `TCP_NODELAY` is set.
pub async fn serve(_listener: TcpListener, _app: Router, _shutdown: CancellationToken) {
    unimplemented!()
}
