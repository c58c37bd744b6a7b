//! A person's copy: asked for, made from what the services answer over a real broker, downloaded, removed.

use std::io::{Cursor, Read};

use serde_json::{Value, json};
use tempfile::TempDir;
use tiffin_bus::personal::{Personal, Responder};
use tiffin_events::{Role, services::with_database};
use tiffin_testkit::{TestNats, assert_every_table_is_listed, copy_of};
use tiffin_user::{PERSONAL, make_copies_due, remove_copies_due};
use time::Duration;
use tokio_util::sync::{CancellationToken, DropGuard};
use zip::ZipArchive;

use crate::fixture::{Account, Fixture, PASSWORD, unfolded};

const PATH: &str = "/api/v1/users/copy";
const DOWNLOAD: &str = "/api/v1/users/copy/download";

/// A service whose database holds nothing about accounts.
static NOTHING: Personal = Personal {
    sections: &[],
    left_out: &[],
};

struct Bench {
    fixture: Fixture,
    nats: TestNats,
    copies: TempDir,
    stop: CancellationToken,
    _end: DropGuard,
}

impl Bench {
    async fn start() -> Self {
        let copies = TempDir::new().unwrap();
        let folder = copies.path().to_str().unwrap();
        let settings = [
            ("TIFFIN_COPIES_DIR", folder),
            ("TIFFIN_PUBLIC_URL", "https://tiffin.example"),
        ];
        let stop = CancellationToken::new();
        Self {
            fixture: Fixture::start_with(&settings).await,
            nats: TestNats::start().await,
            copies,
            _end: stop.clone().drop_guard(),
            stop,
        }
    }

    /// Lets a service answer: the user service with its rows, another one with none.
    async fn answer(&self, service: &'static str) {
        let personal = if service == "user" {
            &PERSONAL
        } else {
            &NOTHING
        };
        let (pool, broker) = (self.fixture.db.pool.clone(), self.nats.broker.clone());
        let responder = Responder::new(service, pool, broker, personal, None);
        tokio::spawn(responder.run(self.stop.clone()));
        // It listens once it answers.
        let stranger = tiffin_events::UserId(self.fixture.clock.new_id());
        for _ in 0..200 {
            let broker = &self.nats.broker;
            let asked = tiffin_bus::personal::ask_for_page(broker, service, stranger, None).await;
            if asked.is_ok() {
                return;
            }
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        panic!("{service} does not answer");
    }

    async fn all_answer(&self) {
        for service in with_database() {
            self.answer(service.name).await;
        }
    }

    async fn request(&self, account: &Account) -> Value {
        let asked = self.fixture.app.post(PATH).token(&account.token);
        asked.json(&json!({})).await.expect(202)
    }

    /// Makes and removes what is due.
    async fn make(&self) -> usize {
        let made = make_copies_due(&self.fixture.state, &self.nats.broker).await;
        made.unwrap() + remove_copies_due(&self.fixture.state).await.unwrap()
    }

    async fn state(&self, account: &Account) -> Value {
        self.fixture
            .app
            .get(PATH)
            .token(&account.token)
            .await
            .expect(200)
    }

    async fn download(&self, account: &Account) -> reqwest::Response {
        let url = format!("{}{DOWNLOAD}", self.fixture.app.url);
        let call = reqwest::Client::new().get(url).bearer_auth(&account.token);
        call.send().await.unwrap()
    }

    /// The files in the store.
    fn files(&self) -> usize {
        fn count(folder: &std::path::Path) -> usize {
            let entries = std::fs::read_dir(folder)
                .unwrap()
                .map(|it| it.unwrap().path());
            entries
                .map(|path| if path.is_dir() { count(&path) } else { 1 })
                .sum()
        }
        count(self.copies.path())
    }
}

/// The files of an archive by name.
fn unzip(bytes: Vec<u8>) -> Vec<(String, String)> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).unwrap();
    let names: Vec<String> = archive.file_names().map(str::to_owned).collect();
    let read = |name: String| {
        let mut text = String::new();
        archive
            .by_name(&name)
            .unwrap()
            .read_to_string(&mut text)
            .unwrap();
        (name, text)
    };
    names.into_iter().map(read).collect()
}

