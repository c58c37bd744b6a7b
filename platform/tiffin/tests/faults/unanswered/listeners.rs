//! Browsers that listen, and are gone without a word.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use futures_util::{SinkExt, StreamExt, future::join_all};
use serde_json::json;
use tokio::time::{sleep, timeout};
use tokio_tungstenite::{connect_async, tungstenite::Message};

use super::orders::Evening;

const LISTENERS: usize = 8;

/// Owners and customers listen to their accounts' events until `stopped`.
pub fn listen(
    evening: &Arc<Evening>,
    live: &str,
    stopped: &Arc<AtomicBool>,
) -> impl Future<Output = ()> + use<> {
    let listeners = (0..LISTENERS).map(|number| {
        let (evening, live) = (Arc::clone(evening), live.to_owned());
        let stopped = Arc::clone(stopped);
        tokio::spawn(async move {
            let kitchen = evening.kitchens.get(number);
            let account = kitchen.map_or(&evening.customers[number], |kitchen| &kitchen.owner);
            while !stopped.load(Ordering::Relaxed) {
                let token = evening.client.token(account).await;
                let time = Duration::from_millis(rand::random_range(50..6_000));
                // Dropped, the socket says no farewell.
                let _ = timeout(time, hear(&live, &token)).await;
                sleep(Duration::from_millis(100)).await;
            }
        })
    });
    let listeners: Vec<_> = listeners.collect();
    async {
        join_all(listeners).await;
    }
}

async fn hear(live: &str, token: &str) -> Option<()> {
    let (mut socket, _) = connect_async(live).await.ok()?;
    let auth = json!({ "type": "auth", "token": token });
    socket.send(Message::text(auth.to_string())).await.ok()?;
    loop {
        socket.next().await?.ok()?;
    }
}
