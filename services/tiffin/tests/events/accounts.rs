use std::{fs, os::unix::fs::PermissionsExt};

use serde_json::Value;

use crate::{
    cli::Cli,
    people::{PASSWORD, Person},
    stack::Stack,
    terminal,
};

pub fn sign_in_and_out(stack: &Stack, admin: &Person, customer: &Person) {
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
    Cli::with_token(url, &customer.token).refused(&["streams"], 3, "Operators are administrators");
}

fn sign_in_from_a_script(cli: &Cli, admin: &Person, customer: &Person) {
    let sign_in = |email: &str, password: &str| {
        let mut command = cli.command(&["sign-in", "--email", email]);
        command.env("TIFFIN_PASSWORD", password).output().unwrap()
    };
    let wrong = sign_in(&admin.email, "Wrong#Roti88");
    assert_eq!(wrong.status.code(), Some(3), "{wrong:?}");
    let nobody = sign_in(&customer.email, PASSWORD);
    assert_eq!(nobody.status.code(), Some(3), "{nobody:?}");
    assert!(String::from_utf8_lossy(&nobody.stderr).contains("no administrator"));
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
fn a_session_is_renewed_until_it_is_over(cli: &Cli, admin: &Person) {
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
    cli.refused(&["streams"], 3, "is over");
    cli.refused(&["streams"], 3, "You are not signed in");
}

fn sign_in_on_a_terminal(cli: &Cli, admin: &Person) {
    let typed = [("E-mail:", admin.email.as_str()), ("Password:", PASSWORD)];
    let screen = terminal::run(cli.command(&["sign-in"]), &typed);
    assert_eq!(screen.code, 0, "{screen:?}");
    assert!(screen.text.contains("Signed in"), "{screen:?}");
    assert!(!screen.text.contains(PASSWORD), "the password is seen");
}
