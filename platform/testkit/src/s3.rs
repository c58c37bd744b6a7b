use std::{process::Child, time::Duration};

use crate::wheel;

const PINS: &str = include_str!("../moto/requirements.txt");
const SERVE: &str = include_str!("../moto/serve.py");
const BUCKET: &str = "tiffin";
/// The longest wait for the store's first answer, on a busy machine.
const START_TIMEOUT: Duration = Duration::from_mins(2);

/// A store that speaks S3 (moto), with an empty bucket. It ends when it is dropped, or with this process.
#[derive(Debug)]
pub struct TestS3 {
    server: Child,
    port: u16,
}

impl TestS3 {
    pub async fn start() -> Self {
        let packages = tokio::task::spawn_blocking(|| wheel::fetched("test-moto-5.2.5", PINS, &[]));
        let port = tiffin_servers::free_port().expect("a free port");
        let packages = packages.await.expect("the packages");
        let store = Self {
            server: wheel::serving(SERVE, port, &packages),
            port,
        };
        let created = tokio::time::timeout(START_TIMEOUT, store.create_bucket()).await;
        created.expect("the store answers");
        store
    }

    /// The URL of the bucket.
    pub fn url(&self) -> String {
        format!("s3://{BUCKET}")
    }

    /// The settings of a client, by name in lower case.
    pub fn settings(&self) -> impl Iterator<Item = (String, String)> {
        let settings = [
            ("aws_endpoint", self.endpoint()),
            ("aws_allow_http", "true".to_owned()),
            ("aws_region", "us-east-1".to_owned()),
            ("aws_access_key_id", "tiffin".to_owned()),
            ("aws_secret_access_key", "a test".to_owned()),
        ];
        settings
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value))
    }

    fn endpoint(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    async fn create_bucket(&self) {
        let bucket = format!("{}/{BUCKET}", self.endpoint());
        let client = reqwest::Client::new();
        loop {
            let answer = client.put(&bucket).send().await;
            if answer.is_ok_and(|answer| answer.status().is_success()) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}

impl Drop for TestS3 {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}
