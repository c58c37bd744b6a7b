//! A running platform: its accounts, a dish, and calls to it.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use anyhow::{Context, Result, bail, ensure};
use futures_util::{StreamExt, TryStreamExt, stream};
use reqwest::{Client, Method, StatusCode};
use serde::Deserialize;
use serde_json::{Value, json};

use super::replicas::Replicas;

/// The demo's, and of the customers that are made here.
const PASSWORD: &str = "Tiffin@2026";
const RETRY_PAUSE: Duration = Duration::from_millis(100);
/// Customers that are made at once.
const MAX_REGISTRATIONS: usize = 8;
/// Tries until a mail is there.
const MAX_TRIES: u32 = 300;

/// A running platform, as its `run.json` describes it.
#[derive(Debug, Deserialize)]
pub struct RunFile {
    pub url: String,
    /// The address that no client reaches.
    pub internal: String,
    pub pid: u32,
    pub mail: PathBuf,
    databases: BTreeMap<String, String>,
    pub nats: Server,
}

#[derive(Debug, Deserialize)]
pub struct Server {
    pub url: String,
}

impl RunFile {
    pub fn read(home: &Path) -> Result<Self> {
        let file = home.join("run.json");
        let text = fs::read(&file)
            .with_context(|| format!("{}: is `tiffin up` running?", file.display()))?;
        Ok(serde_json::from_slice(&text)?)
    }

    pub fn database(&self, service: &str) -> Result<&str> {
        let url = self.databases.get(service).map(String::as_str);
        url.with_context(|| format!("run.json names no database of {service}"))
    }
}

/// An account that is signed in.
#[derive(Clone, Debug)]
pub struct Account {
    pub id: String,
    pub token: String,
}

/// A placed order.
#[derive(Debug)]
pub struct Order {
    pub id: String,
    pub code: String,
    /// As the answer has it.
    pub total: Value,
}

#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub body: Value,
}

pub struct Platform {
    pub running: RunFile,
    client: Client,
    pub customers: Vec<Account>,
    pub owner: Account,
    pub driver: Account,
    /// A dish of the owner's.
    item: Value,
    replicas: Arc<Replicas>,
}

impl Platform {
    /// Signs everyone in, and makes the customers that are missing. Every second call goes to `replicas`.
    pub async fn open(home: &Path, clients: usize, replicas: Arc<Replicas>) -> Result<Self> {
        let running = RunFile::read(home)?;
        let client = Client::builder().timeout(Duration::from_secs(30)).build()?;
        let calls = Calls {
            url: &running.url,
            client: &client,
        };
        let owner = calls.login("owner@tiffin.local").await?;
        let driver = calls.login("driver@tiffin.local").await?;
        let email = |number: usize| format!("bench{number}@example.com");
        let mut customers = Vec::new();
        // Failed logins are limited, so the first that is missing ends it.
        while customers.len() < clients
            && let Ok(customer) = calls.login(&email(customers.len())).await
        {
            customers.push(customer);
        }
        let missing = stream::iter((customers.len()..clients).map(email));
        let made = missing.map(|email| calls.register(email, &running.mail));
        customers.extend(
            made.buffered(MAX_REGISTRATIONS)
                .try_collect::<Vec<_>>()
                .await?,
        );
        let item = calls.item(&owner).await?;
        Ok(Self {
            running,
            client,
            customers,
            owner,
            driver,
            item,
            replicas,
        })
    }

    /// The platform's process and those beside it.
    pub fn processes(&self) -> Vec<u32> {
        let own = [self.running.pid].into_iter();
        own.chain(self.replicas.process_ids()).collect()
    }

    /// The token of a client's customer.
    pub fn customer(&self, client: usize) -> &str {
        self.customers
            .get(client)
            .map_or("", |customer| &customer.token)
    }

    /// Orders one dish.
    pub async fn place(&self, client: usize) -> Result<Order> {
        let cart = json!({
            "orderItem": [{ "key": self.item, "qty": 1 }],
            "address": "12 Galle Road, Colombo 03",
        });
        let path = "/api/v1/orders";
        let token = self.customer(client);
        let answer = self.ask(token, Method::POST, path, Some(&cart)).await?;
        ensure!(
            answer.status == StatusCode::CREATED,
            "{path}: {} {}",
            answer.status,
            answer.body
        );
        let order = &answer.body["orders"][0];
        Ok(Order {
            id: text(&order["_id"])?,
            code: text(&order["orderId"])?,
            total: order["totalAmount"].clone(),
        })
    }

