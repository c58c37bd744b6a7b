//! The codes of refusals, gathered from the operations that list them.

use std::collections::{BTreeMap, btree_map::Entry};

use anyhow::{Result, ensure};
use serde_json::{Value, json};
use tiffin_chassis::refusal::{Failure, NoOperation, Refusal, openapi::SENTENCES};

use super::{fields, members};

/// The codes of a response.
const CODES: &str = "/content/application~1problem+json/schema/allOf/1/properties/code/enum";

/// Status and sentence by code.
type Table = BTreeMap<String, Value>;

/// Writes the schema `ProblemCode`, and the table of all codes as `x-problems`. Adds the codes that any operation
/// may answer to the responses with their status.
///
/// Fails if two services give one code another status or another sentence.
pub fn write(document: &mut Value) -> Result<()> {
    let anywhere = [Failure::TABLE, NoOperation::TABLE].concat();
    let mut table = Table::new();
    for row in &anywhere {
        add(&mut table, row.code, row.status, row.sentence)?;
    }
    for operation in members(&mut document["paths"]).flat_map(members) {
        let Some(responses) = operation.get_mut("responses") else {
            continue;
        };
        for (status, response) in fields(responses) {
            let sentences = response
                .as_object_mut()
                .and_then(|response| response.remove(SENTENCES));
            let sentences = sentences.as_ref().and_then(Value::as_object);
            let Some(sentences) = sentences else {
                continue;
            };
            let status = status.parse()?;
            for (code, sentence) in sentences {
                let sentence = sentence.as_str().unwrap_or_default();
                add(&mut table, code, status, sentence)?;
            }
            if let Some(codes) = response.pointer_mut(CODES).and_then(Value::as_array_mut) {
                for row in anywhere.iter().filter(|row| row.status == status) {
                    let code = json!(row.code);
                    if !codes.contains(&code) {
                        codes.push(code);
                    }
                }
            }
        }
    }
    let schemas = &mut document["components"]["schemas"];
    schemas["ProblemCode"] = json!({
        "type": "string",
        "description": "What a problem is about. A code never changes its meaning.",
        "enum": table.keys().collect::<Vec<_>>(),
    });
    schemas["Problem"]["properties"]["code"] = json!({
        "$ref": "#/components/schemas/ProblemCode",
    });
    document["x-problems"] = json!(table);
    Ok(())
}

fn add(table: &mut Table, code: &str, status: u16, sentence: &str) -> Result<()> {
    let row = json!({ "status": status, "sentence": sentence });
    match table.entry(code.to_owned()) {
        Entry::Vacant(vacant) => {
            vacant.insert(row);
        }
        Entry::Occupied(known) => {
            ensure!(
                *known.get() == row,
                "{code} is {row} here and {} there",
                known.get()
            );
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::write;

    fn document(sentence: &str) -> Value {
        let of = |sentence: &str| json!({"x-sentences": {"order.not-found": sentence}});
        json!({
            "paths": {
                "/one": {"get": {"responses": {"404": of("There is no such order.")}}},
                "/two": {"get": {"responses": {"404": of(sentence)}}},
            },
            "components": {"schemas": {"Problem": {"properties": {}}}},
        })
    }

    #[test]
    fn codes_are_gathered_with_their_sentences() {
        let mut document = document("There is no such order.");
        write(&mut document).unwrap();
        assert_eq!(
            document["x-problems"]["order.not-found"],
            json!({"status": 404, "sentence": "There is no such order."})
        );
        let codes = document["components"]["schemas"]["ProblemCode"]["enum"]
            .as_array()
            .unwrap();
        assert!(codes.contains(&json!("order.not-found")));
        assert!(codes.contains(&json!("server.failed")));
        let response = &document["paths"]["/one"]["get"]["responses"]["404"];
        assert_eq!(response.get("x-sentences"), None);
    }

    #[test]
    fn one_code_has_one_sentence() {
        assert!(write(&mut document("No order is there.")).is_err());
    }
}
