//! The service with its own database, a manual clock, and a folder for its mail.

use serde_json::{Value, json};
use tempfile::TempDir;
use tiffin_chassis::{Env, Revocations, Verifier};
use tiffin_events::{Clock, Envelope, Role, UserId};
use tiffin_testkit::{
    Answer, TestApp, TestDb, TestNats, authenticator, drain_rows, drain_sealed, mails_in,
};
use tiffin_user::{
    Keys, MIGRATIONS, NewAccount, Profile, Seal, State, create_account, internal, router, send_due,
    tasks,
};
use time::{Duration, macros::datetime};
use tokio_util::sync::CancellationToken;

pub const PASSWORD: &str = "Kottu-Roti@9pm";
/// 32 bytes in base64.
pub const MASTER_KEY: &str = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
pub const SERVICE_KEY: &str = "key of the services";

pub struct Fixture {
    pub app: TestApp,
    pub state: State,
    pub db: TestDb,
    pub clock: Clock,
    pub keys: Keys,
    mail: TempDir,
    env: Env,
}

/// The proof of a sign-in beside the password.
pub struct Factor {
    /// In base32.
    pub secret: String,
    pub recovery_codes: Vec<String>,
}

/// An account that is signed in.
pub struct Account {
    pub id: UserId,
    pub email: String,
    pub token: String,
    /// The refresh token of their cookie.
    pub refresh: String,
}

impl Fixture {
    pub async fn start() -> Self {
        Self::start_with(&[]).await
    }

    pub async fn start_with(settings: &[(&str, &str)]) -> Self {
        let db = TestDb::new(&MIGRATIONS).await;
        let clock = Clock::manual(datetime!(2026-11-21 09:00 UTC));
        let mail = TempDir::new().unwrap();
        let mut env = Env::from_pairs([
            ("TIFFIN_MAIL_DIR", mail.path().to_str().unwrap()),
            ("TIFFIN_SERVICE_KEY", SERVICE_KEY),
            ("TIFFIN_MASTER_KEY", MASTER_KEY),
            // What it means has its own tests.
            ("TIFFIN_ADMIN_SECOND_FACTOR", "optional"),
        ]);
        for (name, value) in settings {
            env = env.with(name, *value);
        }
        let seal = Seal::read(&env).unwrap();
        let keys = Keys::new(db.pool.clone(), clock.clone(), seal);
        let jwks = serde_json::to_value(keys.current().await.unwrap().jwks()).unwrap();
        let verifier = Verifier::with_keys(&jwks, clock.clone(), Revocations::default());
        let state = State::new(db.pool.clone(), verifier, clock.clone(), &env).unwrap();
        let (routes, description) = router(state.clone()).split_for_parts();
        let routes = routes.merge(internal(state.clone()));
        Self {
            app: TestApp::described(routes, &description).await,
            state,
            db,
            clock,
            keys,
            mail,
            env,
        }
    }

    /// The routes of another process of the service, on the same database at the same time.
    pub async fn second_process(&self) -> TestApp {
        let verifier = self.state_verifier().await;
        let state = State::new(
            self.db.pool.clone(),
            verifier,
            self.clock.clone(),
            &self.env,
        );
        let (routes, _) = router(state.unwrap()).split_for_parts();
        TestApp::start(routes).await
    }

    async fn state_verifier(&self) -> Verifier {
        let jwks = serde_json::to_value(self.keys.current().await.unwrap().jwks()).unwrap();
        Verifier::with_keys(&jwks, self.clock.clone(), Revocations::default())
    }

    /// Makes a verified account of any role and signs it in, without its event.
    pub async fn account(&self, role: Role, email: &str) -> Account {
        let account = self.account_with_events(role, email).await;
        drain_rows(&self.db.pool).await;
        account
    }

