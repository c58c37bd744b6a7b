use std::ops::RangeInclusive;

use axum::extract::State;
use serde::Deserialize;
use sqlx::PgConnection;
use tiffin_chassis::{
    Caller, Json, Problem, Query, Scope,
    refusal::{BadField, BadQuery, BadToken, WrongCaller},
    refusals, refused_by,
};
use tiffin_events::{RestaurantId, Role};
use time::{Date, Duration};
use utoipa::IntoParams;

use crate::{
    figures::Figures,
    store::{
        figures::{self, FiguresFilter},
        items,
    },
};

/// The period if `from` is absent, in days.
const DEFAULT_DAYS: i64 = 30;
/// The years that days may be of.
const YEARS: RangeInclusive<i32> = 2000..=9998;
/// The longest period, in days.
const MAX_DAYS: i64 = 366;

time::serde::format_description!(day, Date, "[year]-[month]-[day]");

/// The days and the restaurant of the figures.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
pub struct FiguresQuery {
    /// The first day, such as `2026-11-01`; 30 days up to the last one without it.
    #[serde(default, with = "day::option")]
    #[param(value_type = Option<String>, format = Date)]
    from: Option<Date>,
    /// The last day; today without it. At most 366 days are added up.
    #[serde(default, with = "day::option")]
    #[param(value_type = Option<String>, format = Date)]
    to: Option<Date>,
    /// One of the caller's; all of them without it.
    #[param(value_type = Option<uuid::Uuid>)]
    restaurant_id: Option<RestaurantId>,
}

refusals! {
    /// Days or a restaurant without figures.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum BadSpan {
        TooEarly = 422, "order.days-too-early", "The days must be after 1999.", at "from";
        Backwards =
            422, "order.days-backwards", "The first day must not be after the last one.", at "from";
        TooLong = 422, "order.days-too-many", "At most 366 days can be added up.", at "from";
        NoRestaurant = 404, "order.restaurant-not-found", "Restaurant not found.";
        NotYours = 403, "order.restaurant-not-yours", "This restaurant is not yours.";
    }
}

refused_by! {
    GetFiguresRefusals:
        BadQuery, BadField, BadToken, WrongCaller::{Role}, BadSpan,
}

/// Figures of the orders of some days: those of an owner's restaurants, all for an administrator.
#[utoipa::path(
    get,
    path = "/api/v1/orders/figures",
    tag = "order",
    params(FiguresQuery),
    responses(
        (status = 200, description = "The figures.", body = Figures),
        GetFiguresRefusals,
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["restaurant", "admin"]))),
)]
pub async fn get_figures(
    State(state): State<crate::State>,
    caller: Caller,
    Query(of): Query<FiguresQuery>,
) -> Result<Json<Figures>, Problem> {
    caller.require(&[Role::Restaurant, Role::Admin])?;
    let scope = Scope::of(&caller);
    let mut connection = state.pool.acquire().await?;
    let today = state.time_zone.day(state.clock.now());
    let (from, to) = of.days(today)?;
    of.require_scope(&mut connection, scope).await?;
    let filter = FiguresFilter {
        scope,
        restaurant: of.restaurant_id.map(|RestaurantId(id)| id),
        from,
        to,
        time_zone: &state.time_zone,
    };
    Ok(Json(figures::read(&mut connection, filter).await?))
}

impl FiguresQuery {
    /// The first and the last day.
    fn days(&self, today: Date) -> Result<(Date, Date), BadSpan> {
        let to = self.to.unwrap_or(today);
        let usual = || to.saturating_sub(Duration::days(DEFAULT_DAYS - 1));
        let from = self.from.unwrap_or_else(usual);
        if [from, to].iter().any(|day| !YEARS.contains(&day.year())) {
            return Err(BadSpan::TooEarly);
        }
        match (to - from).whole_days() {
            ..0 => Err(BadSpan::Backwards),
            0..MAX_DAYS => Ok((from, to)),
            _ => Err(BadSpan::TooLong),
        }
    }

    /// Refuses a restaurant outside of `scope`.
    async fn require_scope(&self, tx: &mut PgConnection, scope: Scope) -> Result<(), Problem> {
        let Some(restaurant) = self.restaurant_id else {
            return Ok(());
        };
        let owner = items::owner(tx, restaurant)
            .await?
            .ok_or(BadSpan::NoRestaurant)?;
        if scope.owner.is_none_or(|caller| caller == owner.0) {
            Ok(())
        } else {
            Err(BadSpan::NotYours.into())
        }
    }
}
