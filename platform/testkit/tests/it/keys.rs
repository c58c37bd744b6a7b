use tiffin_chassis::refusal::BadToken;
use tiffin_events::{Clock, Role, UserId};
use tiffin_testkit::{token, verifier};

#[tokio::test]
async fn a_token_says_what_it_was_made_of() {
    let clock = Clock::system();
    let user = UserId(clock.new_id());
    let claims = verifier(&clock)
        .verify(&token(&clock, user, Role::Customer).sign())
        .await
        .unwrap();
    assert_eq!(
        (claims.sub, claims.role, claims.verified),
        (user, Role::Customer, true)
    );
    let unverified = token(&clock, user, Role::Customer).unverified().sign();
    assert!(!verifier(&clock).verify(&unverified).await.unwrap().verified);
}

#[tokio::test]
async fn spoilt_tokens_are_refused() {
    let clock = Clock::system();
    let verifier = verifier(&clock);
    let good = token(&clock, UserId(clock.new_id()), Role::Customer);
    let expired = verifier.verify(&good.clone().expired().sign()).await;
    assert_eq!(expired.unwrap_err(), BadToken::Expired);
    for spoilt in [good.tampered(), good.clone().symmetric().sign()] {
        assert_eq!(
            verifier.verify(&spoilt).await.unwrap_err(),
            BadToken::Invalid
        );
    }
}
