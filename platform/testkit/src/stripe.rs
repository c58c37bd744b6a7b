use std::{collections::BTreeMap, process::Child, time::Duration};

use serde::Deserialize;
use serde_json::{Value, json};

use crate::wheel;

const PINS: &str = include_str!("../stripe/requirements.txt");
const BACKEND: &str = include_str!("../stripe/backend.txt");
const SERVE: &str = include_str!("../stripe/serve.py");
/// The longest wait for the first answer, on a busy machine.
const START_TIMEOUT: Duration = Duration::from_mins(2);

/// Stripe as localstripe emulates it; `platform/testkit/stripe/serve.py` says what is added. It ends when it is dropped,
/// or with this process.
#[derive(Debug)]
pub struct TestStripe {
    server: Child,
    /// Without a slash at its end.
    pub url: String,
    client: reqwest::Client,
}

/// A `PaymentIntent` in Stripe's book. Amounts are cents.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct StripeIntent {
    pub id: String,
    /// The payment that it was made for.
    pub payment: Option<String>,
    pub status: String,
    pub taken: i64,
    pub refunded: i64,
}

impl TestStripe {
    pub const SECRET_KEY: &str = "sk_test_of_this_test_alone";
    pub const WEBHOOK_SECRET: &str = "whsec_of_this_test_alone";

    pub async fn start() -> Self {
        let packages = tokio::task::spawn_blocking(|| {
            let backend = wheel::fetched("test-setuptools-84.2.1", BACKEND, &[]);
            let options = ["--no-binary=localstripe", "--no-build-isolation"];
            wheel::built("test-localstripe-1.15.10", PINS, &options, &backend)
        });
        let port = tiffin_servers::free_port().expect("a free port");
        let packages = packages.await.expect("the packages");
        let stripe = Self {
            server: wheel::serving(SERVE, port, &packages),
            url: format!("http://127.0.0.1:{port}"),
            client: reqwest::Client::new(),
        };
        let answers = tokio::time::timeout(START_TIMEOUT, async {
            while stripe.try_book().await.is_none() {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        });
        answers.await.expect("localstripe answers");
        stripe
    }

    /// The settings of a platform that uses it.
    pub fn settings(&self) -> [(&'static str, String); 6] {
        [
            ("TIFFIN_PAYMENT_PROVIDER", "stripe".to_owned()),
            ("TIFFIN_STRIPE_API", self.url.clone()),
            ("TIFFIN_STRIPE_SECRET_KEY", Self::SECRET_KEY.to_owned()),
            (
                "TIFFIN_STRIPE_WEBHOOK_SECRET",
                Self::WEBHOOK_SECRET.to_owned(),
            ),
            ("TIFFIN_STRIPE_PUBLISHABLE_KEY", "pk_test_x".to_owned()),
            (
                "TIFFIN_STRIPE_SCRIPT",
                format!("{}/js.stripe.com/v3/", self.url),
            ),
        ]
    }

    /// Sets the faults of calls and webhooks from here on: the fields of `Faults` in `serve.py`.
    pub async fn set_faults(&self, faults: &Value) {
        self.test("faults", faults).await;
    }

    /// Sends webhooks to an address.
    pub async fn send_webhooks_to(&self, url: &str) {
        let target = json!({ "url": url, "secret": Self::WEBHOOK_SECRET });
        self.test("webhook", &target).await;
    }

    /// Opens a dispute, or changes the state of the one there is.
    pub async fn dispute(&self, intent: &str, amount: i64, status: &str) {
        let dispute = json!({
            "payment_intent": intent, "amount": amount, "status": status,
            "reason": "product_not_received",
        });
        self.test("disputes", &dispute).await;
    }

    /// A card's token, as a browser gets it.
    pub async fn token(&self, number: &str) -> String {
        let form = format!(
            "key=pk_test_x&card[number]={number}&card[exp_month]=12&card[exp_year]=2034&card[cvc]=737"
        );
        let token = self.form("tokens", form, false).await;
        token["id"].as_str().expect("a token").to_owned()
    }

    /// Confirms a payment at the bank, or refuses to, as Stripe's script does.
    pub async fn confirm(&self, client_secret: &str, success: bool) {
        let (intent, _) = client_secret.split_once("_secret_").expect("a secret");
        let path = format!("payment_intents/{intent}/_authenticate?success={success}");
        let form = format!("key=pk_test_x&client_secret={client_secret}");
        self.form(&path, form, false).await;
    }

    /// Gives an amount back as an operator does at Stripe.
    pub async fn refund(&self, intent: &str, cents: i64) {
        let form = format!("payment_intent={intent}&amount={cents}");
        self.form("refunds", form, true).await;
    }

    /// The `PaymentIntent`s by the payment that each was made for, however many there are.
    pub async fn book(&self) -> BTreeMap<String, Vec<StripeIntent>> {
        let mut book = BTreeMap::<String, Vec<_>>::new();
        for intent in self.try_book().await.expect("the book") {
            let payment = intent.payment.clone().unwrap_or_default();
            book.entry(payment).or_default().push(intent);
        }
        book
    }

    async fn try_book(&self) -> Option<Vec<StripeIntent>> {
        let book = self.client.get(format!("{}/_test/book", self.url)).send();
        book.await.ok()?.json().await.ok()
    }

    async fn test(&self, path: &str, body: &Value) {
        let call = self.client.post(format!("{}/_test/{path}", self.url));
        let answer = call.json(body).send().await.expect("an answer");
        assert!(answer.status().is_success(), "{path}: {}", answer.status());
    }

    async fn form(&self, path: &str, form: String, is_secret: bool) -> Value {
        let call = self
            .client
            .post(format!("{}/v1/{path}", self.url))
            .header("content-type", "application/x-www-form-urlencoded")
            // A browser's call, which has no faults.
            .header("origin", "http://localhost")
            .body(form);
        let call = if is_secret {
            call.bearer_auth(Self::SECRET_KEY)
        } else {
            call
        };
        let answer = call.send().await.expect("an answer");
        answer.json().await.expect("JSON")
    }
}

impl Drop for TestStripe {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}
