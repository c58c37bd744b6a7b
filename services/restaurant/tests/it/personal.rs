//! The restaurants, dishes and reviews of an account in its copy.

use serde_json::json;
use tiffin_restaurant::PERSONAL;
use tiffin_testkit::{assert_every_table_is_listed, copy_of};

use crate::fixture::{CUSTOMER, Fixture, OWNER, four_stars};

#[tokio::test]
async fn an_owner_gets_restaurants_and_dishes_and_an_author_their_reviews() {
    let fixture = Fixture::new().await;
    let dish = fixture.dish().await;
    fixture
        .review(CUSTOMER, &four_stars(&dish))
        .await
        .expect(201);
    let owners = copy_of(&fixture.pool, &PERSONAL, OWNER).await;
    assert_eq!(
        owners["restaurants"][0]["name"], "Galle Face Kitchen",
        "{owners}"
    );
    assert_eq!(owners["dishes"][0]["id"], dish);
    assert_eq!(owners["reviews"], json!([]));
    assert!(!owners.to_string().contains("Crisp"), "{owners}");
    let authors = copy_of(&fixture.pool, &PERSONAL, CUSTOMER).await;
    assert_eq!(authors["reviews"][0]["comment"], "Crisp.", "{authors}");
    assert_eq!(authors["restaurants"], json!([]));
}

#[tokio::test]
async fn every_table_is_in_a_section_or_left_out_with_a_reason() {
    let fixture = Fixture::new().await;
    assert_every_table_is_listed(&fixture.pool, &PERSONAL).await;
}
