use futures_util::future::join_all;
use serde_json::{Value, json};
use tiffin_chassis::Env;
use tiffin_events::Role;
use tiffin_testkit::TestApp;
use tiffin_user::router;

use crate::fixture::{Fixture, PASSWORD, SERVICE_KEY, form};

const PATH: &str = "/internal/users";

fn driver(fixture: &Fixture, email: &str) -> Value {
    let mut body = form(email);
    body["id"] = json!(fixture.clock.new_id());
    body["vehicleType"] = json!("Bike");
    body["role"] = json!("admin");
    body
}

#[tokio::test]
async fn the_driver_service_has_an_account_made_once_however_often_it_asks() {
    let fixture = Fixture::start().await;
    let body = driver(&fixture, "d@tiffin.local");
    let key = format!("Service {SERVICE_KEY}");
    let ask = || {
        fixture
            .app
            .post(PATH)
            .header("authorization", &key)
            .json(&body)
    };
    let answers = join_all((0..4).map(|_| async { ask().await.expect(201) })).await;
    for answer in answers {
        assert_eq!(
            (&answer["user"]["_id"], &answer["user"]["role"]),
            (&body["id"], &json!("delivery"))
        );
    }
    ask().await.expect(201);
    assert_eq!(fixture.event_names().await, ["registered"]);
    fixture.login("d@tiffin.local", PASSWORD).await.expect(200);
}

#[tokio::test]
async fn a_taken_address_or_id_is_refused() {
    let fixture = Fixture::start().await;
    let key = format!("Service {SERVICE_KEY}");
    let ask = |body: &Value| {
        fixture
            .app
            .post(PATH)
            .header("authorization", &key)
            .json(body)
    };
    let body = driver(&fixture, "d@tiffin.local");
    ask(&body).await.expect(201);
    // That address is not proven yet.
    ask(&driver(&fixture, "d@tiffin.local")).await.expect(201);
    fixture.account(Role::Customer, "c@tiffin.local").await;
    assert_eq!(
        ask(&driver(&fixture, "c@tiffin.local")).await.problem(409),
        "Email Already Added"
    );
    let mut other = driver(&fixture, "other@tiffin.local");
    other["id"] = body["id"].clone();
    ask(&other).await.problem(409);
    let mut wrong = driver(&fixture, "x@tiffin.local");
    wrong["phone"] = json!("none");
    ask(&wrong).await.problem(422);
}

#[tokio::test]
async fn only_services_may_ask_and_no_account_is_notified() {
    let fixture = Fixture::start().await;
    let body = driver(&fixture, "d@tiffin.local");
    fixture.app.post(PATH).json(&body).await.problem(401);
    fixture
        .app
        .post(PATH)
        .header("authorization", "Service wrong")
        .json(&body)
        .await
        .problem(401);
    // The public side has neither the path nor a word of it.
    let (routes, api) = router(fixture.state.clone()).split_for_parts();
    let public = TestApp::start(routes).await;
    let key = format!("Service {SERVICE_KEY}");
    let call = public.post(PATH).header("authorization", &key).json(&body);
    call.await.problem(404);
    assert!(
        api.paths
            .paths
            .keys()
            .all(|path| !path.contains("internal"))
    );
    // Without a key no caller is a service, and an empty one opens nothing.
    assert_eq!(
        Env::from_pairs([("TIFFIN_SERVICE_KEY", "")]).get("TIFFIN_SERVICE_KEY"),
        None
    );
}
