//! A restaurant with a menu of three dishes, and the tickets that its owner confirms.

use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;
use tiffin_testkit::TestPrinter;

use crate::{
    accounts::{self, Account, PASSWORD},
    agent::{self, Agent},
    restaurant_fixture::{self, RestaurantFixture},
    stack::{Stack, eventually},
};

pub struct Kitchen<'a> {
    pub stack: &'a Stack,
    pub fixture: RestaurantFixture,
    pub other_owner: Account,
    dishes: Vec<String>,
    /// The state of the signed-in agent.
    state: TempDir,
}

impl<'a> Kitchen<'a> {
    pub async fn new(stack: &'a Stack) -> Self {
        let admin = accounts::admin(stack, "admin").await;
        let fixture = RestaurantFixture::new(stack, &admin, "").await;
        let other_owner = accounts::verified(stack, "other-owner", "restaurant").await;
        let mut dishes = vec![fixture.item.clone()];
        for _ in 0..2 {
            let dish = restaurant_fixture::item(stack, &fixture.owner, &fixture.restaurant).await;
            restaurant_fixture::approve(stack, &admin, &dish).await;
            dishes.push(dish);
        }
        fixture.wait_for_driver(stack).await;
        let kitchen = Self {
            stack,
            fixture,
            other_owner,
            dishes,
            state: signed_in(stack.url()),
        };
        eventually("the menu can be ordered", async || {
            let path = "/api/v1/orders/quote";
            stack.post(path, None, &kitchen.cart()).await.status == 200
        })
        .await;
        kitchen
    }

    pub fn state(&self) -> &Path {
        self.state.path()
    }

    pub fn agent(&self, printer: &TestPrinter) -> Agent {
        self.agent_at(self.stack.url(), self.state(), printer)
    }

    pub fn agent_at(&self, url: &str, state: &Path, printer: &TestPrinter) -> Agent {
        Agent::start(url, state, &self.fixture.restaurant, &printer.address())
    }

    /// Waits until the platform prints for this restaurant.
    pub async fn turn_on(&self) {
        let body = json!({ "restaurantIds": [self.fixture.restaurant] });
        let path = "/api/v1/orders/printing";
        let on = self.stack.put(path, Some(&self.fixture.owner), &body);
        on.await.expect(200);
    }

    fn cart(&self) -> Value {
        let lines = self.dishes.iter().zip(1..);
        let lines = lines.map(|(dish, quantity)| json!({ "key": dish, "qty": quantity }));
        json!({ "orderItem": lines.collect::<Vec<_>>(), "address": "12 Galle Road" })
    }

    /// A checkout of all three dishes, pending.
    pub async fn checkout(&self) -> Vec<String> {
        let customer = Some(&self.fixture.customer);
        let cart = self.cart();
        let placed = self.stack.post("/api/v1/orders", customer, &cart).await;
        let placed = placed.expect(201);
        let orders = placed["orders"].as_array().unwrap().iter();
        orders
            .map(|order| order["orderId"].as_str().unwrap().to_owned())
            .collect()
    }

    /// A checkout of one dish, confirmed. Returns its code.
    pub async fn ticket(&self) -> String {
        let order = self.fixture.order(self.stack).await;
        self.fixture.confirm(self.stack, &order).await;
        order
    }

    /// The state and the problem of the printing of an order's ticket.
    pub async fn mark(&self, code: &str) -> (String, Option<String>) {
        let owner = Some(&self.fixture.owner);
        let path = format!("/api/v1/orders?q={code}");
        let checkout = self.stack.get(&path, owner).await.expect(200)[0]["checkoutId"].clone();
        let marks = self.stack.get("/api/v1/orders/print-jobs", owner).await;
        let marks = marks.expect(200);
        let mut marks = marks.as_array().unwrap().iter();
        let Some(mark) = marks.find(|mark| mark["checkoutId"] == checkout) else {
            return ("none".to_owned(), None);
        };
        let text = |name: &str| mark[name].as_str().map(str::to_owned);
        (text("state").unwrap(), text("problem"))
    }

    pub async fn wait_for(&self, code: &str, state: &str) {
        eventually(&format!("{code} is {state}"), async || {
            self.mark(code).await.0 == state
        })
        .await;
    }

    pub async fn reprint(&self, code: &str) {
        let path = format!("/api/v1/orders/reprint/{code}");
        let owner = Some(&self.fixture.owner);
        self.stack.post(&path, owner, &json!({})).await.expect(200);
    }
}

/// The state of a new agent, signed in as the kitchen's owner.
pub fn signed_in(url: &str) -> TempDir {
    let state = tempfile::tempdir().unwrap();
    let args = ["sign-in", "--email", &accounts::address("owner")];
    let mut sign_in = agent::command(url, state.path(), &args);
    sign_in.env("TIFFIN_PASSWORD", PASSWORD);
    let signed_in = agent::output(sign_in);
    assert!(signed_in.status.success(), "{signed_in:?}");
    state
}

/// The number of papers with a text.
pub fn count(papers: &[Vec<u8>], text: &str) -> usize {
    let has = |paper: &&Vec<u8>| {
        let mut windows = paper.windows(text.len());
        windows.any(|window| window == text.as_bytes())
    };
    papers.iter().filter(has).count()
}
