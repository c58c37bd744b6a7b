//! The operations of an account in its copy.

use serde_json::json;
use tiffin_events::{Clock, UserId};
use tiffin_operator::PERSONAL;
use tiffin_testkit::{assert_every_table_is_listed, copy_of};

use crate::fixture::Fixture;

#[tokio::test]
async fn an_operator_gets_their_operations_without_what_these_showed() {
    let fixture = Fixture::new().await;
    let asked = json!({ "reason": "a test of copies" });
    let begun = fixture.post("/projections/audit/verify", asked).await;
    assert_eq!(begun.status, 202, "{}", begun.text);
    let actor: sqlx::types::Uuid = sqlx::query_scalar("select actor from operations")
        .fetch_one(&fixture.db.pool)
        .await
        .unwrap();
    let copy = copy_of(&fixture.db.pool, &PERSONAL, UserId(actor)).await;
    assert_eq!(
        copy["operations"][0]["reason"], "a test of copies",
        "{copy}"
    );
    assert!(copy["operations"][0].get("report").is_none(), "{copy}");
    let stranger = UserId(Clock::system().new_id());
    let other = copy_of(&fixture.db.pool, &PERSONAL, stranger).await;
    assert_eq!(other, json!({ "operations": [], "imports": [] }));
    fixture.end().await;
}

#[tokio::test]
async fn every_table_is_in_a_section_or_left_out_with_a_reason() {
    let fixture = Fixture::new().await;
    assert_every_table_is_listed(&fixture.db.pool, &PERSONAL).await;
    fixture.end().await;
}
