//! Accounts, made the way people make them: registered, verified by the code in a mail.

use std::{
    io::Write,
    process::{Command, Stdio},
};

use serde_json::{Value, json};

use crate::stack::{Stack, eventually};

pub const PASSWORD: &str = "Kottu#Roti88";

/// An account that is signed in.
#[derive(Clone, Debug)]
pub struct Account {
    pub id: String,
    pub email: String,
    pub role: String,
    pub token: String,
}

/// An administrator who operates the event history, too, made on the command line.
pub async fn admin(stack: &Stack, name: &str) -> Account {
    staff(stack, name, &["--operator"]).await
}

/// An administrator who does not.
pub async fn plain_admin(stack: &Stack, name: &str) -> Account {
    staff(stack, name, &[]).await
}

/// An account that operates the event history and does nothing else.
pub async fn operator(stack: &Stack, name: &str) -> Account {
    staff(stack, name, &["--only-operator"]).await
}

/// The same person, who has just shown who they are.
pub async fn confirmed(stack: &Stack, account: &Account) -> Account {
    let body = json!({ "password": PASSWORD });
    let path = "/api/v1/users/confirm";
    signed_in(&stack.post(path, Some(account), &body).await.expect(200))
}

async fn staff(stack: &Stack, name: &str, options: &[&str]) -> Account {
    let email = address(name);
    let mut create = Command::new(env!("CARGO_BIN_EXE_tiffin"))
        .args(["admin", "create", "--email", &email, "--password-stdin"])
        .args(options)
        .env("TIFFIN_HOME", stack.home())
        .env_remove("DATABASE_URL")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    writeln!(create.stdin.take().unwrap(), "{PASSWORD}").unwrap();
    assert!(create.wait().unwrap().success());
    login(stack, &email).await
}

/// An account with a proven address: `customer`, `restaurant` or `delivery`.
pub async fn verified(stack: &Stack, name: &str, role: &str) -> Account {
    let unverified = unverified(stack, name, role).await;
    let code = json!({ "otp": code(stack, &unverified).await });
    let answer = stack
        .post("/api/v1/users/verifyOTP", Some(&unverified), &code)
        .await;
    signed_in(&answer.expect(200))
}

/// An account that is signed in and has not proven its address yet.
pub async fn unverified(stack: &Stack, name: &str, role: &str) -> Account {
    let mut form = form(&address(name));
    let path = if role == "delivery" {
        form["vehicleType"] = json!("Bike");
        form["drNic"] = json!("901234567V");
        "/api/v1/driver"
    } else {
        form["role"] = json!(role);
        "/api/v1/users"
    };
    stack.post(path, None, &form).await.expect(201);
    login(stack, &address(name)).await
}

/// The code that is mailed to an account on request.
pub async fn code(stack: &Stack, account: &Account) -> String {
    let asked = stack.get("/api/v1/users/sendOTP", Some(account)).await;
    asked.expect(200);
    let mut code = None;
    eventually("the code is mailed", async || {
        let mails = stack.mails_to(&account.email);
        code = mails.iter().find_map(|mail| six_digits(mail));
        code.is_some()
    })
    .await;
    code.unwrap()
}

pub async fn login(stack: &Stack, email: &str) -> Account {
    let credentials = json!({ "email": email, "password": PASSWORD });
    let answer = stack
        .post("/api/v1/users/login", None, &credentials)
        .await
        .expect(200);
    signed_in(&answer)
}

/// The body of the sign-up screens.
pub fn form(email: &str) -> Value {
    json!({
        "email": email, "password": PASSWORD, "firstName": "Nimal", "lastName": "Perera",
        "address": "12 Galle Road, Colombo 03", "phone": "+94771234567", "image": "/demo/person.svg",
    })
}

/// The secret of every browser's push subscription here.
pub const PUSH_SECRET: &str = "BTBZMqHH6r4Tts7J_aSIgg";

/// A browser's push subscription. Its keys are the example of RFC 8291, appendix A.
pub fn browser(endpoint: &str) -> Value {
    json!({ "endpoint": endpoint, "keys": {
        "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "auth": PUSH_SECRET,
    } })
}

pub fn address(name: &str) -> String {
    format!("{name}@example.com")
}

pub fn signed_in(answer: &Value) -> Account {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    Account {
        id: text(&answer["user"]["_id"]),
        email: text(&answer["user"]["email"]),
        role: text(&answer["user"]["role"]),
        token: text(&answer["token"]),
    }
}

/// The first word of exactly six digits in the body of a mail.
pub fn six_digits(mail: &str) -> Option<String> {
    let (_, body) = mail.split_once("\r\n\r\n")?;
    body.split(|letter: char| !letter.is_ascii_alphanumeric())
        .find(|word| word.len() == 6 && word.bytes().all(|byte| byte.is_ascii_digit()))
        .map(ToOwned::to_owned)
}