#[tokio::test]
async fn a_copy_has_the_account_and_no_secret_of_it_nor_anyone_else() {
    let bench = Bench::start().await;
    bench.all_answer().await;
    let mut me = bench
        .fixture
        .account(Role::Customer, "me@tiffin.local")
        .await;
    let factor = bench.fixture.turn_on(&mut me).await;
    bench
        .fixture
        .account(Role::Customer, "other@tiffin.local")
        .await;
    assert_eq!(bench.state(&me).await["state"], "none");
    assert_eq!(bench.request(&me).await["state"], "underWay");
    assert_eq!(bench.make().await, 1);
    let state = bench.state(&me).await;
    assert_eq!(state["state"], "ready", "{state}");

    let answer = bench.download(&me).await;
    assert_eq!(answer.headers()["content-type"], "application/zip");
    assert_eq!(answer.headers()["cache-control"], "no-store");
    let bytes = answer.bytes().await.unwrap().to_vec();
    assert_eq!(state["size"], bytes.len());
    let files = unzip(bytes);
    let names: Vec<_> = files.iter().map(|(name, _)| name.as_str()).collect();
    let services = with_database().map(|service| format!("{}.json", service.name));
    let expected: Vec<_> = std::iter::once("README.txt".to_owned())
        .chain(services)
        .collect();
    assert_eq!(names, expected);
    for (name, text) in &files[1..] {
        assert!(
            serde_json::from_str::<Value>(text).is_ok(),
            "{name}: {text}"
        );
    }
    let user: Value = serde_json::from_str(&files[1].1).unwrap();
    assert_eq!(user["profile"][0]["email"], "me@tiffin.local");
    assert_eq!(
        user["twoStepSignIn"][0]["unusedRecoveryCodes"], 10,
        "{user}"
    );

    let all: String = files.into_iter().map(|(_, text)| text).collect();
    assert!(!all.contains("other@tiffin.local"));
    let mut secrets = factor.recovery_codes;
    secrets.extend([factor.secret, me.refresh, me.token, PASSWORD.to_owned()]);
    secrets.extend(["$argon2", "\\\\x"].map(str::to_owned));
    let hashes: Vec<String> = sqlx::query_scalar(
        "select password_hash from users union all select encode(secret, 'hex') from second_factors
         union all select hash from recovery_codes union all select encode(hash, 'hex') from refresh_tokens",
    )
    .fetch_all(&bench.fixture.db.pool)
    .await
    .unwrap();
    assert!(hashes.len() > 10);
    for secret in secrets.iter().chain(&hashes) {
        assert!(!all.contains(secret), "{secret} in {all}");
    }
}

#[tokio::test]
async fn a_mail_says_that_it_is_ready_and_it_is_removed_after_a_week() {
    let bench = Bench::start().await;
    bench.all_answer().await;
    let me = bench
        .fixture
        .account(Role::Restaurant, "me@tiffin.local")
        .await;
    bench.request(&me).await;
    bench.make().await;
    let mail = unfolded(bench.fixture.mails().await.last().unwrap());
    assert!(mail.contains("Subject: Your copy is ready"), "{mail}");
    assert!(
        mail.contains("https://tiffin.example/restaurantC/profile"),
        "{mail}"
    );
    assert!(mail.contains("2026-11-28"), "{mail}");
    assert_eq!(bench.files(), 1);
    bench.fixture.clock.advance(Duration::days(7));
    let me = bench.fixture.sign_in(&me.email).await;
    assert_eq!(bench.state(&me).await["state"], "none");
    assert_eq!(bench.download(&me).await.status(), 404);
    assert_eq!(bench.make().await, 1);
    assert_eq!(bench.files(), 0);
    assert_eq!(bench.make().await, 0);
}

#[tokio::test]
async fn a_closed_account_leaves_no_copy() {
    let bench = Bench::start().await;
    bench.all_answer().await;
    let me = bench
        .fixture
        .account(Role::Customer, "me@tiffin.local")
        .await;
    bench.request(&me).await;
    bench.make().await;
    assert_eq!(bench.files(), 1);
    let path = format!("/api/v1/users/{}", me.id);
    let close = bench.fixture.app.delete(&path).token(&me.token);
    close.await.expect(200);
    assert_eq!(bench.make().await, 1);
    assert_eq!(bench.files(), 0);
    let rows: i64 = sqlx::query_scalar("select count(*) from copies")
        .fetch_one(&bench.fixture.db.pool)
        .await
        .unwrap();
    assert_eq!(rows, 0);
}

