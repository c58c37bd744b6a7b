//! Compares answers with the description of the operation that gave them.

use std::collections::BTreeSet;

use http::Method;
use serde_json::Value;

/// Codes that any operation may answer: failures of the platform, and requests that no operation takes.
const ANYWHERE: [&str; 3] = ["server.", "request.path-unknown", "request.method-unknown"];

/// The codes of refusals by operation.
#[derive(Debug, Default)]
pub(crate) struct Described(Vec<Operation>);

#[derive(Debug)]
struct Operation {
    method: String,
    path: String,
    codes: BTreeSet<String>,
}

impl Described {
    /// Reads an `OpenAPI` description.
    pub fn new(document: &Value) -> Self {
        let paths = document["paths"].as_object().into_iter().flatten();
        let operations = paths.flat_map(|(path, item)| {
            let methods = item.as_object().into_iter().flatten();
            methods.map(|(method, operation)| Operation {
                method: method.to_uppercase(),
                path: path.clone(),
                codes: codes(&operation["responses"]),
            })
        });
        Self(operations.collect())
    }

    /// Fails if a problem has a code that its operation does not list.
    pub fn check(&self, method: &Method, path: &str, problem: &Value) {
        let Some(code) = problem["code"].as_str() else {
            return;
        };
        let matching = self.0.iter().filter(|it| it.method == method.as_str());
        let operation = matching
            .filter(|it| is_at(&it.path, path))
            .min_by_key(|it| it.path.matches('{').count());
        if let Some(operation) = operation
            && !ANYWHERE.iter().any(|start| code.starts_with(start))
        {
            assert!(
                operation.codes.contains(code),
                "{method} {} answers {code}, which its refused_by! does not list: {problem}",
                operation.path
            );
        }
    }
}

/// The values that `code` may have in the bodies of some responses.
fn codes(responses: &Value) -> BTreeSet<String> {
    let responses = responses.as_object().into_iter().flatten();
    responses
        .filter_map(|(_, response)| {
            let schema = &response["content"]["application/problem+json"]["schema"];
            schema["allOf"][1]["properties"]["code"]["enum"].as_array()
        })
        .flatten()
        .filter_map(|code| code.as_str().map(str::to_owned))
        .collect()
}

/// True if a path is one of a template (`/orders/{id}`).
fn is_at(template: &str, path: &str) -> bool {
    let (mut parts, mut words) = (template.split('/'), path.split('/'));
    loop {
        match (parts.next(), words.next()) {
            (None, None) => return true,
            (Some(part), Some(word)) if part == word || part.starts_with('{') => {}
            _ => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use http::Method;
    use serde_json::json;

    use super::Described;

    fn described() -> Described {
        let of = |code: &str| {
            json!({"responses": {"404": {"content": {"application/problem+json": {"schema": {
                "allOf": [{}, {"properties": {"code": {"enum": [code]}}}],
            }}}}}})
        };
        Described::new(&json!({"paths": {
            "/orders/{id}": {"get": of("order.not-found")},
            "/orders/counts": {"get": of("order.uncounted")},
        }}))
    }

    #[test]
    fn a_listed_code_passes_and_so_does_a_failure() {
        let described = described();
        for (path, code) in [
            ("/orders/7", "order.not-found"),
            ("/orders/counts", "order.uncounted"),
            ("/orders/7", "server.failed"),
            ("/elsewhere", "request.path-unknown"),
        ] {
            described.check(&Method::GET, path, &json!({"code": code}));
        }
    }

    #[test]
    #[should_panic(expected = "which its refused_by! does not list")]
    fn a_code_of_another_operation_fails() {
        described().check(
            &Method::GET,
            "/orders/counts",
            &json!({"code": "order.not-found"}),
        );
    }
}
