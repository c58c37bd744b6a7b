//! The routes.

mod answers;
mod attempt;
mod block_user;
mod change_password;
mod confirm;
mod copy;
mod delete_user;
mod forgot_password;
mod get_user;
mod google_login;
mod inquiry;
mod internal;
mod jwks;
mod list_users;
mod login;
mod logout;
mod proof;
mod refresh;
mod register;
mod registration;
mod request_context;
mod reset_password;
mod reverse_geocode;
mod second_factor;
mod second_step;
mod send_otp;
mod update_user;
mod verify_otp;

use axum::{
    Router,
    routing::{get, post, put},
};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::State;

/// Everything this service answers, with its description.
pub fn router(state: State) -> OpenApiRouter {
    OpenApiRouter::with_openapi(tiffin_chassis::refusal::openapi::base())
        .routes(routes!(register::register, list_users::list_users))
        .routes(routes!(login::login))
        .routes(routes!(second_step::second_step))
        .routes(routes!(google_login::google_login))
        .routes(routes!(confirm::confirm))
        .routes(routes!(
            second_factor::read_second_factor::second_factor,
            second_factor::begin::begin_second_factor
        ))
        .routes(routes!(second_factor::turn_on::turn_on_second_factor))
        .routes(routes!(second_factor::turn_off::turn_off_second_factor))
        .routes(routes!(second_factor::renew::renew_recovery_codes))
        .routes(routes!(copy::read::read_copy, copy::request::request_copy))
        .routes(routes!(copy::download::download_copy))
        .routes(routes!(refresh::refresh))
        .routes(routes!(logout::logout))
        .routes(routes!(send_otp::send_otp))
        .routes(routes!(verify_otp::verify_otp))
        .routes(routes!(update_user::update_user))
        .routes(routes!(change_password::change_password))
        .routes(routes!(forgot_password::forgot_password))
        .routes(routes!(reset_password::reset_password))
        .routes(routes!(get_user::get_user, delete_user::delete_user))
        .routes(routes!(block_user::block_user))
        .routes(routes!(jwks::jwks))
        .routes(routes!(reverse_geocode::reverse_geocode))
        .routes(routes!(
            inquiry::list::list_inquiries,
            inquiry::open::open_inquiry
        ))
        .routes(routes!(
            inquiry::change::change_inquiry,
            inquiry::delete::delete_inquiry
        ))
        // The web pages call these under their old paths.
        .route("/api/users/update/{id}", put(update_user::update_user))
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
