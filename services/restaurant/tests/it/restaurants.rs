use serde_json::{Value, json};

use crate::fixture::{ADMIN, CUSTOMER, Fixture, OTHER, OWNER, form, id, registered};

#[tokio::test]
async fn an_owner_adds_a_restaurant_that_everybody_sees() {
    let fixture = Fixture::new().await;
    fixture
        .deliver_event(OWNER, 1, registered(OWNER, "Ruwan"))
        .await;
    let mut body = form();
    body["verified"] = json!(true);
    body["ownerId"] = json!(OTHER);
    body["ownerName"] = json!("Someone Else");
    let answer = fixture
        .app
        .post("/api/v1/restaurant")
        .token(&fixture.token(OWNER))
        .json(&body)
        .await
        .expect(201);
    assert_eq!(answer["message"], "Restaurant added successfully");
    let restaurant = &answer["restaurant"];
    assert_eq!(
        restaurant,
        &json!({
            "_id": id(restaurant),
            "name": "Galle Face Kitchen",
            "ownerName": "Ruwan Silva",
            "ownerId": OWNER,
            "address": "1 Galle Road, Colombo 03",
            "phone": "+94112345678",
            "description": "Kottu by the sea",
            "images": ["/storage/v1/object/public/images/1-kitchen.webp"],
            "isOpen": true,
            "pausedUntil": null,
            "busyMinutes": null,
            "busyUntil": null,
            "verified": false,
            "lat": 6.9271,
            "lng": 79.8424,
            "rating": null,
            "ratingCount": 0,
            "answerMinutes": null,
        })
    );
    let path = format!("/api/v1/restaurant/getOne/{}", id(restaurant));
    assert_eq!(&fixture.app.get(&path).await.expect(200), restaurant);
    assert_eq!(
        fixture.app.get("/api/v1/restaurant").await.expect(200),
        json!([restaurant])
    );
    assert_eq!(
        fixture.published().await,
        [("restaurant.created.v1".to_owned(), 1, vec![OWNER])]
    );
}

#[tokio::test]
async fn a_repeated_form_makes_one_restaurant() {
    let fixture = Fixture::new().await;
    let add = || {
        let call = fixture
            .app
            .post("/api/v1/restaurant")
            .token(&fixture.token(OWNER));
        call.header("idempotency-key", "k1").json(&form())
    };
    assert_eq!(add().await.expect(201), add().await.expect(201));
    assert_eq!(fixture.published().await.len(), 1);
}

#[tokio::test]
async fn a_bad_form_names_everything_that_is_wrong() {
    let fixture = Fixture::new().await;
    let token = fixture.token(OWNER);
    let body = json!({"name": " ", "phone": "call me", "images": ["javascript:alert(1)"], "lat": 91, "lng": 0});
    let answer = fixture
        .app
        .post("/api/v1/restaurant")
        .token(&token)
        .json(&body)
        .await
        .expect(422);
    let fields = answer["fields"].as_object().unwrap();
    assert_eq!(
        fields.keys().collect::<Vec<_>>(),
        ["address", "description", "images", "lat", "name", "phone"]
    );
    let wrong = fixture
        .app
        .post("/api/v1/restaurant")
        .token(&token)
        .json(&json!({"name": 5}))
        .await
        .expect(422);
    assert_eq!(wrong["fields"], json!({"name": "name must be a text."}));
    fixture
        .app
        .post("/api/v1/restaurant")
        .token(&token)
        .raw("{")
        .await
        .problem(400);
    assert_eq!(fixture.published().await, []);
}

#[tokio::test]
async fn only_owners_and_administrators_add_restaurants() {
    let fixture = Fixture::new().await;
    fixture
        .app
        .post("/api/v1/restaurant")
        .json(&form())
        .await
        .problem(401);
    let token = fixture.token(CUSTOMER);
    fixture
        .app
        .post("/api/v1/restaurant")
        .token(&token)
        .json(&form())
        .await
        .problem(403);
    let token = fixture.token(ADMIN);
    fixture
        .app
        .post("/api/v1/restaurant")
        .token(&token)
        .json(&form())
        .await
        .expect(201);
}

