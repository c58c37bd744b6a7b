//! A search for keys, tokens and secrets in all places that a payment by Stripe writes to.

use serde_json::json;
use tiffin_testkit::TestStripe;
use time::Duration;

use super::{ASKS, DECLINED, GOOD, StripeFixture, intent};
use crate::canary::{Log, log_of, search};

#[tokio::test]
async fn no_key_token_or_secret_is_left_anywhere() {
    let (log, _guard) = Log::begin();
    let it = StripeFixture::new().await;
    let mut answers = Vec::new();
    let mut secrets = vec![
        TestStripe::SECRET_KEY.to_owned(),
        TestStripe::WEBHOOK_SECRET.to_owned(),
        "_secret_".to_owned(),
        GOOD.to_owned(),
    ];
    for (card, faults) in [
        (GOOD, json!({})),
        (DECLINED, json!({})),
        (ASKS, json!({})),
        (GOOD, json!({ "lost": 1 })),
        (GOOD, json!({ "away": 1 })),
    ] {
        let order = it.fixture.order().await;
        let token = it.stripe.token(card).await;
        it.set_faults(faults).await;
        let answer = it.call_with(&order, &token).await;
        it.end_faults().await;
        // The browser alone gets this one.
        let secret = answer.body["clientSecret"].as_str().map(ToOwned::to_owned);
        answers.push(answer.text.replace(secret.as_deref().unwrap_or("-"), ""));
        if let Some(secret) = secret {
            it.stripe.confirm(&secret, true).await;
            let id = secret.split_once("_secret_").unwrap().0.to_owned();
            it.hook("evt_1", "payment_intent.succeeded", &intent(&id))
                .await
                .expect(200);
        }
        it.stripe.set_faults(&json!({ "away": 1 })).await;
        answers.push(it.call_with(&order, &token).await.text);
        it.end_faults().await;
        it.later(Duration::minutes(1)).await;
        it.fixture.cancel(&order).await;
        it.later(Duration::minutes(1)).await;
        secrets.push(token);
    }
    answers.push(json!(it.fixture.payments().await).to_string());
    assert_eq!(it.taken().await, 0, "payments and refunds were made");
    let log = log_of(&log);
    assert!(
        log.contains("left to the reconciler"),
        "the log was written"
    );
    for secret in &secrets {
        assert_eq!(search(&it.fixture.db.pool, secret).await, [], "{secret}");
        assert!(!log.contains(secret), "{secret} in the log: {log}");
        assert!(
            !answers.join("\n").contains(secret),
            "{secret} in an answer"
        );
    }
    let state = format!("{:?}", it.fixture.state);
    assert!(
        secrets.iter().all(|secret| !state.contains(secret)),
        "{state}"
    );
}
