//! The rights of every operation: with an administrator's token, with an operator's fresh token, and with
//! older ones.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use tiffin_events::{Role, UserId};
use tiffin_testkit::{Answer, TokenBuilder, token};
use time::Duration;

use crate::fixture::{Fixture, replay_all};

/// A call of an operation: the values for the `{}` of its path, with the query, and its body.
struct Call {
    operation: &'static str,
    target: &'static str,
    body: Option<Value>,
}

fn call(operation: &'static str, target: &'static str, body: Option<Value>) -> Call {
    Call {
        operation,
        target,
        body,
    }
}

const NOWHERE: &str = "01930000-0000-7000-8000-000000000001";

/// Calls that change nothing and show nothing personal.
fn reads() -> Vec<Call> {
    let mut dry = replay_all();
    dry["dryRun"] = json!(true);
    vec![
        call("list_streams", "", None),
        call("get_capacity", "", None),
        call("search_events", "", None),
        call("get_event", "DRIVERS/1", None),
        call("get_timeline", NOWHERE, None),
        call("list_replays", "", None),
        call("get_replay", NOWHERE, None),
        call("list_dead_letters", "", None),
        call("list_dead_letter_causes", "", None),
        call("begin_replay", "", Some(dry)),
    ]
}

/// Calls that act on the history, or show personal data.
fn acts() -> Vec<Call> {
    let why = || Some(json!({ "reason": "a test" }));
    let mut revealing = replay_all();
    (revealing["dryRun"], revealing["reveal"]) = (json!(true), json!(true));
    vec![
        call("search_events", "?reveal=test", None),
        call("get_event", "DRIVERS/1?reveal=test", None),
        call(
            "get_timeline",
            "01930000-0000-7000-8000-000000000001?reveal=test",
            None,
        ),
        call("begin_replay", "", Some(revealing)),
        call("begin_replay", "", Some(replay_all())),
        call(
            "cancel_replay",
            "01930000-0000-7000-8000-000000000001?reason=test",
            None,
        ),
        call("pause_replay", NOWHERE, why()),
        call("resume_replay", NOWHERE, why()),
        call("rebuild_projection", "no_such_DRIVERS", why()),
        call("verify_projection", "no_such_DRIVERS", why()),
        call("roll_back_projection", "no_such_DRIVERS", why()),
        call(
            "republish",
            "",
            Some(json!({ "reason": "a test", "service": "unknown" })),
        ),
        call("archive_events", "", why()),
        call("retry_dead_letter", "999", why()),
        call(
            "edit_dead_letter",
            "999",
            Some(json!({ "reason": "a test", "data": {} })),
        ),
        call("discard_dead_letter", "999?reason=test", None),
        call("export_stream", "DRIVERS?reason=test", None),
        call("import_stream", "OPERATIONS?reason=test", None),
    ]
}

/// The method and path of each operation.
fn operations(fixture: &Fixture) -> BTreeMap<String, (String, String)> {
    let mut operations = BTreeMap::new();
    for (path, item) in fixture.api["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            assert_eq!(operation["x-roles"], json!(["operator"]), "{method} {path}");
            let id = operation["operationId"].as_str().unwrap().to_owned();
            operations.insert(id, (method.clone(), path.clone()));
        }
    }
    operations
}

async fn send(
    fixture: &Fixture,
    call: &Call,
    (method, path): &(String, String),
    token: &str,
) -> Answer {
    let (target, query) = call.target.split_once('?').unwrap_or((call.target, ""));
    let (head, tail) = match (path.find('{'), path.rfind('}')) {
        (Some(from), Some(to)) => (&path[..from], &path[to + 1..]),
        _ => (path.as_str(), ""),
    };
    let url = format!("{head}{target}{tail}?{query}");
    let request = match method.as_str() {
        "get" => fixture.app.get(&url),
        "post" => fixture.app.post(&url),
        "delete" => fixture.app.delete(&url),
        other => panic!("{other}"),
    };
    let request = request.token(token);
    match &call.body {
        Some(body) => request.json(body).await,
        None => request.await,
    }
}

fn operator(fixture: &Fixture) -> TokenBuilder {
    token(
        &fixture.clock,
        UserId(fixture.clock.new_id()),
        Role::Operator,
    )
}

#[tokio::test]
async fn every_operation_that_acts_asks_who_is_there_again() {
    let fixture = Fixture::new().await;
    fixture.change(fixture.clock.new_id(), 1).await;
    let operations = operations(&fixture);
    let stale = [
        operator(&fixture)
            .proven_before(Duration::minutes(6))
            .sign(),
        operator(&fixture).without_proof().sign(),
    ];
    let fresh = operator(&fixture)
        .proven_before(Duration::minutes(4))
        .sign();
    for call in acts() {
        let endpoint = &operations[call.operation];
        for stale in &stale {
            let answer = send(&fixture, &call, endpoint, stale).await;
            let challenge = answer.header("www-authenticate").unwrap_or_default();
            assert_eq!(answer.status, 401, "{}", call.operation);
            assert!(
                challenge.contains(r#"error="insufficient_user_authentication", max_age="300""#),
                "{}: {challenge}",
                call.operation
            );
            assert_eq!(answer.body["reason"], "insufficient_user_authentication");
        }
        let answer = send(&fixture, &call, endpoint, &fresh).await;
        assert!(
            ![401, 403].contains(&answer.status.as_u16()),
            "{}: {}",
            call.operation,
            answer.text
        );
    }
    for call in reads() {
        let answer = send(&fixture, &call, &operations[call.operation], &stale[0]).await;
        assert!(
            ![401, 403].contains(&answer.status.as_u16()),
            "{}: {}",
            call.operation,
            answer.text
        );
    }
    let tried: Vec<&str> = acts()
        .iter()
        .chain(&reads())
        .map(|call| call.operation)
        .collect();
    for operation in operations.keys() {
        assert!(
            tried.contains(&operation.as_str()),
            "{operation} is untried"
        );
    }
    fixture.end().await;
}

#[tokio::test]
async fn an_administrator_who_is_no_operator_is_refused_everywhere() {
    let fixture = Fixture::new().await;
    let operations = operations(&fixture);
    let admin = token(&fixture.clock, UserId(fixture.clock.new_id()), Role::Admin);
    let right = admin.clone().operator().sign();
    for call in acts().iter().chain(&reads()) {
        let endpoint = &operations[call.operation];
        let refused = send(&fixture, call, endpoint, &admin.sign()).await;
        assert_eq!(refused.problem(403), "Only operators may do this.");
        // The same token with the operator's right is accepted.
        if call.operation == "list_streams" {
            send(&fixture, call, endpoint, &right).await.expect(200);
        }
    }
    assert!(fixture.verbs().await.is_empty());
    fixture.end().await;
}
