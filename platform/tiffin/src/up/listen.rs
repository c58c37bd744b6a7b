//! The listeners of `tiffin up`: the loopback addresses, or `TIFFIN_BIND`.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use anyhow::{Context, Error, Result, anyhow};
use axum::Router;
use tiffin_chassis::{Connections, Env, server};
use tokio::{net::TcpListener, task::JoinSet};
use tokio_util::sync::CancellationToken;

/// Listens for operators and other services on `TIFFIN_INTERNAL_BIND`; without one on a free port of the
/// loopback address.
pub async fn inside(env: &Env) -> Result<TcpListener> {
    let bind: Option<SocketAddr> = env.parse("TIFFIN_INTERNAL_BIND")?;
    let address = bind.unwrap_or_else(|| (Ipv4Addr::LOCALHOST, 0).into());
    TcpListener::bind(address).await.with_context(|| {
        format!("can't listen on {address}: set TIFFIN_INTERNAL_BIND to an address that is free")
    })
}

/// Bound before anything else starts, so that a port in use is reported at once.
#[derive(Debug)]
pub struct Listeners {
    first: TcpListener,
    /// The other loopback address, where the machine has it: browsers may try it first.
    second: Option<TcpListener>,
    pub port: u16,
    /// True if only this machine can reach us.
    pub is_private: bool,
}

impl Listeners {
    pub async fn bind(env: &Env) -> Result<Self> {
        let port = env.parse("TIFFIN_PORT")?.unwrap_or(8080);
        let bind: Option<SocketAddr> = env.parse("TIFFIN_BIND")?;
        let address = bind.unwrap_or_else(|| (Ipv4Addr::LOCALHOST, port).into());
        let first = TcpListener::bind(address).await.with_context(|| {
            format!("can't listen on {address}: set TIFFIN_PORT to a port that is free")
        })?;
        let port = first.local_addr()?.port();
        let second = match address.ip() {
            IpAddr::V4(Ipv4Addr::LOCALHOST) => {
                TcpListener::bind((Ipv6Addr::LOCALHOST, port)).await.ok()
            }
            _ => None,
        };
        Ok(Self {
            first,
            second,
            port,
            is_private: address.ip().is_loopback(),
        })
    }

    /// Serves until `stop`, then lets requests under way finish.
    pub async fn serve(self, app: Router, connections: Connections, stop: CancellationToken) {
        let first =
            server::serve_within(self.first, app.clone(), connections.clone(), stop.clone());
        match self.second {
            Some(second) => {
                tokio::join!(first, server::serve_within(second, app, connections, stop));
            }
            None => first.await,
        }
    }
}

/// Returns once one of the listeners ends. It should end only at the stop: its routes can't be reached from then
/// on.
pub async fn ended(listening: &mut JoinSet<()>) -> Error {
    match listening.join_next().await {
        Some(Err(panicked)) => anyhow!(panicked).context("a listener broke off"),
        Some(Ok(())) | None => anyhow!("a listener ended before the platform did"),
    }
}

#[cfg(test)]
mod tests {
    use std::future;

    use super::*;

    #[tokio::test]
    async fn a_listener_that_breaks_off_is_noticed_beside_one_that_goes_on() {
        let mut listening = JoinSet::new();
        listening.spawn(future::pending());
        assert!(
            tokio::time::timeout(std::time::Duration::from_millis(20), ended(&mut listening))
                .await
                .is_err()
        );
        listening.spawn(async { panic!("no file is left") });
        let said = ended(&mut listening).await;
        assert_eq!(said.to_string(), "a listener broke off");
        listening.spawn(async {});
        let said = ended(&mut listening).await;
        assert_eq!(said.to_string(), "a listener ended before the platform did");
    }
}
