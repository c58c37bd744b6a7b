//! The limits of an account's writes.

use serde_json::json;

use crate::fixture::{ADMIN, CUSTOMER, Fixture, OWNER, dish, form, four_stars, id};

#[tokio::test]
async fn a_flood_of_restaurants_ends_at_twenty() {
    let fixture = Fixture::new().await;
    let mut accepted = 0;
    for _ in 0..100 {
        let call = fixture.app.post("/api/v1/restaurant");
        let answer = call.token(&fixture.token(OWNER)).json(&form()).await;
        if answer.status == 201 {
            accepted += 1;
            continue;
        }
        let wait: u64 = answer.header("retry-after").unwrap().parse().unwrap();
        assert!((1..=3600).contains(&wait), "{wait}");
        answer.problem(429);
    }
    assert_eq!(accepted, 20);
}

#[tokio::test]
async fn every_other_write_is_counted_too_and_reading_is_not() {
    let fixture = Fixture::new().await;
    let restaurant = fixture.restaurant().await;
    let item = fixture.item(&restaurant).await;
    fixture.approve(&item).await;
    let review = fixture
        .review(CUSTOMER, &four_stars(&item))
        .await
        .expect(201);
    let review = id(&review["review"]);
    for user in [OWNER, CUSTOMER, ADMIN] {
        for name in ["items", "reviews", "changes"] {
            fixture.exhaust_limit(name, user).await;
        }
    }
    let app = &fixture.app;
    let put = |path: String| app.put(&path);
    for (call, user) in [
        (
            app.post("/api/v1/collection").json(&dish(&restaurant)),
            OWNER,
        ),
        (
            put(format!("/api/v1/restaurant/update/{restaurant}")).json(&json!({"name": "New"})),
            OWNER,
        ),
        (
            app.post(&format!("/api/v1/restaurant/isOpen/{restaurant}")),
            OWNER,
        ),
        (
            put(format!("/api/v1/restaurant/pause/{restaurant}")).json(&json!({"minutes": 30})),
            OWNER,
        ),
        (
            put(format!("/api/v1/restaurant/busy/{restaurant}")).json(&json!({"minutes": 20})),
            OWNER,
        ),
        (
            app.post(&format!("/api/v1/restaurant/isClose/{restaurant}")),
            OWNER,
        ),
        (
            app.delete(&format!("/api/v1/restaurant/delete/{restaurant}")),
            OWNER,
        ),
        (
            put(format!("/api/v1/collection/update/{item}")).json(&json!({"available": false})),
            OWNER,
        ),
        (
            app.delete(&format!("/api/v1/collection/delete/{item}")),
            OWNER,
        ),
        (
            app.post(&format!("/api/v1/collection/isApprove/{item}")),
            ADMIN,
        ),
        (
            app.post("/api/v1/reviews").json(&four_stars(&item)),
            CUSTOMER,
        ),
        (
            app.delete(&format!("/api/v1/reviews/delete/{review}")),
            CUSTOMER,
        ),
        (put(format!("/api/v1/reviews/approve/{review}")), ADMIN),
    ] {
        let answer = call.token(&fixture.token(user)).await;
        assert!(answer.header("retry-after").is_some(), "{answer:?}");
        answer.problem(429);
    }
    assert_eq!(
        fixture.list("/api/v1/collection", Some(OWNER)).await.len(),
        1
    );
}
