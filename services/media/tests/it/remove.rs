use reqwest::Method;
use serde_json::{Value, json};

use crate::gallery::{ADMIN, Gallery, KEY, OTHER, OWNER, jpeg, object, problem, public};

#[tokio::test]
async fn a_picture_is_removed_by_its_uploader_or_an_administrator() {
    let gallery = Gallery::open().await;
    gallery.upload(OWNER, "1-a.jpg", jpeg(200, 200)).await;
    gallery.upload(OWNER, "1-b.jpg", jpeg(200, 200)).await;
    gallery.upload_unknown("1-c.jpg", jpeg(200, 200)).await;
    gallery.get(&(public("1-a.jpg") + "?width=64"), &[]).await;
    assert_eq!(gallery.files(), 4);
    let remove = async |name: &str, token: &str| {
        let call = gallery.call(Method::DELETE, &object(name));
        call.bearer_auth(token).send().await.unwrap()
    };
    let (admin, owner, other) = (
        gallery.token(ADMIN),
        gallery.token(OWNER),
        gallery.token(OTHER),
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
        problem(gallery.get(&public(name), &[]).await, 404).await;
        problem(remove(name, token).await, 404).await;
    }
    assert_eq!(gallery.files(), 0);
    let again = gallery.upload(OTHER, "1-a.jpg", jpeg(8, 8)).await;
    assert_eq!(again.status(), 200);
}

#[tokio::test]
async fn of_many_pictures_those_go_that_are_the_callers() {
    let gallery = Gallery::open().await;
    for name in ["1-a.jpg", "1-b.jpg"] {
        gallery.upload(OWNER, name, jpeg(20, 20)).await;
    }
    gallery.upload(OTHER, "1-c.jpg", jpeg(20, 20)).await;
    let remove = async |token: &str, names: Value| {
        let call = gallery.call(Method::DELETE, "/storage/v1/object/images");
        let call = call.bearer_auth(token).json(&json!({ "prefixes": names }));
        call.send().await.unwrap()
    };
    let owner = gallery.token(OWNER);
    let names = json!(["1-a.jpg", "1-c.jpg", "1-", "nowhere.jpg"]);
    let gone: Value = remove(&owner, names).await.json().await.unwrap();
    assert_eq!(gone.as_array().unwrap().len(), 1);
    assert_eq!(gone[0]["name"], "1-a.jpg");
    assert_eq!(gone[0]["bucket_id"], "images");
    assert_eq!(gone[0]["metadata"]["mimetype"], "image/jpeg");
    assert_eq!(gallery.files(), 2);
    let all = json!(["1-b.jpg", "1-c.jpg"]);
    let gone = remove(&gallery.token(ADMIN), all).await;
    assert_eq!(
        gone.json::<Value>()
            .await
            .unwrap()
            .as_array()
            .unwrap()
            .len(),
        2
    );
    assert_eq!(gallery.files(), 0);
    let many = json!(vec!["x"; 1_001]);
    problem(remove(&owner, many).await, 422).await;
    problem(remove(KEY, json!([])).await, 401).await;
}
