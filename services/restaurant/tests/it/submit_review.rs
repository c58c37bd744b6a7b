use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::fixture::{
    ADMIN, CUSTOMER, Fixture, NEIGHBOUR, OTHER, OWNER, four_stars, id, registered,
};

#[tokio::test]
async fn a_review_has_its_owner_names_and_date_from_the_server_and_waits_for_approval() {
    let fixture = Fixture::new().await;
    fixture
        .deliver_event(CUSTOMER, 1, registered(CUSTOMER, "Nimal"))
        .await;
    let item = fixture.dish().await;
    fixture.published().await;
    let mut body = four_stars(&item);
    for (field, lie) in [
        ("ownerId", json!(OTHER)),
        ("restaurantName", json!("The Ritz")),
        ("itemName", json!("Caviar")),
        ("name", json!("The Queen")),
        ("email", json!("queen@example.com")),
        ("date", json!("1999-01-01T00:00:00Z")),
        ("isApproved", json!(true)),
    ] {
        body[field] = lie;
    }
    let answer = fixture.review(CUSTOMER, &body).await.expect(201);
    let review = &answer["review"];
    let restaurant = fixture
        .get(&format!("/api/v1/collection/getOne/{item}"), None)
        .await
        .expect(200);
    assert_eq!(
        review,
        &json!({
            "_id": id(review),
            "productId": item,
            "rating": 4,
            "comment": "Crisp.",
            "ownerId": OWNER,
            "restaurantId": restaurant["restaurantId"],
            "restaurantName": "Galle Face Kitchen",
            "itemName": "Chicken kottu",
            "name": "Nimal Silva",
            "email": "owner@example.com",
            "profilePicture": null,
            "data": review["date"],
            "date": review["date"],
            "isApproved": false,
        })
    );
    assert_ne!(review["date"], "1999-01-01T00:00:00Z");
    assert_eq!(
        fixture.published().await,
        [("review.submitted.v1".to_owned(), 1, vec![CUSTOMER, OWNER])]
    );
}

#[tokio::test]
async fn a_second_review_takes_the_place_of_the_first_and_waits_again() {
    let fixture = Fixture::new().await;
    let item = fixture.dish().await;
    let first = fixture
        .review(CUSTOMER, &four_stars(&item))
        .await
        .expect(201);
    fixture.approve_review(&id(&first["review"])).await;
    fixture.published().await;
    let body = json!({ "productId": item, "rating": 0, "comment": "" });
    let second = fixture.review(CUSTOMER, &body).await.expect(200);
    assert_eq!(id(&second["review"]), id(&first["review"]));
    assert_eq!(
        (&second["review"]["rating"], &second["review"]["isApproved"]),
        (&json!(0), &json!(false))
    );
    assert_eq!(
        fixture.published().await,
        [("review.submitted.v1".to_owned(), 3, vec![CUSTOMER, OWNER])]
    );
    assert_eq!(fixture.list("/api/v1/reviews", Some(ADMIN)).await.len(), 1);
    fixture
        .review(NEIGHBOUR, &four_stars(&item))
        .await
        .expect(201);
    assert_eq!(fixture.list("/api/v1/reviews", Some(ADMIN)).await.len(), 2);
}

#[tokio::test]
async fn many_first_reviews_at_once_are_one() {
    let fixture = Fixture::new().await;
    let item = fixture.dish().await;
    let mut calls = JoinSet::new();
    for stars in 0..20 {
        let body = json!({ "productId": item, "rating": stars % 6, "comment": "" });
        let call = fixture
            .app
            .post("/api/v1/reviews")
            .token(&fixture.token(CUSTOMER));
        calls.spawn(call.json(&body).into_future());
    }
    let mut made = 0;
    while let Some(answer) = calls.join_next().await {
        let answer = answer.unwrap();
        assert!(answer.status.is_success(), "{}", answer.text);
        made += usize::from(answer.status == 201);
    }
    assert_eq!(made, 1);
    assert_eq!(
        fixture.list("/api/v1/reviews", Some(CUSTOMER)).await.len(),
        1
    );
}

#[tokio::test]
async fn the_same_key_gives_the_first_answer_again() {
    let fixture = Fixture::new().await;
    let item = fixture.dish().await;
    fixture.published().await;
    let press = |body: Value| {
        let call = fixture
            .app
            .post("/api/v1/reviews")
            .token(&fixture.token(CUSTOMER));
        call.header("idempotency-key", "k").json(&body)
    };
    let first = press(four_stars(&item)).await.expect(201);
    assert_eq!(press(four_stars(&item)).await.expect(201), first);
    press(json!({ "productId": item, "rating": 1, "comment": "" }))
        .await
        .problem(422);
    assert_eq!(fixture.published().await.len(), 1);
}

#[tokio::test]
async fn a_review_that_is_none_is_refused_with_its_field() {
    let fixture = Fixture::new().await;
    let item = fixture.dish().await;
    for (field, value) in [
        ("rating", json!(6)),
        ("rating", json!(-1)),
        ("rating", json!(1_000_000)),
        ("rating", json!("five")),
        ("rating", json!(4.5)),
        ("comment", json!("x".repeat(2_001))),
        ("comment", json!("a\u{0}b")),
        ("comment", json!(5)),
        ("productId", json!(7)),
    ] {
        let mut body = four_stars(&item);
        body[field] = value;
        let answer = fixture.review(CUSTOMER, &body).await;
        assert!(
            answer.body["fields"].get(field).is_some(),
            "{}",
            answer.text
        );
        answer.problem(422);
    }
    fixture
        .review(CUSTOMER, &json!({ "productId": item }))
        .await
        .problem(422);
    let unapproved = fixture.item(&fixture.restaurant().await).await;
    for product in ["", "ITM-00000000", &unapproved] {
        fixture
            .review(CUSTOMER, &four_stars(product))
            .await
            .problem(404);
    }
    fixture
        .get("/api/v1/reviews/nothing", None)
        .await
        .problem(404);
    fixture
        .get("/api/v1/reviews?q=a%00b", None)
        .await
        .problem(422);
    fixture
        .get("/api/v1/reviews?cursor=7", None)
        .await
        .problem(422);
    fixture
        .get(&format!("/api/v1/reviews?q={}", "k".repeat(101)), None)
        .await
        .problem(422);
}
