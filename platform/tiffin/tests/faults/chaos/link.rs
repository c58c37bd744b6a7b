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
pub enum Weather {
    /// Passes everything on at once.
    Fair,
    /// Passes each piece on after this time.
    Slow(Duration),
    /// Ends all connections and takes no new ones.
    Cut,
}

/// One link. Connections end with it.
#[derive(Debug)]
pub struct Link {
    port: u16,
    weather: watch::Sender<Weather>,
    accepting: JoinHandle<()>,
}

impl Link {
    /// Listens on a free port for connections to `server`, a port of this machine.
    pub async fn to(server: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (weather, watched) = watch::channel(Weather::Fair);
        let accepting = tokio::spawn(accept(listener, server, watched));
        Self {
            port,
            weather,
            accepting,
        }
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    pub fn set(&self, weather: Weather) {
        self.weather.send_replace(weather);
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

async fn accept(listener: TcpListener, server: u16, weather: watch::Receiver<Weather>) {
    while let Ok((client, _)) = listener.accept().await {
        if *weather.borrow() != Weather::Cut {
            tokio::spawn(carry(client, server, weather.clone()));
        }
    }
}

/// Carries one connection until an end closes it or the link is cut.
async fn carry(client: TcpStream, server: u16, mut weather: watch::Receiver<Weather>) {
    let Ok(server) = TcpStream::connect(SocketAddr::from(([127, 0, 0, 1], server))).await else {
        return;
    };
    let _ = (client.set_nodelay(true), server.set_nodelay(true));
    let (from_client, to_client) = client.into_split();
    let (from_server, to_server) = server.into_split();
    let (up, down) = (weather.clone(), weather.clone());
    tokio::select! {
        () = pass(from_client, to_server, up) => {}
        () = pass(from_server, to_client, down) => {}
        _ = weather.wait_for(|now| *now == Weather::Cut) => {}
    }
}

async fn pass(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, weather: watch::Receiver<Weather>) {
    let mut piece = vec![0; 64 * 1024];
    while let Ok(size @ 1..) = from.read(&mut piece).await {
        let now = *weather.borrow();
        if let Weather::Slow(delay) = now {
            sleep(delay).await;
        }
        if to.write_all(&piece[..size]).await.is_err() {
            return;
        }
    }
}
