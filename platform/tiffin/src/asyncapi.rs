//! `tiffin asyncapi`: the messages of the broker and of the live websocket, as an `AsyncAPI` 3 document.

use std::{collections::BTreeMap, io::Write};

use anyhow::{Context, Result, ensure};
use schemars::{Schema, schema_for};
use serde_json::{Map, Value, json};
use tiffin_events::{
    Envelope,
    catalogue::{self, Entry},
    live::{ClientFrame, ServerFrame},
};

/// Prints the document.
pub fn print() -> Result<()> {
    let mut text = serde_json::to_string_pretty(&document()?)?;
    text.push('\n');
    std::io::stdout().write_all(text.as_bytes())?;
    Ok(())
}

/// Every event of the catalogue and every frame of the live websocket.
pub fn document() -> Result<Value> {
    let mut builder = DocumentBuilder::default();
    builder.add_schema("Envelope", schema_for!(Envelope))?;
    for entry in catalogue::entries() {
        builder.event(&entry)?;
    }
    builder.socket()?;
    Ok(json!({
        "asyncapi": "3.0.0",
        "info": {
            "title": "Tiffin",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "What happens on the platform, as events (CloudEvents 1.0 in JSON, kept in \
                JetStream streams), and the messages between browsers, drivers and the live websocket.",
            "license": { "name": "Apache-2.0" },
        },
        "defaultContentType": "application/json",
        "servers": {
            "broker": {
                "host": "localhost:4222", "protocol": "nats",
                "description": "NATS with JetStream; services alone connect to it.",
            },
            "live": {
                "host": "localhost:8080", "protocol": "ws",
                "description": "The address of the web app, or of a separate live service.",
            },
        },
        "channels": builder.channels,
        "operations": builder.operations,
        "components": { "messages": builder.messages, "schemas": builder.schemas },
    }))
}

/// A builder of the document.
#[derive(Default)]
struct DocumentBuilder {
    channels: BTreeMap<String, Value>,
    operations: BTreeMap<String, Value>,
    messages: BTreeMap<String, Value>,
    schemas: BTreeMap<String, Value>,
}

impl DocumentBuilder {
    /// An event: its subject is a channel, which its service sends to.
    fn event(&mut self, entry: &Entry) -> Result<()> {
        let kind = entry.kind;
        let payload = self.add_schema(kind, (entry.schema)())?;
        let message = json!({
            "name": kind,
            "title": kind,
            "summary": entry.description,
            "contentType": "application/cloudevents+json",
            "tags": [{ "name": entry.service }, { "name": entry.stream.name() }],
            "payload": { "allOf": [
                { "$ref": "#/components/schemas/Envelope" },
                { "type": "object", "properties": { "type": { "const": kind }, "data": payload } },
            ] },
        });
        self.messages.insert(kind.to_owned(), message);
        let address = entry.subject.replace("<id>", "{id}");
        let name = kind.rsplit_once(".v").map_or(kind, |(name, _)| name);
        let channel = self.channels.entry(name.to_owned()).or_insert_with(|| {
            json!({
                "address": address,
                "description": format!("Kept in the stream {}.", entry.stream),
                "servers": [{ "$ref": "#/servers/broker" }],
                "parameters": { "id": { "description": "The aggregate's id." } },
                "messages": {},
            })
        });
        channel["messages"][kind] = json!({ "$ref": format!("#/components/messages/{kind}") });
        let messages: Vec<Value> = members(&channel["messages"])
            .map(|kind| json!({ "$ref": format!("#/channels/{name}/messages/{kind}") }))
            .collect();
        let operation = json!({
            "action": "send",
            "summary": entry.description,
            "tags": [{ "name": entry.service }],
            "channel": { "$ref": format!("#/channels/{name}") },
            "messages": messages,
        });
        self.operations.insert(name.to_owned(), operation);
        Ok(())
    }

    /// The live websocket: one channel, whose frames go one way or the other.
    fn socket(&mut self) -> Result<()> {
        let received = self.frames("client", schema_for!(ClientFrame))?;
        let sent = self.frames("server", schema_for!(ServerFrame))?;
        let messages: Map<String, Value> = received
            .iter()
            .chain(&sent)
            .map(|name| {
                let message = json!({ "$ref": format!("#/components/messages/{name}") });
                (name.clone(), message)
            })
            .collect();
        let channel = json!({
            "address": "/live",
            "description": "Text frames of JSON. The client's first is `auth`, within five seconds.",
            "servers": [{ "$ref": "#/servers/live" }],
            "messages": messages,
            "bindings": { "ws": { "method": "GET", "bindingVersion": "0.1.0" } },
        });
        self.channels.insert("live".to_owned(), channel);
        for (name, action, summary, frames) in [
            ("live.receive", "receive", "What a client sends.", received),
            ("live.send", "send", "What a client is sent.", sent),
        ] {
            let messages: Vec<Value> = frames
                .iter()
                .map(|frame| json!({ "$ref": format!("#/channels/live/messages/{frame}") }))
                .collect();
            let operation = json!({
                "action": action,
                "summary": summary,
                "channel": { "$ref": "#/channels/live" },
                "messages": messages,
            });
            self.operations.insert(name.to_owned(), operation);
        }
        Ok(())
    }

