//! The rights of each service at the broker: one user a service, who may publish to its own streams, read those
//! that it follows, and nothing else. `infra/nats/users.conf` is made from this.

use std::{collections::BTreeSet, fmt::Write};

use crate::{
    Stream, audience, catalogue, revocation,
    services::NAMES,
    subject::{self, EventType},
};

/// Makes and changes streams; what `tiffin prepare` and the start of `tiffin up` connect as. It may do
/// everything.
pub const SETUP: &str = "setup";

/// Looks at streams and messages and changes nothing; for monitoring.
pub const OBSERVER: &str = "observer";

/// The stream behind the audience bucket.
pub const AUDIENCE_STREAM: &str = "KV_audience";

/// The subjects that a user may publish and subscribe to, in the server's words.
#[derive(Clone, Debug, Default)]
pub struct Rights {
    pub publish: BTreeSet<String>,
    /// Subjects that are refused although `publish` covers them.
    pub denied: BTreeSet<String>,
    pub subscribe: BTreeSet<String>,
}

/// The streams whose events a service handles, with a consumer named `<service>_<stream>` each.
pub fn follows(service: &str) -> Vec<Stream> {
    use Stream::{Catalog, Deliveries, Drivers, Orders, Payments, Positions, Users};
    match service {
        "user" => vec![Orders],
        "restaurant" => vec![Users],
        "order" => vec![Catalog, Users, Drivers, Deliveries, Payments],
        "payment" => vec![Orders, Deliveries, Users, Catalog],
        "delivery" => vec![Orders, Users, Catalog, Drivers, Positions, Deliveries],
        "driver" => vec![Users, Catalog, Positions],
        "notification" => vec![Users, Catalog, Orders, Deliveries, Payments],
        "media" => vec![Users, Catalog, Orders],
        "operator" => Stream::ALL
            .into_iter()
            .filter(|stream| stream.is_history())
            .collect(),
        _ => Vec::new(),
    }
}

/// The subjects that a service publishes events on, from the catalogue.
pub fn publishes(service: &str) -> BTreeSet<String> {
    let entries = catalogue::entries();
    let own = entries.iter().filter(|entry| entry.service == service);
    own.map(|entry| {
        let aggregate = EventType::parse(entry.kind).aggregate;
        match entry.stream {
            Stream::Positions => format!("tiffin.{aggregate}.*"),
            _ => format!("tiffin.{aggregate}.*.*"),
        }
    })
    .collect()
}

/// The streams that a service's events are kept in.
pub fn owns(service: &str) -> BTreeSet<Stream> {
    let entries = catalogue::entries();
    let own = entries.iter().filter(|entry| entry.service == service);
    own.map(|entry| entry.stream).collect()
}

/// The services whose events a service follows.
pub fn producers(service: &str) -> BTreeSet<&'static str> {
    let follows = follows(service);
    let publishes = |other: &&str| owns(other).iter().any(|stream| follows.contains(stream));
    NAMES.into_iter().filter(publishes).collect()
}

/// The kinds of things whose audience a service publishes.
pub fn audience_kinds(service: &str) -> &'static [&'static str] {
    match service {
        "order" => &["order"],
        "delivery" => &["delivery", "driver"],
        _ => &[],
    }
}

/// The prefix of the reply subjects of a service's client; `None` for other users of the broker.
pub fn inbox(user: &str) -> Option<String> {
    NAMES.contains(&user).then(|| format!("_INBOX_{user}"))
}

