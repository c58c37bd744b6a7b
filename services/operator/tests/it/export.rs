use crate::fixture::{Fixture, eventually};

#[tokio::test]
async fn an_export_goes_into_an_empty_system_with_the_same_ids_and_order() {
    let fixture = Fixture::new().await;
    fixture.change(fixture.clock.new_id(), 20).await;
    eventually("all took effect", async || fixture.effects().await == 20).await;
    assert_eq!(fixture.get("/export/DRIVERS").await.status, 422);
    assert_eq!(fixture.get("/export/NONE?reason=moving").await.status, 404);
    let export = fixture.get("/export/DRIVERS?reason=moving").await;
    assert_eq!(export.status, 200);
    assert_eq!(export.headers["tiffin-count"], "20");
    let lines = export.text.clone();
    assert_eq!(lines.lines().count(), 20);

    let other = Fixture::new().await;
    let import = |fixture: &Fixture, lines: String| {
        let call = fixture
            .app
            .post("/api/v1/operator/export/DRIVERS?reason=moving");
        call.token(&fixture.admin).raw(lines)
    };
    let wrong = lines.replace("\"DRIVERS\"", "\"ORDERS\"");
    assert_eq!(import(&other, wrong).await.status, 422);
    let taken = import(&other, lines.clone()).await;
    assert_eq!(taken.status, 200, "{}", taken.text);
    // The import has ended and the stream is not empty, so a second import is refused.
    assert_eq!(import(&other, lines.clone()).await.status, 409);
    assert_eq!(
        other.get("/export/DRIVERS?reason=compare").await.text,
        lines
    );
    let reached = async || -> Vec<i64> {
        sqlx::query_scalar("select sequence from bus.reached")
            .fetch_all(&other.driver.pool)
            .await
            .unwrap()
    };
    eventually("the consumer has handled the imported events", async || {
        reached().await == [20]
    })
    .await;
    assert_eq!(other.effects().await, 0, "history is no news");
    eventually("the export is recorded as done", async || {
        let done = ["begun", "done"].map(str::to_owned).to_vec();
        let exported =
            |it: &(String, Vec<String>, Option<String>)| it.0 == "export" && it.1 == done;
        other.audit().await.iter().any(exported)
    })
    .await;
    other.end().await;

    let third = Fixture::new().await;
    third.change(third.clock.new_id(), 1).await;
    eventually("the event took effect", async || third.effects().await == 1).await;
    assert_eq!(import(&third, lines).await.status, 409);
    third.end().await;
    fixture.end().await;
}
