//! Every operation × every kind of caller × own, another account's and absent things, against the table
//! beside this file.

mod call;
mod table;

use std::process::Command;

use serde_json::Value;

use self::{
    call::Callers,
    table::{CALLERS, OperationRow, TARGETS},
};
use crate::{google, stack::Stack};

/// The merged description of all services.
fn document() -> Value {
    let printed = Command::new(env!("CARGO_BIN_EXE_tiffin"))
        .arg("openapi")
        .output()
        .unwrap();
    assert!(printed.status.success());
    serde_json::from_slice(&printed.stdout).unwrap()
}

/// `METHOD /path` of every operation, and its description.
fn operations(document: &Value) -> Vec<(String, &Value)> {
    let paths = document["paths"].as_object().unwrap();
    paths
        .iter()
        .flat_map(|(path, item)| {
            item.as_object()
                .unwrap()
                .iter()
                .map(move |(method, operation)| {
                    (format!("{} {path}", method.to_uppercase()), operation)
                })
        })
        .collect()
}

#[test]
fn every_operation_says_who_may_call_it_and_has_a_row() {
    let document = document();
    let rows = table::read();
    let operations = operations(&document);
    for (name, operation) in &operations {
        let roles = operation["x-roles"].as_array().cloned().unwrap_or_default();
        assert!(
            !roles.is_empty(),
            "{name} does not say who may call it: add `extensions((\"x-roles\" = json!([…])))` to its \
             `utoipa::path`, with \"customer\", \"restaurant\", \"delivery\", \"admin\", \"operator\", or \"*\" for anyone"
        );
        let known = [
            "*",
            "customer",
            "restaurant",
            "delivery",
            "admin",
            "operator",
        ];
        for role in &roles {
            assert!(
                known.iter().any(|known| role == known),
                "{name}: x-roles names {role}, which is none of {known:?}"
            );
        }
        let open = roles.iter().any(|role| role == "*");
        assert!(
            open || operation["security"].is_array(),
            "{name} is not for anyone, so its `utoipa::path` needs `security((\"bearer\" = []))`"
        );
        let rows: Vec<&OperationRow> = rows.iter().filter(|row| row.operation == *name).collect();
        assert!(
            !rows.is_empty(),
            "{name} has no row in tests/platform/authorization/table.md: add one that says what each \
             kind of caller gets for their own, another account's and an absent thing"
        );
        table::agree(&rows, &roles);
    }
    for row in &rows {
        assert!(
            operations.iter().any(|(name, _)| *name == row.operation),
            "{} has a row in tests/platform/authorization/table.md, but is no operation: take it out",
            row.operation
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_operation_answers_each_caller_as_the_table_says() {
    let issuer = google::Issuer::start().await;
    let test = "authorization::each_operation_answers_each_caller";
    let stack = Stack::with(test, &issuer.settings()).await;
    let callers = Box::pin(Callers::new(&stack)).await;
    let document = document();
    let mut wrong = Vec::new();
    for row in table::read() {
        // Calls that succeed go first: after them every service knows the things that stay for callers who
        // are refused.
        let mut cells: Vec<(usize, usize)> = (0..CALLERS.len())
            .flat_map(|caller| (0..row.width()).map(move |target| (caller, target)))
            .collect();
        cells.sort_by_key(|(caller, target)| row.expected(*caller, *target) >= 300);
        for (caller, target) in cells {
            let expected = row.expected(caller, target);
            let got = callers
                .call(&row, CALLERS[caller], TARGETS[target], expected)
                .await;
            let documented = is_documented(&document, &row, got);
            if got != expected || !documented {
                let undocumented = if documented {
                    ""
                } else {
                    ", which its description does not list"
                };
                wrong.push(format!(
                    "{}: {} on {}: {got}{undocumented}, expected {expected}",
                    row.operation, CALLERS[caller], TARGETS[target]
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// True if the operation's description lists a status.
fn is_documented(document: &Value, row: &OperationRow, status: u16) -> bool {
    let (method, path) = row.operation.split_once(' ').unwrap();
    let responses = &document["paths"][path][method.to_lowercase()]["responses"];
    responses.get(status.to_string()).is_some()
}
