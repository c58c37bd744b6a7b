use axum::extract::State;
use tiffin_chassis::{
    Caller, Json, Path, Problem, Scope, Writes,
    refusal::{BadPath, BadToken, TooMany, WrongCaller},
    refused_by,
};
use tiffin_events::{Role, SuggestionId, delivery::DeliveryStatus};

use super::DeliveryAnswer;
use crate::{
    delivery::Refusal,
    limits,
    store::{deliveries, delivery_list, suggestions, tickets},
    suggestion::{NotPicked, Suggestion},
};

refused_by! {
    DeclineDeliveryRefusals:
        BadPath, BadToken, WrongCaller::{Role}, TooMany,
        Refusal::{NotFound, NotUnderWay}, NotPicked::{HasSetOut},
}

/// Declines a delivery before setting out, with those of its ticket that wait for the driver, too. They stay the driver's
/// until the owner, who is notified, gives the orders to another one. Declining again changes nothing.
#[utoipa::path(
    post,
    path = "/api/v1/delivery/decline/{id}",
    tag = "delivery",
    params(("id" = String, Path, description = "The delivery's `_id`, or its order's `_id` or `orderId`.")),
    responses(
        (status = 200, description = "The delivery, which is declined.", body = DeliveryAnswer),
        DeclineDeliveryRefusals,
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["delivery"]))),
)]
pub async fn decline_delivery(
    State(state): State<crate::State>,
    caller: Caller,
    writes: Writes,
    Path(key): Path<String>,
) -> Result<Json<DeliveryAnswer>, Problem> {
    caller.require(&[Role::Delivery])?;
    writes.count(&limits::CHANGES, &caller).await?;
    let scope = Scope::of(&caller);
    let mut tx = tiffin_database::begin(&state.pool).await?;
    let id = deliveries::find(&mut tx, scope, &key)
        .await?
        .ok_or(Refusal::NotFound)?;
    // The deliveries of a ticket are always locked in the same order.
    let ticket = tickets::lock(&mut tx, id).await?;
    let locked = deliveries::lock(&mut tx, scope, id).await?;
    let delivery = locked.ok_or(Refusal::NotFound)?;
    if !delivery.is_under_way() {
        return Err(Refusal::NotUnderWay.into());
    }
    if delivery.status != DeliveryStatus::PickedUp {
        return Err(NotPicked::HasSetOut.into());
    }
    for other in ticket {
        if other.status != DeliveryStatus::PickedUp {
            continue;
        }
        let locked = deliveries::lock(&mut tx, scope, other.id).await?;
        let delivery = locked.ok_or(Refusal::NotFound)?;
        let new = Suggestion::of_delivery(SuggestionId(state.clock.new_id()), &delivery);
        suggestions::insert(&mut tx, &new).await?;
        tiffin_bus::change(
            &mut tx,
            &state.recorder,
            &crate::State::cause(&caller),
            delivery.order_id,
            |suggestion: &mut Suggestion| Ok(suggestion.decline(delivery.driver_id, other.id)),
        )
        .await?;
    }
    let delivery = delivery_list::find(&mut tx, scope, id).await?;
    tx.commit().await?;
    Ok(Json(DeliveryAnswer {
        message: "The delivery is declined.".to_owned(),
        delivery,
    }))
}
