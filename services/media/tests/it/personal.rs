//! The pictures of an account in its copy.

use tiffin_media::{PERSONAL, personal_files};
use tiffin_testkit::{assert_every_table_is_listed, copy_of};
use uuid::Uuid;

use crate::fixture::{Fixture, OTHER, OWNER, jpeg, public};

#[tokio::test]
async fn an_uploader_gets_their_pictures_with_their_bytes_and_no_others() {
    let fixture = Fixture::new().await;
    for (user, name) in [(OWNER, "kitchen.jpg"), (OTHER, "other.jpg")] {
        let answer = fixture.upload(user, name, jpeg(64, 48)).await;
        assert_eq!(answer.status(), 200);
    }
    let copy = copy_of(&fixture.pool, &PERSONAL, OWNER).await;
    let rows = copy["pictures"].as_array().unwrap();
    assert_eq!(rows.len(), 1, "{copy}");
    assert_eq!(rows[0]["name"], "kitchen.jpg");
    let id: Uuid = rows[0]["id"].as_str().unwrap().parse().unwrap();
    assert_eq!(rows[0]["file"], format!("pictures/{id}.jpeg"));

    let read = personal_files(&fixture.state);
    let served = fixture.get(&public("kitchen.jpg"), &[]).await;
    let served = served.bytes().await.unwrap();
    assert_eq!(read(OWNER, id).await.unwrap(), Some(served));
    assert_eq!(read(OTHER, id).await.unwrap(), None);
}

#[tokio::test]
async fn every_table_is_in_a_section_or_left_out_with_a_reason() {
    let fixture = Fixture::new().await;
    assert_every_table_is_listed(&fixture.pool, &PERSONAL).await;
}
