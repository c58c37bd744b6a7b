//! The rows of a driver in their copy.

use serde_json::json;
use tiffin_driver::PERSONAL;
use tiffin_testkit::{assert_every_table_is_listed, copy_of};

use crate::fixture::Fixture;

#[tokio::test]
async fn a_driver_gets_their_details_and_their_last_position() {
    let fixture = Fixture::start().await;
    let (me, other) = (
        fixture.register("me@tiffin.local").await,
        fixture.register("other@tiffin.local").await,
    );
    fixture.deliver_position(me, 6.91, 79.85, 0).await;
    fixture.deliver_position(other, 7.29, 80.63, 0).await;
    let copy = copy_of(&fixture.pool, &PERSONAL, me).await;
    assert_eq!(copy["driver"][0]["vehicle"], "Bike", "{copy}");
    assert_eq!(copy["driver"][0]["identityCard"], "901234567V");
    assert_eq!(copy["lastPosition"][0]["lat"], 6.91);
    assert_eq!(copy["lastPosition"].as_array().map(Vec::len), Some(1));
    assert_eq!(copy["signUp"], json!([]));
}

#[tokio::test]
async fn every_table_is_in_a_section_or_left_out_with_a_reason() {
    let fixture = Fixture::start().await;
    assert_every_table_is_listed(&fixture.pool, &PERSONAL).await;
}
