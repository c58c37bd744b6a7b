//! sqlmap on operations whose text goes into SQL, each with an account that may call it.

use std::{path::Path, process::Stdio, time::Duration};

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use sqlx::{Connection, PgConnection};
use tokio::process::Command;

use super::{Extent, Verdict, address, client, databases, sign_in};
use crate::platform::Platform;

/// An operation with values that it takes; an asterisk marks where something is put in.
struct AttackedOperation {
    name: &'static str,
    /// `{item}` is a dish's id.
    path: &'static str,
    body: Option<&'static str>,
    account: Option<&'static str>,
    /// Statuses that are an answer, besides 200.
    answers: &'static str,
}

const CUSTOMER: Option<&str> = Some("customer@tiffin.local");
const ADMIN: Option<&str> = Some("admin@tiffin.local");

const OPERATIONS: [AttackedOperation; 6] = [
    AttackedOperation {
        name: "list_orders q",
        path: "/api/v1/orders?q=rice*&limit=5",
        body: None,
        account: CUSTOMER,
        answers: "400,422",
    },
    AttackedOperation {
        name: "login email",
        path: "/api/v1/users/login",
        body: Some(r#"{"email":"customer@tiffin.local*","password":"Wrong-2026"}"#),
        account: None,
        answers: "400,401,403,422",
    },
    AttackedOperation {
        name: "list_items q",
        path: "/api/v1/collection?q=rice*&limit=5",
        body: None,
        account: None,
        answers: "400,422",
    },
    AttackedOperation {
        name: "list_restaurants q",
        path: "/api/v1/restaurant?q=rice*&limit=5",
        body: None,
        account: None,
        answers: "400,422",
    },
    AttackedOperation {
        name: "list_reviews_of productId, q",
        path: "/api/v1/reviews/{item}*?q=good*&limit=5",
        body: None,
        account: None,
        answers: "400,404,422",
    },
    AttackedOperation {
        name: "search_events q, type, actor",
        path: "/api/v1/operator/events?stream=ORDERS&q=rice*&type=tiffin.order.placed.v1*&actor=tiffin*&limit=5",
        body: None,
        account: ADMIN,
        answers: "400,404,422",
    },
];

/// Tries that a limit may refuse between two times that it is emptied.
const MAX_REFUSED: u32 = 5;

pub async fn run(platform: &Platform, extent: Extent, verdict: &mut Verdict) -> Result<()> {
    let databases = databases(platform)?;
    // Only what reaches the query is tried on it: the limits are tested elsewhere.
    let unlimited = tokio::spawn(async move {
        loop {
            for address in &databases {
                // A service without limits has no such table.
                let _ = delete_limits(address).await;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    });
    let item = first_item(platform).await?;
    for operation in &OPERATIONS {
        let path = operation.path.replace("{item}", &item);
        let token = match operation.account {
            Some(email) => Some(sign_in(platform, email).await?),
            None => None,
        };
        let target = Target {
            operation,
            url: format!("{}{path}", address(platform)),
            token,
        };
        target.is_right().await?;
        target.attack(extent.level, verdict).await?;
    }
    unlimited.abort();
    Ok(())
}

async fn first_item(platform: &Platform) -> Result<String> {
    let url = format!("{}/api/v1/collection?limit=1", address(platform));
    let items: Value = client().build()?.get(url).send().await?.json().await?;
    let id = items[0]["_id"].as_str().context("a dish")?;
    Ok(id.to_owned())
}

async fn delete_limits(address: &str) -> sqlx::Result<()> {
    let mut connection = PgConnection::connect(address).await?;
    sqlx::query("delete from http.limits")
        .execute(&mut connection)
        .await?;
    connection.close().await
}

struct Target<'a> {
    operation: &'a AttackedOperation,
    url: String,
    token: Option<String>,
}

impl Target<'_> {
    /// The injected text reaches the database only if the rest of the request is right.
    async fn is_right(&self) -> Result<()> {
        let url = self.url.replace('*', "");
        let mut request = match self.operation.body {
            Some(body) => client()
                .build()?
                .post(url)
                .header("content-type", "application/json")
                .body(body.replace('*', "")),
            None => client().build()?.get(url),
        };
        if let Some(token) = &self.token {
            request = request.bearer_auth(token);
        }
        let status = request.send().await?.status().as_u16();
        ensure!(
            status == 200 || (self.operation.body.is_some() && status == 401),
            "{}: {status} before anything was put in",
            self.operation.name
        );
        Ok(())
    }

    async fn attack(&self, level: u8, verdict: &mut Verdict) -> Result<()> {
        let name = self.operation.name;
        eprintln!("\n== sqlmap: {name}");
        let folder = tempfile::Builder::new().prefix("sqlmap-").tempdir()?;
        let mut tool = self.tool(level, folder.path());
        let output = tool.output().await.context("sqlmap")?;
        let said = String::from_utf8_lossy(&output.stdout);
        let statuses = statuses(&said);
        let tried = said.matches("does not seem to be injectable").count();
        let body = self.operation.body.unwrap_or_default();
        let places = self.url.matches('*').count() + body.matches('*').count();
        verdict.lines.push(format!(
            "sqlmap, {name}: {tried} of {places} places tried without result; {statuses}"
        ));
        let is_found = said.contains("identified the following injection");
        let is_broken = ["500 (", "502 (", "503 ("]
            .iter()
            .any(|status| statuses.contains(status));
        if is_found || is_broken {
            verdict.findings.push(format!("sqlmap, {name}:\n{said}"));
            return Ok(());
        }
        ensure!(
            tried == places && count_of(&statuses, "429") <= MAX_REFUSED,
            "sqlmap tried {tried} of {places} places of {name}:\n{said}"
        );
        Ok(())
    }

    fn tool(&self, level: u8, folder: &Path) -> Command {
        let mut tool = Command::new("sqlmap");
        tool.args(["--batch", "--disable-coloring", "--flush-session"])
            .args(["--dbms", "PostgreSQL", "--risk", "2"])
            .args(["--level", &level.to_string(), "--threads", "2"])
            .args(["--timeout", "20", "--retries", "1", "--time-sec", "3"])
            .args(["--ignore-code", self.operation.answers])
            .arg("--output-dir")
            .arg(folder)
            .args(["--url", &self.url])
            .stdin(Stdio::null())
            .kill_on_drop(true);
        if let Some(body) = self.operation.body {
            tool.args(["--data", body])
                .args(["--headers", "Content-Type: application/json"]);
        }
        if let Some(token) = &self.token {
            tool.args(["--header", &format!("Authorization: Bearer {token}")]);
        }
        tool
    }
}

/// The count of a status.
fn count_of(statuses: &str, status: &str) -> u32 {
    let found = statuses
        .split_once(&format!("{status} ("))
        .and_then(|(_, rest)| rest.split_once(" - ")?.1.split_once(' '));
    found.and_then(|(count, _)| count.parse().ok()).unwrap_or(0)
}

/// The statuses that were not 200, as the tool counts them.
fn statuses(said: &str) -> String {
    let mut lines = said.lines();
    let found = lines.find(|line| line.contains("HTTP error codes detected"));
    found.and_then(|_| lines.next()).map_or_else(
        || "every status 200".to_owned(),
        |counts| counts.trim().to_owned(),
    )
}
