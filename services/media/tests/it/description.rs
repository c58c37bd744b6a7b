use crate::fixture::Fixture;

#[tokio::test]
async fn every_operation_is_described_and_says_who_may_call_it() {
    let fixture = Fixture::new().await;
    let (_, api) = tiffin_media::router(fixture.state.clone()).split_for_parts();
    let api = serde_json::to_value(api).unwrap();
    let mut operations = Vec::new();
    for path in api["paths"].as_object().unwrap().values() {
        for operation in path.as_object().unwrap().values() {
            let roles = operation["x-roles"].as_array();
            assert!(roles.is_some_and(|roles| !roles.is_empty()), "{operation}");
            operations.push(operation["operationId"].as_str().unwrap());
        }
    }
    operations.sort_unstable();
    assert_eq!(
        operations,
        [
            "download_picture",
            "get_picture",
            "remove_picture",
            "remove_pictures",
            "upload_picture",
        ]
    );
    let upload = &api["paths"]["/storage/v1/object/images/{name}"]["post"];
    let body = &upload["requestBody"]["content"];
    assert!(body["application/octet-stream"].is_object(), "{upload}");
    assert!(body["multipart/form-data"].is_object(), "{upload}");
    for schema in [
        "Problem",
        "UploadForm",
        "Uploaded",
        "Removal",
        "RemovedPicture",
    ] {
        assert!(api["components"]["schemas"][schema].is_object(), "{schema}");
    }
}
