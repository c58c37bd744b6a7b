//! A client of the live socket.

use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use tiffin_events::live::{ClientFrame, ServerFrame};
use tokio::{net::TcpStream, time::timeout};
use tokio_tungstenite::{
    MaybeTlsStream, WebSocketStream, connect_async,
    tungstenite::{Message, client::IntoClientRequest},
};

/// The longest time that a frame may take.
const FRAME_TIMEOUT: Duration = Duration::from_secs(5);
/// The longest time until a right is known.
const RIGHT_TIMEOUT: Duration = Duration::from_mins(1);

/// A socket of one user.
#[derive(Debug)]
pub struct LiveClient {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
}

/// The server's close: the code of RFC 6455, and its reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Closed {
    pub code: Option<u16>,
    pub reason: String,
}

impl LiveClient {
    /// Connects without a word.
    pub async fn open(url: &str) -> Self {
        let request = url.into_client_request().expect("a websocket address");
        let (socket, _) = connect_async(request).await.expect("a websocket");
        Self { socket }
    }

    /// Connects and authenticates; the server has answered `ready`.
    pub async fn connect(url: &str, token: &str) -> Self {
        let mut client = Self::open(url).await;
        client
            .send(&ClientFrame::Auth {
                token: token.to_owned(),
            })
            .await;
        let ready = client.next().await;
        assert!(matches!(ready, ServerFrame::Ready { .. }), "{ready:?}");
        client
    }

    pub async fn send(&mut self, frame: &ClientFrame) {
        self.send_text(&serde_json::to_string(frame).expect("a frame as JSON"))
            .await;
    }

    /// Sends a text frame with any content.
    pub async fn send_text(&mut self, text: &str) {
        self.socket
            .send(Message::text(text))
            .await
            .expect("an open socket");
    }

    /// Sends any message: binary, ping, close.
    pub async fn send_message(&mut self, message: Message) {
        self.socket.send(message).await.expect("an open socket");
    }

    /// Watches a topic; the server has answered `watching`.
    pub async fn watch(&mut self, topic: &str) {
        self.watch_after(topic, None).await;
    }

    /// Watches a topic from after a stream sequence on; the server has answered `watching`.
    pub async fn watch_after(&mut self, topic: &str, after: Option<u64>) {
        self.send(&ClientFrame::Watch {
            topic: topic.to_owned(),
            after,
        })
        .await;
        self.until(
            |frame| matches!(frame, ServerFrame::Watching { topic: watched } if watched == topic),
        )
        .await;
    }

    /// Watches a topic that may not be known yet: asks again while it is refused, as the site does. The
    /// server has answered `watching`.
    pub async fn watch_once_known(&mut self, topic: &str) {
        let began = Instant::now();
        let watch = ClientFrame::Watch {
            topic: topic.to_owned(),
            after: None,
        };
        loop {
            self.send(&watch).await;
            let answer = self
                .until(|frame| match frame {
                    ServerFrame::Watching { topic: of }
                    | ServerFrame::Refused { topic: of, .. } => of == topic,
                    _ => false,
                })
                .await;
            if matches!(answer, ServerFrame::Watching { .. }) {
                return;
            }
            assert!(
                began.elapsed() < RIGHT_TIMEOUT,
                "{topic} is refused: {answer:?}"
            );
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    }

    /// The next frame, which has to come within five seconds.
    pub async fn next(&mut self) -> ServerFrame {
        self.next_within(FRAME_TIMEOUT)
            .await
            .expect("a frame within five seconds")
    }

    /// The next frame, if one comes in time.
    pub async fn next_within(&mut self, limit: Duration) -> Option<ServerFrame> {
        let text = timeout(limit, self.text()).await.ok()?;
        let text = text.unwrap_or_else(|closed| panic!("the socket was closed: {closed:?}"));
        Some(serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}")))
    }

    /// The first frame of the kind wanted; others before it are dropped.
    pub async fn until(&mut self, mut wanted: impl FnMut(&ServerFrame) -> bool) -> ServerFrame {
        let mut dropped = Vec::new();
        let found = timeout(FRAME_TIMEOUT, async {
            loop {
                let frame = self.next().await;
                if wanted(&frame) {
                    return frame;
                }
                dropped.push(frame);
            }
        });
        let found = found.await;
        found.unwrap_or_else(|_| panic!("the frame did not come; these did: {dropped:?}"))
    }

    /// Waits for the server to close the socket; frames before that are dropped.
    pub async fn closed(&mut self) -> Closed {
        timeout(FRAME_TIMEOUT * 2, async {
            loop {
                if let Err(closed) = self.text().await {
                    return closed;
                }
            }
        })
        .await
        .expect("the socket is closed in time")
    }

    /// The next text frame, or how the socket was closed.
    pub async fn text(&mut self) -> Result<String, Closed> {
        let gone = || Closed {
            code: None,
            reason: "the connection ended".to_owned(),
        };
        loop {
            match self.socket.next().await {
                Some(Ok(Message::Text(text))) => return Ok(text.to_string()),
                Some(Ok(Message::Close(frame))) => {
                    return Err(frame.map_or_else(gone, |frame| Closed {
                        code: Some(frame.code.into()),
                        reason: frame.reason.to_string(),
                    }));
                }
                Some(Ok(_)) => {}
                Some(Err(_)) | None => return Err(gone()),
            }
        }
    }
}
