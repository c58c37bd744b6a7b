//! A TCP proxy on one link between a service and a server, which can be slow or cut.

use std::{net::SocketAddr, time::Duration};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{
        TcpListener, TcpStream,
        tcp::{OwnedReadHalf, OwnedWriteHalf},
    },
    sync::watch,
    task::JoinHandle,
    time::sleep,
};

/// The state of the link's connections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkState {
    /// Passes everything on at once.
    Open,
    /// Passes each piece on after this time.
    Slow(Duration),
    /// Ends all connections and takes no new ones.
    Cut,
}

/// One link. Connections end with it.
#[derive(Debug)]
pub struct Link {
    port: u16,
    state: watch::Sender<LinkState>,
    accepting: JoinHandle<()>,
}

impl Link {
    /// Listens on a free port for connections to `server`, a port of this machine.
    pub async fn to(server: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (state, watched) = watch::channel(LinkState::Open);
        let accepting = tokio::spawn(accept(listener, server, watched));
        Self {
            port,
            state,
            accepting,
        }
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    pub fn set(&self, state: LinkState) {
        self.state.send_replace(state);
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

async fn accept(listener: TcpListener, server: u16, state: watch::Receiver<LinkState>) {
    while let Ok((client, _)) = listener.accept().await {
        if *state.borrow() != LinkState::Cut {
            tokio::spawn(forward_connection(client, server, state.clone()));
        }
    }
}

/// Carries one connection until an end closes it or the link is cut.
async fn forward_connection(client: TcpStream, server: u16, mut state: watch::Receiver<LinkState>) {
    let Ok(server) = TcpStream::connect(SocketAddr::from(([127, 0, 0, 1], server))).await else {
        return;
    };
    let _ = (client.set_nodelay(true), server.set_nodelay(true));
    let (from_client, to_client) = client.into_split();
    let (from_server, to_server) = server.into_split();
    let (up, down) = (state.clone(), state.clone());
    tokio::select! {
        () = forward(from_client, to_server, up) => {}
        () = forward(from_server, to_client, down) => {}
        _ = state.wait_for(|now| *now == LinkState::Cut) => {}
    }
}

async fn forward(
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    state: watch::Receiver<LinkState>,
) {
    let mut piece = vec![0; 64 * 1024];
    while let Ok(size @ 1..) = from.read(&mut piece).await {
        let now = *state.borrow();
        if let LinkState::Slow(delay) = now {
            sleep(delay).await;
        }
        if to.write_all(&piece[..size]).await.is_err() {
            return;
        }
    }
}
