//! A restaurant with a printer, whose agent is killed and started again.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    process::Command,
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use rand::{RngExt, SeedableRng, rngs::StdRng};
use serde_json::json;
use tempfile::TempDir;
use tiffin_testkit::{Behaviour, TestPrinter};
use tokio::{
    task::spawn_blocking,
    time::{Instant, sleep},
};
use uuid::Uuid;

use crate::{
    accounts::{Account, PASSWORD, signed_in_again},
    agent::{self, Agent},
    chaos::{calls::RenewingAccount, orders::cart, schedule::Tally},
    stack::{Stack, eventually},
};

/// The fault points of agents.
const POINTS: [&str; 5] = [
    "print.after_claim",
    "print.before_print",
    "print.after_print",
    "print.before_report",
    "print.after_report",
];
/// The longest time without a ticket that is settled: twice the lease of an agent.
const PATIENCE: Duration = Duration::from_mins(4);
/// The exit code of an agent whose session has ended.
const NOT_SIGNED_IN: i32 = 3;

#[derive(Debug)]
pub struct Kitchen {
    pub owner: RenewingAccount,
    /// The dishes that are ordered.
    pub items: [String; 2],
    pub printer: TestPrinter,
    account: Account,
    restaurant: String,
    /// The address of the site, where the agent finds the services.
    site: String,
    /// Its session and its journal.
    state: TempDir,
}

impl Kitchen {
    /// Opens a kitchen with two dishes, which prints.
    pub async fn new(stack: &Stack, owner: &Account, admin: &Account, site: &str) -> Self {
        let first = crate::menu(stack, owner, admin).await;
        let shops = stack.get("restaurant", "/api/v1/restaurant", owner).await;
        let restaurant = shops.unwrap()[0]["_id"].as_str().unwrap().to_owned();
        let second = crate::dish(stack, owner, admin, &restaurant, "Fish curry").await;
        let items = [first, second];
        eventually("the order service knows the dishes", async || {
            let cart = cart(&items, 1);
            let quote = stack.post("order", "/api/v1/orders/quote", None, &cart);
            quote.await.is_ok()
        })
        .await;
        let on = json!({ "restaurantIds": [restaurant] });
        stack
            .put("order", "/api/v1/orders/printing", owner, &on)
            .await
            .unwrap();
        let kitchen = Self {
            owner: RenewingAccount::new(owner),
            items,
            printer: TestPrinter::start(),
            account: owner.clone(),
            restaurant,
            site: site.to_owned(),
            state: TempDir::new().unwrap(),
        };
        kitchen.sign_in().await;
        kitchen
    }

    /// Signs the agent in, as soon as the platform lets it.
    async fn sign_in(&self) {
        loop {
            let mut sign_in = self.command(&["sign-in", "--email", &self.account.email]);
            sign_in.env("TIFFIN_PASSWORD", PASSWORD);
            let signed_in = spawn_blocking(move || sign_in.status().unwrap());
            if signed_in.await.unwrap().success() {
                return;
            }
            sleep(Duration::from_millis(500)).await;
        }
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = agent::command(&self.site, self.state.path(), args);
        let log = self.state.path().join("log");
        let log = File::options().create(true).append(true).open(log).unwrap();
        command.stdout(log.try_clone().unwrap()).stderr(log);
        command
    }

    fn agent(&self) -> Command {
        let printer = self.printer.address();
        self.command(&["--restaurant", &self.restaurant, "--printer", &printer])
    }

    /// Kills the agent again and again until `stopped`. Its printer has troubles. Returns the kills by kind.
    pub async fn kill_agents(&self, seed: u64, stopped: &AtomicBool) -> Tally {
        let mut random = StdRng::seed_from_u64(seed);
        let mut tally = Tally::new();
        let reached = self.state.path().join("reached");
        while !stopped.load(Ordering::Relaxed) {
            let place = POINTS[random.random_range(0..POINTS.len())];
            let place = random.random_bool(0.5).then_some(place);
            let mut command = self.agent();
            if let Some(place) = place {
                command.env("TIFFIN_FAULT", format!("{place}:{}", reached.display()));
            }
            self.printer.behave(draw_behaviour(&mut random));
            let life = Duration::from_millis(random.random_range(1_000..20_000));
            let (mut agent, until) = (Agent::spawn(&mut command), Instant::now() + life);
            let mut code = None;
            while Instant::now() < until && code.is_none() && !reached.exists() {
                sleep(Duration::from_millis(20)).await;
                code = agent.exit_code();
            }
            agent.kill();
            let was_reached = fs::remove_file(&reached).is_ok();
            if code == Some(NOT_SIGNED_IN) {
                self.sign_in().await;
            }
            let name = match (place.filter(|_| was_reached), code) {
                (Some(place), _) => format!("agent killed at {place}"),
                (None, None) => "agent killed".to_owned(),
                (None, Some(code)) => format!("agent ended with {code}"),
            };
            *tally.entry(name).or_default() += 1;
            sleep(Duration::from_millis(random.random_range(0..1_500))).await;
        }
        self.printer.behave(Behaviour::Works);
        tally
    }

    /// Prints in calm what waits; then the owner has printed again what may not be on paper.
    pub async fn print_the_rest(&self, stack: &Stack) {
        self.sign_in().await;
        let agent = Agent::spawn(&mut self.agent());
        self.until_settled(stack).await;
        for (code, state) in self.tickets(stack).await {
            if state == "doubtful" {
                let path = format!("/api/v1/orders/reprint/{code}");
                let owner = signed_in_again(stack, &self.account).await;
                stack
                    .post("order", &path, Some(&owner), &json!({}))
                    .await
                    .unwrap();
            }
        }
        self.until_settled(stack).await;
        agent.kill();
    }

    /// Waits until no ticket waits, for as long as some are printed.
    async fn until_settled(&self, stack: &Stack) {
        let (mut waiting, mut since) = (usize::MAX, Instant::now());
        while waiting > 0 {
            let states = self.tickets(stack).await.into_values();
            let now = states.filter(|state| state == "waiting").count();
            if now < waiting {
                since = Instant::now();
            }
            waiting = now;
            assert!(since.elapsed() < PATIENCE, "{waiting} tickets wait");
            sleep(Duration::from_millis(500)).await;
        }
    }

    /// The state of each order's last print job, as its owner sees it, by the order's code.
    async fn tickets(&self, stack: &Stack) -> BTreeMap<String, String> {
        let restaurant: Uuid = self.restaurant.parse().unwrap();
        let sql = format!(
            "select o.code, case when j.state <> 'printing' then j.state
                                 when j.claimed_until < now() then 'doubtful' else 'waiting' end
             from print_jobs j join orders o on o.id = any(j.orders)
             where j.restaurant_id = '{restaurant}' order by j.number"
        );
        let jobs: Vec<(String, String)> = stack.rows("order", &sql).await;
        jobs.into_iter().collect()
    }
}

/// A printer that loses what it took without a word is left out: its tickets count as printed (decision 0074).
fn draw_behaviour(random: &mut StdRng) -> Behaviour {
    match random.random_range(0..100) {
        0..15 => Behaviour::HoldsAt(random.random_range(1..700)),
        15..25 => Behaviour::Withholds,
        25..33 => Behaviour::DiesAt(random.random_range(1..700)),
        33..37 => Behaviour::NoPaper,
        37..42 => Behaviour::WithoutIds,
        42..60 => Behaviour::Slow(Duration::from_micros(300)),
        _ => Behaviour::Works,
    }
}
