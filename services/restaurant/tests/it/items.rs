use serde_json::{Value, json};

use crate::fixture::{ADMIN, CUSTOMER, Fixture, OTHER, OWNER, dish, id};

#[tokio::test]
async fn a_dish_is_added_as_the_form_says_and_waits_for_approval() {
    let fixture = Fixture::new().await;
    let restaurant = fixture.restaurant().await;
    fixture.published().await;
    let mut body = dish(&restaurant);
    body["approve"] = json!(true);
    let answer = fixture
        .app
        .post("/api/v1/collection")
        .token(&fixture.token(OWNER))
        .json(&body)
        .await
        .expect(201);
    assert_eq!(answer["message"], "Item added successfully");
    let item = &answer["item"];
    assert_eq!(
        item,
        &json!({
            "_id": id(item),
            "itemId": item["itemId"],
            "restaurantId": restaurant,
            "name": "Chicken kottu",
            "price": 1250.5,
            "category": "familymeals",
            "description": "For four",
            "images": [],
            "available": true,
            "approve": false,
            "rating": null,
            "ratingCount": 0,
        })
    );
    assert!(item["itemId"].as_str().unwrap().starts_with("ITM-"));
    assert_eq!(
        fixture.published().await,
        [("item.added.v1".to_owned(), 1, vec![OWNER])]
    );
}

#[tokio::test]
async fn an_unapproved_dish_is_seen_by_its_owner_and_administrators_alone() {
    let fixture = Fixture::new().await;
    let restaurant = fixture.restaurant().await;
    let item = fixture.item(&restaurant).await;
    let paths = [
        "/api/v1/collection".to_owned(),
        format!("/api/v1/collection/getAll/{restaurant}"),
        "/api/v1/collection/getAll/familyMeals".to_owned(),
    ];
    let one = format!("/api/v1/collection/getOne/{item}");
    for (user, sees) in [
        (None, false),
        (Some(CUSTOMER), false),
        (Some(OTHER), false),
        (Some(OWNER), true),
        (Some(ADMIN), true),
    ] {
        for path in &paths {
            let call = fixture.app.get(path);
            let list = match user {
                Some(user) => call.token(&fixture.token(user)).await,
                None => call.await,
            };
            assert_eq!(
                list.expect(200).as_array().unwrap().len(),
                usize::from(sees),
                "{user:?} {path}"
            );
        }
        let call = fixture.app.get(&one);
        let answer = match user {
            Some(user) => call.token(&fixture.token(user)).await,
            None => call.await,
        };
        assert_eq!(
            answer.status.as_u16(),
            if sees { 200 } else { 404 },
            "{user:?}"
        );
    }
    fixture.approve(&item).await;
    for path in &paths {
        assert_eq!(
            fixture
                .app
                .get(path)
                .await
                .expect(200)
                .as_array()
                .unwrap()
                .len(),
            1,
            "{path}"
        );
    }
    assert_eq!(fixture.app.get(&one).await.expect(200)["approve"], true);
}

#[tokio::test]
async fn a_bad_token_is_refused_where_none_is_needed() {
    let fixture = Fixture::new().await;
    fixture
        .app
        .get("/api/v1/collection")
        .token("nonsense")
        .await
        .problem(401);
}

#[tokio::test]
async fn get_all_takes_a_category_in_any_case_or_a_restaurant() {
    let fixture = Fixture::new().await;
    let (one, two) = (fixture.restaurant().await, fixture.restaurant().await);
    let (kottu, other) = (fixture.item(&one).await, fixture.item(&two).await);
    let cake =
        json!({"restaurantId": one, "name": "Love cake", "price": 300, "category": "dessert"});
    let cake = fixture
        .app
        .post("/api/v1/collection")
        .token(&fixture.token(OWNER))
        .json(&cake)
        .await
        .expect(201);
    let cake = id(&cake["item"]);
    let token = fixture.token(ADMIN);
    let ids = |list: Value| list.as_array().unwrap().iter().map(id).collect::<Vec<_>>();
    for (x, items) in [
        ("familymeals", vec![&other, &kottu]),
        ("familyMeals", vec![&other, &kottu]),
        ("DESSERT", vec![&cake]),
        ("fastfood", vec![]),
        (one.as_str(), vec![&cake, &kottu]),
    ] {
        let list = fixture
            .app
            .get(&format!("/api/v1/collection/getAll/{x}"))
            .token(&token)
            .await
            .expect(200);
        assert_eq!(ids(list).iter().collect::<Vec<_>>(), items, "{x}");
    }
    let unknown = fixture.app.get("/api/v1/collection/getAll/breakfast").await;
    assert_eq!(unknown.problem(404), "Restaurant not found.");
    let page = fixture
        .app
        .get("/api/v1/collection/getAll/familyMeals?limit=1")
        .token(&token)
        .await;
    assert!(
        page.header("link")
            .unwrap()
            .contains("/api/v1/collection/getAll/familymeals?limit=1&cursor=")
    );
}

