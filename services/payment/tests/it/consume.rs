use tiffin_chassis::Env;
use tiffin_events::{Clock, Stream};
use tiffin_payment::State;
use tiffin_testkit::{TestDb, feed_samples, verifier};

#[tokio::test]
async fn every_sample_takes_effect_once() {
    for stream in [Stream::Orders, Stream::Users, Stream::Catalog] {
        let db = TestDb::new(&tiffin_payment::MIGRATIONS).await;
        let clock = Clock::system();
        let state = State::new(db.pool.clone(), verifier(&clock), clock, &Env::default());
        let consumers = tiffin_payment::consumers(&state.unwrap());
        let consumer = consumers
            .iter()
            .find(|consumer| consumer.stream == stream)
            .unwrap();
        assert_eq!(consumer.name, format!("payment_{stream}"));
        feed_samples(consumer, &db.pool).await;
    }
}
