//! The push service of everybody's browsers, the folder of mails and the site, each lost for a while.

use std::{
    fs::File,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU16, AtomicUsize, Ordering},
    },
    time::Duration,
};

use axum::{
    Json, Router,
    extract::State,
    http::StatusCode,
    routing::{get, post},
};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use rustix::fs::{CWD, RenameFlags, renameat_with};
use serde_json::{Value, json};
use tokio::{net::TcpListener, time::sleep};

use crate::{
    accounts::Account,
    chaos::{
        link::{Link, LinkState},
        schedule::Tally,
    },
    stack::Stack,
};

/// The base point of P-256, as good a key of a browser as any.
const BROWSER_KEY: &str =
    "BGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU";
const BROWSER_SECRET: &str = "AAECAwQFBgcICQoLDA0ODw";

/// The status of a push service that does not answer.
const HANGS: u16 = 0;

#[derive(Debug)]
struct Shared {
    /// Names the services, for agents.
    configuration: Value,
    site: AtomicU16,
    push: AtomicU16,
    /// The pushes that were taken.
    taken: AtomicUsize,
}

/// The push service, and the site that tells agents where the services are.
#[derive(Debug)]
pub struct Site {
    shared: Arc<Shared>,
    link: Link,
    url: String,
}

impl Site {
    pub async fn open(stack: &Stack) -> Self {
        let services = json!({ "user": stack.url("user"), "order": stack.url("order") });
        let shared = Arc::new(Shared {
            configuration: json!({ "services": services }),
            site: AtomicU16::new(200),
            push: AtomicU16::new(201),
            taken: AtomicUsize::new(0),
        });
        let routes = Router::new()
            .route("/config.json", get(configuration))
            .route("/push/{browser}", post(take_push))
            .with_state(Arc::clone(&shared));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move { axum::serve(listener, routes).await });
        Self {
            shared,
            link: Link::to(address.port()).await,
            url: format!("http://{address}"),
        }
    }

    pub fn url(&self) -> &str {
        &self.url
    }

    /// The number of pushes that were taken.
    pub fn taken(&self) -> usize {
        self.shared.taken.load(Ordering::Relaxed)
    }

    /// Has pushes to an account sent to this push service.
    pub async fn subscribe(&self, stack: &Stack, account: &Account) {
        let browser = json!({
            "endpoint": format!("http://127.0.0.1:{}/push/{}", self.link.port(), account.id),
            "keys": { "p256dh": BROWSER_KEY, "auth": BROWSER_SECRET },
        });
        stack
            .post(
                "notification",
                "/api/v1/notification/push",
                Some(account),
                &browser,
            )
            .await
            .unwrap();
    }
}

async fn configuration(State(shared): State<Arc<Shared>>) -> (StatusCode, Json<Value>) {
    match shared.site.load(Ordering::Relaxed) {
        200 => (StatusCode::OK, Json(shared.configuration.clone())),
        status => (StatusCode::from_u16(status).unwrap(), Json(Value::Null)),
    }
}

async fn take_push(State(shared): State<Arc<Shared>>) -> StatusCode {
    match shared.push.load(Ordering::Relaxed) {
        HANGS => std::future::pending().await,
        status => {
            let is_taken = usize::from(status == 201);
            shared.taken.fetch_add(is_taken, Ordering::Relaxed);
            StatusCode::from_u16(status).unwrap()
        }
    }
}

/// The outages, one at a time.
pub struct Outages {
    site: Arc<Site>,
    mails: PathBuf,
    random: StdRng,
}

impl Outages {
    pub fn new(stack: &Stack, site: Arc<Site>, seed: u64) -> Self {
        Self {
            site,
            mails: stack.mail_folder(),
            random: StdRng::seed_from_u64(seed.rotate_left(32)),
        }
    }

    /// Loses one thing after the other until `stopped`. Returns the number of outages by kind.
    pub async fn run(mut self, stopped: Arc<AtomicBool>) -> Tally {
        let mut tally = Tally::new();
        while !stopped.load(Ordering::Relaxed) {
            sleep(self.draw_time()).await;
            let time = self.draw_time();
            let shared = &self.site.shared;
            let name = match self.random.random_range(0..6) {
                0 => {
                    self.site.link.set(LinkState::Cut);
                    sleep(time).await;
                    self.site.link.set(LinkState::Open);
                    "push service gone"
                }
                1 => {
                    lose_mails(&self.mails, time).await;
                    "mail lost"
                }
                2 => {
                    answer(&shared.site, 503, time).await;
                    "site away"
                }
                3 => {
                    answer(&shared.push, HANGS, time).await;
                    "push service hangs"
                }
                4 => {
                    answer(&shared.push, 403, time).await;
                    "push service refuses"
                }
                _ => {
                    answer(&shared.push, 503, time).await;
                    "push service has a fault"
                }
            };
            *tally.entry(name.to_owned()).or_default() += 1;
        }
        tally
    }

    fn draw_time(&mut self) -> Duration {
        Duration::from_millis(self.random.random_range(500..8_000))
    }
}

/// Answers with another status for a while.
async fn answer(status: &AtomicU16, other: u16, time: Duration) {
    let usual = status.swap(other, Ordering::Relaxed);
    sleep(time).await;
    status.store(usual, Ordering::Relaxed);
}

/// Has a file in the place of the folder, so that no mail can be written.
async fn lose_mails(folder: &Path, time: Duration) {
    let file = folder.with_extension("lost");
    File::create(&file).unwrap();
    let swap = || renameat_with(CWD, &file, CWD, folder, RenameFlags::EXCHANGE).unwrap();
    swap();
    sleep(time).await;
    swap();
}
