use std::{
    collections::{HashMap, HashSet},
    time::Duration,
};

use tiffin_events::live::{ClientFrame, ServerFrame};
use tiffin_testkit::LiveClient;
use tokio::time::{Instant, sleep};
use uuid::Uuid;

use crate::platform::Up;

/// The most orders that one socket watches here; a bridge takes 100 topics of a socket.
const MOST: usize = 90;

/// The pause between frames: a bridge takes 20 a second of a socket.
const FRAME_PAUSE: Duration = Duration::from_millis(60);

/// A socket of the owner that watches orders from their first status on.
pub struct Watcher {
    live: LiveClient,
    /// The topics, with the stream sequence of the last event that came.
    watched: HashMap<String, u64>,
    ended: HashSet<String>,
    /// The types of the events that came, by topic.
    seen: HashMap<String, Vec<String>>,
}

impl Watcher {
    pub async fn connect(up: &Up, token: &str) -> Self {
        Self {
            live: open(up, token).await,
            watched: HashMap::new(),
            ended: HashSet::new(),
            seen: HashMap::new(),
        }
    }

    /// Goes on with a new token before the old one expires, as the site does.
    pub async fn renew(&mut self, up: &Up, token: &str) {
        self.live = open(up, token).await;
        for (topic, after) in self.watched.clone() {
            if self.ended.contains(&topic) {
                continue;
            }
            let after = Some(after);
            self.live.send(&ClientFrame::Watch { topic, after }).await;
            sleep(FRAME_PAUSE).await;
        }
    }

    pub async fn watch(&mut self, order: &Uuid) {
        let topic = format!("order:{order}");
        if self.watched.len() < MOST && !self.watched.contains_key(&topic) {
            self.watched.insert(topic.clone(), 0);
            let after = Some(0);
            self.live.send(&ClientFrame::Watch { topic, after }).await;
        }
    }

    /// Takes the frames that are there. An order that the bridge does not know yet is watched again, as the site does.
    pub async fn read(&mut self) {
        let mut unknown = Vec::new();
        while let Some(frame) = self.live.next_within(Duration::from_millis(20)).await {
            match frame {
                ServerFrame::Event {
                    topic, event, seq, ..
                } => {
                    if let (Some(last), Some(seq)) = (self.watched.get_mut(&topic), seq) {
                        *last = seq.max(*last);
                    }
                    let kind = &event.kind;
                    let seen = self.seen.entry(topic.clone()).or_default();
                    seen.push(kind.clone());
                    if kind.contains(".delivered.") || kind.contains(".cancelled.") {
                        self.ended.insert(topic);
                    }
                }
                ServerFrame::Refused { topic, .. } => unknown.push(topic),
                _ => {}
            }
        }
        for topic in unknown {
            let after = self.watched.get(&topic).copied();
            self.live.send(&ClientFrame::Watch { topic, after }).await;
            sleep(FRAME_PAUSE).await;
        }
    }

    /// Every watched order's last status came.
    pub async fn saw_the_end_of_all(mut self) {
        let began = Instant::now();
        while self.ended.len() < self.watched.len() && began.elapsed() < Duration::from_secs(70) {
            self.read().await;
        }
        assert!(self.watched.len() > 10, "{}", self.watched.len());
        let unseen = self
            .watched
            .keys()
            .filter(|topic| !self.ended.contains(*topic));
        let unseen: Vec<_> = unseen.map(|topic| (topic, self.seen.get(topic))).collect();
        assert!(unseen.is_empty(), "no end was seen of {unseen:?}");
    }
}

async fn open(up: &Up, token: &str) -> LiveClient {
    let url = up.running()["url"]
        .as_str()
        .unwrap()
        .replacen("http", "ws", 1);
    LiveClient::connect(&format!("{url}/live"), token).await
}