/// The rights of a service.
pub fn of(service: &str) -> Rights {
    let mut rights = Rights::default();
    rights.publish.insert("$JS.API.INFO".to_owned());
    rights
        .subscribe
        .extend(inbox(service).map(|inbox| format!("{inbox}.>")));
    rights.read(service, revocation::STREAM);
    if service == "live" {
        rights.bridge();
        return rights;
    }
    let published = publishes(service);
    if !published.is_empty() {
        // The relay sends hints of the events that it has published.
        rights
            .publish
            .extend(["feed.*", "feed.role.*"].map(str::to_owned));
    }
    rights.publish.extend(published);
    for kind in audience_kinds(service) {
        rights
            .publish
            .insert(format!("$KV.{}.{kind}.*", audience::BUCKET));
        rights.read(service, AUDIENCE_STREAM);
    }
    for stream in follows(service) {
        let name = stream.name();
        rights.read(service, name);
        rights
            .publish
            .insert(format!("$JS.ACK.{name}.{service}_{name}.>"));
        rights
            .publish
            .insert(format!("tiffin.dead.{service}_{name}"));
    }
    // What the broker has lost is looked for before it is published again.
    rights.publish.insert("$JS.API.STREAM.NAMES".to_owned());
    for stream in owns(service) {
        rights.read(service, stream.name());
    }
    // Operators send commands to each service, which answers with its status.
    rights.subscribe.insert(format!("control.{service}"));
    rights.subscribe.insert(subject::status(service));
    // The user service gathers what each service holds about an account.
    rights.subscribe.insert(subject::personal(service));
    // Every service seals and opens personal fields.
    rights.publish.insert(subject::PERSONAL_KEYS.to_owned());
    rights.publish.insert("replay.*".to_owned());
    match service {
        "user" => rights.account_keeper(),
        "operator" => rights.operator(),
        // What nothing refers to is removed, once nothing is on its way that may.
        "media" => {
            let asked = producers(service).into_iter().map(subject::status);
            rights.publish.extend(asked);
        }
        // A driver's device may send positions by HTTP, too, and those that come late only so.
        "delivery" => {
            let positions = Stream::Positions.subjects().iter();
            rights.publish.extend(positions.map(ToString::to_string));
        }
        _ => {}
    }
    rights
}

impl Rights {
    /// Lets a service read a stream by consumers of any name but another service's.
    fn read(&mut self, service: &str, stream: &str) {
        self.publish.extend([
            format!("$JS.API.STREAM.INFO.{stream}"),
            format!("$JS.API.CONSUMER.CREATE.{stream}.>"),
            format!("$JS.API.CONSUMER.INFO.{stream}.*"),
            format!("$JS.API.CONSUMER.DELETE.{stream}.*"),
            format!("$JS.API.CONSUMER.MSG.NEXT.{stream}.*"),
            format!("$JS.API.STREAM.MSG.GET.{stream}"),
            format!("$JS.API.DIRECT.GET.{stream}"),
            format!("$JS.API.DIRECT.GET.{stream}.>"),
        ]);
        let others = NAMES.into_iter().filter(|other| *other != service);
        for other in others.filter(|other| follows(other).iter().any(|one| one.name() == stream)) {
            let consumer = format!("{stream}.{other}_{stream}");
            self.denied.extend([
                format!("$JS.API.CONSUMER.CREATE.{consumer}"),
                format!("$JS.API.CONSUMER.CREATE.{consumer}.>"),
                format!("$JS.API.CONSUMER.DELETE.{consumer}"),
                format!("$JS.API.CONSUMER.MSG.NEXT.{consumer}"),
            ]);
        }
    }

    /// The user service ends tokens, erases closed accounts in its stream and in dead letters, and gathers people's
    /// copies.
    fn account_keeper(&mut self) {
        let (users, letters) = (Stream::Users.name(), Stream::DeadLetters.name());
        self.read("user", letters);
        self.publish.extend([
            revocation::ALIVE.to_owned(),
            "revocation.user.*".to_owned(),
            format!("$JS.API.STREAM.MSG.DELETE.{users}"),
            format!("$JS.API.STREAM.MSG.DELETE.{letters}"),
            "tiffin.dead.*".to_owned(),
            subject::personal("*"),
        ]);
        self.subscribe.insert(subject::PERSONAL_KEYS.to_owned());
    }

