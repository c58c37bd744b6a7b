use axum::{Router, extract::FromRef, routing::post};
use http::StatusCode;
use sqlx::PgPool;
use tiffin_chassis::{Caller, Env, Limits, MIGRATIONS, Problem, Verifier, WriteLimit, Writes};
use tiffin_events::{Clock, Role, UserId};
use tiffin_testkit::{Answer, TestApp, TestDb, token, verifier};
use time::{Duration, macros::datetime};
use tokio::task::JoinSet;
use uuid::Uuid;

/// Three by an account and five from a network, an hour.
const NOTES: WriteLimit = WriteLimit::hourly("notes", 3, 5);

#[derive(Clone)]
struct State(Verifier, Limits);

impl FromRef<State> for Verifier {
    fn from_ref(state: &State) -> Self {
        state.0.clone()
    }
}

impl FromRef<State> for Limits {
    fn from_ref(state: &State) -> Self {
        state.1.clone()
    }
}

/// A process that takes notes.
struct Notebook {
    app: TestApp,
    clock: Clock,
}

impl Notebook {
    async fn open(pool: &PgPool, clock: &Clock, factor: &str) -> Self {
        let env = Env::from_pairs([
            ("TIFFIN_BEHIND_PROXY", "true"),
            ("TIFFIN_WRITE_LIMIT_FACTOR", factor),
        ]);
        let limits = Limits::new(pool.clone(), clock.clone(), &env).unwrap();
        let take = async |caller: Caller, writes: Writes| -> Result<StatusCode, Problem> {
            writes.count(&NOTES, &caller).await?;
            Ok(StatusCode::NO_CONTENT)
        };
        let routes = Router::new().route("/notes", post(take));
        let state = State(verifier(clock), limits);
        Self {
            app: TestApp::start(routes.with_state(state)).await,
            clock: clock.clone(),
        }
    }

    async fn write(&self, account: u128, network: &str) -> Answer {
        let account = UserId(Uuid::from_u128(account));
        let token = token(&self.clock, account, Role::Customer).sign();
        let call = self.app.post("/notes").token(&token);
        call.header("x-forwarded-for", network).await
    }

    async fn wrote(&self, account: u128, network: &str) -> bool {
        let answer = self.write(account, network).await;
        if answer.status == StatusCode::NO_CONTENT {
            return true;
        }
        assert!(answer.header("retry-after").is_some());
        answer.problem(429);
        false
    }
}

fn clock() -> Clock {
    Clock::manual(datetime!(2026-11-23 09:00 UTC))
}

#[tokio::test]
async fn an_account_writes_so_often_in_all_processes_together_and_goes_on_after_the_hour() {
    let (db, clock) = (TestDb::new(&MIGRATIONS).await, clock());
    let (one, two) = (
        Notebook::open(&db.pool, &clock, "1").await,
        Notebook::open(&db.pool, &clock, "1").await,
    );
    let mut tries = JoinSet::new();
    for nth in 0..8 {
        let (app, clock) = (if nth % 2 == 0 { &one } else { &two }, clock.clone());
        let token = token(&clock, UserId(Uuid::from_u128(7)), Role::Customer).sign();
        let network = format!("192.0.2.{nth}");
        let call = app.app.post("/notes").token(&token);
        let call = call.header("x-forwarded-for", &network);
        tries.spawn(async move { call.await.status });
    }
    let answers = tries.join_all().await;
    let done = answers.iter().filter(|status| status.is_success()).count();
    assert_eq!(done, 3, "{answers:?}");
    clock.advance(Duration::minutes(20));
    let refused = one.write(7, "192.0.2.9").await;
    assert_eq!(refused.header("retry-after").as_deref(), Some("2400"));
    refused.problem(429);
    assert!(two.wrote(8, "192.0.2.9").await, "others are free");
    clock.advance(Duration::minutes(40));
    assert!(two.wrote(7, "192.0.2.9").await);
}

#[tokio::test]
async fn a_network_writes_so_often_and_who_is_refused_uses_up_nothing_of_it() {
    let (db, clock) = (TestDb::new(&MIGRATIONS).await, clock());
    let notebook = Notebook::open(&db.pool, &clock, "1").await;
    for nth in 0..20 {
        assert_eq!(notebook.wrote(1, "198.51.100.1").await, nth < 3);
    }
    assert!(notebook.wrote(2, "198.51.100.1").await);
    assert!(notebook.wrote(3, "198.51.100.1").await);
    assert!(!notebook.wrote(4, "198.51.100.1").await);
    assert!(notebook.wrote(4, "198.51.100.2").await);
    for account in 10..15 {
        assert!(
            notebook
                .wrote(account, &format!("2001:db8:1:2::{account}"))
                .await
        );
    }
    assert!(
        !notebook.wrote(15, "2001:db8:1:2:f::15").await,
        "one household"
    );
    assert!(notebook.wrote(15, "2001:db8:1:3::15").await);
}

#[tokio::test]
async fn load_tests_multiply_every_limit() {
    let (db, clock) = (TestDb::new(&MIGRATIONS).await, clock());
    let notebook = Notebook::open(&db.pool, &clock, "2").await;
    for nth in 0..8 {
        assert_eq!(notebook.wrote(1, "192.0.2.1").await, nth < 6);
    }
}

#[tokio::test]
async fn counters_whose_time_is_over_go() {
    let (db, clock) = (TestDb::new(&MIGRATIONS).await, clock());
    let notebook = Notebook::open(&db.pool, &clock, "1").await;
    for account in 0..5 {
        assert!(notebook.wrote(account, "192.0.2.1").await);
    }
    clock.advance(Duration::minutes(61));
    assert!(notebook.wrote(9, "192.0.2.9").await);
    let left: Vec<String> = sqlx::query_scalar("select key from http.limits")
        .fetch_all(&db.pool)
        .await
        .unwrap();
    assert!(left.len() <= 2, "{left:?}");
}