#[tokio::test]
async fn its_owner_opens_and_closes_it_as_often_as_they_like() {
    let fixture = Fixture::new().await;
    let restaurant = fixture.restaurant().await;
    fixture.published().await;
    for (action, is_open) in [
        ("isClose", false),
        ("isClose", false),
        ("isOpen", true),
        ("isOpen", true),
    ] {
        let path = format!("/api/v1/restaurant/{action}/{restaurant}");
        let answer = fixture
            .app
            .post(&path)
            .token(&fixture.token(OWNER))
            .await
            .expect(200);
        assert_eq!(answer["restaurant"]["isOpen"], is_open);
    }
    let published: Vec<_> = fixture
        .published()
        .await
        .into_iter()
        .map(|(kind, version, _)| (kind, version))
        .collect();
    assert_eq!(
        published,
        [
            ("restaurant.closed.v1".to_owned(), 2),
            ("restaurant.opened.v1".to_owned(), 3)
        ]
    );
}

#[tokio::test]
async fn only_its_owner_changes_a_restaurant() {
    let fixture = Fixture::new().await;
    let restaurant = fixture.restaurant().await;
    fixture.published().await;
    for (user, message) in [
        (OTHER, "This restaurant is not yours."),
        (CUSTOMER, "You may not do this."),
    ] {
        let token = fixture.token(user);
        let call = |path: &str| format!("/api/v1/restaurant/{path}/{restaurant}");
        assert_eq!(
            fixture
                .app
                .post(&call("isClose"))
                .token(&token)
                .await
                .problem(403),
            message
        );
        assert_eq!(
            fixture
                .app
                .post(&call("isOpen"))
                .token(&token)
                .await
                .problem(403),
            message
        );
        assert_eq!(
            fixture
                .app
                .delete(&call("delete"))
                .token(&token)
                .await
                .problem(403),
            message
        );
        let change = json!({"name": "Mine now"});
        assert_eq!(
            fixture
                .app
                .put(&call("update"))
                .token(&token)
                .json(&change)
                .await
                .problem(403),
            message
        );
    }
    assert_eq!(fixture.published().await, []);
}

#[tokio::test]
async fn only_an_administrator_may_send_an_update_without_fields() {
    let fixture = Fixture::new().await;
    let restaurant = fixture.restaurant().await;
    let path = format!("/api/v1/restaurant/update/{restaurant}");
    for body in [json!({}), json!({"verified": true})] {
        let answer = fixture
            .app
            .put(&path)
            .token(&fixture.token(OWNER))
            .json(&body)
            .await;
        assert_eq!(answer.problem(422), "There is nothing to change.");
    }
    let verified = fixture
        .app
        .put(&path)
        .token(&fixture.token(ADMIN))
        .await
        .expect(200);
    assert_eq!(
        (&verified["message"], &verified["restaurant"]["verified"]),
        (&json!("Restaurant verified successfully"), &json!(true))
    );
    let change = json!({"name": "Green Cabin", "verified": false, "ownerId": OTHER});
    let updated = fixture
        .app
        .put(&path)
        .token(&fixture.token(OWNER))
        .json(&change)
        .await
        .expect(200);
    let restaurant = &updated["restaurant"];
    assert_eq!(
        (
            &restaurant["name"],
            &restaurant["verified"],
            &restaurant["ownerId"],
            &restaurant["phone"]
        ),
        (
            &json!("Green Cabin"),
            &json!(true),
            &json!(OWNER),
            &json!("+94112345678")
        )
    );
    let kinds: Vec<_> = fixture
        .published()
        .await
        .into_iter()
        .map(|(kind, ..)| kind)
        .collect();
    assert_eq!(
        kinds,
        [
            "restaurant.created.v1",
            "restaurant.verified.v1",
            "restaurant.updated.v1"
        ]
    );
}

