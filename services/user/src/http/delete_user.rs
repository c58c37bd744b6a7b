use axum::{
    extract,
    response::{IntoResponse, Response},
};
use sqlx::PgConnection;
use tiffin_bus::Cause;
use tiffin_chassis::{
    Caller, Path, Problem, idempotency,
    refusal::{BadPath, BadToken, WrongCaller},
    refusals, refused_by, telemetry,
};
use tiffin_events::UserId;

use super::{
    answers::{Message, set_cookie},
    proof::require_proof,
    register::owner_of_key,
    request_context::clear_cookie,
};
use crate::{
    Error, State,
    inquiry::Reader,
    store::{
        self, codes, copies, erasures, inquiries, known_devices, mails, operators, orders,
        password_requests, password_resets, personal_keys, second_factors, sessions,
    },
    user::{Refusal, User},
};

refusals! {
    /// Another account, and the caller is no administrator.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum NotYours {
        Remove = 403, "user.account-not-yours", "You may only remove your own account.";
    }
}

refused_by! {
    DeleteUserRefusals:
        BadPath, BadToken, WrongCaller::{ProofTooOld}, NotYours,
        Refusal::{Unknown, OrderUnderWay, LastAdmin},
}

/// Closes an account: the caller's own, or any by an administrator.
///
/// Closing one's own asks for a proof of the last five minutes (RFC 9470): signing in is one, and so is
/// `POST /api/v1/users/confirm`.
///
/// Its tokens and sessions end at once, and its personal data is forgotten. Refused while an order that
/// concerns it is under way.
#[utoipa::path(
    delete, path = "/api/v1/users/{id}", tag = "user", security(("bearer" = [])),
    params(("id" = UserId, Path, description = "The account's id.")),
    responses(
        (status = 200, description = "The account is gone.", body = Message),
        DeleteUserRefusals,
    ),
    extensions(("x-roles" = json!(["customer", "restaurant", "delivery", "admin", "operator"])))
)]
pub(crate) async fn delete_user(
    extract::State(state): extract::State<State>,
    caller: Caller,
    Path(id): Path<UserId>,
) -> Result<Response, Problem> {
    if caller.id != id && !caller.is_admin() {
        return Err(NotYours::Remove.into());
    }
    if caller.id == id {
        require_proof(&state, &caller).await?;
    }
    let cause = Cause::user(caller.id, telemetry::traceparent());
    let mut tx = tiffin_database::begin(&state.pool).await?;
    let others = store::count_other_admins(&mut tx, id).await?;
    let order_under_way = orders::is_any_under_way(&mut tx, id).await?;
    let known = store::find(&mut tx, id)
        .await?
        .ok_or(Error::from(Refusal::Unknown))?;
    tiffin_bus::change(&mut tx, &state.recorder, &cause, id, |user: &mut User| {
        user.delete(others, order_under_way)
    })
    .await?;
    // After the account is locked: every token signed before is older.
    let now = state.clock.now();
    sessions::end_all(&mut tx, now, id, None).await?;
    codes::end(&mut tx, id).await?;
    password_resets::end(&mut tx, id).await?;
    known_devices::delete_all(&mut tx, id).await?;
    second_factors::delete(&mut tx, id).await?;
    operators::delete(&mut tx, id).await?;
    personal_keys::destroy(&mut tx, now, state.clock.new_id(), id).await?;
    erasures::insert(&mut tx, now, id).await?;
    copies::withdraw(&mut tx, id, now).await?;
    withdraw_inquiries(&mut tx, &state, &cause, id).await?;
    delete_personal_rows(&mut tx, id, &known.email).await?;
    tx.commit().await?;
    if let Err(error) = state.mailer.forget(&known.email).await {
        tracing::warn!(%error, account = %id, "mails to a closed account stay in the mail folder: delete them by hand");
    }
    state.verifier.revocations().revoke(id, now);
    state.copy_leaves.notify_one();
    let mut answer = Message::new("Account removed.").into_response();
    if caller.id == id {
        set_cookie(&mut answer, &clear_cookie());
    }
    Ok(answer)
}

/// Withdraws their inquiries, which are in their own words.
async fn withdraw_inquiries(
    tx: &mut PgConnection,
    state: &State,
    cause: &Cause,
    id: UserId,
) -> Result<(), Error> {
    let author = Reader {
        id,
        is_admin: false,
    };
    for inquiry in inquiries::of_author(tx, id).await? {
        inquiries::remove(tx, &state.recorder, cause, inquiry, |inquiry| {
            inquiry.delete(author)
        })
        .await?;
    }
    Ok(())
}

/// Deletes the rows that name the account beside its own: queued mail, password requests and kept answers.
async fn delete_personal_rows(tx: &mut PgConnection, id: UserId, email: &str) -> Result<(), Error> {
    mails::delete_to(tx, email).await?;
    password_requests::delete(tx, email).await?;
    idempotency::forget(tx, owner_of_key(email)).await?;
    idempotency::forget(tx, id).await?;
    Ok(())
}
