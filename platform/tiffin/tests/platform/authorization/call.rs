//! One cell of the table as a request.

use std::{
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use tiffin_events::Clock;

use super::table::OperationRow;
use crate::{
    accounts::{self, Account, PASSWORD, address},
    google,
    restaurant_fixture::{self, RestaurantFixture},
    stack::{Stack, eventually, send},
};

/// The number of tries of a call that must succeed: services learn of new things by events.
const MAX_TRIES: u32 = 200;

/// The caller and the target of a call.
pub struct Callers<'a> {
    stack: &'a Stack,
    admin: Account,
    operator: Account,
    unverified: Account,
    blocked: Account,
    own: RestaurantFixture,
    others: RestaurantFixture,
    /// A target of each kind and fixture, shared by the calls that are refused.
    shared_targets: tokio::sync::Mutex<std::collections::BTreeMap<(String, bool), String>>,
    made: AtomicU32,
}

/// The target of a call.
struct Target {
    key: String,
    /// The driver of the fixture it belongs to.
    driver: String,
}

impl<'a> Callers<'a> {
    pub async fn new(stack: &'a Stack) -> Self {
        let admin = accounts::plain_admin(stack, "admin").await;
        let operator = accounts::operator(stack, "operator").await;
        let (own, others, unverified, blocked) = tokio::join!(
            RestaurantFixture::new(stack, &admin, ""),
            RestaurantFixture::new(stack, &admin, "other-"),
            accounts::unverified(stack, "unverified", "customer"),
            accounts::verified(stack, "blocked", "customer"),
        );
        block(stack, &admin, &blocked).await;
        Self {
            stack,
            admin,
            operator,
            unverified,
            blocked,
            own,
            others,
            shared_targets: tokio::sync::Mutex::default(),
            made: AtomicU32::new(0),
        }
    }

