//! The permissions of the broker's users, tried on a real server: each user × each stream × publish,
//! consume, administer. What is expected comes from the catalogue: who publishes an event, and who
//! follows a stream.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    time::Duration,
};

use tiffin_events::{
    Stream, catalogue,
    revocation::{self, ALIVE},
    rights::{self, AUDIENCE_STREAM, OBSERVER, SETUP},
    services::NAMES,
    subject::{self, EventType},
};
use tiffin_testkit::TestNats;
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    net::{TcpStream, tcp::OwnedWriteHalf},
};
use url::Url;

/// The streams that give up what is archived.
const ARCHIVED: [&str; 6] = [
    "CATALOG",
    "ORDERS",
    "PAYMENTS",
    "DELIVERIES",
    "DRIVERS",
    "NOTIFICATIONS",
];

/// One client that speaks the protocol itself: what the server refuses comes before the next PONG.
struct Client {
    input: BufReader<tokio::net::tcp::OwnedReadHalf>,
    output: OwnedWriteHalf,
}

impl Client {
    async fn connect(url: &str) -> Self {
        let url: Url = url.parse().unwrap();
        let address = (url.host_str().unwrap(), url.port().unwrap());
        let (input, output) = TcpStream::connect(address).await.unwrap().into_split();
        let mut client = Self {
            input: BufReader::new(input),
            output,
        };
        let options = serde_json::json!({
            "verbose": false, "user": url.username(), "pass": url.password(), "headers": true,
            "protocol": 1, "lang": "test", "version": "1",
        });
        let refused = client.say(&format!("CONNECT {options}\r\n")).await;
        assert_eq!(refused, Vec::<String>::new(), "{}", url.username());
        client
    }

    /// Says it, and returns what the server refused.
    async fn say(&mut self, words: &str) -> Vec<String> {
        let text = format!("{words}PING\r\n");
        self.output.write_all(text.as_bytes()).await.unwrap();
        let mut refused = Vec::new();
        loop {
            let mut line = String::new();
            let count = self.input.read_line(&mut line).await.unwrap();
            assert!(count > 0, "the server ended the connection: {refused:?}");
            match line.trim_end() {
                "PONG" => return refused,
                line if line.starts_with("-ERR") => refused.push(line.to_owned()),
                _ => {}
            }
        }
    }

    async fn may_publish(&mut self, subject: &str) -> bool {
        self.say(&format!("PUB {subject} 0\r\n\r\n"))
            .await
            .is_empty()
    }

    /// Publishes what the server would act on where it took it, so with a body that it can't read.
    async fn may_ask(&mut self, subject: &str) -> bool {
        self.say(&format!("PUB {subject} 1\r\nx\r\n"))
            .await
            .is_empty()
    }

    async fn may_subscribe(&mut self, subject: &str) -> bool {
        self.say(&format!("SUB {subject} 9\r\nUNSUB 9\r\n"))
            .await
            .is_empty()
    }
}

const ID: &str = "01900000-0000-7000-8000-000000000000";

/// A subject in place of a pattern.
fn one_of(pattern: &str) -> String {
    pattern.replace(['*', '>'], ID)
}

/// Every stream with the subjects it takes.
fn streams() -> Vec<(&'static str, Vec<String>)> {
    let mut all: Vec<_> = Stream::ALL
        .into_iter()
        .map(|stream| {
            let subjects = stream.subjects().iter().map(|it| one_of(it));
            (stream.name(), subjects.collect())
        })
        .collect();
    let kinds = ["order", "delivery", "driver"];
    let keys = kinds.map(|kind| format!("$KV.audience.{kind}.{ID}"));
    all.push((AUDIENCE_STREAM, keys.to_vec()));
    let revocations = vec![ALIVE.to_owned(), format!("revocation.user.{ID}")];
    all.push((revocation::STREAM, revocations));
    // A dead letter is put aside by the service whose consumer it is.
    let letters = NAMES.iter().flat_map(|service| {
        let follows = rights::follows(service).into_iter();
        follows.map(move |stream| format!("tiffin.dead.{service}_{stream}"))
    });
    for (name, subjects) in &mut all {
        if *name == Stream::DeadLetters.name() {
            *subjects = letters.clone().collect();
        }
    }
    all
}

/// The services that may publish on a subject, by the catalogue and the few rules beside it.
fn publishers(subject: &str) -> BTreeSet<&'static str> {
    let words: Vec<&str> = subject.split('.').collect();
    match words[..] {
        ["revocation", ..] => BTreeSet::from(["user"]),
        ["$KV", _, "order", _] => BTreeSet::from(["order"]),
        // Positions that come late, which watchers do not get, have a word more.
        ["$KV", _, "delivery" | "driver", _] | ["tiffin", "position", _, _] => {
            BTreeSet::from(["delivery"])
        }
        // The service that forgets an account blanks what dead letters tell of it.
        ["tiffin", "dead", consumer] => {
            let service = consumer.split('_').next().unwrap_or_default();
            let own = NAMES.into_iter().filter(|known| *known == service);
            own.chain(["user"]).collect()
        }
        ["tiffin", "position", _] => BTreeSet::from(["delivery", "live"]),
        ["tiffin", aggregate, ..] => {
            let entries = catalogue::entries();
            let own = entries
                .iter()
                .filter(|entry| EventType::parse(entry.kind).aggregate == aggregate)
                .map(|entry| entry.service);
            // An import fills empty streams with history.
            own.chain(["operator"]).collect()
        }
        _ => BTreeSet::new(),
    }
}

