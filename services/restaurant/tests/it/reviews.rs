use serde_json::{Value, json};
use tiffin_events::user::UserEvent;

use crate::fixture::{
    ADMIN, CUSTOMER, Fixture, NEIGHBOUR, OTHER, OWNER, four_stars, id, registered, user_ref,
};

#[tokio::test]
async fn a_pending_review_and_its_email_are_seen_by_author_owner_and_administrators_only() {
    let fixture = Fixture::new().await;
    fixture
        .deliver_event(CUSTOMER, 1, registered(CUSTOMER, "Nimal"))
        .await;
    let item = fixture.dish().await;
    let review = fixture
        .review(CUSTOMER, &four_stars(&item))
        .await
        .expect(201);
    let of_item = format!("/api/v1/reviews/{item}");
    let readers = [
        (None, false),
        (Some(NEIGHBOUR), false),
        (Some(OTHER), false),
        (Some(CUSTOMER), true),
        (Some(OWNER), true),
        (Some(ADMIN), true),
    ];
    for (user, is_concerned) in readers {
        for path in ["/api/v1/reviews", &of_item] {
            let seen = fixture.list(path, user).await;
            assert_eq!(seen.len(), usize::from(is_concerned), "{user:?} {path}");
        }
    }
    fixture.approve_review(&id(&review["review"])).await;
    for (user, is_concerned) in readers {
        for path in ["/api/v1/reviews", &of_item] {
            let seen = fixture.list(path, user).await;
            let email = if is_concerned {
                "owner@example.com"
            } else {
                ""
            };
            assert_eq!(
                (&seen[0]["email"], &seen[0]["name"], &seen[0]["isApproved"]),
                (&json!(email), &json!("Nimal Silva"), &json!(true)),
                "{user:?} {path}"
            );
        }
    }
}

#[tokio::test]
async fn ratings_follow_what_is_approved() {
    let fixture = Fixture::new().await;
    let item = fixture.dish().await;
    let path = format!("/api/v1/collection/getOne/{item}");
    let dish = fixture.get(&path, None).await.expect(200);
    let restaurant = format!(
        "/api/v1/restaurant/getOne/{}",
        dish["restaurantId"].as_str().unwrap()
    );
    let rated = async |rating: Value, count: i64| {
        for path in [&path, &restaurant] {
            let thing = fixture.get(path, None).await.expect(200);
            assert_eq!(
                (&thing["rating"], &thing["ratingCount"]),
                (&rating, &json!(count)),
                "{path}"
            );
        }
    };
    let review = async |user, rating| {
        let body = json!({ "productId": item, "rating": rating, "comment": "" });
        let answer = fixture.review(user, &body).await;
        id(&answer.body["review"])
    };
    let four = review(CUSTOMER, 4).await;
    rated(Value::Null, 0).await;
    fixture.approve_review(&four).await;
    fixture.approve_review(&four).await;
    rated(json!(4.0), 1).await;
    let five = review(NEIGHBOUR, 5).await;
    fixture.approve_review(&five).await;
    rated(json!(4.5), 2).await;
    review(CUSTOMER, 1).await;
    rated(json!(5.0), 1).await;
    fixture.approve_review(&four).await;
    rated(json!(3.0), 2).await;
    let delete = fixture
        .app
        .delete(&format!("/api/v1/reviews/delete/{five}"));
    delete.token(&fixture.token(ADMIN)).await.expect(200);
    rated(json!(1.0), 1).await;
}

#[tokio::test]
async fn who_may_write_approve_and_delete() {
    let fixture = Fixture::new().await;
    let item = fixture.dish().await;
    let anonymous = fixture.app.post("/api/v1/reviews").raw("{");
    assert_eq!(
        anonymous.await.problem(401),
        "Please log in to submit a review."
    );
    for user in [OWNER, ADMIN] {
        fixture.review(user, &four_stars(&item)).await.problem(403);
    }
    let review = fixture
        .review(CUSTOMER, &four_stars(&item))
        .await
        .expect(201);
    let review = id(&review["review"]);
    let approve = format!("/api/v1/reviews/approve/{review}");
    let delete = format!("/api/v1/reviews/delete/{review}");
    fixture.app.put(&approve).await.problem(401);
    fixture.app.delete(&delete).await.problem(401);
    for user in [CUSTOMER, OWNER] {
        fixture
            .app
            .put(&approve)
            .token(&fixture.token(user))
            .await
            .problem(403);
    }
    for (user, status) in [(OWNER, 403), (NEIGHBOUR, 404)] {
        fixture
            .app
            .delete(&delete)
            .token(&fixture.token(user))
            .await
            .problem(status);
    }
    fixture.approve_review(&review).await;
    fixture
        .app
        .delete(&delete)
        .token(&fixture.token(NEIGHBOUR))
        .await
        .problem(403);
    fixture.published().await;
    let gone = fixture
        .app
        .delete(&delete)
        .token(&fixture.token(CUSTOMER))
        .await
        .expect(200);
    assert_eq!(gone["message"], "The review has been deleted.");
    assert_eq!(
        fixture.published().await,
        [("review.deleted.v1".to_owned(), 3, vec![CUSTOMER, OWNER])]
    );
    fixture
        .app
        .delete(&delete)
        .token(&fixture.token(CUSTOMER))
        .await
        .problem(404);
    fixture
        .app
        .put(&approve)
        .token(&fixture.token(ADMIN))
        .await
        .problem(404);
    assert!(
        fixture
            .list("/api/v1/reviews", Some(ADMIN))
            .await
            .is_empty()
    );
    let again = fixture
        .review(CUSTOMER, &four_stars(&item))
        .await
        .expect(201);
    assert_ne!(id(&again["review"]), review);
}