    /// Makes a verified account of any role and signs it in; its event waits to be published.
    pub async fn account_with_events(&self, role: Role, email: &str) -> Account {
        let profile = Profile {
            first_name: "Nimal".into(),
            last_name: "Perera".into(),
            phone: "0771234567".into(),
            address: "1 Galle Road".into(),
            ..Profile::default()
        };
        let id = UserId(self.clock.new_id());
        let (email, password) = (email.to_owned(), PASSWORD.to_owned());
        let new = NewAccount {
            id,
            email: email.clone(),
            password,
            role,
            profile,
            operator: false,
        };
        create_account(&self.db.pool, &self.state.personal_keys().recorder(), new)
            .await
            .unwrap();
        self.sign_in(&email).await
    }

    pub async fn sign_in(&self, email: &str) -> Account {
        let answer = self.login(email, PASSWORD).await;
        let refresh = refresh_token(&answer).unwrap();
        let body = answer.expect(200);
        Account {
            id: body["user"]["_id"].as_str().unwrap().parse().unwrap(),
            email: email.to_owned(),
            token: body["token"].as_str().unwrap().to_owned(),
            refresh,
        }
    }

    pub async fn login(&self, email: &str, password: &str) -> Answer {
        let body = json!({ "email": email, "password": password });
        self.app.post("/api/v1/users/login").json(&body).await
    }

    /// Turns two-step sign-in on. Answers the app's secret and the recovery codes; the person's token is
    /// the one of the answer, and the next code is one of another step.
    pub async fn turn_on(&self, account: &mut Account) -> Factor {
        let setup = self.app.post("/api/v1/users/second-factor");
        let setup = setup.token(&account.token).await.expect(200);
        let secret = setup["secret"].as_str().unwrap().to_owned();
        let body = json!({ "code": authenticator(&secret, self.clock.now()) });
        let on = self.app.post("/api/v1/users/second-factor/on");
        let cookie = format!("tiffin_refresh={}", account.refresh);
        let on = on.header("cookie", &cookie).token(&account.token);
        let on = on.json(&body).await.expect(200);
        on["token"].as_str().unwrap().clone_into(&mut account.token);
        self.clock.advance(Duration::seconds(30));
        Factor {
            secret,
            recovery_codes: serde_json::from_value(on["recoveryCodes"].clone()).unwrap(),
        }
    }

    /// The code that an app shows now.
    pub fn app_code(&self, factor: &Factor) -> String {
        authenticator(&factor.secret, self.clock.now())
    }

    /// The second step of a sign-in.
    pub async fn second_step(&self, challenge: &str, code: &str) -> Answer {
        let body = json!({ "challenge": challenge, "code": code });
        let step = self.app.post("/api/v1/users/login/second-factor");
        step.json(&body).await
    }

    /// The answer to the right password of an account with a second factor.
    pub async fn challenge(&self, email: &str) -> String {
        let answer = self.login(email, PASSWORD).await;
        assert_eq!(refresh_token(&answer), None);
        let body = answer.expect(401);
        assert_eq!(body["reason"], "second_factor_required", "{body}");
        assert!(body.get("token").is_none(), "{body}");
        body["challenge"].as_str().unwrap().to_owned()
    }

    pub async fn refresh(&self, token: &str) -> Answer {
        let cookie = format!("tiffin_refresh={token}");
        self.app
            .post("/api/v1/users/refresh")
            .header("cookie", &cookie)
            .await
    }

    /// Sends `request` while another transaction is about to change an account by `sql`; that one ends
    /// once the request waits for it, or after two seconds.
    pub async fn overtaken(
        &self,
        sql: &'static str,
        request: impl Future<Output = Answer>,
    ) -> Answer {
        let mut tx = tiffin_database::begin(&self.db.pool).await.unwrap();
        sqlx::query(sql).execute(&mut *tx).await.unwrap();
        let commit = async {
            for _ in 0..100 {
                tokio::time::sleep(std::time::Duration::from_millis(20)).await;
                let waiting: i64 = sqlx::query_scalar(
                    "select count(*) from pg_stat_activity
                     where datname = current_database() and wait_event_type = 'Lock'",
                )
                .fetch_one(&self.db.pool)
                .await
                .unwrap();
                if waiting > 0 {
                    break;
                }
            }
            tx.commit().await.unwrap();
        };
        tokio::join!(request, commit).0
    }

