use tiffin_events::Stream;
use tiffin_testkit::TestNats;

#[tokio::test]
async fn a_broker_keeps_its_streams_over_a_crash() {
    let mut nats = TestNats::start().await;
    nats.broker
        .jetstream
        .publish("tiffin.dead.test", "a".into())
        .await
        .unwrap()
        .await
        .unwrap();
    nats.server.kill();
    nats.server.start_again().await.unwrap();
    let mut stream = nats
        .broker
        .jetstream
        .get_stream(Stream::DeadLetters.name())
        .await
        .unwrap();
    assert_eq!(stream.info().await.unwrap().state.messages, 1);
}
