//! Stripe as localstripe emulates it, until standard input ends. The first line of the output is its address, the second
//! its settings for `tiffin`, as JSON.

use std::io::Read;

use tiffin_testkit::TestStripe;

#[tokio::main]
async fn main() {
    let stripe = TestStripe::start().await;
    let settings: serde_json::Map<_, _> = stripe
        .settings()
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value.into()))
        .collect();
    println!("{}", stripe.url);
    println!("{}", serde_json::Value::from(settings));
    let _ = std::io::stdin().read_to_end(&mut Vec::new());
}
