use std::collections::BTreeMap;

use tiffin_user::router;

use crate::fixture::Fixture;

/// Calls and the ids of their operations.
const OPERATIONS: [(&str, &str); 31] = [
    ("get /.well-known/jwks.json", "jwks"),
    ("get /api/v1/users", "list_users"),
    ("get /api/v1/geocode/reverse", "reverse_geocode"),
    ("post /api/v1/users", "register"),
    ("post /api/v1/users/login", "login"),
    ("post /api/v1/users/login/second-factor", "second_step"),
    ("post /api/v1/users/confirm", "confirm"),
    ("get /api/v1/users/second-factor", "second_factor"),
    ("post /api/v1/users/second-factor", "begin_second_factor"),
    (
        "post /api/v1/users/second-factor/on",
        "turn_on_second_factor",
    ),
    (
        "post /api/v1/users/second-factor/off",
        "turn_off_second_factor",
    ),
    (
        "post /api/v1/users/second-factor/recovery-codes",
        "renew_recovery_codes",
    ),
    ("get /api/v1/users/copy", "read_copy"),
    ("post /api/v1/users/copy", "request_copy"),
    ("get /api/v1/users/copy/download", "download_copy"),
    ("post /api/v1/users/google", "google_login"),
    ("post /api/v1/users/logout", "logout"),
    ("post /api/v1/users/refresh", "refresh"),
    ("get /api/v1/users/sendOTP", "send_otp"),
    ("post /api/v1/users/verifyOTP", "verify_otp"),
    ("put /api/v1/users/block/{email}", "block_user"),
    ("put /api/v1/users/update/{id}", "update_user"),
    ("put /api/v1/users/update/password/{id}", "change_password"),
    ("get /api/v1/users/{id}", "get_user"),
    ("post /api/v1/users/password/forgot", "forgot_password"),
    ("post /api/v1/users/password/reset", "reset_password"),
    ("delete /api/v1/users/{id}", "delete_user"),
    ("get /api/v1/inquiry", "list_inquiries"),
    ("post /api/v1/inquiry", "open_inquiry"),
    ("put /api/v1/inquiry/{id}", "change_inquiry"),
    ("delete /api/v1/inquiry/{id}", "delete_inquiry"),
];

/// Every documented operation: method and path, and its id.
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
    let expected: BTreeMap<_, _> = OPERATIONS
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
            "Address",
            "Block",
            "BlockReason",
            "Code",
            "Confirmation",
            "CopyAnswer",
            "CopyFile",
            "CopyProgress",
            "Forgotten",
            "GoogleLogin",
            "Inquiry",
            "InquiryAnswer",
            "InquiryChange",
            "InquiryId",
            "Jwk",
            "JwkSet",
            "Language",
            "Login",
            "LoginAnswer",
            "Message",
            "NewCopy",
            "NewInquiry",
            "Otp",
            "PasswordChange",
            "PasswordReset",
            "Problem",
            "Qr",
            "RecoveryCodes",
            "Registration",
            "Role",
            "SecondFactor",
            "SecondStep",
            "Setup",
            "SignedIn",
            "TurnOff",
            "TurnedOn",
            "User",
            "UserAnswer",
            "UserId",
            "UserUpdate"
        ]
    );
}
