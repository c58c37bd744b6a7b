//! The operators' calls.

use serde_json::{Value, json};
use tiffin_testkit::Answer;

use crate::{
    accounts::{self, Account},
    settle::wait_for,
    stack::Stack,
};

/// An operator's console.
pub struct OperatorClient<'a> {
    pub stack: &'a Stack,
    pub operator: &'a Account,
}

/// A consumer as an operator sees it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Consumer {
    pub stream: String,
    pub name: String,
    /// Those of its read model.
    pub tables: Vec<String>,
}

impl Consumer {
    /// Its owner.
    pub fn service(&self) -> &str {
        self.name.split_once('_').unwrap().0
    }
}

impl OperatorClient<'_> {
    pub async fn get(&self, path: &str) -> Answer {
        let path = format!("/api/v1/operator{path}");
        self.stack.get(&path, Some(self.operator)).await
    }

    pub async fn post(&self, path: &str, body: &Value) -> Answer {
        let path = format!("/api/v1/operator{path}");
        let operator = accounts::confirmed(self.stack, self.operator).await;
        self.stack.post(&path, Some(&operator), body).await
    }

    pub async fn delete(&self, path: &str) -> Answer {
        let path = format!("/api/v1/operator{path}");
        let operator = accounts::confirmed(self.stack, self.operator).await;
        self.stack.delete(&path, Some(&operator)).await
    }

    /// Every consumer that an operator can have do something; the event log's own are none.
    pub async fn consumers(&self) -> Vec<Consumer> {
        let overview = self.get("/streams").await.expect(200);
        let mut consumers = Vec::new();
        for stream in overview["streams"].as_array().unwrap() {
            for consumer in stream["consumers"].as_array().unwrap() {
                let tables = consumer["tables"].as_array().unwrap().iter();
                consumers.push(Consumer {
                    stream: stream["name"].as_str().unwrap().to_owned(),
                    name: consumer["name"].as_str().unwrap().to_owned(),
                    tables: tables
                        .map(|name| name.as_str().unwrap().to_owned())
                        .collect(),
                });
            }
        }
        consumers
    }

    /// Checks a consumer's read model. Returns the report.
    pub async fn verify(&self, consumer: &str) -> Value {
        let path = format!("/projections/{consumer}/verify");
        self.done(&path, &json!({ "reason": "a look" })).await["report"].clone()
    }

    /// Rebuilds it. Returns the report.
    pub async fn rebuild(&self, consumer: &str) -> Value {
        let path = format!("/projections/{consumer}/rebuild");
        self.done(&path, &json!({ "reason": "it is gone" })).await["report"].clone()
    }

    /// Replays all of a stream to one of its consumers, however much that is.
    pub async fn replay_all(&self, consumer: &Consumer) -> Value {
        let mut body = json!({
            "stream": consumer.stream, "reason": "to be sure", "target": { "consumer": consumer.name },
            "dryRun": true,
        });
        let dry = self.post("/replays", &body).await.expect(200);
        assert_eq!(dry["rows"], 0, "{}: {dry}", consumer.name);
        body["dryRun"] = false.into();
        body["confirm"] = dry["matched"].clone();
        self.done("/replays", &body).await
    }

    /// Has every service publish again what the broker lost. Returns the runs.
    pub async fn republish(&self) -> Vec<Value> {
        let body = json!({ "reason": "the broker's disk is gone" });
        let begun = self.post("/republish", &body).await.expect(202);
        let mut runs = Vec::new();
        for run in begun.as_array().unwrap() {
            runs.push(self.ended(run["replayId"].as_str().unwrap()).await);
        }
        runs
    }

    /// Has something done that takes time.
    async fn done(&self, path: &str, body: &Value) -> Value {
        let begun = self.post(path, body).await.expect(202);
        self.ended(begun["replayId"].as_str().unwrap()).await
    }

    async fn ended(&self, id: &str) -> Value {
        let path = format!("/replays/{id}");
        let mut replay = Value::Null;
        wait_for(&path, async || {
            replay = self.get(&path).await.expect(200);
            replay["state"] != "running"
        })
        .await;
        assert_eq!(replay["state"], "done", "{replay}");
        replay
    }
}
