//! The drivers' sockets, one each, opened again whenever it breaks.

use std::{sync::Arc, time::Duration};

use futures_util::{SinkExt, StreamExt};
use serde_json::json;
use time::{OffsetDateTime, format_description::well_known::Rfc3339};
use tokio::{
    sync::mpsc::{self, Receiver, Sender},
    time::sleep,
};
use tokio_tungstenite::{connect_async, tungstenite::Message};
use uuid::Uuid;

use super::calls::{RenewingAccount, ServiceClient};

/// One socket for each driver.
#[derive(Debug)]
pub struct DriverSockets(Vec<Sender<Uuid>>);

impl DriverSockets {
    pub fn new(client: &ServiceClient, live: &str, drivers: &[Arc<RenewingAccount>]) -> Self {
        let start = |driver: &Arc<RenewingAccount>| {
            let (send, positions) = mpsc::channel(64);
            let (client, live, driver) = (client.clone(), live.to_owned(), Arc::clone(driver));
            tokio::spawn(run(client, live, driver, positions));
            send
        };
        Self(drivers.iter().map(start).collect())
    }

    /// Sends one position of a delivery, which is lost where the socket is broken.
    pub async fn send(&self, driver: usize, delivery: Uuid) {
        let _ = self.0[driver].send(delivery).await;
    }
}

async fn run(
    client: ServiceClient,
    live: String,
    driver: Arc<RenewingAccount>,
    mut positions: Receiver<Uuid>,
) {
    while !positions.is_closed() {
        let token = client.token(&driver).await;
        if send_positions(&live, &token, &mut positions)
            .await
            .is_some()
        {
            return;
        }
        // What was to be sent meanwhile is lost.
        while positions.try_recv().is_ok() {}
        sleep(Duration::from_millis(500)).await;
    }
}

/// Sends positions until the socket breaks; `Some` where there are none to come.
#[expect(clippy::disallowed_methods, reason = "a device has its own clock")]
async fn send_positions(live: &str, token: &str, positions: &mut Receiver<Uuid>) -> Option<()> {
    let (socket, _) = connect_async(live).await.ok()?;
    let (mut write, mut read) = socket.split();
    let auth = json!({ "type": "auth", "token": token });
    write.send(Message::text(auth.to_string())).await.ok()?;
    loop {
        tokio::select! {
            delivery = positions.recv() => {
                let Some(delivery) = delivery else { return Some(()) };
                let at = OffsetDateTime::now_utc().format(&Rfc3339).ok()?;
                let frame = json!({
                    "type": "position", "deliveryId": delivery, "lat": 6.91, "lng": 79.86, "at": at,
                });
                write.send(Message::text(frame.to_string())).await.ok()?;
            }
            frame = read.next() => { frame?.ok()?; }
        }
    }
}
