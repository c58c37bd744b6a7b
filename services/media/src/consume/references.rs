use tiffin_events::{
    item::ItemEvent, order::OrderEvent, restaurant::RestaurantEvent, user::UserEvent,
};

use crate::store::uses::Referrer;

/// Events of an aggregate that shows pictures.
pub trait References {
    /// The aggregate with the addresses of its pictures after the event; `None` if they stay.
    fn pictures(&self) -> Option<(Referrer, Vec<String>)>;
}

impl References for UserEvent {
    fn pictures(&self) -> Option<(Referrer, Vec<String>)> {
        match self {
            Self::Registered(user) | Self::Updated(user) => Some((
                Referrer::User(user.user_id.0),
                user.image.iter().cloned().collect(),
            )),
            Self::Deleted(user) => Some((Referrer::User(user.user_id.0), Vec::new())),
            _ => None,
        }
    }
}

impl References for RestaurantEvent {
    fn pictures(&self) -> Option<(Referrer, Vec<String>)> {
        match self {
            Self::Created(restaurant) | Self::Updated(restaurant) => Some((
                Referrer::Restaurant(restaurant.restaurant_id.0),
                restaurant.images.clone(),
            )),
            Self::Deleted(restaurant) => {
                Some((Referrer::Restaurant(restaurant.restaurant_id.0), Vec::new()))
            }
            _ => None,
        }
    }
}

impl References for ItemEvent {
    fn pictures(&self) -> Option<(Referrer, Vec<String>)> {
        match self {
            Self::Added(item) | Self::Updated(item) => {
                Some((Referrer::Item(item.item_id.0), item.images.clone()))
            }
            Self::Deleted(item) => Some((Referrer::Item(item.item_id.0), Vec::new())),
            Self::Approved(_) => None,
        }
    }
}

impl References for OrderEvent {
    fn pictures(&self) -> Option<(Referrer, Vec<String>)> {
        match self {
            Self::Placed(placed) => Some((
                Referrer::Order(placed.order.order_id.0),
                placed.image.iter().cloned().collect(),
            )),
            _ => None,
        }
    }
}
