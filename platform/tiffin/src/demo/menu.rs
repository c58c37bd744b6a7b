use std::collections::HashMap;

use anyhow::{Context, Result};
use http::Method;
use serde::Deserialize;
use serde_json::json;
use tiffin_events::{Coordinates, ItemId, Money, RestaurantId, item::Category};
use tiffin_restaurant::seed::{self, Details, Dish, NewRestaurant};
use time::Duration;

use super::{accounts::DemoAccounts, platform::DemoPlatform};
use crate::services::Service;

const RESTAURANTS: &str = include_str!("../../demo/restaurants.json");

/// Every dish by its restaurant's name and its own.
#[derive(Debug)]
pub struct Menu(HashMap<(String, String), ItemId>);

#[derive(Deserialize)]
struct RestaurantData {
    name: String,
    image: String,
    address: String,
    phone: String,
    lat: f64,
    lng: f64,
    description: String,
    dishes: Vec<DishData>,
}

#[derive(Deserialize)]
struct DishData {
    name: String,
    price: Money,
    category: Category,
    image: String,
    description: String,
}

impl Menu {
    /// Opens the restaurants with their dishes, and waits until all can be ordered.
    pub async fn make(platform: &DemoPlatform, accounts: &DemoAccounts) -> Result<Self> {
        let mut menu = HashMap::new();
        let pool = platform.pool(Service::Restaurant)?;
        // Lists show the newest first, so the first of the file is created last.
        for restaurant in serde_json::from_str::<Vec<RestaurantData>>(RESTAURANTS)?
            .into_iter()
            .rev()
        {
            platform.clock.advance(Duration::HOUR);
            let id = RestaurantId(platform.clock.new_id());
            seed::create_restaurant(
                pool,
                &platform.recorder,
                restaurant.new_restaurant(id, accounts)?,
            )
            .await?;
            for dish in restaurant.dishes.iter().rev() {
                platform.clock.advance(Duration::SECOND);
                let new = [(dish.new_dish(), true)];
                for item in seed::add_items(pool, &platform.recorder, id, &new).await? {
                    menu.insert((restaurant.name.clone(), dish.name.clone()), item);
                }
            }
        }
        let menu = Self(menu);
        menu.wait(platform, accounts).await?;
        Ok(menu)
    }

    pub fn item(&self, restaurant: &str, dish: &str) -> Result<ItemId> {
        let named = (restaurant.to_owned(), dish.to_owned());
        self.0
            .get(&named)
            .copied()
            .with_context(|| format!("{restaurant} has no {dish}"))
    }

    /// Waits until the order service can quote every dish.
    async fn wait(&self, platform: &DemoPlatform, accounts: &DemoAccounts) -> Result<()> {
        let keys: Vec<_> = self.0.values().copied().collect();
        for some in keys.chunks(50) {
            let lines: Vec<_> = some
                .iter()
                .map(|key| json!({ "key": key, "qty": 1 }))
                .collect();
            let cart = json!({ "orderItem": lines });
            platform
                .eventually(
                    &accounts.customers[0],
                    Method::POST,
                    "/api/v1/orders/quote",
                    &cart,
                )
                .await?;
        }
        Ok(())
    }
}

impl RestaurantData {
    fn new_restaurant(&self, id: RestaurantId, accounts: &DemoAccounts) -> Result<NewRestaurant> {
        let dishes = self.dishes.iter().take(2).map(|dish| dish.image.clone());
        Ok(NewRestaurant {
            id,
            owner_id: accounts.owner.id,
            details: Details {
                name: self.name.clone(),
                address: self.address.clone(),
                phone: self.phone.clone(),
                description: self.description.clone(),
                images: std::iter::once(self.image.clone()).chain(dishes).collect(),
                place: Some(Coordinates::new(self.lat, self.lng)?),
                answer_minutes: None,
            },
            is_open: true,
            verified: true,
        })
    }
}

impl DishData {
    fn new_dish(&self) -> Dish {
        Dish {
            name: self.name.clone(),
            price: self.price,
            category: self.category,
            description: self.description.clone(),
            images: vec![self.image.clone()],
            available: true,
        }
    }
}