#[tokio::test]
async fn a_deleted_restaurant_is_gone_with_its_menu() {
    let fixture = Fixture::new().await;
    let restaurant = fixture.restaurant().await;
    let item = fixture.item(&restaurant).await;
    fixture.approve(&item).await;
    let path = format!("/api/v1/restaurant/delete/{restaurant}");
    fixture
        .app
        .delete(&path)
        .token(&fixture.token(OWNER))
        .await
        .expect(200);
    let one = fixture
        .app
        .get(&format!("/api/v1/restaurant/getOne/{restaurant}"))
        .await;
    assert_eq!(one.problem(404), "Restaurant not found.");
    assert_eq!(
        fixture
            .app
            .get(&format!("/api/v1/collection/getOne/{item}"))
            .await
            .problem(404),
        "Item not found."
    );
    assert_eq!(
        fixture.app.get("/api/v1/collection").await.expect(200),
        json!([])
    );
    fixture
        .app
        .get(&format!("/api/v1/collection/getAll/{restaurant}"))
        .await
        .problem(404);
    assert_eq!(
        fixture
            .app
            .delete(&path)
            .token(&fixture.token(ADMIN))
            .await
            .problem(404),
        "Restaurant not found."
    );
}

#[tokio::test]
async fn lists_come_in_pages_newest_first() {
    let fixture = Fixture::new().await;
    let mut made = Vec::new();
    for _ in 0..3 {
        made.insert(0, fixture.restaurant().await);
    }
    let first = fixture.app.get("/api/v1/restaurant?limit=2").await;
    let link = first.header("link").unwrap();
    let next = link
        .trim_start_matches('<')
        .split('>')
        .next()
        .unwrap()
        .to_owned();
    let ids = |list: Value| list.as_array().unwrap().iter().map(id).collect::<Vec<_>>();
    assert_eq!(ids(first.expect(200)), made[..2]);
    let last = fixture.app.get(&next).await;
    assert_eq!(last.header("link"), None);
    assert_eq!(ids(last.expect(200)), made[2..]);
    fixture
        .app
        .get("/api/v1/restaurant?limit=many")
        .await
        .problem(422);
}

#[tokio::test]
async fn what_is_no_id_names_no_restaurant() {
    let fixture = Fixture::new().await;
    for id in ["5", "null", "01930000-0000-7000-8000-00000000000f", "%00"] {
        fixture
            .app
            .get(&format!("/api/v1/restaurant/getOne/{id}"))
            .await
            .problem(404);
    }
}

#[tokio::test]
async fn an_owner_chooses_the_minutes_to_answer_in_and_the_event_has_them() {
    let fixture = Fixture::new().await;
    let restaurant = fixture.restaurant().await;
    fixture.published().await;
    let path = format!("/api/v1/restaurant/update/{restaurant}");
    let set = |minutes: i32| {
        let call = fixture.app.put(&path).token(&fixture.token(OWNER));
        call.json(&json!({ "answerMinutes": minutes }))
    };
    for wrong in [2, 61] {
        let refused = set(wrong).await.expect(422);
        assert_eq!(
            refused["fields"],
            json!({ "answerMinutes": "The minutes to answer in must be from 3 to 60." })
        );
    }
    let changed = set(15).await.expect(200);
    assert_eq!(changed["restaurant"]["answerMinutes"], 15);
    set(15).await.expect(200);
    let events = tiffin_testkit::drain_outbox(&fixture.pool).await;
    assert_eq!(events.len(), 1);
    assert_eq!(events[0].data["answerMinutes"], 15);
    // What is left out stays.
    let other = fixture.app.put(&path).token(&fixture.token(OWNER));
    let renamed = other.json(&json!({ "name": "Kottu Corner" })).await;
    assert_eq!(renamed.expect(200)["restaurant"]["answerMinutes"], 15);
}
