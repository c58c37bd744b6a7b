//! Mail servers that are slow, or that close the connection during a mail.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use tiffin_chassis::mail::Mailer;
use tiffin_events::Role;
use tiffin_notification::send_due;
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
    sync::Semaphore,
};

use crate::fixture::{Fixture, OWNER, event};

/// The server's reaction to a complete mail.
#[derive(Clone, Copy)]
enum Reply {
    /// It confirms the mail when the test lets it.
    Waits,
    ClosesConnection,
    Defers,
}

#[derive(Clone)]
struct Server {
    url: String,
    /// The number of complete mails that it received.
    taken: Arc<AtomicUsize>,
    confirm_permits: Arc<Semaphore>,
}

impl Server {
    async fn start(reply: Reply) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let server = Self {
            url: format!("smtp://{}", listener.local_addr().unwrap()),
            taken: Arc::default(),
            confirm_permits: Arc::new(Semaphore::new(0)),
        };
        let own = server.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let own = own.clone();
                tokio::spawn(async move { own.serve_connection(stream, reply).await });
            }
        });
        server
    }

    async fn serve_connection(self, stream: TcpStream, reply: Reply) -> std::io::Result<()> {
        let mut stream = BufReader::new(stream);
        stream.write_all(b"220 ready\r\n").await?;
        let mut line = String::new();
        while stream.read_line(&mut line).await? > 0 {
            if !line.starts_with("DATA") {
                stream.write_all(b"250 good\r\n").await?;
                line.clear();
                continue;
            }
            stream.write_all(b"354 go on\r\n").await?;
            while line != ".\r\n" {
                line.clear();
                stream.read_line(&mut line).await?;
            }
            line.clear();
            self.taken.fetch_add(1, Ordering::SeqCst);
            match reply {
                Reply::ClosesConnection => return Ok(()),
                Reply::Defers => stream.write_all(b"451 later\r\n").await?,
                Reply::Waits => {
                    let _ = self.confirm_permits.acquire().await;
                    stream.write_all(b"250 taken\r\n").await?;
                }
            }
        }
        Ok(())
    }

    fn taken(&self) -> usize {
        self.taken.load(Ordering::SeqCst)
    }
}

async fn fixture(server: &Server) -> Fixture {
    let fixture = Fixture::start_with(&[("SMTP_URL", &server.url)]).await;
    fixture.register(OWNER, "Sunil", Role::Restaurant).await;
    fixture.deliver(&event("tiffin.order.placed.v1", 1)).await;
    fixture.event_names().await;
    fixture
}

#[tokio::test]
async fn a_server_that_is_slow_is_not_given_a_mail_twice() {
    let server = Server::start(Reply::Waits).await;
    let fixture = fixture(&server).await;
    let state = fixture.state.clone();
    let slow = tokio::spawn(async move { send_due(&state).await });
    while server.taken() == 0 {
        tokio::task::yield_now().await;
    }
    // No other worker takes the mail while the first one may still wait for the server.
    fixture.clock.advance(Mailer::LONGEST.try_into().unwrap());
    assert_eq!(send_due(&fixture.state).await.unwrap(), 0);
    server.confirm_permits.add_permits(1);
    assert_eq!(slow.await.unwrap().unwrap(), 1);
    assert_eq!(fixture.event_names().await, ["sent"]);
    assert_eq!(server.taken(), 1);
}

#[tokio::test]
async fn a_server_that_goes_away_with_a_mail_is_not_given_it_again() {
    let server = Server::start(Reply::ClosesConnection).await;
    let fixture = fixture(&server).await;
    for _ in 0..3 {
        assert_eq!(send_due(&fixture.state).await.unwrap(), 0);
        fixture.clock.advance(time::Duration::hours(1));
    }
    assert_eq!(fixture.event_names().await, ["failed"]);
    assert_eq!(server.taken(), 1);
}

#[tokio::test]
async fn a_server_that_says_later_is_asked_again() {
    let server = Server::start(Reply::Defers).await;
    let fixture = fixture(&server).await;
    send_due(&fixture.state).await.unwrap();
    fixture.clock.advance(time::Duration::seconds(1));
    send_due(&fixture.state).await.unwrap();
    assert_eq!(server.taken(), 2);
    assert!(fixture.event_names().await.is_empty());
}
