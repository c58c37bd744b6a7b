use tiffin_events::Role;
use tiffin_testkit::drain_rows;
use tiffin_user::{Error, grant_operator, reset_second_factor, revoke_operator};
use time::Duration;

use crate::{
    harness::{PASSWORD, Service, form},
    second_factor::claims,
};

#[tokio::test]
async fn an_administrator_is_no_operator_until_made_one() {
    let service = Service::start().await;
    let (pool, clock) = (&service.db.pool, &service.clock);
    let email = "admin@tiffin.local";
    let plain = service.person(Role::Admin, email).await;
    assert_eq!(claims(&plain.token)["operator"], false);

    let granted = grant_operator(pool, clock, " Admin@tiffin.local ").await;
    assert_eq!(granted.unwrap().id, plain.id);
    grant_operator(pool, clock, email).await.unwrap();
    let answer = service.login(email, PASSWORD).await.expect(200);
    assert_eq!(answer["user"]["isOperator"], true);
    let operator = service.sign_in(email).await;
    assert_eq!(claims(&operator.token)["operator"], true);
    let renewed = service.refresh(&plain.refresh).await.expect(200);
    assert_eq!(claims(renewed["token"].as_str().unwrap())["operator"], true);

    drain_rows(pool).await;
    service.clock.advance(Duration::seconds(1));
    revoke_operator(pool, clock, email).await.unwrap();
    let subjects: Vec<String> = drain_rows(pool)
        .await
        .into_iter()
        .map(|row| row.subject)
        .collect();
    assert_eq!(
        subjects,
        [tiffin_events::subject::revocation(plain.id)],
        "all services learn that tokens from before end"
    );
    service.clock.advance(Duration::seconds(1));
    let answer = service.login(email, PASSWORD).await.expect(200);
    assert_eq!(answer["user"]["isOperator"], false);
}

#[tokio::test]
async fn who_is_an_operator_and_nothing_else_sees_no_list_of_people() {
    let service = Service::start().await;
    let operator = service
        .person(Role::Operator, "operator@tiffin.local")
        .await;
    let said = claims(&operator.token);
    assert_eq!(
        (&said["role"], &said["operator"]),
        (&"operator".into(), &true.into())
    );
    let users = service
        .app
        .get("/api/v1/users")
        .token(&operator.token)
        .await;
    users.problem(403);
}

#[tokio::test]
async fn an_unknown_address_is_reported() {
    let service = Service::start().await;
    let granted = grant_operator(&service.db.pool, &service.clock, "x@tiffin.local").await;
    assert!(matches!(granted, Err(Error::Refused(_))), "{granted:?}");
    // A stranger may have signed up with it.
    let sign_up = service.app.post("/api/v1/users");
    sign_up.json(&form("x@tiffin.local")).await.expect(201);
    let granted = grant_operator(&service.db.pool, &service.clock, "x@tiffin.local").await;
    assert!(matches!(granted, Err(Error::Refused(_))), "{granted:?}");
}

#[tokio::test]
async fn who_lost_app_and_codes_is_let_in_again_by_the_command_line() {
    let service = Service::start().await;
    let email = "admin@tiffin.local";
    let mut admin = service.person(Role::Admin, email).await;
    service.turn_on(&mut admin).await;
    service.challenge(email).await;
    reset_second_factor(&service.db.pool, &service.clock, email)
        .await
        .unwrap();
    service.refresh(&admin.refresh).await.problem(401);
    service.login(email, PASSWORD).await.expect(200);
}
