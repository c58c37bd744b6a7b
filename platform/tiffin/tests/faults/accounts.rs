//! Accounts, made the way people make them: registered, verified by the code in a mail.

use std::{
    io::Write,
    process::{Command, Stdio},
};

use serde_json::{Value, json};

use crate::stack::{MASTER_KEY, Stack, eventually};

pub const PASSWORD: &str = "Kottu#Roti88";

/// An account that is signed in.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Account {
    pub id: String,
    pub email: String,
    pub token: String,
}

/// An administrator, made on the command line.
pub async fn admin(stack: &Stack) -> Account {
    let email = "admin@example.com";
    let mut create = Command::new(env!("CARGO_BIN_EXE_tiffin"))
        .args([
            "admin",
            "create",
            "--operator",
            "--email",
            email,
            "--password-stdin",
        ])
        .env("DATABASE_URL", stack.database_url("user"))
        .env("TIFFIN_MASTER_KEY", MASTER_KEY)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    writeln!(create.stdin.take().unwrap(), "{PASSWORD}").unwrap();
    assert!(create.wait().unwrap().success());
    signed_in(&login(stack, email).await)
}

/// A customer or an owner with a proven address.
pub async fn registered(stack: &Stack, email: &str, role: &str) -> Account {
    let mut form = form(email);
    form["role"] = json!(role);
    stack
        .post("user", "/api/v1/users", None, &form)
        .await
        .unwrap();
    verified(stack, email).await
}

/// A driver who takes deliveries.
pub async fn driver(stack: &Stack, email: &str) -> Account {
    let mut form = form(email);
    form["vehicleType"] = json!("Bike");
    form["drNic"] = json!("901234567V");
    stack
        .post("driver", "/api/v1/driver", None, &form)
        .await
        .unwrap();
    let driver = verified(stack, email).await;
    let available = json!({ "isAvailable": true });
    eventually("the driver is available", async || {
        stack
            .put(
                "driver",
                &format!("/api/v1/driver/{}", driver.id),
                &driver,
                &available,
            )
            .await
            .is_ok()
    })
    .await;
    driver
}

fn form(email: &str) -> Value {
    json!({
        "email": email, "password": PASSWORD, "firstName": "Nimal", "lastName": "Perera",
        "address": "12 Galle Road, Colombo 03", "phone": "+94771234567", "image": "/demo/person.svg",
    })
}

async fn verified(stack: &Stack, email: &str) -> Account {
    let unverified = signed_in(&login(stack, email).await);
    stack
        .get("user", "/api/v1/users/sendOTP", &unverified)
        .await
        .unwrap();
    let mut code = None;
    eventually("the code is mailed", async || {
        code = stack
            .mails_to(email)
            .iter()
            .find_map(|mail| six_digits(mail));
        code.is_some()
    })
    .await;
    let code = json!({ "otp": code.unwrap() });
    signed_in(
        &stack
            .post("user", "/api/v1/users/verifyOTP", Some(&unverified), &code)
            .await
            .unwrap(),
    )
}

/// The account with a new token.
pub async fn signed_in_again(stack: &Stack, account: &Account) -> Account {
    signed_in(&login(stack, &account.email).await)
}

async fn login(stack: &Stack, email: &str) -> Value {
    let credentials = json!({ "email": email, "password": PASSWORD });
    stack
        .post("user", "/api/v1/users/login", None, &credentials)
        .await
        .unwrap()
}

fn signed_in(answer: &Value) -> Account {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    Account {
        id: text(&answer["user"]["_id"]),
        email: text(&answer["user"]["email"]),
        token: text(&answer["token"]),
    }
}

/// The first word of exactly six digits in the body of a mail.
fn six_digits(mail: &str) -> Option<String> {
    let (_, body) = mail.split_once("\r\n\r\n")?;
    body.split(|letter: char| !letter.is_ascii_alphanumeric())
        .find(|word| word.len() == 6 && word.bytes().all(|byte| byte.is_ascii_digit()))
        .map(ToOwned::to_owned)
}
