use tiffin_bus::{Broker, seal::Keys};
use tiffin_servers::{Durability, Home, Nats};

use crate::TestKeys;

/// A nats-server of one test, with Tiffin's streams in it. It and its data go when this is dropped. The broker has the
/// keys of [`recorder`](crate::recorder).
#[derive(Debug)]
pub struct TestNats {
    pub broker: Broker,
    /// To kill, stop and start again.
    pub server: Nats,
    _home: Home,
}

impl TestNats {
    pub async fn start() -> Self {
        Self::with(Durability::Fast).await
    }

    /// One that keeps what it acknowledged when it is killed.
    pub async fn durable() -> Self {
        Self::with(Durability::Full).await
    }

    async fn with(durability: Durability) -> Self {
        let home = Home::temporary(&crate::packages()).expect("a temporary folder");
        let server = Nats::start(&home, durability, &crate::report)
            .await
            .expect("nats-server");
        let broker = Broker::connect(&server.url(), "test").await;
        let broker = broker.expect("the server's address");
        let broker = broker.with_keys(Keys::new(TestKeys::of_process()));
        broker.prepare().await.expect("the streams");
        Self {
            broker,
            server,
            _home: home,
        }
    }

    /// The URL of a client with all rights, user and password included.
    pub fn url(&self) -> String {
        self.server.url()
    }

    /// The URL of a service's own user.
    pub fn url_of(&self, user: &str) -> String {
        self.server.url_of(user)
    }
}
