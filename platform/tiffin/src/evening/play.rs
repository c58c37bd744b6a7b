//! Carrying out a plan.

use std::{collections::HashMap, sync::Arc};

use anyhow::{Context, Result};
use serde_json::Value;
use tiffin_events::Coordinates;
use tokio::{sync::Mutex, task::JoinSet};

use super::{
    city::City,
    client::{Account, Call, Client},
    driver::Driver,
    order::PlayedCheckout,
    pace::Pace,
    plan::{Checkout, Plan},
};

/// The account whose restaurants they are.
const OWNER: &str = "owner@tiffin.local";

/// Everything that the checkouts of an evening share.
#[derive(Debug)]
pub struct Stage {
    pub client: Client,
    pub pace: Pace,
    pub owner: Account,
    customers: Vec<(Account, Coordinates, String)>,
    /// Each does one trip after the other, in the order in which they are given.
    drivers: Vec<(Arc<Account>, Mutex<Driver>)>,
    places: HashMap<String, Coordinates>,
    /// By restaurant and name.
    dishes: HashMap<(String, String), String>,
    /// A part of every `Idempotency-Key`, which no other evening has.
    pub run: String,
}

impl Stage {
    pub async fn set(
        client: Client,
        owner: Account,
        city: &City,
        plan: &Plan,
        speed: u8,
    ) -> Result<Self> {
        let dishes = dishes(&client, &owner).await?;
        let customers = plan.customers.iter().map(|person| {
            (
                Account::new(&person.email),
                person.place,
                person.address.clone(),
            )
        });
        let drivers = plan.drivers.iter().map(|person| {
            let account = Arc::new(Account::new(&person.email));
            (
                Arc::clone(&account),
                Mutex::new(Driver::new(person, account)),
            )
        });
        let places = city
            .restaurants
            .iter()
            .map(|it| (it.name.clone(), it.place()));
        Ok(Self {
            client,
            pace: Pace::begin(speed),
            owner,
            customers: customers.collect(),
            drivers: drivers.collect(),
            places: places.collect(),
            dishes,
            run: format!("{:016x}", rand::random::<u64>()),
        })
    }

    pub fn customer(&self, index: usize) -> Result<(&Account, Coordinates, &str)> {
        let customer = self.customers.get(index);
        let (account, place, address) = customer.context("the plan has no such customer")?;
        Ok((account, *place, address))
    }

    pub fn driver(&self, index: usize) -> Result<(&Account, &Mutex<Driver>)> {
        let driver = self.drivers.get(index);
        let (account, driver) = driver.context("the plan has no such driver")?;
        Ok((account, driver))
    }

    pub fn restaurant(&self, name: &str) -> Result<Coordinates> {
        self.places
            .get(name)
            .copied()
            .with_context(|| format!("there is no {name}"))
    }

    pub fn dish(&self, restaurant: &str, name: &str) -> Result<&str> {
        let dish = self.dishes.get(&(restaurant.to_owned(), name.to_owned()));
        dish.map(String::as_str)
            .with_context(|| format!("{restaurant} has no {name}"))
    }
}

/// Signs in the demo's owner, whom a platform without the demo lacks.
pub async fn sign_in_owner(client: &Client) -> Result<Account> {
    let owner = Account::new(OWNER);
    client.token(&owner).await?;
    Ok(owner)
}

/// The ids of all dishes.
async fn dishes(client: &Client, owner: &Account) -> Result<HashMap<(String, String), String>> {
    let restaurants = client.call(owner, Call::get("/api/v1/restaurant")).await?;
    let items = client.call(owner, Call::get("/api/v1/collection")).await?;
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let rows = |list: &Value| list.as_array().cloned().unwrap_or_default();
    let names: HashMap<_, _> = rows(&restaurants)
        .iter()
        .filter_map(|row| Some((text(&row["_id"])?, text(&row["name"])?)))
        .collect();
    let dishes = rows(&items).into_iter().filter_map(|row| {
        let restaurant = names.get(row["restaurantId"].as_str()?)?;
        Some((
            (restaurant.clone(), text(&row["name"])?),
            text(&row["_id"])?,
        ))
    });
    Ok(dishes.collect())
}

/// Plays every checkout; returns once all have ended. What goes wrong with one is counted and ends that one alone.
pub async fn play(stage: &Arc<Stage>, checkouts: &[Checkout]) {
    let mut playing = JoinSet::new();
    for (number, checkout) in checkouts.iter().cloned().enumerate() {
        let stage = Arc::clone(stage);
        playing.spawn(async move {
            stage.pace.wait_until(checkout.at).await;
            let played = match PlayedCheckout::place(&stage, number, &checkout).await {
                Ok(placed) => placed.play().await,
                Err(error) => Err(error),
            };
            if let Err(error) = played {
                tracing::info!(
                    number,
                    error = format!("{error:#}"),
                    "a checkout of the evening ended early"
                );
            }
        });
    }
    while playing.join_next().await.is_some() {}
}