#[tokio::test]
async fn a_service_that_does_not_answer_delays_the_copy_and_fails_it_after_a_day() {
    let bench = Bench::start().await;
    for service in with_database().filter(|service| service.name != "payment") {
        bench.answer(service.name).await;
    }
    let me = bench
        .fixture
        .account(Role::Customer, "me@tiffin.local")
        .await;
    bench.request(&me).await;
    assert_eq!(bench.make().await, 1);
    assert_eq!(bench.state(&me).await["state"], "underWay");
    assert_eq!(bench.files(), 0);
    // Not before the next attempt is due.
    assert_eq!(bench.make().await, 0);
    bench.fixture.clock.advance(Duration::days(1));
    assert_eq!(bench.make().await, 1);
    let me = bench.fixture.sign_in(&me.email).await;
    let state = bench.state(&me).await;
    assert_eq!(
        (&state["state"], &state["missing"]),
        (&json!("failed"), &json!("payment"))
    );
    let mail = unfolded(bench.fixture.mails().await.last().unwrap());
    assert!(
        mail.contains("Subject: Your copy could not be made"),
        "{mail}"
    );
    assert!(mail.contains("payment"), "{mail}");
    // The next one takes its place.
    bench.answer("payment").await;
    bench.request(&me).await;
    bench.make().await;
    assert_eq!(bench.state(&me).await["state"], "ready");
}

#[tokio::test]
async fn one_is_made_at_a_time_three_a_week_and_with_a_recent_proof() {
    let bench = Bench::start().await;
    bench.all_answer().await;
    let me = bench
        .fixture
        .account(Role::Customer, "me@tiffin.local")
        .await;
    bench.request(&me).await;
    let again = bench
        .fixture
        .app
        .post(PATH)
        .token(&me.token)
        .json(&json!({}))
        .await;
    assert_eq!(again.problem(409), "Your copy is being made already.");
    bench.make().await;
    for _ in 0..2 {
        bench.request(&me).await;
        assert_eq!(
            bench.make().await,
            2,
            "the next one, and the end of the one before"
        );
    }
    // Each takes the place of the one before.
    assert_eq!(bench.files(), 1);
    let fourth = bench
        .fixture
        .app
        .post(PATH)
        .token(&me.token)
        .json(&json!({}))
        .await;
    fourth.problem(429);
    bench.fixture.clock.advance(Duration::minutes(6));
    let late = bench
        .fixture
        .app
        .post(PATH)
        .token(&me.token)
        .json(&json!({}))
        .await;
    late.problem(401);
    // Reading it needs no proof.
    assert_eq!(bench.download(&me).await.status(), 200);
}

#[tokio::test]
async fn an_attempt_whose_process_is_gone_begins_again() {
    let bench = Bench::start().await;
    let me = bench
        .fixture
        .account(Role::Customer, "me@tiffin.local")
        .await;
    bench.request(&me).await;
    // Another process has begun, and then ends: what it wrote stays in the store.
    let id: sqlx::types::Uuid = sqlx::query_scalar(
        "update copies set attempts = 1, due_at = due_at + interval '2 minutes' returning id",
    )
    .fetch_one(&bench.fixture.db.pool)
    .await
    .unwrap();
    let folder = bench.copies.path().join("copies").join(id.to_string());
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("1.zip#1"), "half a copy").unwrap();
    bench.all_answer().await;
    assert_eq!(bench.make().await, 0);
    bench.fixture.clock.advance(Duration::minutes(2));
    assert_eq!(bench.make().await, 1);
    assert_eq!(bench.state(&me).await["state"], "ready");
    assert!(!unzip(bench.download(&me).await.bytes().await.unwrap().to_vec()).is_empty());
    // All of it goes with the copy.
    bench.fixture.clock.advance(Duration::days(7));
    bench.make().await;
    assert_eq!(bench.files(), 0);
}

#[tokio::test]
async fn every_table_is_in_a_section_or_left_out_with_a_reason() {
    let fixture = Fixture::start().await;
    assert_every_table_is_listed(&fixture.db.pool, &PERSONAL).await;
    let me = fixture.account(Role::Customer, "me@tiffin.local").await;
    let copy = copy_of(&fixture.db.pool, &PERSONAL, me.id).await;
    assert_eq!(copy["sessions"].as_array().map(Vec::len), Some(1), "{copy}");
}
