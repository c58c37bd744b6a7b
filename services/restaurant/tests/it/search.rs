use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::fixture::{ADMIN, CUSTOMER, Fixture, NEIGHBOUR, OWNER, form, id};

/// Dishes that everybody sees, as (name, description, category, price).
const MENU: [(&str, &str, &str, f64); 5] = [
    (
        "Chicken Kottu",
        "Chopped roti with egg and leeks.",
        "fastfood",
        1150.0,
    ),
    (
        "Mutton Biryani",
        "Samba rice, slow mutton.",
        "familymeals",
        1690.0,
    ),
    ("Cheese Kottu", "Under mozzarella.", "fastfood", 1450.0),
    ("Wattalapan", "Custard of kithul jaggery.", "dessert", 520.0),
    ("Éclair", "Choux and chocolate.", "dessert", 1150.0),
];

async fn restaurant(fixture: &Fixture, name: &str) -> String {
    let mut body = form();
    body["name"] = json!(name);
    body["description"] = json!("Open late.");
    let call = fixture
        .app
        .post("/api/v1/restaurant")
        .token(&fixture.token(OWNER));
    id(&call.json(&body).await.expect(201)["restaurant"])
}

async fn dish(fixture: &Fixture, restaurant: &str, dish: (&str, &str, &str, f64)) -> String {
    let (name, description, category, price) = dish;
    let body = json!({
        "restaurantId": restaurant, "name": name, "description": description, "category": category, "price": price,
    });
    let call = fixture
        .app
        .post("/api/v1/collection")
        .token(&fixture.token(OWNER));
    let item = id(&call.json(&body).await.expect(201)["item"]);
    fixture.approve(&item).await;
    item
}

async fn fixture_with_menu() -> Fixture {
    let fixture = Fixture::new().await;
    let (house, palace) = (
        restaurant(&fixture, "Pettah House").await,
        restaurant(&fixture, "Galle Palace").await,
    );
    for (n, entry) in MENU.into_iter().enumerate() {
        let shop = if n < 3 { &house } else { &palace };
        dish(&fixture, shop, entry).await;
    }
    fixture
}

async fn names(fixture: &Fixture, path: &str) -> Vec<String> {
    let list = fixture.list(path, None).await;
    list.iter()
        .map(|row| row["name"].as_str().unwrap().to_owned())
        .collect()
}

async fn stars(fixture: &Fixture, name: &str, given: &[i64]) {
    let list = fixture.list("/api/v1/collection", None).await;
    let item = id(list.iter().find(|row| row["name"] == name).unwrap());
    for (rating, user) in given.iter().zip([CUSTOMER, NEIGHBOUR]) {
        let body = json!({ "productId": item, "rating": rating, "comment": "" });
        let review = fixture.review(user, &body).await.expect(201);
        fixture.approve_review(&id(&review["review"])).await;
    }
}

#[tokio::test]
async fn dishes_are_found_by_what_people_type_even_mistyped() {
    let fixture = fixture_with_menu().await;
    for (q, found) in [
        ("kottu", vec!["Cheese Kottu", "Chicken Kottu"]),
        ("KOTU", vec!["Cheese Kottu", "Chicken Kottu"]),
        ("chiken kotu", vec!["Chicken Kottu"]),
        ("biriyani", vec!["Mutton Biryani"]),
        ("wattalappam", vec!["Wattalapan"]),
        ("bir", vec!["Mutton Biryani"]),
        ("eggs", vec!["Chicken Kottu"]),
        ("jaggery", vec!["Wattalapan"]),
        ("sushi", vec![]),
        ("' or 1=1 -- %_\\ & | ! ( : *", vec![]),
    ] {
        let q = url(q);
        let mut seen = names(&fixture, &format!("/api/v1/collection?q={q}")).await;
        seen.sort_unstable();
        assert_eq!(seen, found, "{q}");
    }
    assert_eq!(
        names(&fixture, "/api/v1/collection?q=chicken+kottu").await[0],
        "Chicken Kottu",
        "the best first"
    );
    assert_eq!(
        names(&fixture, "/api/v1/collection?q=++").await.len(),
        MENU.len()
    );
}

#[tokio::test]
async fn restaurants_are_found_by_their_names_and_by_what_they_cook() {
    let fixture = fixture_with_menu().await;
    for (search, found) in [
        ("q=palace", vec!["Galle Palace"]),
        ("q=pallace", vec!["Galle Palace"]),
        ("q=kottu", vec!["Pettah House"]),
        ("q=wattalapam", vec!["Galle Palace"]),
        ("q=late", vec!["Galle Palace", "Pettah House"]),
        ("q=late&category=DESSERT", vec!["Galle Palace"]),
        ("category=familyMeals", vec!["Pettah House"]),
    ] {
        let mut seen = names(&fixture, &format!("/api/v1/restaurant?{search}")).await;
        seen.sort_unstable();
        assert_eq!(seen, found, "{search}");
    }
}