    pub async fn ask(
        &self,
        token: &str,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> Result<Answer> {
        let calls = Calls {
            url: self.replicas.next_url(path).unwrap_or(&self.running.url),
            client: &self.client,
        };
        calls.ask(Some(token), method, path, body).await
    }
}

/// Calls to one platform.
struct Calls<'a> {
    url: &'a str,
    client: &'a Client,
}

impl Calls<'_> {
    async fn login(&self, email: &str) -> Result<Account> {
        let body = json!({ "email": email, "password": PASSWORD });
        let path = "/api/v1/users/login";
        let answer = self.ask(None, Method::POST, path, Some(&body)).await?;
        account(&answer)
    }

    /// A customer whose address is proven by the code in a mail.
    async fn register(&self, email: String, mails: &Path) -> Result<Account> {
        let form = json!({
            "email": email, "password": PASSWORD, "role": "customer", "firstName": "Nimal",
            "lastName": "Perera", "address": "12 Galle Road, Colombo 03", "phone": "+94771234567",
            "image": "/demo/person.svg",
        });
        let path = "/api/v1/users";
        let answer = self.ask(None, Method::POST, path, Some(&form)).await?;
        ensure!(answer.status.is_success(), "{email}: {}", answer.body);
        let unproven = self.login(&email).await?;
        let token = Some(unproven.token.as_str());
        let path = "/api/v1/users/sendOTP";
        let answer = self.ask(token, Method::GET, path, None).await?;
        ensure!(answer.status.is_success(), "{email}: {}", answer.body);
        let body = json!({ "otp": mailed_code(mails, &email).await? });
        let path = "/api/v1/users/verifyOTP";
        account(&self.ask(token, Method::POST, path, Some(&body)).await?)
    }

    /// A dish of the owner's that may be ordered.
    async fn item(&self, owner: &Account) -> Result<Value> {
        let path = "/api/v1/restaurant?limit=100";
        let restaurants = self
            .ask(Some(&owner.token), Method::GET, path, None)
            .await?;
        for restaurant in restaurants.body.as_array().into_iter().flatten() {
            let Some(id) = restaurant["_id"].as_str() else {
                continue;
            };
            if restaurant["ownerId"].as_str() != Some(owner.id.as_str()) {
                continue;
            }
            let path = format!("/api/v1/collection/getAll/{id}");
            let items = self.ask(None, Method::GET, &path, None).await?;
            for item in items.body.as_array().into_iter().flatten() {
                let cart = json!({ "orderItem": [{ "key": item["_id"], "qty": 1 }] });
                let path = "/api/v1/orders/quote";
                let quote = self.ask(None, Method::POST, path, Some(&cart)).await?;
                if quote.status.is_success() {
                    return Ok(item["_id"].clone());
                }
            }
        }
        bail!("the demo's owner sells nothing: does the platform have its demo data?")
    }

    async fn ask(
        &self,
        token: Option<&str>,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> Result<Answer> {
        let mut request = self.client.request(method, format!("{}{path}", self.url));
        if let Some(token) = token {
            request = request.bearer_auth(token);
        }
        if let Some(body) = body {
            request = request.json(body);
        }
        let answer = request.send().await?;
        let status = answer.status();
        let body = answer.bytes().await?;
        Ok(Answer {
            status,
            body: serde_json::from_slice(&body).unwrap_or_default(),
        })
    }
}

fn account(answer: &Answer) -> Result<Account> {
    ensure!(answer.status.is_success(), "a login: {}", answer.body);
    Ok(Account {
        id: text(&answer.body["user"]["_id"])?,
        token: text(&answer.body["token"])?,
    })
}

fn text(value: &Value) -> Result<String> {
    let text = value.as_str().map(ToOwned::to_owned);
    text.with_context(|| format!("{value} is no text"))
}

/// The code in a mail to that address.
async fn mailed_code(folder: &Path, email: &str) -> Result<String> {
    for _ in 0..MAX_TRIES {
        for entry in fs::read_dir(folder).into_iter().flatten() {
            let mail = fs::read_to_string(entry?.path()).unwrap_or_default();
            if let Some((head, body)) = mail.split_once("\r\n\r\n")
                && head.contains(email)
                && let Some(code) = six_digits(body)
            {
                return Ok(code.to_owned());
            }
        }
        tokio::time::sleep(RETRY_PAUSE).await;
    }
    bail!("no code was mailed to {email}")
}

/// The first word of exactly six digits.
fn six_digits(text: &str) -> Option<&str> {
    text.split(|letter: char| !letter.is_ascii_alphanumeric())
        .find(|word| word.len() == 6 && word.bytes().all(|byte| byte.is_ascii_digit()))
}