#[tokio::test]
async fn only_administrators_approve_and_once_is_enough() {
    let fixture = Fixture::new().await;
    let item = fixture.item(&fixture.restaurant().await).await;
    fixture.published().await;
    let path = format!("/api/v1/collection/isApprove/{item}");
    fixture
        .app
        .post(&path)
        .token(&fixture.token(OWNER))
        .await
        .problem(403);
    fixture.app.post(&path).await.problem(401);
    for _ in 0..2 {
        let answer = fixture
            .app
            .post(&path)
            .token(&fixture.token(ADMIN))
            .raw("{}")
            .await
            .expect(200);
        assert_eq!(
            (&answer["message"], &answer["item"]["approve"]),
            (&json!("Item approved successfully!"), &json!(true))
        );
    }
    assert_eq!(
        fixture.published().await,
        [("item.approved.v1".to_owned(), 2, vec![OWNER])]
    );
}

#[tokio::test]
async fn an_edit_keeps_the_approval_and_what_it_does_not_name() {
    let fixture = Fixture::new().await;
    let item = fixture.item(&fixture.restaurant().await).await;
    fixture.approve(&item).await;
    let token = fixture.token(OWNER);
    let code = fixture
        .app
        .get(&format!("/api/v1/collection/getOne/{item}"))
        .await
        .expect(200)["itemId"]
        .clone();
    let path = format!("/api/v1/collection/update/{}", code.as_str().unwrap());
    let answer = fixture
        .app
        .put(&path)
        .token(&token)
        .json(&json!({"price": 1300, "available": false}))
        .await
        .expect(200);
    let item = &answer["item"];
    assert_eq!(
        (
            &item["price"],
            &item["available"],
            &item["approve"],
            &item["name"]
        ),
        (
            &json!(1300),
            &json!(false),
            &json!(true),
            &json!("Chicken kottu")
        )
    );
    assert_eq!(
        fixture
            .app
            .put(&path)
            .token(&token)
            .json(&json!({}))
            .await
            .problem(422),
        "There is nothing to change."
    );
    for (field, value) in [
        ("price", json!(0)),
        ("price", json!(1.005)),
        ("category", json!("soup")),
        ("name", json!("")),
    ] {
        let answer = fixture
            .app
            .put(&path)
            .token(&token)
            .json(&json!({ field: value }))
            .await
            .expect(422);
        assert!(answer["fields"][field].is_string(), "{answer}");
    }
    assert_eq!(
        fixture
            .app
            .put(&path)
            .token(&fixture.token(OTHER))
            .json(&json!({"price": 1}))
            .await
            .problem(403),
        "This restaurant is not yours."
    );
}

#[tokio::test]
async fn a_deleted_dish_is_gone_for_all_roles() {
    let fixture = Fixture::new().await;
    let item = fixture.item(&fixture.restaurant().await).await;
    fixture.approve(&item).await;
    let path = format!("/api/v1/collection/delete/{item}");
    fixture
        .app
        .delete(&path)
        .token(&fixture.token(OTHER))
        .await
        .problem(403);
    let answer = fixture
        .app
        .delete(&path)
        .token(&fixture.token(OWNER))
        .await
        .expect(200);
    assert_eq!(answer["message"], "Item deleted successfully!");
    let token = fixture.token(ADMIN);
    fixture
        .app
        .get(&format!("/api/v1/collection/getOne/{item}"))
        .token(&token)
        .await
        .problem(404);
    assert_eq!(
        fixture
            .app
            .get("/api/v1/collection")
            .token(&token)
            .await
            .expect(200),
        json!([])
    );
    fixture.app.delete(&path).token(&token).await.problem(404);
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
            "item.added.v1",
            "item.approved.v1",
            "item.deleted.v1"
        ]
    );
}

#[tokio::test]
async fn a_dish_needs_a_restaurant_of_ones_own_and_whole_fields() {
    let fixture = Fixture::new().await;
    let restaurant = fixture.restaurant().await;
    let add = |user, body: Value| {
        fixture
            .app
            .post("/api/v1/collection")
            .token(&fixture.token(user))
            .json(&body)
    };
    assert_eq!(
        add(OTHER, dish(&restaurant)).await.problem(403),
        "This restaurant is not yours."
    );
    let unknown = dish("01930000-0000-7000-8000-00000000000f");
    assert_eq!(
        add(OWNER, unknown).await.problem(404),
        "Restaurant not found."
    );
    let empty = add(OWNER, json!({})).await.expect(422);
    assert_eq!(
        empty["fields"]
            .as_object()
            .unwrap()
            .keys()
            .collect::<Vec<_>>(),
        ["category", "name", "price", "restaurantId"]
    );
    let soup = add(OWNER, json!({"category": "soup"})).await.expect(422);
    assert_eq!(
        soup["message"],
        "The category must be fastfood, familymeals or dessert."
    );
}