#[tokio::test]
async fn lists_are_sorted_as_asked() {
    let fixture = fixture_with_menu().await;
    stars(&fixture, "Wattalapan", &[5, 4]).await;
    stars(&fixture, "Mutton Biryani", &[3]).await;
    for (path, order) in [
        (
            "collection",
            vec![
                "Éclair",
                "Wattalapan",
                "Cheese Kottu",
                "Mutton Biryani",
                "Chicken Kottu",
            ],
        ),
        (
            "collection?sort=newest",
            vec![
                "Éclair",
                "Wattalapan",
                "Cheese Kottu",
                "Mutton Biryani",
                "Chicken Kottu",
            ],
        ),
        (
            "collection?sort=name",
            vec![
                "Cheese Kottu",
                "Chicken Kottu",
                "Mutton Biryani",
                "Wattalapan",
                "Éclair",
            ],
        ),
        (
            "collection?sort=price",
            vec![
                "Wattalapan",
                "Éclair",
                "Chicken Kottu",
                "Cheese Kottu",
                "Mutton Biryani",
            ],
        ),
        (
            "collection?sort=rating",
            vec![
                "Wattalapan",
                "Mutton Biryani",
                "Éclair",
                "Cheese Kottu",
                "Chicken Kottu",
            ],
        ),
        (
            "collection?sort=price&q=kottu",
            vec!["Chicken Kottu", "Cheese Kottu"],
        ),
        (
            "collection/getAll/FastFood?sort=name",
            vec!["Cheese Kottu", "Chicken Kottu"],
        ),
        ("restaurant", vec!["Galle Palace", "Pettah House"]),
        ("restaurant?sort=name", vec!["Galle Palace", "Pettah House"]),
        (
            "restaurant?sort=price",
            vec!["Galle Palace", "Pettah House"],
        ),
        (
            "restaurant?sort=rating",
            vec!["Galle Palace", "Pettah House"],
        ),
    ] {
        assert_eq!(
            names(&fixture, &format!("/api/v1/{path}")).await,
            order,
            "{path}"
        );
    }
}

#[tokio::test]
async fn what_can_not_be_looked_for_is_refused() {
    let fixture = Fixture::new().await;
    let long = format!("q={}", "k".repeat(101));
    for list in ["restaurant", "collection", "collection/getAll/dessert"] {
        for search in [
            "sort=best",
            "sort=relevance",
            "category=soup",
            "limit=many",
            "limit=99999999999999999999",
            "cursor=1",
            "q=a%00b",
            "limit=1&cursor=00000000-0000-0000-0000-000000000007_x_",
            &long,
        ] {
            fixture
                .get(&format!("/api/v1/{list}?{search}"), None)
                .await
                .problem(422);
        }
    }
}

#[tokio::test]
async fn pages_have_no_gaps_and_no_repeats_while_dishes_come_in() {
    let fixture = Fixture::new().await;
    let place = restaurant(&fixture, "Pettah House").await;
    let mut number = 0_u32;
    // Names and prices that collide often, so that ties are cut by pages too.
    let mut next = || {
        number = (number * 37 + 11) % 101;
        (format!("Kottu {}", number % 7), f64::from(number % 5) + 1.0)
    };
    let mut first = BTreeSet::new();
    for n in 0..12 {
        let (name, price) = next();
        first.insert(dish(&fixture, &place, (&name, "", "fastfood", price)).await);
        if n % 3 == 0 {
            stars_of(&fixture, first.last().unwrap(), n % 6).await;
        }
    }
    for sort in [
        "sort=newest",
        "sort=name",
        "sort=price",
        "sort=rating",
        "q=kottu",
    ] {
        let mut path = format!("/api/v1/collection?{sort}&limit=3");
        let mut seen = Vec::new();
        loop {
            let answer = fixture.get(&path, Some(ADMIN)).await;
            let link = answer.header("link");
            let page: Vec<Value> = answer.expect_as(200);
            seen.extend(page.iter().map(id));
            let (name, price) = next();
            let (one, two) = tokio::join!(
                dish(&fixture, &place, (&name, "", "fastfood", price)),
                dish(&fixture, &place, (&name, "", "fastfood", price)),
            );
            assert_ne!(one, two);
            let Some(link) = link.filter(|_| seen.len() < 400) else {
                break;
            };
            link[1..].split_once('>').unwrap().0.clone_into(&mut path);
        }
        let distinct: BTreeSet<_> = seen.iter().cloned().collect();
        assert_eq!(distinct.len(), seen.len(), "{sort}: a repeat");
        assert!(distinct.is_superset(&first), "{sort}: a gap");
    }
}

async fn stars_of(fixture: &Fixture, item: &str, rating: i64) {
    let body = json!({ "productId": item, "rating": rating, "comment": "" });
    let review = fixture.review(CUSTOMER, &body).await.expect(201);
    fixture.approve_review(&id(&review["review"])).await;
}

fn url(text: &str) -> String {
    let letters: Vec<String> = text.bytes().map(|byte| format!("%{byte:02X}")).collect();
    letters.concat()
}