    /// The events since the last look, with the personal fields of accounts that are not closed.
    pub async fn events(&self) -> Vec<Envelope> {
        let mut events = drain_sealed(&self.db.pool).await;
        let keys = &self.state.personal_keys().recorder().keys;
        keys.open(&mut events).await.unwrap();
        events
    }

    /// The types of the events since the last look, without `tiffin.user.` and the version; those of
    /// inquiries keep their word.
    pub async fn event_names(&self) -> Vec<String> {
        let short = |kind: &str| {
            kind.trim_start_matches("tiffin.")
                .trim_start_matches("user.")
                .trim_end_matches(".v1")
                .to_owned()
        };
        self.events()
            .await
            .iter()
            .map(|event| short(&event.kind))
            .collect()
    }

    /// Sends the mail that waits; answers every mail there is now, oldest first.
    pub async fn mails(&self) -> Vec<String> {
        send_due(&self.state).await.unwrap();
        self.sent()
    }

    /// Lets the service's own worker send; answers once there are `count` mails, ten seconds at most.
    pub async fn work_until_sent(&self, count: usize) -> Vec<String> {
        let shutdown = CancellationToken::new();
        let nats = TestNats::start().await;
        let works = tasks(&self.state, &nats.broker, &shutdown).into_iter();
        let works = works.map(|work| work.supervise(shutdown.clone()));
        let work = futures_util::future::join_all(works);
        let work = tokio::spawn(work);
        for _ in 0..200 {
            if self.sent().len() >= count {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        shutdown.cancel();
        work.await.unwrap();
        self.sent()
    }

    /// Every mail there is now, oldest first.
    pub fn sent(&self) -> Vec<String> {
        mails_in(self.mail.path())
    }

    /// Asks for a new password.
    pub async fn forgot(&self, email: &str) -> Answer {
        let ask = self.app.post("/api/v1/users/password/forgot");
        ask.json(&json!({ "email": email })).await
    }

    /// Shows a mailed token and a new password.
    pub async fn reset(&self, token: &str, password: &str) -> Answer {
        let reset = self.app.post("/api/v1/users/password/reset");
        let body = json!({ "token": token, "password": password });
        reset.json(&body).await
    }

    /// The token in the newest mail's link.
    pub async fn reset_token(&self) -> String {
        let mails = self.mails().await;
        let newest = unfolded(mails.last().unwrap());
        let (_, after) = newest.split_once("/reset-password#token=").unwrap();
        after.lines().next().unwrap().to_owned()
    }

    /// The code of the newest mail.
    pub async fn code(&self) -> String {
        let mails = self.mails().await;
        let newest = mails.last().unwrap();
        let (_, after) = newest.split_once("Your code is ").unwrap();
        after[..6].to_owned()
    }
}

/// A mail with its long lines in one piece (quoted-printable, RFC 2045, section 6.7).
pub fn unfolded(mail: &str) -> String {
    mail.replace("=\r\n", "").replace("=3D", "=")
}

/// The refresh token that an answer puts into the cookie.
pub fn refresh_token(answer: &Answer) -> Option<String> {
    let cookie = answer.header("set-cookie")?;
    let (_, rest) = cookie.split_once("tiffin_refresh=")?;
    let (token, _) = rest.split_once(';')?;
    Some(token.to_owned()).filter(|token| !token.is_empty())
}

/// A registration form that is filled in well.
pub fn form(email: &str) -> Value {
    json!({
        "email": email,
        "password": PASSWORD,
        "firstName": "Anne-Marie",
        "lastName": "O'Brien",
        "address": "1 Galle Road, Colombo",
        "phone": "+94771234567",
        "image": "/storage/v1/object/public/images/1.png",
        "role": "customer",
    })
}
