//! The description of refusals: a response for each status, whose codes are those of its rows.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use utoipa::openapi::{
    AllOfBuilder, ComponentsBuilder, ContentBuilder, ObjectBuilder, OpenApi, OpenApiBuilder, Ref,
    RefOr, Response, ResponseBuilder, Schema, extensions::ExtensionsBuilder, schema::Type,
};

use super::RefusalRow;
use crate::ProblemBody;

/// The responses of an operation by status.
pub type Responses = BTreeMap<String, RefOr<Response>>;

/// Member of a response: code → sentence. The merged document gathers them and drops the member.
pub const SENTENCES: &str = "x-sentences";

/// The description that a service's router begins with: it has the body that all responses refer to.
pub fn base() -> OpenApi {
    let components = ComponentsBuilder::new()
        .schema_from::<ProblemBody>()
        .build();
    OpenApiBuilder::new().components(Some(components)).build()
}

/// Describes rows: those of one status are one response.
pub fn responses(rows: &[&'static RefusalRow]) -> Responses {
    let mut by_status: BTreeMap<u16, Vec<&RefusalRow>> = BTreeMap::new();
    for row in rows {
        let same = by_status.entry(row.status).or_default();
        if !same.iter().any(|other| other.code == row.code) {
            same.push(row);
        }
    }
    let responses = by_status.into_iter();
    responses
        .map(|(status, rows)| (status.to_string(), response(&rows).into()))
        .collect()
}

fn response(rows: &[&RefusalRow]) -> Response {
    let description: Vec<_> = rows
        .iter()
        .map(|row| format!("`{}`: {}", row.code, sentence(row)))
        .collect();
    let sentences: Map<String, Value> = rows
        .iter()
        .map(|row| (row.code.to_owned(), sentence(row).into()))
        .collect();
    let content = ContentBuilder::new().schema(Some(schema(rows))).build();
    ResponseBuilder::new()
        .description(description.join("\n\n"))
        .content("application/problem+json", content)
        .extensions(Some(
            ExtensionsBuilder::new().add(SENTENCES, sentences).build(),
        ))
        .build()
}

/// The sentence with its placeholders; `{{` is how a row writes a brace.
fn sentence(row: &RefusalRow) -> String {
    row.sentence.replace("{{", "{").replace("}}", "}")
}

/// A problem with one of the codes.
fn schema(rows: &[&RefusalRow]) -> Schema {
    let codes = rows.iter().map(|row| row.code);
    let code = ObjectBuilder::new()
        .schema_type(Type::String)
        .enum_values(Some(codes));
    AllOfBuilder::new()
        .item(Ref::from_schema_name("Problem"))
        .item(ObjectBuilder::new().property("code", code))
        .build()
        .into()
}
