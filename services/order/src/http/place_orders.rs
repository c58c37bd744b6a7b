use axum::{extract::State, http::StatusCode, response::Response};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use tiffin_chassis::{
    Caller, IdempotencyKey, Json, Problem, Writes, idempotency,
    refusal::{BadBody, BadField, BadKey, BadToken, BadValue, TooMany, WrongCaller},
    refusals, refused_by,
};
use tiffin_events::{
    CheckoutId, Clock, Coordinates, ItemId, Money, OrderId, RestaurantId, Role, UserId,
    order::OrderStatus,
};
use utoipa::ToSchema;

use crate::{
    cart::{Cart, CartError, CartLine, Quote},
    code::OrderCode,
    limits,
    order::Order,
    store::{
        self,
        items::{self, CheckoutData},
        people::Home,
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
    /// The total that the client was quoted, rupees. If prices moved since, nothing is ordered.
    #[schema(value_type = Option<f64>)]
    total: Option<Money>,
    /// The address of delivery; without it, the one in the customer's profile.
    address: Option<String>,
    /// The latitude of that address in degrees; with `lng` or not at all.
    lat: Option<f64>,
    lng: Option<f64>,
}

/// The placed orders.
#[derive(Debug, Serialize, ToSchema)]
pub struct OrdersAnswer {
    message: &'static str,
    /// One a line of the cart.
    orders: Vec<OrderView>,
}

refusals! {
    /// The reason why a cart with a price is not ordered.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum CheckoutRefusal {
        TooManyUnpaid =
            409, "order.too-many-unpaid",
            "Too many of your orders are not paid yet. Please pay or cancel some of them first.";
        /// The answer has the new quote.
        PricesMoved =
            409, "order.prices-moved", "The prices have changed. Please check your cart.";
        AddressTooLong =
            422, "order.address-too-long", "The address must have at most 500 characters.", at "address";
        NoAddress = 422, "order.address-required", "Please set your address first.", at "address";
        NoLat = 422, "order.place-incomplete", "lat and lng belong together.", at "lat";
        NoLng = 422, "order.place-incomplete", "lat and lng belong together.", at "lng";
        NoPlace =
            422, "order.place-out-of-range",
            "lat must be from -90 to 90 and lng from -180 to 180.", at "lat";
    }
}

refused_by! {
    PlaceOrdersRefusals:
        BadBody, BadField, BadKey, BadToken, WrongCaller::{Role}, TooMany,
        BadValue::{AmountDecimals, AmountTooLarge}, CartError, CheckoutRefusal,
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
        PlaceOrdersRefusals,
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
    let mut tx = idempotency::begin(&state.pool, caller.id, "place_orders").await?;
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
    Problem::from(CheckoutRefusal::PricesMoved).with_extension("quote", quote)
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
    /// Orders the cart at the prices of this moment, if they are those the client was quoted. The customer's
    /// other checkouts wait, so that their unpaid orders can be counted.
    async fn order(
        &self,
        tx: &mut PgConnection,
        state: &crate::State,
        caller: &Caller,
        most_unpaid: i64,
    ) -> Result<Vec<OrderView>, Problem> {
        let cart = Cart::new(&self.order_item)?;
        let CheckoutData {
            dishes,
            customer,
            unpaid,
        } = items::checkout_data(tx, &cart.keys(), Some(caller.id)).await?;
        let quote = cart.quote(&dishes)?;
        if self.total.is_some_and(|total| total != quote.total) {
            return Err(prices_moved(&quote));
        }
        let lines = i64::try_from(quote.order_item.len()).unwrap_or(i64::MAX);
        if unpaid + lines > most_unpaid {
            return Err(CheckoutRefusal::TooManyUnpaid.into());
        }
        let home = self.home(customer.home.as_ref())?;
        let checkout_id = CheckoutId(state.clock.new_id());
        let orders = pending(&state.clock, checkout_id, caller.id, &quote, &home);
        let cause = crate::State::cause(caller);
        let orders = store::place(tx, &state.clock, &cause, orders, OrderCode::random).await?;
        let views = orders.into_iter().zip(&quote.order_item);
        let views = views
            .map(|(order, line)| OrderView::placed(order, &customer, line.restaurant_name.clone()));
        Ok(views.collect())
    }

    /// The address to deliver to: the body's, else the customer's profile's. Coordinates are only used with
    /// the address they came with.
    fn home(&self, profile: Option<&Home>) -> Result<Home, CheckoutRefusal> {
        let place = self.place()?;
        let address = self
            .address
            .as_deref()
            .map(str::trim)
            .filter(|address| !address.is_empty());
        if address.is_some_and(|address| address.chars().count() > LONGEST_ADDRESS) {
            return Err(CheckoutRefusal::AddressTooLong);
        }
        match (address, profile) {
            (Some(address), Some(profile)) if profile.address == address => Ok(Home {
                address: profile.address.clone(),
                place: place.or(profile.place),
            }),
            (Some(address), _) => Ok(Home {
                address: address.to_owned(),
                place,
            }),
            (None, Some(profile)) => Ok(Home {
                address: profile.address.clone(),
                place: place.or(profile.place),
            }),
            (None, None) => Err(CheckoutRefusal::NoAddress),
        }
    }

    fn place(&self) -> Result<Option<Coordinates>, CheckoutRefusal> {
        let (lat, lng) = match (self.lat, self.lng) {
            (None, None) => return Ok(None),
            (Some(lat), Some(lng)) => (lat, lng),
            (None, Some(_)) => return Err(CheckoutRefusal::NoLat),
            (Some(_), None) => return Err(CheckoutRefusal::NoLng),
        };
        let place = Coordinates::new(lat, lng).map_err(|_| CheckoutRefusal::NoPlace)?;
        Ok(Some(place).filter(|place| place.is_known()))
    }
}
