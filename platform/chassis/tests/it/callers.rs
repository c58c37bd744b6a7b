use axum::{
    Router,
    extract::FromRef,
    routing::{get, put},
};
use tiffin_chassis::{AnyCaller, Caller, EnrollingCaller, Json, OptionalCaller, Problem, Verifier};
use tiffin_events::{Clock, Role, UserId};
use tiffin_testkit::{TestApp, token, verifier};
use time::Duration;
use uuid::Uuid;

const USER: UserId = UserId(Uuid::from_u128(7));

#[derive(Clone)]
struct State(Verifier);

impl FromRef<State> for Verifier {
    fn from_ref(state: &State) -> Self {
        state.0.clone()
    }
}

async fn operate(caller: Caller) -> Result<(), Problem> {
    caller.require_operator()
}

async fn act(caller: Caller) -> Result<(), Problem> {
    caller.require_fresh(Clock::system().now())
}

async fn app(verifier: &Verifier) -> TestApp {
    let routes = Router::new()
        .route("/me", get(async |caller: Caller| Json(caller.id)))
        .route(
            "/anyone",
            get(async |OptionalCaller(caller): OptionalCaller| {
                Json(caller.map(|caller| caller.id))
            }),
        )
        .route(
            "/profile",
            put(async |caller: AnyCaller| Json(caller.verified)),
        )
        .route(
            "/enrol",
            get(async |EnrollingCaller(caller): EnrollingCaller| Json(caller.id)),
        )
        .route("/operate", get(operate))
        .route("/act", get(act));
    TestApp::start(routes.with_state(State(verifier.clone()))).await
}

#[tokio::test]
async fn a_token_says_who_is_calling() {
    let clock = Clock::system();
    let app = app(&verifier(&clock)).await;
    let token = token(&clock, USER, Role::Customer).sign();
    assert_eq!(
        app.get("/me").token(&token).await.expect(200),
        USER.to_string()
    );
    assert_eq!(
        app.get("/anyone").token(&token).await.expect(200),
        USER.to_string()
    );
    assert!(app.get("/anyone").await.expect(200).is_null());
}

#[tokio::test]
async fn without_a_good_token_the_answer_is_401_and_says_how() {
    let clock = Clock::system();
    let app = app(&verifier(&clock)).await;
    let good = token(&clock, USER, Role::Customer);
    let missing = app.get("/me").await;
    assert!(
        missing
            .header("www-authenticate")
            .is_some_and(|value| value.starts_with("Bearer"))
    );
    assert_eq!(missing.problem(401), "Please login first.");
    for bad in [
        good.clone().expired().sign(),
        good.clone().symmetric().sign(),
        good.tampered(),
        "x".to_owned(),
    ] {
        app.get("/me").token(&bad).await.problem(401);
        app.get("/anyone").token(&bad).await.problem(401);
    }
}

#[tokio::test]
async fn an_unproven_address_opens_only_what_says_so() {
    let clock = Clock::system();
    let app = app(&verifier(&clock)).await;
    let token = token(&clock, USER, Role::Customer).unverified().sign();
    assert_eq!(
        app.get("/me").token(&token).await.problem(403),
        "Please verify your email first"
    );
    assert_eq!(
        app.get("/anyone").token(&token).await.problem(403),
        "Please verify your email first"
    );
    assert_eq!(app.put("/profile").token(&token).await.expect(200), false);
}

#[tokio::test]
async fn a_revoked_token_is_401_at_once() {
    let clock = Clock::system();
    let verifier = verifier(&clock);
    let app = app(&verifier).await;
    let token = token(&clock, USER, Role::Customer).sign();
    app.get("/me").token(&token).await.expect(200);
    verifier.revocations().revoke(USER, clock.now());
    assert_eq!(
        app.get("/me").token(&token).await.problem(401),
        "The token was ended. Please log in again."
    );
}

#[tokio::test]
async fn who_must_turn_on_a_second_factor_gets_no_further_than_that() {
    let clock = Clock::system();
    let app = app(&verifier(&clock)).await;
    let enrolling = token(&clock, USER, Role::Admin).enrolling();
    let signed = enrolling.sign();
    app.get("/enrol").token(&signed).await.expect(200);
    for path in ["/me", "/anyone", "/operate"] {
        let refused = app.get(path).token(&signed).await;
        assert_eq!(
            refused.problem(403),
            "Please turn on two-step sign-in first."
        );
    }
    app.put("/profile").token(&signed).await.problem(403);
    let unproven = enrolling.unverified().sign();
    app.get("/enrol").token(&unproven).await.problem(403);
}

#[tokio::test]
async fn operating_is_a_right_that_no_other_role_includes() {
    let clock = Clock::system();
    let app = app(&verifier(&clock)).await;
    for role in Role::ALL.into_iter().filter(|role| *role != Role::Operator) {
        let plain = token(&clock, USER, role).sign();
        let refused = app.get("/operate").token(&plain).await;
        assert_eq!(refused.problem(403), "Only operators may do this.");
    }
    let operator = token(&clock, USER, Role::Admin).operator().sign();
    app.get("/operate").token(&operator).await.expect(200);
}

#[tokio::test]
async fn a_proof_is_good_for_five_minutes_and_old_tokens_have_none() {
    let clock = Clock::system();
    let app = app(&verifier(&clock)).await;
    let now = token(&clock, USER, Role::Admin);
    app.get("/act").token(&now.sign()).await.expect(200);
    let late = now.clone().proven_before(Duration::minutes(4));
    app.get("/act").token(&late.sign()).await.expect(200);
    let stale = now.clone().proven_before(Duration::minutes(6));
    for refused in [stale, now.without_proof()] {
        let signed = refused.sign();
        app.get("/me").token(&signed).await.expect(200);
        let answer = app.get("/act").token(&signed).await;
        let challenge = answer.header("www-authenticate").unwrap();
        assert!(
            challenge.contains("insufficient_user_authentication"),
            "{challenge}"
        );
        answer.problem(401);
    }
}
