use tiffin_events::{Role, UserId};
use tiffin_user::{Error, NewAccount, NewAccountError, Profile, Refusal, create_account};

use crate::fixture::{Fixture, PASSWORD};

fn account(fixture: &Fixture, email: &str, password: &str) -> NewAccount {
    NewAccount {
        id: UserId(fixture.clock.new_id()),
        email: email.to_owned(),
        password: password.to_owned(),
        role: Role::Admin,
        profile: Profile::default(),
        operator: false,
    }
}

#[tokio::test]
async fn an_administrator_created_here_is_verified_and_published() {
    let fixture = Fixture::start().await;
    let admin = account(&fixture, "Admin@Tiffin.local", PASSWORD);
    let recorder = fixture.state.personal_keys().recorder();
    let user = create_account(&fixture.db.pool, &recorder, admin)
        .await
        .unwrap();
    assert!(user.verified && user.role == Role::Admin);
    let events = fixture.events().await;
    assert_eq!(
        (events.len(), events[0].data["verified"].as_bool()),
        (1, Some(true))
    );
    let body = fixture
        .login("admin@tiffin.local", PASSWORD)
        .await
        .expect(200);
    let token = body["token"].as_str().unwrap();
    fixture
        .app
        .get("/api/v1/users")
        .token(token)
        .await
        .expect(200);
}

#[tokio::test]
async fn the_rules_hold_here_too() {
    let fixture = Fixture::start().await;
    let recorder = fixture.state.personal_keys().recorder();
    let create = |new| create_account(&fixture.db.pool, &recorder, new);
    create(account(&fixture, "a@tiffin.local", PASSWORD))
        .await
        .unwrap();
    let taken = create(account(&fixture, "a@tiffin.local", PASSWORD)).await;
    assert!(
        matches!(
            taken,
            Err(NewAccountError::Failed(Error::Refused(Refusal::EmailTaken)))
        ),
        "{taken:?}"
    );
    let weak = create(account(&fixture, "b@tiffin.local", "password")).await;
    assert!(matches!(weak, Err(NewAccountError::Invalid(_))), "{weak:?}");
}
