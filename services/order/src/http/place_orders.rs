use axum::{
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use tiffin_chassis::{
    Caller, IdempotencyKey, Json, Problem, Writes,
    idempotency::Answer,
    refusal::{BadBody, BadField, BadKey, BadToken, BadValue, Failure, TooMany, WrongCaller},
    refusals, refused_by,
};
use tiffin_events::{
    CheckoutId, Coordinates, ItemId, Money, OrderCode, OrderId, RestaurantId, Role, UserId,
    order::OrderStatus,
};
use utoipa::ToSchema;

use crate::{
    cart::{Cart, CartError, CartLine, Quote},
    limits,
    order::Order,
    store::{
        accounts::DeliveryAddress,
        checkouts::{self, Checkouts, Placement},
        items::{self, CheckoutData},
    },
    view::OrderView,
};

const OPERATION: &str = "place_orders";
/// The tries of a checkout while others of the same customer come first.
const MAX_TRIES: u32 = 100;
/// The longest address, in characters.
const MAX_ADDRESS_LENGTH: usize = 500;

/// A cart to order.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Checkout {
    /// 1 to 50 lines; those of the same dish are added up, and their notes joined.
    order_item: Vec<CartLine>,
    /// The total that the client was quoted. If prices moved since, nothing is ordered.
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
        BadValue::{AmountDecimals, AmountWhole, AmountThousandths, AmountTooLarge}, CartError, CheckoutRefusal,
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
    let most_unpaid = writes.most(limits::MAX_UNPAID);
    // No connection waits for the key of the addresses.
    let prefetched = state.recorder.keys.prefetch(&[caller.id]).await;
    prefetched.map_err(Problem::not_ready)?;
    let mut db = state.pool.acquire().await?;
    let mut counted = writes
        .count_with(&mut db, &limits::CHECKOUTS, &caller)
        .await;
    for _ in 0..MAX_TRIES {
        let first = key
            .first_answer(&mut db, caller.id, OPERATION, &checkout)
            .await?;
        if let Some(answer) = first {
            return Ok(answer);
        }
        // A repeated request gets its first answer even above the limit.
        std::mem::replace(&mut counted, Ok(()))?;
        let placed = checkout
            .place(&mut db, &state, &caller, most_unpaid, &key)
            .await?;
        if let Some(answer) = placed {
            return Ok(answer.into_response());
        }
    }
    Err(Failure::NotReady.into())
}

/// The customer's checkouts so far, with their unpaid orders counted if they may be more than `most`. Refuses if they
/// are.
async fn check_unpaid(
    db: &mut PgConnection,
    customer: UserId,
    known: Option<Checkouts>,
    most: i64,
) -> Result<Checkouts, Problem> {
    let checkouts = match known {
        Some(checkouts) if checkouts.unpaid <= most => checkouts,
        known => Checkouts {
            unpaid: checkouts::count_unpaid(db, customer).await?,
            ..known.unwrap_or_default()
        },
    };
    if checkouts.unpaid > most {
        return Err(CheckoutRefusal::TooManyUnpaid.into());
    }
    Ok(checkouts)
}

fn prices_moved(quote: &Quote) -> Problem {
    Problem::from(CheckoutRefusal::PricesMoved).with_extension("quote", quote)
}

/// A pending order of each line.
fn pending(
    state: &crate::State,
    checkout_id: CheckoutId,
    customer_id: UserId,
    quote: &Quote,
    delivery_address: &DeliveryAddress,
) -> Vec<Order> {
    let clock = &state.clock;
    let created_at = clock.now();
    let orders = quote.order_item.iter().map(|line| Order {
        id: OrderId(clock.new_id()),
        code: OrderCode::from_bits(rand::random()),
        checkout_id,
        customer_id,
        restaurant_id: RestaurantId(line.restaurant_id),
        owner_id: line.owner_id,
        driver_id: None,
        item_id: ItemId(line.key),
        item_name: line.name.clone(),
        image: line.image.clone(),
        note: line.note.clone(),
        quantity: line.qty,
        price: line.price,
        total: line.total,
        address: delivery_address.address.clone(),
        destination: delivery_address.place,
        status: OrderStatus::Pending,
        approved: false,
        estimated_time: None,
        created_at,
        deadline: state.deadline(line.answer_minutes, created_at),
        confirmed_at: None,
        delivered_at: None,
        deleted_at: None,
        cancellation: None,
        sequence: 1,
    });
    orders.collect()
}

impl Checkout {
    /// Orders the cart at the prices of this moment, if they are those the client was quoted. Returns `None` if
    /// another checkout of the customer came first.
    async fn place(
        &self,
        db: &mut PgConnection,
        state: &crate::State,
        caller: &Caller,
        most_unpaid: i64,
        key: &IdempotencyKey,
    ) -> Result<Option<Answer>, Problem> {
        let cart = Cart::new(&self.order_item)?;
        let CheckoutData {
            dishes,
            customer,
            is_closed,
            checkouts,
        } = items::checkout_data(
            db,
            &cart.keys(),
            Some(caller.id),
            state.clock.now(),
            &state.time_zone,
        )
        .await?;
        if is_closed {
            return Err(BadToken::Revoked.into());
        }
        let quote = cart.quote(&dishes)?;
        if self.total.is_some_and(|total| total != quote.total) {
            return Err(prices_moved(&quote));
        }
        let lines = i64::try_from(quote.order_item.len()).unwrap_or(i64::MAX);
        let checkouts = check_unpaid(db, caller.id, checkouts, most_unpaid - lines).await?;
        let delivery_address = self.delivery_address(customer.default_address.as_ref())?;
        let checkout_id = CheckoutId(state.clock.new_id());
        let orders = pending(state, checkout_id, caller.id, &quote, &delivery_address);
        let cause = crate::State::cause(caller);
        let views = orders.iter().zip(&quote.order_item).map(|(order, line)| {
            OrderView::placed(order.clone(), &customer, line.restaurant_name.clone())
        });
        let answer = OrdersAnswer {
            message: "Order placed successfully",
            orders: views.collect(),
        };
        let answer = key.answer(self, StatusCode::CREATED, &answer)?;
        let placement = Placement {
            customer: caller.id,
            checkouts,
            orders: &orders,
            operation: OPERATION,
            answer: &answer,
        };
        let is_placed = checkouts::place(db, &state.recorder, &cause, placement).await?;
        Ok(is_placed.then_some(answer))
    }

    /// The address to deliver to: the body's, else the customer's profile's. Coordinates are only used with
    /// the address they came with.
    fn delivery_address(
        &self,
        profile: Option<&DeliveryAddress>,
    ) -> Result<DeliveryAddress, CheckoutRefusal> {
        let place = self.destination()?;
        let address = self
            .address
            .as_deref()
            .map(str::trim)
            .filter(|address| !address.is_empty());
        if address.is_some_and(|address| address.chars().count() > MAX_ADDRESS_LENGTH) {
            return Err(CheckoutRefusal::AddressTooLong);
        }
        match (address, profile) {
            (Some(address), Some(profile)) if profile.address == address => Ok(DeliveryAddress {
                address: profile.address.clone(),
                place: place.or(profile.place),
            }),
            (Some(address), _) => Ok(DeliveryAddress {
                address: address.to_owned(),
                place,
            }),
            (None, Some(profile)) => Ok(DeliveryAddress {
                address: profile.address.clone(),
                place: place.or(profile.place),
            }),
            (None, None) => Err(CheckoutRefusal::NoAddress),
        }
    }

    fn destination(&self) -> Result<Option<Coordinates>, CheckoutRefusal> {
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
