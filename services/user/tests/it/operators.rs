use tiffin_events::Role;
use tiffin_testkit::drain_rows;
use tiffin_user::{Error, grant_operator, reset_second_factor, revoke_operator};
use time::Duration;

use crate::{
    fixture::{Fixture, PASSWORD, form},
    second_factor::claims,
};

#[tokio::test]
async fn an_administrator_is_no_operator_until_made_one() {
    let fixture = Fixture::start().await;
    let (pool, clock) = (&fixture.db.pool, &fixture.clock);
    let email = "admin@tiffin.local";
    let plain = fixture.account(Role::Admin, email).await;
    assert_eq!(claims(&plain.token)["operator"], false);

    let granted = grant_operator(pool, clock, " Admin@tiffin.local ").await;
    assert_eq!(granted.unwrap().id, plain.id);
    grant_operator(pool, clock, email).await.unwrap();
    let answer = fixture.login(email, PASSWORD).await.expect(200);
    assert_eq!(answer["user"]["isOperator"], true);
    let operator = fixture.sign_in(email).await;
    assert_eq!(claims(&operator.token)["operator"], true);
    let renewed = fixture.refresh(&plain.refresh).await.expect(200);
    assert_eq!(claims(renewed["token"].as_str().unwrap())["operator"], true);

    drain_rows(pool).await;
    fixture.clock.advance(Duration::seconds(1));
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
    fixture.clock.advance(Duration::seconds(1));
    let answer = fixture.login(email, PASSWORD).await.expect(200);
    assert_eq!(answer["user"]["isOperator"], false);
}

#[tokio::test]
async fn who_is_an_operator_and_nothing_else_sees_no_list_of_people() {
    let fixture = Fixture::start().await;
    let operator = fixture
        .account(Role::Operator, "operator@tiffin.local")
        .await;
    let said = claims(&operator.token);
    assert_eq!(
        (&said["role"], &said["operator"]),
        (&"operator".into(), &true.into())
    );
    let users = fixture
        .app
        .get("/api/v1/users")
        .token(&operator.token)
        .await;
    users.problem(403);
}

#[tokio::test]
async fn an_unknown_address_is_reported() {
    let fixture = Fixture::start().await;
    let granted = grant_operator(&fixture.db.pool, &fixture.clock, "x@tiffin.local").await;
    assert!(matches!(granted, Err(Error::Refused(_))), "{granted:?}");
    // A stranger may have signed up with it.
    let sign_up = fixture.app.post("/api/v1/users");
    sign_up.json(&form("x@tiffin.local")).await.expect(201);
    let granted = grant_operator(&fixture.db.pool, &fixture.clock, "x@tiffin.local").await;
    assert!(matches!(granted, Err(Error::Refused(_))), "{granted:?}");
}

#[tokio::test]
async fn who_lost_app_and_codes_is_let_in_again_by_the_command_line() {
    let fixture = Fixture::start().await;
    let email = "admin@tiffin.local";
    let mut admin = fixture.account(Role::Admin, email).await;
    fixture.turn_on(&mut admin).await;
    fixture.challenge(email).await;
    reset_second_factor(&fixture.db.pool, &fixture.clock, email)
        .await
        .unwrap();
    fixture.refresh(&admin.refresh).await.problem(401);
    fixture.login(email, PASSWORD).await.expect(200);
}
