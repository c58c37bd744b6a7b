use std::collections::BTreeMap;

use tiffin_notification::router;

use crate::fixture::Fixture;

/// Every documented operation has the method, path and id that clients call.
#[tokio::test]
async fn the_interface_is_described_as_it_is_called() {
    let fixture = Fixture::start().await;
    let (_, api) = router(fixture.state.clone()).split_for_parts();
    let api = serde_json::to_value(api).unwrap();
    let mut operations = BTreeMap::new();
    for (path, item) in api["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let id = operation["operationId"].as_str().unwrap();
            assert!(
                operation["x-roles"].is_array(),
                "{id} says that no one may call it"
            );
            assert!(
                operation["summary"].is_string(),
                "{id} does not say what it does"
            );
            let open = operation["x-roles"][0] == "*";
            assert_eq!(operation.get("security").is_none(), open, "{id}");
            let refusals = operation["responses"]
                .as_object()
                .unwrap()
                .iter()
                .filter(|(status, _)| *status >= &"400".to_owned());
            for (status, refusal) in refusals {
                let schema = &refusal["content"]["application/problem+json"]["schema"];
                let problem = &schema["allOf"][0]["$ref"];
                assert_eq!(problem, "#/components/schemas/Problem", "{id} {status}");
            }
            operations.insert(format!("{method} {path}"), id.to_owned());
        }
    }
    let expected = [
        ("delete /api/v1/notification/push", "unsubscribe"),
        ("get /api/v1/notification", "list_notifications"),
        ("get /api/v1/notification/preferences", "show_preferences"),
        ("get /api/v1/notification/push/key", "show_push_key"),
        (
            "get /api/v1/notification/unread",
            "count_unread_notifications",
        ),
        ("post /api/v1/notification", "create_notification"),
        ("post /api/v1/notification/push", "subscribe"),
        ("put /api/v1/notification/preferences", "set_preferences"),
        ("put /api/v1/notification/read", "read_all_notifications"),
        ("put /api/v1/notification/{id}/read", "read_notification"),
    ];
    let expected: BTreeMap<_, _> = expected
        .into_iter()
        .map(|(call, id)| (call.to_owned(), id.to_owned()))
        .collect();
    assert_eq!(operations, expected);
    let schemas: Vec<_> = api["components"]["schemas"]
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    assert_eq!(
        schemas,
        [
            "DeliveryId",
            "MailLanguage",
            "NewNotification",
            "Notification",
            "NotificationAnswer",
            "NotificationId",
            "NotificationPreferences",
            "NotificationTopic",
            "OrderId",
            "PreferencesChange",
            "Problem",
            "PushAnswer",
            "PushEndpoint",
            "PushKey",
            "PushSubscription",
            "PushSubscriptionKeys",
            "ReadAnswer",
            "UnreadCount"
        ]
    );
}