/// The services that may read a stream: its consumers, its owners, who publish its lost events again, and
/// the readers of everything.
fn readers(stream: &str) -> BTreeSet<&'static str> {
    let reads = |service: &&str| {
        rights::follows(service)
            .iter()
            .any(|it| it.name() == stream)
            // The bridge looks positions up one by one.
            || (*service != "live" && rights::owns(service).iter().any(|it| it.name() == stream))
            || (!rights::audience_kinds(service).is_empty() && stream == AUDIENCE_STREAM)
            || (*service == "user" && stream == Stream::DeadLetters.name())
            || *service == "operator"
            || stream == revocation::STREAM
    };
    NAMES.into_iter().filter(reads).collect()
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Cell {
    publish: usize,
    subjects: usize,
    consume: bool,
    administer: bool,
}

#[tokio::test]
#[expect(clippy::too_many_lines, reason = "one table, tried cell by cell")]
async fn every_user_may_do_what_the_catalogue_says_and_nothing_else() {
    let nats = TestNats::start().await;
    let streams = streams();
    let mut matrix: BTreeMap<(&str, &str), Cell> = BTreeMap::new();
    let mut wrong = Vec::new();
    for user in NAMES.into_iter().chain([OBSERVER]) {
        let mut client = Client::connect(&nats.url_of(user)).await;
        for (stream, subjects) in &streams {
            let mut published = 0;
            for subject in subjects {
                let may = client.may_publish(subject).await;
                published += usize::from(may);
                if may != publishers(subject).contains(user) {
                    wrong.push(format!("{user} publishes {subject}: {may}"));
                }
            }
            let reads = readers(stream).contains(user);
            let consumer = format!("{stream}.{user}_{stream}");
            let mut answers = BTreeSet::new();
            for asked in [
                format!("$JS.API.CONSUMER.CREATE.{consumer}"),
                format!("$JS.API.CONSUMER.CREATE.{stream}.reader_1"),
                format!("$JS.API.CONSUMER.MSG.NEXT.{stream}.reader_1"),
                format!("$JS.API.CONSUMER.DELETE.{stream}.reader_1"),
            ] {
                let may = client.may_ask(&asked).await;
                answers.insert(may);
                if may != reads {
                    wrong.push(format!("{user} asks {asked}: {may}"));
                }
            }
            // Another's consumer is not read, taken over or acknowledged for.
            for other in NAMES.into_iter().filter(|other| *other != user) {
                if !rights::follows(other).iter().any(|it| it.name() == *stream) {
                    continue;
                }
                for asked in [
                    format!("$JS.API.CONSUMER.CREATE.{stream}.{other}_{stream}"),
                    format!("$JS.API.CONSUMER.CREATE.{stream}.{other}_{stream}.tiffin.>"),
                    format!("$JS.API.CONSUMER.MSG.NEXT.{stream}.{other}_{stream}"),
                    format!("$JS.API.CONSUMER.DELETE.{stream}.{other}_{stream}"),
                    format!("$JS.ACK.{stream}.{other}_{stream}.1.1.1.1.1"),
                ] {
                    if client.may_ask(&asked).await {
                        wrong.push(format!("{user} asks {asked}"));
                    }
                }
            }
            let mut administers = false;
            for verb in ["UPDATE", "DELETE", "PURGE", "RESTORE", "SNAPSHOT"] {
                let may = client
                    .may_ask(&format!("$JS.API.STREAM.{verb}.{stream}"))
                    .await;
                administers |= may;
                // What is archived leaves these six streams.
                let is_archiver =
                    verb == "PURGE" && user == "operator" && ARCHIVED.contains(stream);
                if may != is_archiver {
                    wrong.push(format!("{user} may {verb} {stream}: {may}"));
                }
            }
            // An operator makes lost streams again, and takes out a dead letter; accounts are forgotten.
            let makes = client
                .may_ask(&format!("$JS.API.STREAM.CREATE.{stream}"))
                .await;
            if makes != (user == "operator") {
                wrong.push(format!("{user} makes {stream}: {makes}"));
            }
            let removes = client
                .may_ask(&format!("$JS.API.STREAM.MSG.DELETE.{stream}"))
                .await;
            let may_remove = match *stream {
                "DEADLETTERS" => ["user", "operator"].contains(&user),
                "USERS" => user == "user",
                _ => false,
            };
            if removes != may_remove {
                wrong.push(format!("{user} deletes messages of {stream}: {removes}"));
            }
            // What is stored comes by consumers alone; the bridge hears what browsers watch.
            for subject in subjects {
                let is_live_position = subject::delivery_of_position(subject).is_some();
                let hears = match user {
                    "live" => subject.starts_with("$KV.") || is_live_position,
                    OBSERVER => subject.starts_with("tiffin."),
                    _ => false,
                };
                let may = client.may_subscribe(subject).await;
                if may != hears {
                    wrong.push(format!("{user} subscribes to {subject}: {may}"));
                }
            }
            matrix.insert(
                (user, stream),
                Cell {
                    publish: published,
                    subjects: subjects.len(),
                    consume: answers.contains(&true),
                    administer: administers,
                },
            );
        }
        others(user, &mut client, &mut wrong).await;
    }
    println!("{}", table(&matrix, &streams));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));

    // Some cases by hand, independent of the catalogue.
    let mut order = Client::connect(&nats.url_of("order")).await;
    assert!(
        order
            .may_publish(&format!("tiffin.order.{ID}.placed"))
            .await
    );
    assert!(
        !order
            .may_publish(&format!("tiffin.payment.{ID}.captured"))
            .await
    );
    assert!(
        !order
            .may_ask("$JS.API.CONSUMER.MSG.NEXT.ORDERS.payment_ORDERS")
            .await
    );
    for user in NAMES {
        let mut client = Client::connect(&nats.url_of(user)).await;
        assert_eq!(client.may_publish(ALIVE).await, user == "user", "{user}");
        assert!(
            !client.may_ask("$JS.API.STREAM.DELETE.ORDERS").await,
            "{user}"
        );
    }
    nats.broker.jetstream.get_stream("ORDERS").await.unwrap();
    let mut setup = Client::connect(&nats.url_of(SETUP)).await;
    assert!(setup.may_publish("$JS.API.STREAM.DELETE.ORDERS").await);
    // The server deletes a stream some time after it took the request.
    for _ in 0..600 {
        if nats.broker.jetstream.get_stream("ORDERS").await.is_err() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("the setup's user administers streams");
}

