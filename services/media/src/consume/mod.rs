//! References to pictures, from others' events. Each handler changes this service's own tables, within the
//! transaction it is given, and nothing else.

use futures_util::future::BoxFuture;
use sqlx::PgConnection;
use tiffin_bus::{Consumer, Failure, Handler, Received};
use tiffin_events::{
    Clock, Stream, item::ItemEvent, order::OrderEvent, restaurant::RestaurantEvent, user::UserEvent,
};

use crate::{
    NAME, State,
    picture::name_in,
    store::{
        pictures,
        uses::{self, Referrer},
    },
};

/// The service's consumers: `media_USERS`, `media_CATALOG`, `media_ORDERS`.
pub fn consumers(state: &State) -> Vec<Consumer> {
    let consumer = |stream| {
        let handler = EventHandler(state.clock.clone());
        Consumer::new(
            NAME,
            stream,
            state.pool.clone(),
            state.clock.clone(),
            handler,
        )
        .projects(&["uses"])
    };
    vec![
        consumer(Stream::Users).only(&["user"]),
        consumer(Stream::Catalog).only(&["restaurant", "item"]),
        consumer(Stream::Orders),
    ]
}

struct EventHandler(Clock);

impl Handler for EventHandler {
    fn handle<'a>(
        &'a self,
        tx: &'a mut PgConnection,
        event: &'a Received,
    ) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async move {
            if let Some((referrer, names)) = reference(event)? {
                let left = uses::set(tx, &[(referrer, names.clone())].into()).await?;
                pictures::mark_used(tx, &names).await?;
                pictures::mark_unused(tx, &left, self.0.now()).await?;
            }
            Ok(())
        })
    }

    /// Many at once: the last that is said of each referrer counts.
    fn project<'a>(
        &'a self,
        tx: &'a mut PgConnection,
        events: &'a [Received],
    ) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async move {
            let references = events
                .iter()
                .filter_map(|event| reference(event).transpose());
            uses::set(tx, &references.collect::<Result<_, _>>()?).await?;
            Ok(())
        })
    }
}

/// The aggregate that refers to these pictures from this event on; `None` if the event changes no
/// reference.
fn reference(event: &Received) -> Result<Option<(Referrer, Vec<String>)>, Failure> {
    let named = |(referrer, urls): (Referrer, Vec<String>)| {
        let names = urls.iter().filter_map(|url| name_in(url)).collect();
        (referrer, names)
    };
    Ok(urls(event)?.map(named))
}

fn urls(event: &Received) -> Result<Option<(Referrer, Vec<String>)>, Failure> {
    if let Some(event) = event.decode()? {
        return Ok(of_user(event));
    }
    if let Some(event) = event.decode()? {
        return Ok(of_restaurant(event));
    }
    if let Some(event) = event.decode()? {
        return Ok(of_item(event));
    }
    Ok(event.decode()?.and_then(of_order))
}

fn of_user(event: UserEvent) -> Option<(Referrer, Vec<String>)> {
    match event {
        UserEvent::Registered(user) | UserEvent::Updated(user) => Some((
            Referrer::User(user.user_id.0),
            user.image.into_iter().collect(),
        )),
        UserEvent::Deleted(user) => Some((Referrer::User(user.user_id.0), Vec::new())),
        _ => None,
    }
}

fn of_restaurant(event: RestaurantEvent) -> Option<(Referrer, Vec<String>)> {
    match event {
        RestaurantEvent::Created(restaurant) | RestaurantEvent::Updated(restaurant) => Some((
            Referrer::Restaurant(restaurant.restaurant_id.0),
            restaurant.images,
        )),
        RestaurantEvent::Deleted(restaurant) => {
            Some((Referrer::Restaurant(restaurant.restaurant_id.0), Vec::new()))
        }
        _ => None,
    }
}

fn of_item(event: ItemEvent) -> Option<(Referrer, Vec<String>)> {
    match event {
        ItemEvent::Added(item) | ItemEvent::Updated(item) => {
            Some((Referrer::Item(item.item_id.0), item.images))
        }
        ItemEvent::Deleted(item) => Some((Referrer::Item(item.item_id.0), Vec::new())),
        ItemEvent::Approved(_) => None,
    }
}

fn of_order(event: OrderEvent) -> Option<(Referrer, Vec<String>)> {
    match event {
        OrderEvent::Placed(placed) => Some((
            Referrer::Order(placed.order.order_id.0),
            placed.image.into_iter().collect(),
        )),
        _ => None,
    }
}
