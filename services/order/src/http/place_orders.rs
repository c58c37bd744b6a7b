use axum::{extract::State, http::StatusCode, response::Response};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use tiffin_chassis::{
    Caller, IdempotencyKey, Json, Problem, Writes,
    documented::{BadBody, BadToken, TooMany},
    problem::ProblemBody,
};
use tiffin_events::{
    CheckoutId, Clock, Coordinates, ItemId, Money, OrderId, RestaurantId, Role, UserId,
    order::OrderStatus,
};
use utoipa::ToSchema;

use crate::{
    cart::{Cart, CartLine, Quote},
    code::OrderCode,
    error::Error,
    limits,
    order::Order,
    scope::Scope,
    store::{
        self, items, orders,
        people::{self, Home},
        rows::{self, Filter},
    },
    view::OrderView,
};

/// The longest address, in characters.
const LONGEST_ADDRESS: usize = 500;

/// A cart to order.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Checkout {
    /// 1 to 50 lines; those of the same dish are added up.
    order_item: Vec<CartLine>,
    /// What the client was quoted, rupees. If prices moved since, nothing is ordered.
    #[schema(value_type = Option<f64>)]
    total: Option<Money>,
    /// Where it goes; the address of the customer's profile without it.
    address: Option<String>,
    /// Where that is, degrees; both or neither.
    lat: Option<f64>,
    lng: Option<f64>,
}

/// What was ordered.
#[derive(Debug, Serialize, ToSchema)]
pub struct OrdersAnswer {
    message: &'static str,
    /// One a line of the cart.
    orders: Vec<OrderView>,
}

/// Orders a cart: one order a line, at the prices of this moment.
#[utoipa::path(
    post,
    path = "/api/v1/orders",
    tag = "order",
    params(("Idempotency-Key" = Option<String>, Header, description = "The same key and body give the first answer again.")),
    request_body = Checkout,
    responses(
        (status = 201, description = "The orders of this checkout.", body = OrdersAnswer),
        BadBody,
        BadToken,
        TooMany,
        (
            status = 403,
            description = "The caller is no customer.",
            body = ProblemBody,
            content_type = "application/problem+json",
        ),
        (
            status = 409,
            description = "A restaurant is closed, a dish is out of stock, too many orders of the caller are not paid, or prices moved: then `quote` holds the new ones.",
            body = ProblemBody,
            content_type = "application/problem+json",
        ),
        (
            status = 422,
            description = "The cart or the address is not valid, a dish is unknown, or the key was used for another cart.",
            body = ProblemBody,
            content_type = "application/problem+json",
        ),
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["customer"]))),
)]
pub async fn place_orders(
    State(state): State<crate::State>,
    caller: Caller,
    writes: Writes,
    key: IdempotencyKey,
    Json(checkout): Json<Checkout>,
) -> Result<Response, Problem> {
    caller.require(&[Role::Customer])?;
    let counted = writes.count(&limits::CHECKOUTS, &caller).await;
    let mut tx = state.pool.begin().await?;
    if let Some(answer) = key
        .first_answer(&mut tx, caller.id, "place_orders", &checkout)
        .await?
    {
        return Ok(answer);
    }
    // What was answered before is answered again, however often.
    counted?;
    let most = writes.most(limits::MOST_UNPAID);
    let orders = checkout.order(&mut tx, &state, &caller, most).await?;
    let answer = OrdersAnswer {
        message: "Order placed successfully",
        orders,
    };
    let answer = key
        .keep(
            &mut tx,
            caller.id,
            "place_orders",
            &checkout,
            StatusCode::CREATED,
            &answer,
        )
        .await?;
    tx.commit().await?;
    Ok(answer)
}

fn prices_moved(quote: &Quote) -> Problem {
    Problem::conflict("The prices have changed. Please check your cart.")
        .with_extension("quote", quote)
}

