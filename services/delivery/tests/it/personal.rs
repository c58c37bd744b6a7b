//! The deliveries of an account in its copy.

use tiffin_delivery::PERSONAL;
use tiffin_testkit::{assert_every_table_is_listed, copy_of};

use crate::fixture::Fixture;

#[tokio::test]
async fn a_drivers_places_are_the_drivers_alone() {
    let fixture = Fixture::new().await;
    let delivery = fixture.delivery().await;
    fixture
        .set_location(&delivery, 6.9123, 79.8512)
        .await
        .expect(200);
    fixture.forecast().await;
    let pool = &fixture.db.pool;
    let drivers = copy_of(pool, &PERSONAL, fixture.driver).await;
    let driven = &drivers["deliveriesDriven"][0];
    assert_eq!(driven["id"], delivery["_id"], "{drivers}");
    assert_eq!(driven["lastLat"], 6.9123);
    let phone = fixture.app.post("/api/v1/delivery/phone");
    let token = phone.token(&fixture.driver()).await.expect(201);
    let drivers = copy_of(pool, &PERSONAL, fixture.driver).await;
    assert!(drivers["phoneTokens"][0]["madeAt"].is_string(), "{drivers}");
    let secret = token["token"].as_str().unwrap();
    assert!(!drivers.to_string().contains(secret), "{drivers}");
    for (account, section) in [
        (fixture.customer, "deliveries"),
        (fixture.owner, "deliveriesSent"),
    ] {
        let copy = copy_of(pool, &PERSONAL, account).await;
        assert_eq!(copy[section][0]["id"], delivery["_id"], "{copy}");
        let text = copy.to_string();
        for foreign in ["6.9123", &fixture.driver.to_string()] {
            assert!(!text.contains(foreign), "{foreign} in {text}");
        }
    }
    for account in [fixture.driver, fixture.owner] {
        let text = copy_of(pool, &PERSONAL, account).await.to_string();
        for foreign in ["Galle Road", &fixture.customer.to_string()] {
            assert!(!text.contains(foreign), "{foreign} in {text}");
        }
    }
}

#[tokio::test]
async fn every_table_is_in_a_section_or_left_out_with_a_reason() {
    let fixture = Fixture::new().await;
    assert_every_table_is_listed(&fixture.db.pool, &PERSONAL).await;
}