/// Subjects outside streams: feeds, operators' commands, inboxes.
async fn others(user: &str, client: &mut Client, wrong: &mut Vec<String>) {
    let tells = !rights::publishes(user).is_empty() && user != "live";
    let is_service = NAMES.contains(&user);
    for other in NAMES {
        let control = format!("control.{other}");
        let personal = subject::personal(other);
        let inbox = format!("_INBOX_{other}.x");
        for (what, may, expected) in [
            (
                "asks",
                client.may_publish(&control).await,
                user == "operator",
            ),
            (
                "hears what is asked of",
                client.may_subscribe(&control).await,
                other == user && user != "live",
            ),
            (
                "asks for an account's rows of",
                client.may_publish(&personal).await,
                user == "user",
            ),
            (
                "hears who asks for an account's rows of",
                client.may_subscribe(&personal).await,
                other == user && user != "live",
            ),
            (
                "hears the answers to",
                client.may_subscribe(&inbox).await,
                other == user,
            ),
            ("answers unasked", client.may_publish(&inbox).await, false),
        ] {
            if may != expected {
                wrong.push(format!("{user} {what} {other}: {may}"));
            }
        }
    }
    for (subject, publishes, hears) in [
        (format!("feed.{ID}"), tells, user == "live"),
        ("feed.role.admin".to_owned(), tells, user == "live"),
        (
            format!("replay.{ID}"),
            is_service && user != "live",
            user == "live",
        ),
        (
            format!("live.order.{ID}.placed"),
            false,
            ["live", OBSERVER].contains(&user),
        ),
        ("anything.else".to_owned(), false, false),
        ("$SYS.REQ.ACCOUNT.PING".to_owned(), false, false),
    ] {
        if client.may_publish(&subject).await != publishes {
            wrong.push(format!("{user} publishes {subject}: {}", !publishes));
        }
        if client.may_subscribe(&subject).await != hears {
            wrong.push(format!("{user} subscribes to {subject}: {}", !hears));
        }
    }
    for subject in [
        ">",
        "tiffin.>",
        "*.>",
        "_INBOX.>",
        "$JS.>",
        "control.*",
        "personal.*",
    ] {
        let may = client.may_subscribe(subject).await;
        let expected = user == OBSERVER && ["tiffin.>", "_INBOX.>"].contains(&subject);
        if may != expected {
            wrong.push(format!("{user} subscribes to {subject}: {may}"));
        }
    }
}

/// The matrix as text: p of n subjects, c consume, a administer.
fn table(matrix: &BTreeMap<(&str, &str), Cell>, streams: &[(&'static str, Vec<String>)]) -> String {
    let mut text = format!("{:14}", "");
    for (stream, _) in streams {
        let _ = write!(text, "{stream:>14}");
    }
    for user in NAMES.into_iter().chain([OBSERVER]) {
        let _ = write!(text, "\n{user:14}");
        for (stream, _) in streams {
            let cell = matrix[&(user, *stream)];
            let mut said = String::new();
            if cell.publish > 0 {
                let _ = write!(said, "p{}/{} ", cell.publish, cell.subjects);
            }
            said.push(if cell.consume { 'c' } else { '-' });
            said.push(if cell.administer { 'a' } else { '-' });
            let _ = write!(text, "{said:>14}");
        }
    }
    text
}
