//! A push service for tests, and a browser that decrypts the messages sent to it.

use std::sync::{Arc, Mutex};

use aws_lc_rs::{
    aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey},
    agreement::{self, ECDH_P256, PrivateKey, UnparsedPublicKey},
    hkdf::{HKDF_SHA256, KeyType, Salt},
};
use axum::{
    Router,
    body::Bytes,
    extract::{Path, State},
    routing::post,
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use http::{HeaderMap, StatusCode};
use serde_json::{Value, json};
use tiffin_testkit::TestApp;

/// A message for one browser.
#[derive(Clone, Debug)]
pub struct ReceivedPush {
    pub at: String,
    pub headers: HeaderMap,
    pub body: Bytes,
}

#[derive(Clone)]
struct ServerState {
    received: Arc<Mutex<Vec<ReceivedPush>>>,
    /// Its answers; the last one repeats.
    answers: Arc<Mutex<Vec<u16>>>,
}

pub struct PushServer {
    app: TestApp,
    state: ServerState,
}

impl PushServer {
    pub async fn start() -> Self {
        let state = ServerState {
            received: Arc::default(),
            answers: Arc::new(Mutex::new(vec![201])),
        };
        let routes = Router::new()
            .route("/send/{browser}", post(take))
            .with_state(state.clone());
        Self {
            app: TestApp::start(routes).await,
            state,
        }
    }

    pub fn origin(&self) -> String {
        self.app.url.trim_end_matches('/').to_owned()
    }

    /// Sets its next answers.
    pub fn answer(&self, statuses: &[u16]) {
        *self.state.answers.lock().unwrap() = statuses.to_vec();
    }

    pub fn received(&self) -> Vec<ReceivedPush> {
        self.state.received.lock().unwrap().clone()
    }
}

async fn take(
    State(state): State<ServerState>,
    Path(at): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> StatusCode {
    let received = ReceivedPush { at, headers, body };
    state.received.lock().unwrap().push(received);
    let mut answers = state.answers.lock().unwrap();
    let status = if answers.len() > 1 {
        answers.remove(0)
    } else {
        answers[0]
    };
    StatusCode::from_u16(status).unwrap()
}

/// A browser: its key, its secret, and the endpoint at its push service.
pub struct Browser {
    key: PrivateKey,
    auth: [u8; 16],
    pub endpoint: String,
}

impl Browser {
    pub fn at(server: &PushServer, name: &str) -> Self {
        Self {
            key: PrivateKey::generate(&ECDH_P256).unwrap(),
            auth: [7; 16],
            endpoint: format!("{}/send/{name}", server.origin()),
        }
    }

    /// The result of `PushSubscription.toJSON()`.
    pub fn subscription(&self) -> Value {
        json!({
            "endpoint": self.endpoint,
            "expirationTime": null,
            "keys": {
                "p256dh": URL_SAFE_NO_PAD.encode(self.key.compute_public_key().unwrap()),
                "auth": URL_SAFE_NO_PAD.encode(self.auth),
            },
        })
    }

    /// Decrypts a message as RFC 8291 requires of a browser.
    pub fn read(&self, body: &[u8]) -> Value {
        let (salt, rest) = body.split_at(16);
        let (size, rest) = rest.split_at(4);
        assert_eq!(size, 4096_u32.to_be_bytes());
        let (sender, record) = rest[1..].split_at(usize::from(rest[0]));
        let own = self.key.compute_public_key().unwrap();
        let peer = UnparsedPublicKey::new(&ECDH_P256, sender);
        let input = agreement::agree(&self.key, peer, (), |secret| {
            let info: [&[u8]; 3] = [b"WebPush: info\0", own.as_ref(), sender];
            Ok(derive::<32>(&self.auth, secret, &info))
        });
        let input = input.unwrap();
        let key: [u8; 16] = derive(salt, &input, &[b"Content-Encoding: aes128gcm\0"]);
        let nonce: [u8; 12] = derive(salt, &input, &[b"Content-Encoding: nonce\0"]);
        let key = LessSafeKey::new(UnboundKey::new(&AES_128_GCM, &key).unwrap());
        let mut record = record.to_vec();
        let nonce = Nonce::assume_unique_for_key(nonce);
        let plain = key.open_in_place(nonce, Aad::empty(), &mut record).unwrap();
        let (last, text) = plain.split_last().unwrap();
        assert_eq!(*last, 2);
        serde_json::from_slice(text).unwrap()
    }
}

fn derive<const N: usize>(salt: &[u8], secret: &[u8], info: &[&[u8]]) -> [u8; N] {
    struct Length(usize);
    impl KeyType for Length {
        fn len(&self) -> usize {
            self.0
        }
    }
    let mut key = [0; N];
    let extracted = Salt::new(HKDF_SHA256, salt).extract(secret);
    let expanded = extracted.expand(info, Length(N)).unwrap();
    expanded.fill(&mut key).unwrap();
    key
}