#[tokio::test]
async fn an_administrator_finds_reviews_by_words_and_no_search_reveals_an_address() {
    let fixture = Fixture::new().await;
    fixture
        .deliver_event(CUSTOMER, 1, registered(CUSTOMER, "Nimal"))
        .await;
    let item = fixture.dish().await;
    let review = fixture
        .review(CUSTOMER, &four_stars(&item))
        .await
        .expect(201);
    fixture.approve_review(&id(&review["review"])).await;
    let restaurant = review["review"]["restaurantId"].as_str().unwrap();
    for (search, user, found) in [
        ("q=crisp", None, 1),
        ("q=SILVA", None, 1),
        ("q=kottu", None, 1),
        ("q=100%25", None, 0),
        ("q=example.com", None, 0),
        ("q=example.com", Some(NEIGHBOUR), 0),
        ("q=example.com", Some(ADMIN), 1),
        ("isApproved=false", Some(ADMIN), 0),
        ("isApproved=true", Some(ADMIN), 1),
        (&format!("restaurantId={restaurant}"), None, 1),
        (&format!("restaurantId={OTHER}"), None, 0),
    ] {
        let seen = fixture
            .list(&format!("/api/v1/reviews?{search}"), user)
            .await;
        assert_eq!(seen.len(), found, "{search} {user:?}");
    }
}

#[tokio::test]
async fn pages_follow_each_other_without_a_gap_in_the_order_of_writing() {
    let fixture = Fixture::new().await;
    let restaurant = fixture.restaurant().await;
    let mut items = Vec::new();
    for _ in 0..5 {
        let item = fixture.item(&restaurant).await;
        fixture.approve(&item).await;
        fixture
            .review(CUSTOMER, &four_stars(&item))
            .await
            .expect(201);
        items.push(item);
    }
    let again = json!({ "productId": items[1], "rating": 1, "comment": "" });
    fixture.review(CUSTOMER, &again).await.expect(200);
    let (mut path, mut seen) = ("/api/v1/reviews?limit=2&q=kottu".to_owned(), Vec::new());
    loop {
        let answer = fixture.get(&path, Some(CUSTOMER)).await;
        let link = answer.header("link");
        let page: Vec<Value> = answer.expect_as(200);
        seen.extend(
            page.iter()
                .map(|review| review["productId"].as_str().unwrap().to_owned()),
        );
        let Some(link) = link else { break };
        link[1..].split_once('>').unwrap().0.clone_into(&mut path);
    }
    assert_eq!(seen, [1, 4, 3, 2, 0].map(|n: usize| items[n].clone()));
}

#[tokio::test]
async fn a_closed_account_has_no_name_at_its_reviews() {
    let fixture = Fixture::new().await;
    let UserEvent::Registered(mut profile) = registered(CUSTOMER, "Nimal") else {
        panic!()
    };
    profile.image = Some("/storage/v1/object/public/images/1-me.webp".to_owned());
    fixture
        .deliver_event(CUSTOMER, 1, UserEvent::Registered(profile))
        .await;
    let item = fixture.dish().await;
    let review = fixture
        .review(CUSTOMER, &four_stars(&item))
        .await
        .expect(201);
    assert_eq!(
        review["review"]["profilePicture"],
        "/storage/v1/object/public/images/1-me.webp"
    );
    fixture
        .deliver_event(CUSTOMER, 2, UserEvent::Deleted(user_ref(CUSTOMER)))
        .await;
    let review = &fixture.list("/api/v1/reviews", Some(ADMIN)).await[0];
    assert_eq!(
        (&review["name"], &review["email"], &review["profilePicture"]),
        (&json!(""), &json!(""), &Value::Null)
    );
    assert_eq!(review["comment"], "Crisp.");
}

#[tokio::test]
async fn reviews_of_a_dish_that_is_gone_are_left_to_their_author_and_administrators() {
    let fixture = Fixture::new().await;
    let item = fixture.dish().await;
    let review = fixture
        .review(CUSTOMER, &four_stars(&item))
        .await
        .expect(201);
    fixture.approve_review(&id(&review["review"])).await;
    let delete = fixture
        .app
        .delete(&format!("/api/v1/collection/delete/{item}"));
    delete.token(&fixture.token(OWNER)).await.expect(200);
    for (user, sees) in [
        (None, 0),
        (Some(OWNER), 0),
        (Some(CUSTOMER), 1),
        (Some(ADMIN), 1),
    ] {
        assert_eq!(
            fixture.list("/api/v1/reviews", user).await.len(),
            sees,
            "{user:?}"
        );
    }
    fixture
        .get(&format!("/api/v1/reviews/{item}"), Some(ADMIN))
        .await
        .problem(404);
}
