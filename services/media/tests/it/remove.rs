use reqwest::Method;
use serde_json::{Value, json};

use crate::fixture::{ADMIN, Fixture, KEY, OTHER, OWNER, jpeg, object, problem, public};

#[tokio::test]
async fn a_picture_is_removed_by_its_uploader_or_an_administrator() {
    let fixture = Fixture::new().await;
    fixture.upload(OWNER, "1-a.jpg", jpeg(200, 200)).await;
    fixture.upload(OWNER, "1-b.jpg", jpeg(200, 200)).await;
    fixture
        .upload_with_anonymous_key("1-c.jpg", jpeg(200, 200))
        .await;
    fixture.get(&(public("1-a.jpg") + "?width=64"), &[]).await;
    assert_eq!(fixture.files(), 4);
    let remove = async |name: &str, token: &str| {
        let call = fixture.call(Method::DELETE, &object(name));
        call.bearer_auth(token).send().await.unwrap()
    };
    let (admin, owner, other) = (
        fixture.token(ADMIN),
        fixture.token(OWNER),
        fixture.token(OTHER),
    );
    let refused = remove("1-a.jpg", &other).await;
    assert_eq!(problem(refused, 403).await, "This picture is not yours.");
    problem(remove("1-a.jpg", KEY).await, 401).await;
    problem(remove("1-c.jpg", &owner).await, 403).await;
    for (name, token) in [
        ("1-a.jpg", &owner),
        ("1-b.jpg", &admin),
        ("1-c.jpg", &admin),
    ] {
        assert_eq!(remove(name, token).await.status(), 200);
        problem(fixture.get(&public(name), &[]).await, 404).await;
        problem(remove(name, token).await, 404).await;
    }
    assert_eq!(fixture.files(), 0);
    let again = fixture.upload(OTHER, "1-a.jpg", jpeg(8, 8)).await;
    assert_eq!(again.status(), 200);
}

#[tokio::test]
async fn of_many_pictures_those_go_that_are_the_callers() {
    let fixture = Fixture::new().await;
    for name in ["1-a.jpg", "1-b.jpg"] {
        fixture.upload(OWNER, name, jpeg(20, 20)).await;
    }
    fixture.upload(OTHER, "1-c.jpg", jpeg(20, 20)).await;
    let remove = async |token: &str, names: Value| {
        let call = fixture.call(Method::DELETE, "/storage/v1/object/images");
        let call = call.bearer_auth(token).json(&json!({ "prefixes": names }));
        call.send().await.unwrap()
    };
    let owner = fixture.token(OWNER);
    let names = json!(["1-a.jpg", "1-c.jpg", "1-", "nowhere.jpg"]);
    let gone: Value = remove(&owner, names).await.json().await.unwrap();
    assert_eq!(gone.as_array().unwrap().len(), 1);
    assert_eq!(gone[0]["name"], "1-a.jpg");
    assert_eq!(gone[0]["bucket_id"], "images");
    assert_eq!(gone[0]["metadata"]["mimetype"], "image/jpeg");
    assert_eq!(fixture.files(), 2);
    let all = json!(["1-b.jpg", "1-c.jpg"]);
    let gone = remove(&fixture.token(ADMIN), all).await;
    assert_eq!(
        gone.json::<Value>()
            .await
            .unwrap()
            .as_array()
            .unwrap()
            .len(),
        2
    );
    assert_eq!(fixture.files(), 0);
    let many = json!(vec!["x"; 1_001]);
    problem(remove(&owner, many).await, 422).await;
    problem(remove(KEY, json!([])).await, 401).await;
}
