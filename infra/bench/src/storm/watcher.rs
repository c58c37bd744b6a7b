//! A browser that watches an order and comes back as the site does (`web/src/lib/live/backoff.ts`).

use std::{
    net::Ipv4Addr,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};
use futures_util::{SinkExt, StreamExt};
use tiffin_events::live::{ClientFrame, ServerFrame};
use tokio_tungstenite::{
    connect_async,
    tungstenite::{Message, client::IntoClientRequest},
};

const FIRST_DELAY: Duration = Duration::from_millis(500);
const MAX_DELAY: Duration = Duration::from_secs(8);

#[derive(Debug)]
pub struct Watcher {
    url: String,
    network: String,
    token: String,
    topic: String,
    progress: Mutex<Progress>,
}

#[derive(Debug, Default)]
struct Progress {
    watching_since: Option<Instant>,
    /// The stream sequence of the last status.
    seen: Option<u64>,
    statuses: usize,
    failures: u32,
}

impl Watcher {
    pub fn new(number: usize, port: u16, token: &str, order: &str) -> Self {
        let number = u32::try_from(number).unwrap_or(u32::MAX);
        Self {
            url: format!("ws://127.0.0.1:{port}/live"),
            network: Ipv4Addr::from(u32::from(Ipv4Addr::new(10, 0, 0, 1)) + number).to_string(),
            token: token.to_owned(),
            topic: format!("order:{order}"),
            progress: Mutex::default(),
        }
    }

    pub fn is_watching(&self) -> bool {
        self.change(|progress| progress.watching_since.is_some())
    }

    /// The number of statuses that it was sent.
    pub fn statuses(&self) -> usize {
        self.change(|progress| progress.statuses)
    }

    /// The time from `began` until it watched again.
    pub fn back_after(&self, began: Instant) -> Duration {
        let since = self.change(|progress| progress.watching_since);
        since.map_or(Duration::MAX, |at| at.duration_since(began))
    }

    /// Watches until the task is aborted, and connects again whenever the socket is lost.
    pub async fn follow(self: Arc<Self>) {
        loop {
            // Whatever ended it, the site connects again.
            let _ = self.watch().await;
            let failures = self.change(|progress| {
                progress.watching_since = None;
                progress.failures += 1;
                progress.failures
            });
            tokio::time::sleep(backoff(failures)).await;
        }
    }

    async fn watch(&self) -> Result<()> {
        let mut request = self.url.as_str().into_client_request()?;
        let headers = request.headers_mut();
        headers.insert("x-forwarded-for", self.network.parse()?);
        let (mut socket, _) = connect_async(request).await?;
        let frame = |frame: &ClientFrame| anyhow::Ok(Message::text(serde_json::to_string(frame)?));
        let token = self.token.clone();
        socket.send(frame(&ClientFrame::Auth { token })?).await?;
        while let Some(message) = socket.next().await {
            let Message::Text(text) = message? else {
                continue;
            };
            match serde_json::from_str(&text).with_context(|| text.to_string())? {
                ServerFrame::Ready { .. } => {
                    let after = self.change(|progress| progress.seen);
                    let topic = self.topic.clone();
                    socket
                        .send(frame(&ClientFrame::Watch { topic, after })?)
                        .await?;
                }
                ServerFrame::Watching { .. } => self.change(|progress| {
                    progress.watching_since = Some(Instant::now());
                    progress.failures = 0;
                }),
                ServerFrame::Event { seq, .. } => self.change(|progress| {
                    progress.seen = progress.seen.max(seq);
                    progress.statuses += 1;
                }),
                ServerFrame::Refused { message, .. } | ServerFrame::Error { message, .. } => {
                    bail!("{message}")
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn change<T>(&self, change: impl FnOnce(&mut Progress) -> T) -> T {
        change(&mut self.progress.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The wait after so many failed attempts: doubled each time, the latter half of it by chance.
fn backoff(failures: u32) -> Duration {
    let doubled = FIRST_DELAY * 2_u32.saturating_pow(failures.saturating_sub(1).min(16));
    let half = doubled.min(MAX_DELAY) / 2;
    half + half.mul_f64(rand::random())
}
