//! The same work, whether an address has an account or not: statements and hashes are counted, since a
//! clock would measure the machine.

use std::{cell::RefCell, fmt::Debug, sync::Once};

use serde_json::json;
use tiffin_events::Role;
use tiffin_testkit::Answer;
use tracing::{
    Event, Subscriber,
    field::{Field, Visit},
};
use tracing_subscriber::{
    Layer, Registry, filter::Targets, layer::Context, layer::SubscriberExt as _,
};

use crate::fixture::{Fixture, form};

thread_local! {
    /// The work of this thread: each statement by its beginning, each hash by its line in the log. `None`
    /// until it is asked for.
    static DONE: RefCell<Option<Vec<String>>> = const { RefCell::new(None) };
}

struct RecordedWork;

struct LogText(String);

impl Visit for LogText {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        if ["summary", "message"].contains(&field.name()) {
            self.0 = format!("{value:?}");
        }
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        if field.name() == "summary" {
            value.clone_into(&mut self.0);
        }
    }
}

impl<S: Subscriber> Layer<S> for RecordedWork {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let mut text = LogText(String::new());
        event.record(&mut text);
        DONE.with_borrow_mut(|done| done.as_mut().map(|done| done.push(text.0)));
    }
}

impl RecordedWork {
    /// The work of this thread since the last time, or since [`noted`].
    fn take() -> Vec<String> {
        DONE.with_borrow_mut(|done| done.replace(Vec::new()).unwrap())
    }

    fn hashes(done: &[String]) -> usize {
        done.iter().filter(|one| one.contains("hashed")).count()
    }
}

/// Notes all work of this thread from now on, which is the service's too. There is one subscriber for all
/// threads: one for each test would come and go while others have their statements looked at.
fn start_recording() {
    static LISTENS: Once = Once::new();
    LISTENS.call_once(|| {
        let wanted = Targets::new()
            .with_target("sqlx::query", tracing::Level::TRACE)
            .with_target("tiffin_user::passwords", tracing::Level::TRACE);
        let notes = Registry::default().with(RecordedWork.with_filter(wanted));
        tracing::subscriber::set_global_default(notes).unwrap();
    });
    DONE.set(Some(Vec::new()));
}

/// Known, unknown, unproven, blocked, and one that only Google opens.
async fn all_addresses(fixture: &Fixture) -> Vec<String> {
    let admin = fixture.account(Role::Admin, "a@tiffin.local").await;
    for name in ["known", "blocked", "google"] {
        let email = format!("{name}@tiffin.local");
        fixture.account(Role::Customer, &email).await;
    }
    let block = "/api/v1/users/block/blocked@tiffin.local";
    fixture.app.put(block).token(&admin.token).await.expect(200);
    sqlx::query("update users set password_hash = '' where email = 'google@tiffin.local'")
        .execute(&fixture.db.pool)
        .await
        .unwrap();
    let sign_up = fixture.app.post("/api/v1/users");
    sign_up
        .json(&form("unproven@tiffin.local"))
        .await
        .expect(201);
    ["known", "unknown", "unproven", "blocked", "google"]
        .map(|name| format!("{name}@tiffin.local"))
        .to_vec()
}

#[tokio::test]
async fn a_password_reset_costs_the_same_for_every_address() {
    let fixture = Fixture::start().await;
    let people = all_addresses(&fixture).await;
    start_recording();
    fixture.forgot("first@tiffin.local").await.expect(202);
    RecordedWork::take();
    let mut all = Vec::new();
    for email in &people {
        fixture.forgot(email).await.expect(202);
        all.push(RecordedWork::take());
    }
    assert!(all[0].len() >= 4, "{all:?}");
    for (email, done) in people.iter().zip(&all) {
        assert_eq!(done, &all[0], "{email}");
        assert_eq!(RecordedWork::hashes(done), 0);
    }
}

#[tokio::test]
async fn a_wrong_password_costs_the_same_for_every_address() {
    let fixture = Fixture::start().await;
    let people = all_addresses(&fixture).await;
    // Three wait with this one.
    for n in 0..2 {
        let mut body = form("unproven@tiffin.local");
        body["password"] = json!(format!("Other-Pass@{n}"));
        fixture
            .app
            .post("/api/v1/users")
            .json(&body)
            .await
            .expect(201);
    }
    start_recording();
    fixture
        .login("first@tiffin.local", "Wrong-Pass@1")
        .await
        .problem(401);
    RecordedWork::take();
    let mut all = Vec::new();
    for email in &people {
        fixture.login(email, "Wrong-Pass@1").await.problem(401);
        all.push(RecordedWork::take());
    }
    for (email, done) in people.iter().zip(&all) {
        assert_eq!(RecordedWork::hashes(done), 1, "{email}: {done:?}");
        assert_eq!(done, &all[0], "{email}");
    }
}

#[tokio::test]
async fn a_sign_up_costs_one_hash_whatever_comes_of_it() {
    let fixture = Fixture::start().await;
    let people = all_addresses(&fixture).await;
    start_recording();
    let mut answers = Vec::new();
    for email in &people {
        let sign_up = fixture.app.post("/api/v1/users").json(&form(email));
        let answer: Answer = sign_up.await;
        answers.push(answer.status.as_u16());
        assert_eq!(RecordedWork::hashes(&RecordedWork::take()), 1, "{email}");
    }
    // The specification has a sign-up say that an address is taken.
    assert_eq!(answers, [409, 201, 201, 409, 409]);
}
