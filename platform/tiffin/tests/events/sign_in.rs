use std::{fs, os::unix::fs::PermissionsExt};

use serde_json::{Value, json};
use sqlx::{Connection, PgConnection};
use tiffin_events::Clock;
use tiffin_testkit::authenticator;

use crate::{
    accounts::{self, Account, PASSWORD},
    cli::Cli,
    stack::Stack,
    terminal,
};

pub fn sign_in_and_out(stack: &Stack, admin: &Account, customer: &Account) {
    let cli = Cli::at(stack.url());
    cli.refused(&["streams"], 3, "You are not signed in");
    sign_in_from_a_script(&cli, admin, customer);
    a_session_is_renewed_until_it_is_over(&cli, admin);
    sign_in_on_a_terminal(&cli, admin);
    cli.ok(&["streams"]);
    assert_eq!(cli.json(&["sign-out"])[0]["email"], *admin.email);
    cli.refused(&["streams"], 3, "You are not signed in");
    assert!(cli.ok(&["sign-out"]).contains("Signed out"));
    let url = stack.url();
    Cli::with_token(url, "nonsense").refused(&["streams"], 3, "The token is not accepted");
    Cli::with_token(url, &customer.token).refused(&["streams"], 3, "Only operators may do this.");
}

/// With an authenticator app: signing in asks for its code, and so does acting once the last proof is old.
pub async fn with_an_app(stack: &Stack) {
    let account = accounts::operator(stack, "app-operator").await;
    let path = "/api/v1/users/second-factor";
    let setup = stack
        .post(path, Some(&account), &json!({}))
        .await
        .expect(200);
    let secret = setup["secret"].as_str().unwrap();
    let code = authenticator(secret, Clock::system().now());
    let body = json!({ "code": code });
    let on = stack
        .post(&format!("{path}/on"), Some(&account), &body)
        .await;
    let codes: Vec<String> =
        serde_json::from_value(on.expect(200)["recoveryCodes"].take()).unwrap();

    let cli = Cli::at(stack.url());
    let args = ["sign-in", "--email", &account.email];
    let sign_in = |code: Option<&str>| {
        let mut command = cli.command(&args);
        command.env("TIFFIN_PASSWORD", PASSWORD);
        if let Some(code) = code {
            command.env("TIFFIN_CODE", code);
        }
        command.output().unwrap()
    };
    let unasked = sign_in(None);
    assert_eq!(unasked.status.code(), Some(2), "{unasked:?}");
    assert!(String::from_utf8_lossy(&unasked.stderr).contains("set TIFFIN_CODE"));
    // The code that turned it on is used up.
    let used = sign_in(Some(&code));
    assert_eq!(used.status.code(), Some(2), "{used:?}");
    let right = sign_in(Some(&codes[0]));
    assert_eq!(right.status.code(), Some(0), "{right:?}");
    let verify = ["verify", "audit", "--reason", "a test"];
    cli.ok(&verify);

    age_proofs(stack, &cli).await;
    cli.ok(&["streams"]);
    cli.refused(&verify, 2, "set TIFFIN_CODE");
    let mut confirmed = cli.command(&verify);
    let confirmed = confirmed.env("TIFFIN_CODE", &codes[1]).output().unwrap();
    assert_eq!(confirmed.status.code(), Some(0), "{confirmed:?}");
    // It counts for what comes next.
    cli.ok(&verify);

    age_proofs(stack, &cli).await;
    let typed = [("Code of your authenticator app:", codes[2].as_str())];
    let screen = terminal::run(cli.command(&verify), &typed);
    assert_eq!(screen.code, 0, "{screen:?}");
    assert!(!screen.text.contains(&codes[2]), "the code is seen");
}

/// Everybody's last proof is ten minutes old, and the next call renews its token, which says so.
async fn age_proofs(stack: &Stack, cli: &Cli) {
    let databases = stack.databases();
    let (_, url) = databases.iter().find(|(name, _)| name == "user").unwrap();
    let mut connection = PgConnection::connect(url).await.unwrap();
    sqlx::query("update refresh_families set proven_at = now() - interval '10 minutes'")
        .execute(&mut connection)
        .await
        .unwrap();
    let mut sessions: Value = serde_json::from_slice(&fs::read(cli.sessions()).unwrap()).unwrap();
    for session in sessions.as_object_mut().unwrap().values_mut() {
        session["token"] = "old".into();
    }
    fs::write(cli.sessions(), sessions.to_string()).unwrap();
}

fn sign_in_from_a_script(cli: &Cli, admin: &Account, customer: &Account) {
    let sign_in = |email: &str, password: &str| {
        let mut command = cli.command(&["sign-in", "--email", email]);
        command.env("TIFFIN_PASSWORD", password).output().unwrap()
    };
    let wrong = sign_in(&admin.email, "Wrong#Roti88");
    assert_eq!(wrong.status.code(), Some(3), "{wrong:?}");
    let unknown = sign_in(&customer.email, PASSWORD);
    assert_eq!(unknown.status.code(), Some(3), "{unknown:?}");
    assert!(String::from_utf8_lossy(&unknown.stderr).contains("no operator"));
    assert!(!cli.sessions().exists());
    cli.refused(&["sign-in"], 2, "--email");
    cli.refused(&["sign-in", "--email", &admin.email], 2, "TIFFIN_PASSWORD");

    let right = sign_in(&admin.email, PASSWORD);
    assert_eq!(right.status.code(), Some(0), "{right:?}");
    let mode = fs::metadata(cli.sessions()).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let kept = fs::read_to_string(cli.sessions()).unwrap();
    assert!(!kept.contains(PASSWORD));
    cli.ok(&["streams"]);
}

/// A token that is too old is renewed by the refresh token, which changes with it.
fn a_session_is_renewed_until_it_is_over(cli: &Cli, admin: &Account) {
    let read = || -> Value { serde_json::from_slice(&fs::read(cli.sessions()).unwrap()).unwrap() };
    let spoil = |fields: &[&str]| {
        let mut sessions = read();
        for session in sessions.as_object_mut().unwrap().values_mut() {
            for field in fields {
                session[*field] = "old".into();
            }
        }
        fs::write(cli.sessions(), sessions.to_string()).unwrap();
    };
    let refresh = |sessions: &Value| {
        let session = sessions.as_object().unwrap().values().next().unwrap();
        assert_eq!(session["email"], *admin.email);
        session["refresh"].as_str().unwrap().to_owned()
    };
    let before = refresh(&read());
    spoil(&["token"]);
    cli.ok(&["streams"]);
    assert_ne!(refresh(&read()), before);
    spoil(&["token", "refresh"]);
    cli.refused(&["streams"], 3, "has ended");
    cli.refused(&["streams"], 3, "You are not signed in");
}

fn sign_in_on_a_terminal(cli: &Cli, admin: &Account) {
    let typed = [("E-mail:", admin.email.as_str()), ("Password:", PASSWORD)];
    let screen = terminal::run(cli.command(&["sign-in"]), &typed);
    assert_eq!(screen.code, 0, "{screen:?}");
    assert!(screen.text.contains("Signed in"), "{screen:?}");
    assert!(!screen.text.contains(PASSWORD), "the password is seen");
}