/// A pending order of each line.
fn pending(
    clock: &Clock,
    checkout_id: CheckoutId,
    customer_id: UserId,
    quote: &Quote,
    home: &Home,
) -> Vec<Order> {
    let created_at = clock.now();
    let orders = quote.order_item.iter().map(|line| Order {
        id: OrderId(clock.new_id()),
        code: OrderCode::from_bits(0),
        checkout_id,
        customer_id,
        restaurant_id: RestaurantId(line.restaurant_id),
        owner_id: line.owner_id,
        driver_id: None,
        item_id: ItemId(line.key),
        item_name: line.name.clone(),
        image: line.image.clone(),
        quantity: line.qty,
        price: line.price,
        total: line.total,
        address: home.address.clone(),
        destination: home.place,
        status: OrderStatus::Pending,
        approved: false,
        estimated_time: None,
        created_at,
        confirmed_at: None,
        delivered_at: None,
        deleted_at: None,
        version: 1,
    });
    orders.collect()
}

impl Checkout {
    /// Orders the cart at the prices of this moment, if they are those the client was quoted.
    async fn order(
        &self,
        tx: &mut PgConnection,
        state: &crate::State,
        caller: &Caller,
        most_unpaid: i64,
    ) -> Result<Vec<OrderView>, Problem> {
        let cart = Cart::new(&self.order_item).map_err(Error::from)?;
        let dishes = items::dishes(tx, &cart.keys()).await?;
        let quote = cart.quote(&dishes).map_err(Error::from)?;
        if self.total.is_some_and(|total| total != quote.total) {
            return Err(prices_moved(&quote));
        }
        let lines = i64::try_from(quote.order_item.len()).unwrap_or(i64::MAX);
        if orders::count_unpaid(tx, caller.id).await? + lines > most_unpaid {
            return Err(Error::TooManyUnpaid.into());
        }
        let home = self.home(tx, caller.id).await?;
        let checkout_id = CheckoutId(state.clock.new_id());
        let orders = pending(&state.clock, checkout_id, caller.id, &quote, &home);
        let cause = crate::State::cause(caller);
        store::place(tx, &state.clock, &cause, orders, OrderCode::random).await?;

        let placed = Filter {
            checkout: Some(checkout_id.0),
            ..Filter::all(Scope::of(caller))
        };
        let orders = rows::read(tx, placed).await?.into_iter();
        // Read newest first; answered in the cart's order.
        Ok(orders.rev().map(|(order, _)| order).collect())
    }

    /// The address to deliver to: the body's, else the customer's profile's. Coordinates are only used with
    /// the address they came with.
    async fn home(&self, tx: &mut PgConnection, customer: UserId) -> Result<Home, Error> {
        let place = self.place()?;
        let address = self
            .address
            .as_deref()
            .map(str::trim)
            .filter(|address| !address.is_empty());
        if address.is_some_and(|address| address.chars().count() > LONGEST_ADDRESS) {
            return Err(Error::Invalid(
                "address",
                "The address must have at most 500 characters.",
            ));
        }
        let profile = people::home(tx, customer).await?;
        match (address, profile) {
            (Some(address), Some(profile)) if profile.address == address => Ok(Home {
                place: place.or(profile.place),
                ..profile
            }),
            (Some(address), _) => Ok(Home {
                address: address.to_owned(),
                place,
            }),
            (None, Some(profile)) => Ok(Home {
                place: place.or(profile.place),
                ..profile
            }),
            (None, None) => Err(Error::Invalid("address", "Please set your address first.")),
        }
    }

    fn place(&self) -> Result<Option<Coordinates>, Error> {
        let (lat, lng) = match (self.lat, self.lng) {
            (None, None) => return Ok(None),
            (Some(lat), Some(lng)) => (lat, lng),
            (None, Some(_)) => return Err(Error::Invalid("lat", "lat and lng belong together.")),
            (Some(_), None) => return Err(Error::Invalid("lng", "lat and lng belong together.")),
        };
        let place = Coordinates::new(lat, lng).map_err(|_| {
            Error::Invalid(
                "lat",
                "lat must be from -90 to 90 and lng from -180 to 180.",
            )
        })?;
        Ok(Some(place).filter(|place| place.is_known()))
    }
}