    /// Operators read everything, ask every service, import history, settle dead letters, make streams that
    /// were lost, and remove from streams what is archived.
    fn operator(&mut self) {
        let all = Stream::ALL.map(Stream::name);
        for name in all {
            self.read("operator", name);
            self.publish.insert(format!("$JS.API.CONSUMER.LIST.{name}"));
        }
        // The bucket is counted, to see when it fills up.
        self.read("operator", AUDIENCE_STREAM);
        for name in all.into_iter().chain([AUDIENCE_STREAM, revocation::STREAM]) {
            self.publish.insert(format!("$JS.API.STREAM.CREATE.{name}"));
        }
        let archived = Stream::ALL.into_iter().filter(|one| one.is_archived());
        self.publish
            .extend(archived.map(|one| format!("$JS.API.STREAM.PURGE.{one}")));
        let history = Stream::ALL.into_iter().filter(|one| one.is_history());
        self.publish
            .extend(history.flat_map(Stream::subjects).map(ToString::to_string));
        self.publish.extend([
            "control.*".to_owned(),
            format!("$JS.API.STREAM.MSG.DELETE.{}", Stream::DeadLetters),
        ]);
    }

    /// The bridge hears what browsers may watch, looks up what is stored, and passes positions on.
    fn bridge(&mut self) {
        let watched = [
            "$KV.audience.>",
            "tiffin.position.*",
            "live.order.*.*",
            "live.delivery.*.*",
            "feed.*",
            "feed.role.*",
            "replay.*",
        ];
        self.subscribe.extend(watched.map(str::to_owned));
        self.publish.insert("tiffin.position.*".to_owned());
        for name in [
            AUDIENCE_STREAM,
            Stream::Positions.name(),
            Stream::Orders.name(),
            Stream::Deliveries.name(),
        ] {
            self.publish.extend([
                format!("$JS.API.DIRECT.GET.{name}"),
                format!("$JS.API.DIRECT.GET.{name}.>"),
            ]);
        }
    }
}

/// The users of nats-server, for its configuration. Passwords come from the environment:
/// `TIFFIN_NATS_ORDER_PASSWORD` and so on.
pub fn users_conf() -> String {
    let mut text = String::from(
        "# The broker's users, one a service. Made from events/catalog/src/rights.rs by `cargo xtask generate`.\n\
         # Passwords come from the environment.\n\n\
         users: [\n",
    );
    // Writing into memory does not fail.
    let _ = writeln!(
        text,
        "  # Makes streams, and alone changes and removes them.\n  {{ user: {SETUP}, password: {} }}",
        password(SETUP)
    );
    for service in NAMES {
        let Rights {
            publish,
            denied,
            subscribe,
        } = of(service);
        let _ = write!(
            text,
            "  {{\n    user: {service}\n    password: {}\n    permissions {{\n      publish {{\n",
            password(service)
        );
        list(&mut text, "        allow", &publish);
        list(&mut text, "        deny", &denied);
        text.push_str("      }\n");
        list(&mut text, "      subscribe", &subscribe);
        if service != "live" {
            // A service answers an operator's command once, at any reply subject.
            text.push_str("      allow_responses { max: 1, expires: \"2m\" }\n");
        }
        text.push_str("    }\n  }\n");
    }
    let _ = write!(
        text,
        "  {{\n    user: {OBSERVER}\n    password: {}\n    permissions {{\n",
        password(OBSERVER)
    );
    let looks = [
        "$JS.API.STREAM.INFO.>",
        "$JS.API.STREAM.NAMES",
        "$JS.API.CONSUMER.INFO.>",
        "$JS.API.INFO",
    ];
    list(
        &mut text,
        "      publish",
        &BTreeSet::from(looks.map(str::to_owned)),
    );
    let hears = ["_INBOX.>", "tiffin.>", "live.>"];
    list(
        &mut text,
        "      subscribe",
        &BTreeSet::from(hears.map(str::to_owned)),
    );
    text.push_str("    }\n  }\n]\n");
    text
}

fn password(user: &str) -> String {
    format!("$TIFFIN_NATS_{}_PASSWORD", user.to_uppercase())
}

fn list(text: &mut String, name: &str, subjects: &BTreeSet<String>) {
    if subjects.is_empty() {
        return;
    }
    let margin = " ".repeat(name.len() - name.trim_start().len());
    let _ = writeln!(text, "{name}: [");
    for subject in subjects {
        let _ = writeln!(text, "{margin}  \"{subject}\"");
    }
    let _ = writeln!(text, "{margin}]");
}
