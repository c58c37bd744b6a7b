//! The routes.

mod answers;
mod attempt;
mod block;
mod close;
mod confirm;
mod forgot;
mod geocode;
mod google;
mod inquiry;
mod internal;
mod jwks;
mod login;
mod password;
mod profile;
mod refresh;
mod register;
mod registration;
mod request_context;
mod reset;
mod second_factor;
mod second_step;
mod users;
mod verification;

use axum::{
    Router,
    routing::{get, post, put},
};
use utoipa_axum::{router::OpenApiRouter, routes};

pub(crate) use registration::Applicant;

use crate::State;

/// Everything this service answers, with its description.
pub fn router(state: State) -> OpenApiRouter {
    OpenApiRouter::new()
        .routes(routes!(register::register, users::list_users))
        .routes(routes!(login::login))
        .routes(routes!(second_step::second_step))
        .routes(routes!(google::google_login))
        .routes(routes!(confirm::confirm))
        .routes(routes!(
            second_factor::state::second_factor,
            second_factor::begin::begin_second_factor
        ))
        .routes(routes!(second_factor::turn_on::turn_on_second_factor))
        .routes(routes!(second_factor::turn_off::turn_off_second_factor))
        .routes(routes!(second_factor::renew::renew_recovery_codes))
        .routes(routes!(refresh::refresh))
        .routes(routes!(refresh::logout))
        .routes(routes!(verification::send_otp))
        .routes(routes!(verification::verify_otp))
        .routes(routes!(profile::update_user))
        .routes(routes!(password::change_password))
        .routes(routes!(forgot::forgot_password))
        .routes(routes!(reset::reset_password))
        .routes(routes!(profile::get_user, close::delete_user))
        .routes(routes!(block::block_user))
        .routes(routes!(jwks::jwks))
        .routes(routes!(geocode::reverse_geocode))
        .routes(routes!(
            inquiry::list::list_inquiries,
            inquiry::open::open_inquiry
        ))
        .routes(routes!(
            inquiry::change::change_inquiry,
            inquiry::delete::delete_inquiry
        ))
        // The web pages call these under their old paths.
        .route("/api/users/update/{id}", put(profile::update_user))
        .route(
            "/api/inquiry",
            get(inquiry::list::list_inquiries).post(inquiry::open::open_inquiry),
        )
        .route(
            "/api/inquiry/{id}",
            put(inquiry::change::change_inquiry).delete(inquiry::delete::delete_inquiry),
        )
        .with_state(state)
}

/// The routes for other services, on a listener that no client reaches.
pub fn internal(state: State) -> Router {
    Router::new()
        .route("/internal/users", post(internal::create_driver))
        .with_state(state)
}