    /// A message for each variant of a frame. Returns their names.
    fn frames(&mut self, side: &str, schema: Schema) -> Result<Vec<String>> {
        let mut schema = schema.to_value();
        self.hoist(&mut schema)?;
        let variants = schema["oneOf"].as_array().context("a frame has variants")?;
        let mut names = Vec::new();
        for variant in variants {
            let kind = variant["properties"]["type"]["const"]
                .as_str()
                .context("a frame says its type")?;
            let name = format!("{side}.{kind}");
            let mut message = json!({ "name": kind, "title": name, "payload": variant });
            if let Some(summary) = variant.get("description") {
                message["summary"] = summary.clone();
            }
            self.messages.insert(name.clone(), message);
            names.push(name);
        }
        Ok(names)
    }

    /// Adds a schema and its definitions. Returns a reference to it.
    fn add_schema(&mut self, name: &str, schema: Schema) -> Result<Value> {
        let mut schema = schema.to_value();
        self.hoist(&mut schema)?;
        if let Some(members) = schema.as_object_mut() {
            members.remove("title");
        }
        self.insert(name, &schema)?;
        Ok(json!({ "$ref": format!("#/components/schemas/{name}") }))
    }

    /// Takes a schema's definitions out of it and in among all others.
    fn hoist(&mut self, schema: &mut Value) -> Result<()> {
        let Some(members) = schema.as_object_mut() else {
            return Ok(());
        };
        members.remove("$schema");
        let definitions = members.remove("$defs");
        point_to_components(schema);
        if let Some(Value::Object(definitions)) = definitions {
            for (name, mut definition) in definitions {
                point_to_components(&mut definition);
                self.insert(&name, &definition)?;
            }
        }
        Ok(())
    }

    fn insert(&mut self, name: &str, schema: &Value) -> Result<()> {
        let known = self
            .schemas
            .entry(name.to_owned())
            .or_insert_with(|| schema.clone());
        ensure!(known == schema, "two schemas are called {name}");
        Ok(())
    }
}

fn members(value: &Value) -> impl Iterator<Item = &String> {
    value.as_object().into_iter().flat_map(Map::keys)
}

/// Makes references to a schema's own definitions lead to the document's.
fn point_to_components(value: &mut Value) {
    match value {
        Value::Object(members) => {
            if let Some(Value::String(target)) = members.get_mut("$ref") {
                *target = target.replace("#/$defs/", "#/components/schemas/");
            }
            members.values_mut().for_each(point_to_components);
        }
        Value::Array(items) => items.iter_mut().for_each(point_to_components),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_event_and_every_frame_is_a_message() {
        let document = document().unwrap();
        let messages = document["components"]["messages"].as_object().unwrap();
        for entry in catalogue::entries() {
            assert!(messages.contains_key(entry.kind), "{}", entry.kind);
        }
        for frame in [
            "client.auth",
            "client.position",
            "server.ready",
            "server.event",
        ] {
            assert!(messages.contains_key(frame), "{frame}");
        }
    }

    #[test]
    fn a_personal_field_says_whose_it_is() {
        let document = document().unwrap();
        let placed = &document["components"]["schemas"]["tiffin.order.placed.v1"]["properties"];
        let mark = json!({ "of": "customerId", "category": "address" });
        assert_eq!(placed["address"]["x-personal"], mark);
        assert_eq!(placed["orderCode"]["x-personal"], Value::Null);
    }

    #[test]
    fn no_reference_leads_nowhere() {
        fn follow(document: &Value, value: &Value) {
            match value {
                Value::Object(members) => {
                    if let Some(Value::String(target)) = members.get("$ref") {
                        let path = target.trim_start_matches('#');
                        assert!(document.pointer(path).is_some(), "{target}");
                    }
                    members.values().for_each(|member| follow(document, member));
                }
                Value::Array(items) => items.iter().for_each(|item| follow(document, item)),
                _ => {}
            }
        }
        let document = document().unwrap();
        follow(&document, &document);
    }
}