    /// Makes the call of a cell. Returns the status; what shall succeed is tried until it does.
    pub async fn call(&self, row: &OperationRow, caller: &str, target: &str, expected: u16) -> u16 {
        let mut account = self.account_of(caller).cloned();
        if row.target == "account" && !["anonymous", "blocked"].contains(&caller) {
            account = Some(self.account(account.as_ref(), caller == "unverified").await);
        }
        // All of them may take longer than a proof is good for.
        if ["admin", "operator"].contains(&caller) {
            account = match account {
                Some(account) => Some(accounts::confirmed(self.stack, &account).await),
                None => None,
            };
        }
        let succeeds = expected < 300;
        let target = self.target(row, account.as_ref(), target, succeeds).await;
        let mut status = 0;
        for _ in 0..MAX_TRIES {
            let request = self.request(row, account.as_ref(), &target).await;
            status = send(request).await.status.as_u16();
            if !succeeds || status == expected {
                break;
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        status
    }

    fn account_of(&self, caller: &str) -> Option<&Account> {
        Some(match caller {
            "unverified" => &self.unverified,
            "blocked" => &self.blocked,
            "customer" => &self.own.customer,
            "owner" => &self.own.owner,
            "other owner" => &self.others.owner,
            "driver" => &self.own.driver,
            "other driver" => &self.others.driver,
            "admin" => &self.admin,
            "operator" => &self.operator,
            _ => return None,
        })
    }

    /// A new name.
    fn name(&self, what: &str) -> String {
        format!("{what}-{}", self.made.fetch_add(1, Ordering::Relaxed))
    }

    /// An account for one call, of the same kind as another's.
    async fn account(&self, like: Option<&Account>, unproven: bool) -> Account {
        let role = like.map_or("customer", |account| &account.role);
        let name = self.name(role);
        match role {
            "admin" => accounts::plain_admin(self.stack, &name).await,
            "operator" => accounts::operator(self.stack, &name).await,
            _ if unproven => accounts::unverified(self.stack, &name, role).await,
            _ => accounts::verified(self.stack, &name, role).await,
        }
    }

    /// The thing that a call is about: a new one where the call shall change it.
    async fn target(
        &self,
        row: &OperationRow,
        caller: Option<&Account>,
        target: &str,
        fresh: bool,
    ) -> Target {
        let fixture = if target == "own" {
            &self.own
        } else {
            &self.others
        };
        let key = match target {
            "absent" => self.absent(row),
            _ => self.key(row, fixture, caller, target, fresh).await,
        };
        Target {
            key,
            driver: fixture.driver.id.clone(),
        }
    }

    fn absent(&self, row: &OperationRow) -> String {
        if row.operation.contains("{email}") {
            return address("unknown");
        }
        match row.target.as_str() {
            "picture" => self.name("absent.png"),
            "event" => "USERS/999999999".to_owned(),
            "push" | "endpoint" => format!("https://push.example.com/{}", self.name("absent")),
            _ => Clock::system().new_id().to_string(),
        }
    }

    async fn key(
        &self,
        row: &OperationRow,
        fixture: &RestaurantFixture,
        caller: Option<&Account>,
        target: &str,
        fresh: bool,
    ) -> String {
        let of = |account: &Account| {
            if row.operation.contains("{email}") {
                account.email.clone()
            } else {
                account.id.clone()
            }
        };
        let kind = row.target.as_str();
        match (kind, target, caller) {
            ("user" | "account", "own", Some(caller)) => of(caller),
            ("account", _, _) if fresh => of(&self.account(None, false).await),
            ("user" | "account", _, _) => of(&self.others.customer),
            ("driver", _, _) => of(&fixture.driver),
            ("inquiry" | "notification" | "picture" | "push", "own", Some(caller))
                if self.has(caller, kind) =>
            {
                self.make(kind, fixture, caller).await
            }
            (kind, _, _) if fresh => self.make(kind, fixture, &fixture.customer).await,
            (kind, _, _) => {
                let mut shared_targets = self.shared_targets.lock().await;
                let place = (kind.to_owned(), target == "own");
                if !shared_targets.contains_key(&place) {
                    let made = self.make(kind, fixture, &fixture.customer).await;
                    shared_targets.insert(place.clone(), made);
                }
                shared_targets[&place].clone()
            }
        }
    }

    /// True if an account can own a thing of this kind.
    fn has(&self, account: &Account, kind: &str) -> bool {
        let shut_out = [&self.unverified.id, &self.blocked.id].contains(&&account.id);
        let gets_no_notifications =
            kind == "notification" && ["admin", "operator"].contains(&&*account.role);
        !shut_out && !gets_no_notifications
    }

    /// A new target of a fixture, or of one account.
    async fn make(&self, kind: &str, fixture: &RestaurantFixture, whose: &Account) -> String {
        let stack = self.stack;
        match kind {
            "" => String::new(),
            "fresh" => self.name("fresh.png"),
            "endpoint" => format!("https://push.example.com/{}", self.name("browser")),
            "push" => {
                let endpoint = format!("https://push.example.com/{}", self.name("browser"));
                let subscription = accounts::browser(&endpoint);
                let path = "/api/v1/notification/push";
                let answer = stack.post(path, Some(whose), &subscription).await;
                answer.expect(201);
                endpoint
            }
            "event" => "USERS/1".to_owned(),
            "stream" => "USERS".to_owned(),
            "consumer" => "notification_DELIVERIES".to_owned(),
            "letter" => "999999999".to_owned(),
            "replay" => {
                // So slow that it is under way whenever it is asked about.
                let body = json!({ "stream": "USERS", "reason": "a test", "from": 1, "to": 50,
                                   "target": { "live": true }, "speed": 0.1 });
                let path = "/api/v1/operator/replays";
                let operator = accounts::confirmed(stack, &self.operator).await;
                let answer = stack.post(path, Some(&operator), &body).await;
                answer.expect(202)["replayId"].as_str().unwrap().to_owned()
            }
            "restaurant" => restaurant_fixture::restaurant(stack, &fixture.owner).await,
            "draft" => restaurant_fixture::item(stack, &fixture.owner, &fixture.restaurant).await,
            "item" => {
                let item =
                    restaurant_fixture::item(stack, &fixture.owner, &fixture.restaurant).await;
                restaurant_fixture::approve(stack, &self.admin, &item).await;
                item
            }
            "review" => {
                let item =
                    restaurant_fixture::item(stack, &fixture.owner, &fixture.restaurant).await;
                restaurant_fixture::approve(stack, &self.admin, &item).await;
                let body = json!({ "productId": item, "rating": 4, "comment": "Crisp." });
                let answer = stack
                    .post("/api/v1/reviews", Some(&fixture.customer), &body)
                    .await;
                restaurant_fixture::id(&answer.expect(201)["review"])
            }
            "order" => fixture.order(stack).await,
            "payment" => {
                let order = fixture.order(stack).await;
                let body = json!({ "bookingId": order, "amount": 2501, "paymentType": "PayPal" });
                let path = "/api/v1/payment";
                for _ in 0..MAX_TRIES {
                    let answer = stack.post(path, Some(&fixture.customer), &body).await;
                    if answer.status == 201 {
                        return restaurant_fixture::id(&answer.body["payment"]);
                    }
                    // The payment service does not know the order yet.
                    tokio::time::sleep(Duration::from_millis(25)).await;
                }
                panic!("the order can't be paid");
            }
            "delivery" => fixture.delivery(stack).await.1,
            "notification" => {
                fixture.delivery(stack).await;
                notification(stack, whose).await
            }
            "inquiry" => {
                let body = json!({ "message": "Where is my rice?" });
                let answer = stack.post("/api/v1/inquiry", Some(whose), &body).await;
                restaurant_fixture::id(&answer.expect(201)["inquiry"])
            }
            "picture" => {
                let name = self.name("picture.png");
                let path = format!("/storage/v1/object/images/{name}");
                let request = stack.request(Method::POST, &path, Some(whose));
                send(picture(request)).await.expect(200);
                name
            }
            other => panic!("there is no way to make the target {other:?}: say so in make()"),
        }
    }

    async fn request(
        &self,
        row: &OperationRow,
        caller: Option<&Account>,
        target: &Target,
    ) -> RequestBuilder {
        let (method, path) = row.operation.split_once(' ').unwrap();
        let path = match (path.find('{'), path.rfind('}')) {
            (Some(from), Some(to)) => format!("{}{}{}", &path[..from], target.key, &path[to + 1..]),
            _ => path.to_owned(),
        };
        let query = row.body.strip_prefix('?').map(|query| format!("?{query}"));
        let path = path + query.as_deref().unwrap_or_default();
        let method = method.parse().unwrap();
        let request = self.stack.request(method, &path, caller);
        match row.body.as_str() {
            "" => request,
            query if query.starts_with('?') => request,
            "{picture}" => picture(request),
            "{browser}" => request.json(&accounts::browser(&target.key)),
            "{session}" => request.header("cookie", self.session().await),
            "{registration}" => request.json(&accounts::form(&address(&self.name("registered")))),
            "{application}" => {
                let mut form = accounts::form(&address(&self.name("applied")));
                form["vehicleType"] = json!("Bike");
                form["drNic"] = json!("901234567V");
                request.json(&form)
            }
            body => request.json(&self.body(body, caller, target).await),
        }
    }

    /// A body with its words in braces replaced.
    async fn body(&self, body: &str, caller: Option<&Account>, target: &Target) -> Value {
        let mut text = body
            .replace("{target}", &target.key)
            .replace("{target.driver}", &target.driver)
            .replace("{item}", &self.own.item)
            .replace("{customer.email}", &self.own.customer.email)
            .replace("{google}", google::TOKEN)
            .replace("{password}", PASSWORD);
        if text.contains("{code}") {
            // Who has proven their address is sent none, and neither is who is refused.
            let code = match caller {
                Some(caller) if caller.email.starts_with("customer-") => {
                    let asked = self.stack.get("/api/v1/users/sendOTP", Some(caller)).await;
                    match asked.status.as_u16() {
                        200 => self.mailed(caller).await,
                        _ => "000000".to_owned(),
                    }
                }
                _ => "000000".to_owned(),
            };
            text = text.replace("{code}", &code);
        }
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
    }

    async fn mailed(&self, account: &Account) -> String {
        let mut code = None;
        eventually("the code is mailed", async || {
            let mails = self.stack.mails_to(&account.email);
            code = mails.iter().find_map(|mail| accounts::six_digits(mail));
            code.is_some()
        })
        .await;
        code.unwrap()
    }

    /// The cookie of a new session of the customer.
    async fn session(&self) -> String {
        let credentials = json!({ "email": self.own.customer.email, "password": PASSWORD });
        let answer = self
            .stack
            .post("/api/v1/users/login", None, &credentials)
            .await;
        let cookie = answer.header("set-cookie").unwrap();
        cookie.split(';').next().unwrap().to_owned()
    }
}

async fn block(stack: &Stack, admin: &Account, account: &Account) {
    let path = format!("/api/v1/users/block/{}", account.email);
    let body = json!({ "isBlocked": true });
    stack.put(&path, Some(admin), &body).await.expect(200);
    eventually("their token ends", async || {
        stack.get("/api/v1/orders", Some(account)).await.status == 401
    })
    .await;
}

/// The newest notification of an account.
async fn notification(stack: &Stack, account: &Account) -> String {
    let mut newest = None;
    eventually("they are notified", async || {
        let list = stack.get("/api/v1/notification", Some(account)).await.body;
        newest = list.get(0).map(restaurant_fixture::id);
        newest.is_some()
    })
    .await;
    newest.unwrap()
}

/// The smallest picture there is: one pixel.
fn picture(request: RequestBuilder) -> RequestBuilder {
    const PNG: &[u8] = include_bytes!("pixel.png");
    request.header("content-type", "image/png").body(PNG)
}
