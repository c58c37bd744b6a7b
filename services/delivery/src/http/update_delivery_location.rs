use axum::extract::State;
use serde::Deserialize;
use tiffin_bus::Cause;
use tiffin_chassis::{
    Caller, Json, Path, Problem, Scope, Writes,
    refusal::{BadBody, BadField, BadPath, BadToken, TooMany, WrongCaller},
    refusals, refused_by,
};
use tiffin_events::{
    Clock, Coordinates, Envelope, Event, Role,
    position::{PositionEvent, PositionUpdatedV1},
    subject,
};
use utoipa::ToSchema;

use super::DeliveryAnswer;
use crate::{
    delivery::{Delivery, Refusal},
    limits,
    store::{deliveries, delivery_list, positions},
};

/// The driver's position.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
pub struct SetLocation {
    /// Degrees north, -90 to 90.
    lat: f64,
    /// Degrees east, -180 to 180.
    lng: f64,
}

refusals! {
    /// A place that is not on the earth.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum BadPlace {
        OutOfRange =
            422, "delivery.place-out-of-range",
            "lat must be from -90 to 90 and lng from -180 to 180.";
    }
}

refused_by! {
    UpdateDeliveryLocationRefusals:
        BadBody, BadField, BadPath, BadToken, WrongCaller::{Role}, TooMany,
        Refusal::{NotFound, NotUnderWay}, BadPlace,
}

/// Stores where the driver is now and shows it to everyone who watches, while the delivery is under
/// way. A stream of positions goes up the live socket instead.
#[utoipa::path(
    put,
    path = "/api/v1/delivery/location/{id}",
    tag = "delivery",
    params(("id" = String, Path, description = "The delivery's `_id`, or its order's `_id` or `orderId`.")),
    request_body = SetLocation,
    responses(
        (status = 200, description = "The delivery as it is now.", body = DeliveryAnswer),
        UpdateDeliveryLocationRefusals,
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["delivery", "admin"]))),
)]
pub async fn update_delivery_location(
    State(state): State<crate::State>,
    caller: Caller,
    writes: Writes,
    Path(key): Path<String>,
    Json(request): Json<SetLocation>,
) -> Result<Json<DeliveryAnswer>, Problem> {
    caller.require(&[Role::Delivery, Role::Admin])?;
    let (scope, place) = (Scope::of(&caller), request.place()?);
    writes.count(&limits::POSITIONS, &caller).await?;
    let mut tx = tiffin_database::begin(&state.pool).await?;
    let id = deliveries::find(&mut tx, scope, &key)
        .await?
        .ok_or(Refusal::NotFound)?;
    let delivery = deliveries::lock(&mut tx, scope, id)
        .await?
        .ok_or(Refusal::NotFound)?;
    if !delivery.is_under_way() {
        return Err(Refusal::NotUnderWay.into());
    }
    let position = position(&state.clock, &delivery, place);
    positions::save(&mut tx, &[&position]).await?;
    let view = delivery_list::find(&mut tx, scope, id).await?;
    tx.commit().await?;
    publish(&state, &crate::State::cause(&caller), &delivery, position).await;
    Ok(Json(DeliveryAnswer {
        message: "Location updated".to_owned(),
        delivery: view,
    }))
}

/// Publishes a stored position to the watchers. A failure is only logged, because the position is stored.
async fn publish(
    state: &crate::State,
    cause: &Cause,
    delivery: &Delivery,
    position: PositionUpdatedV1,
) {
    let id = delivery.id;
    let sent = match envelope(&state.clock, cause, delivery, position) {
        Ok(body) => {
            let sent = state.nats.publish(subject::position(id), body.into()).await;
            sent.map_err(|error| error.to_string())
        }
        Err(error) => Err(error.to_string()),
    };
    if let Err(error) = sent {
        tracing::warn!(error, delivery = %id, "the position is stored but was not published");
    }
}

impl SetLocation {
    fn place(self) -> Result<Coordinates, Problem> {
        Coordinates::new(self.lat, self.lng).map_err(|_| {
            let field = if self.lat.abs() > 90.0 { "lat" } else { "lng" };
            Problem::from(BadPlace::OutOfRange).at(field)
        })
    }
}

/// The position as the driver's device sends it.
fn position(clock: &Clock, delivery: &Delivery, place: Coordinates) -> PositionUpdatedV1 {
    PositionUpdatedV1 {
        delivery_id: delivery.id,
        driver_id: delivery.driver_id,
        lat: place.lat,
        lng: place.lng,
        accuracy: None,
        heading: None,
        speed: None,
        at: clock.now(),
    }
}

/// The message for watchers and the position stream, like those from the live socket: its sequence is the
/// device's time in milliseconds.
fn envelope(
    clock: &Clock,
    cause: &Cause,
    delivery: &Delivery,
    position: PositionUpdatedV1,
) -> serde_json::Result<Vec<u8>> {
    let millis = position.at.unix_timestamp_nanos() / 1_000_000;
    let event = PositionEvent::Updated(position);
    serde_json::to_vec(&Envelope {
        correlationid: Some(delivery.order_id.0),
        traceparent: cause.traceparent.clone(),
        ..Envelope::of(
            clock,
            crate::NAME,
            event.kind(),
            delivery.id.0,
            i64::try_from(millis).unwrap_or(i64::MAX),
            cause.actor.clone(),
            event.data()?,
        )
    })
}
