//! The table of environment variables. `docs/operations.md` shows it.

/// A group of variables, under one heading of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    Servers,
    Secrets,
    Services,
    Telemetry,
    CommandLine,
}

/// Variables that are read together.
#[derive(Clone, Copy, Debug)]
pub struct Variable {
    pub group: Group,
    pub names: &'static [&'static str],
    pub read_by: &'static str,
    pub meaning: &'static str,
}

const fn variable(
    group: Group,
    names: &'static [&'static str],
    read_by: &'static str,
    meaning: &'static str,
) -> Variable {
    Variable {
        group,
        names,
        read_by,
        meaning,
    }
}

/// All variables that Tiffin reads, apart from those of tests and tools.
pub const VARIABLES: [Variable; 69] = [
    variable(
        Group::Servers,
        &["TIFFIN_HOME"],
        "`up`, `admin`, `keys`, `relay`, `events`; media and mail folders",
        "the data folder, `.tiffin`",
    ),
    variable(
        Group::Servers,
        &["TIFFIN_PORT"],
        "`up`",
        "port of the site, 8080",
    ),
    variable(
        Group::Servers,
        &["TIFFIN_BIND"],
        "both, `health`",
        "address to listen on. `serve`: `127.0.0.1` with ports 7001 (user) to 7010 (operator) in the \
          order of the list above, 8080 for `web`. `up`: `127.0.0.1` and `::1` with `TIFFIN_PORT`; \
          any other address than loopback leaves out the demo",
    ),
    variable(
        Group::Servers,
        &["TIFFIN_INTERNAL_BIND"],
        "both",
        "address of the inner listener (`/metrics`, health, calls between services). `serve`: \
          loopback, a thousand ports above `TIFFIN_BIND`. `up`: a free port, named in `run.json`",
    ),
    variable(
        Group::Servers,
        &["DATABASE_URL"],
        "both, `admin`, `keys`, `migrate`, `relay`",
        "PostgreSQL. `up`: a server to use instead of the one it starts; it makes a database and, if \
          the user may, a role per service. `serve`: the service's own database, required (`live` \
          and `web` need none)",
    ),
    variable(
        Group::Servers,
        &["TIFFIN_MIGRATE"],
        "`serve`",
        "`on` (default): the service brings its database up to date as it starts. `off`: it waits until \
          `tiffin migrate` has",
    ),
    variable(
        Group::Servers,
        &["TIFFIN_DATABASE_CONNECTIONS"],
        "both",
        "the most connections of a service's process to its database; one more than twice the \
          processors, from 5 to 10. Each process has one more for its relay",
    ),
    variable(
        Group::Servers,
        &["NATS_URL"],
        "both, `prepare`",
        "the servers of the broker, separated by commas; the first user and password hold for all. \
          `up`: servers to use instead of the one it starts. Default otherwise `nats://127.0.0.1:4222`. \
          The bridge speaks `nats://` only",
    ),
    variable(
        Group::Servers,
        &["TIFFIN_STREAMS"],
        "`up`, `prepare`, operator",
        "caps of the streams; see [Streams that fill up](#streams-that-fill-up)",
    ),
    variable(
        Group::Servers,
        &["TIFFIN_NATS_REPLICAS"],
        "`up`, `prepare`, operator",
        "copies of each stream in a cluster, 1 (default) to 5, unless `TIFFIN_STREAMS` says another number. \
          A start raises them and never lowers them",
    ),
    variable(
        Group::Servers,
        &["TIFFIN_ARCHIVE"],
        "both, `prepare`",
        "the archive of old events: a folder, or `s3://bucket/folder` with `AWS_…` settings; \
          see [Streams that fill up](#streams-that-fill-up). `up`: `archive` in the data folder. `serve`: none",
    ),
    variable(
        Group::Servers,
        &["TIFFIN_ARCHIVE_AFTER_DAYS", "TIFFIN_ARCHIVE_ABOVE_PERCENT"],
        "operator",
        "events leave a stream for the archive after so many days, 30, or as soon as the stream is filled to more than \
          this part of its size, 50",
    ),
    variable(
        Group::Servers,
        &["TIFFIN_BROKER_DISK"],
        "operator",
        "what the broker may store (`max_file_store`), for `tiffin events capacity`, as `64GiB`; the \
          value of `infra/nats/nats-server.conf`. A limit of the broker's account goes before it",
    ),
    variable(
        Group::Servers,
        &[
            "TIFFIN_POSTGRES_BIN",
            "TIFFIN_NATS_SERVER",
            "TIFFIN_OSRM_BIN",
        ],
        "`up`",
        "folder of PostgreSQL's programs; path of nats-server; folder of OSRM's programs",
    ),
    variable(
        Group::Servers,
        &["TIFFIN_OSM"],
        "`up`",
        "roads for the routers that `up` starts: an `.osm.pbf` or `.osm` file. Those of the built-in \
          map with the demo, and no routers without it",
    ),
    variable(
        Group::Servers,
        &["TIFFIN_ROUTER_URL"],
        "`up`, delivery",
        "OSRM that runs already: one URL for all vehicles, or \
          `bike=http://…,scooter=http://…,car=http://…`. `up` starts none then; otherwise it sets \
          the addresses of its routers for its services. Without routers, times and distances are \
          estimates",
    ),
    variable(
        Group::Servers,
        &["TIFFIN_SERVERS"],
        "`up`",
        "where fetched server binaries are kept, `$TIFFIN_HOME/servers`",
    ),
    variable(
        Group::Servers,
        &["TIFFIN_WEB"],
        "both",
        "folder of the built web app; required by `serve web`. `up` finds and builds `web/` of the \
          repository without it",
    ),
    variable(
        Group::Servers,
        &["TIFFIN_PUBLIC_URL"],
        "both",
        "the site that links in mails and pushes point to; `up` sets `http://localhost:<port>` for \
          its services. Without it a link in a mail has no host, and the log says so. If it is \
          `https:`, cookies are `Secure` and answers carry `Strict-Transport-Security` for two years, \
          subdomains included: make sure none of them is plain http",
    ),
    variable(
        Group::Servers,
        &["TIFFIN_PUBLIC_URLS"],
        "web",
        "base URL of each service for browsers, `user=https://…,order=https://…`; what is left out \
          is on the site's own origin",
    ),
    variable(
        Group::Servers,
        &["TIFFIN_ORIGINS"],
        "`serve`",
        "origins of the web app that may call services and open sockets, separated by commas",
    ),
    variable(
        Group::Servers,
        &["TIFFIN_BEHIND_PROXY"],
        "both",
        "`true` if your proxy appends the client's address to `X-Forwarded-For` and the scheme to \
          `X-Forwarded-Proto`. Without it, all clients behind the proxy count as one network, and one \
          network gets a quarter of all connections",
    ),
    variable(
        Group::Servers,
        &["TIFFIN_JWKS_URL"],
        "`serve`",
        "the user service's public keys, `http://127.0.0.1:7001/.well-known/jwks.json`",
    ),
    variable(
        Group::Servers,
        &["TIFFIN_USER_URL", "TIFFIN_USER_INTERNAL_URL"],
        "driver",
        "public and inner side of the user service, which makes drivers' accounts",
    ),
    variable(
        Group::Servers,
        &["TIFFIN_LIVE_HUBS"],
        "live",
        "threads that sockets are spread over, 1 to 64; one per four processors",
    ),
    variable(
        Group::Secrets,
        &["TIFFIN_MASTER_KEY", "TIFFIN_MASTER_KEY_FILE"],
        "user, `keys rotate`, `admin create`",
        "key that seals secrets in the database: 32 bytes in base64 (`openssl rand -base64 32`), or \
          a file with it. Older keys may follow after commas; they still open what they sealed. `up` \
          makes one and keeps it as `$TIFFIN_HOME/master-key`",
    ),
    variable(
        Group::Secrets,
        &["TIFFIN_STRIPE_SECRET_KEY"],
        "payment",
        "Stripe's secret or restricted key; required with `TIFFIN_PAYMENT_PROVIDER=stripe`",
    ),
    variable(
        Group::Secrets,
        &["TIFFIN_STRIPE_WEBHOOK_SECRET"],
        "payment",
        "secret of Stripe's webhook (`whsec_…`); two with a comma while one replaces the other",
    ),
    variable(
        Group::Secrets,
        &["TIFFIN_SERVICE_KEY"],
        "user, driver",
        "what the driver service shows to have an account made; `up` makes one at each start",
    ),
    variable(
        Group::Secrets,
        &["TIFFIN_ANON_KEY"],
        "media, web",
        "public key with which a visitor without an account uploads a picture; `up` makes one and \
          keeps it. Without it only accounts upload",
    ),
    variable(
        Group::Secrets,
        &["TIFFIN_NATS_<USER>_PASSWORD"],
        "nats-server",
        "passwords in `infra/nats/users.conf`: `SETUP`, `OBSERVER` and one per service",
    ),
    variable(
        Group::Secrets,
        &["TIFFIN_<SERVICE>_DATABASE_PASSWORD", "POSTGRES_PASSWORD"],
        "`docker-compose.yml`, `infra/postgres/databases.sql`",
        "passwords of the database roles",
    ),
    variable(
        Group::Secrets,
        &["TIFFIN_ADMIN_SECOND_FACTOR"],
        "user",
        "`required` (default) or `optional`: whether administrators and operators need a second \
          factor. `up` sets `optional` with its demo",
    ),
    variable(
        Group::Services,
        &["SMTP_URL"],
        "user, notification",
        "mail server: `smtps://user:password@host:465`, `smtp://host:587?tls=required`",
    ),
    variable(
        Group::Services,
        &["TIFFIN_MAIL_DIR"],
        "user, notification",
        "folder for mails as `.eml` files if there is no `SMTP_URL`; `$TIFFIN_HOME/mail`, readable \
          by its owner alone",
    ),
    variable(
        Group::Services,
        &["TIFFIN_MAIL_FROM"],
        "user, notification",
        "sender, `Tiffin <no-reply@tiffin.local>`",
    ),
    variable(
        Group::Services,
        &["TIFFIN_PUSH_CONTACT"],
        "notification",
        "how push services reach you: a `mailto:` or `https:` address; `TIFFIN_PUBLIC_URL`",
    ),
    variable(
        Group::Services,
        &["TIFFIN_PUSH_LOOPBACK"],
        "notification",
        "`true` allows a push service on this machine, for trials",
    ),
    variable(
        Group::Services,
        &["TIFFIN_PAYMENT_PROVIDER"],
        "payment, web",
        "`sandbox` (default), which is built in and accepts published test cards only, or `stripe`; see \
          [Payments by Stripe](#payments-by-stripe)",
    ),
    variable(
        Group::Services,
        &["TIFFIN_STRIPE_PUBLISHABLE_KEY"],
        "web",
        "`pk_…`, with which browsers give cards to Stripe; required with `stripe`",
    ),
    variable(
        Group::Services,
        &["TIFFIN_STRIPE_API", "TIFFIN_STRIPE_SCRIPT"],
        "payment; web",
        "addresses of Stripe's API and script, for trials; `https://api.stripe.com` and `https://js.stripe.com/v3/`",
    ),
    variable(
        Group::Services,
        &["TIFFIN_STRIPE_TIMEOUT"],
        "payment",
        "the longest wait for an answer of Stripe, in seconds, 8",
    ),
    variable(
        Group::Services,
        &["TIFFIN_OWNER_REFUND_PERCENT"],
        "payment",
        "the part of an order's price that its restaurant's owner may refund, 50 percent; \
          administrators may refund all of it",
    ),
    variable(
        Group::Services,
        &["TIFFIN_OWNER_REFUND_HOURS"],
        "payment",
        "the hours after an order was placed in which its restaurant's owner may refund, 24",
    ),
    variable(
        Group::Services,
        &["TIFFIN_OWNER_REFUND_DAILY"],
        "payment",
        "the most that the owner may refund of one restaurant's orders in 24 hours, 20000",
    ),
    variable(
        Group::Services,
        &["TIFFIN_MEDIA_DIR"],
        "media",
        "folder of pictures, `$TIFFIN_HOME/media`",
    ),
    variable(
        Group::Services,
        &["TIFFIN_MEDIA_URL"],
        "media",
        "S3 instead of a folder: `s3://bucket/folder`, with `AWS_ACCESS_KEY_ID`, \
          `AWS_SECRET_ACCESS_KEY`, `AWS_SESSION_TOKEN`, `AWS_REGION`, `AWS_ENDPOINT`, \
          `AWS_ALLOW_HTTP`, `AWS_VIRTUAL_HOSTED_STYLE_REQUEST`",
    ),
    variable(
        Group::Services,
        &["TIFFIN_COPIES_DIR"],
        "user",
        "folder of people's copies, `$TIFFIN_HOME/copies`",
    ),
    variable(
        Group::Services,
        &["TIFFIN_COPIES_URL"],
        "user",
        "S3 instead of a folder, as for `TIFFIN_MEDIA_URL`; several processes need it or a shared folder",
    ),
    variable(
        Group::Services,
        &["TIFFIN_GOOGLE_CLIENT_ID"],
        "user, web",
        "turns on sign-in with Google",
    ),
    variable(
        Group::Services,
        &["TIFFIN_GOOGLE_ISSUER"],
        "user",
        "who checks Google's tokens; Google itself",
    ),
    variable(
        Group::Services,
        &["TIFFIN_GEOCODER_URL"],
        "user, web",
        "a geocoder with Nominatim's interface (`/reverse` is appended). Tiffin asks it once a \
          second, and once per place. Without it, or while it is away, addresses come from the \
          built-in map",
    ),
    variable(
        Group::Services,
        &["TIFFIN_TILE_URL", "TIFFIN_TILE_ATTRIBUTION"],
        "web",
        "map tiles and their credit; the built-in map of Colombo without them",
    ),
    variable(
        Group::Services,
        &["TIFFIN_CURRENCY"],
        "every service, web",
        "the currency of all amounts, a code of ISO 4217 with 0, 2 or 3 decimals, `LKR`. A database keeps the one of \
          its first start and refuses another",
    ),
    variable(
        Group::Services,
        &["TIFFIN_TIME_ZONE"],
        "restaurant, order, web",
        "the time zone of days, hours and tickets by the names of IANA; that of Colombo without one",
    ),
    variable(
        Group::Services,
        &["TIFFIN_LOCALE"],
        "web",
        "the language for readers whose browser names none of Tiffin's, and the form of numbers and dates, a tag of \
          BCP 47, `en-LK`",
    ),
    variable(
        Group::Services,
        &["TIFFIN_SIGN_UPS"],
        "user",
        "accounts that one network may open in an hour, 60",
    ),
    variable(
        Group::Services,
        &["TIFFIN_ANSWER_MINUTES"],
        "order",
        "minutes in which a restaurant answers an order, 10, unless it chose other ones; then the order is refused. 0: \
          no deadline",
    ),
    variable(
        Group::Services,
        &["TIFFIN_WRITE_LIMIT_FACTOR"],
        "every service",
        "multiplies the limits of writes, 1; for load tests",
    ),
    variable(
        Group::Services,
        &["TIFFIN_COMMIT"],
        "the build",
        "the commit that `tiffin version` prints; `infra/Dockerfile` passes it on",
    ),
    variable(
        Group::Telemetry,
        &["RUST_LOG"],
        "both",
        "which log lines; `info` with quieter libraries for `serve`, `warn` for `up`",
    ),
    variable(
        Group::Telemetry,
        &["TIFFIN_LOG_FORMAT"],
        "both",
        "`json` or `pretty`; JSON unless standard error is a terminal, `pretty` for `up`",
    ),
    variable(
        Group::Telemetry,
        &["OTEL_EXPORTER_OTLP_ENDPOINT"],
        "both",
        "collector of traces (OTLP over HTTP); no traces without it",
    ),
    variable(
        Group::Telemetry,
        &["OTEL_SERVICE_NAME"],
        "both",
        "name in traces, `tiffin`",
    ),
    variable(
        Group::CommandLine,
        &["TIFFIN_URL"],
        "`events`",
        "like `--url`: the platform; the one in `$TIFFIN_HOME/run.json`, else \
          `http://localhost:8080`",
    ),
    variable(
        Group::CommandLine,
        &["TIFFIN_TOKEN"],
        "`events`",
        "like `--token`: an access token instead of the session",
    ),
    variable(
        Group::CommandLine,
        &["TIFFIN_PASSWORD", "TIFFIN_CODE"],
        "`events`",
        "password and second-factor code where there is no terminal",
    ),
    variable(
        Group::CommandLine,
        &["XDG_CONFIG_HOME"],
        "`events`",
        "sessions are in `$XDG_CONFIG_HOME/tiffin`, else `~/.config/tiffin`, readable by their owner \
          alone",
    ),
    variable(
        Group::CommandLine,
        &["TIFFIN_PRINT_STATE"],
        "`print`",
        "like `--state`: the folder of the agent's session and of the ticket at hand; `tiffin-print` in `$XDG_STATE_HOME`, else in `~/.local/state`",
    ),
];

impl Group {
    pub const ALL: [Self; 5] = [
        Self::Servers,
        Self::Secrets,
        Self::Services,
        Self::Telemetry,
        Self::CommandLine,
    ];

    /// The heading of its table.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Servers => "Servers and addresses",
            Self::Secrets => "Secrets",
            Self::Services => "Services",
            Self::Telemetry => "Logs and traces",
            Self::CommandLine => "The command line `tiffin events`",
        }
    }

    /// Its table in Markdown.
    pub fn table(self) -> String {
        let mut table =
            String::from("| variable | read by | meaning and default |\n|---|---|---|\n");
        for one in VARIABLES.iter().filter(|one| one.group == self) {
            let names = one.names.join("`, `");
            let Variable {
                read_by, meaning, ..
            } = one;
            table.extend(["| `", &names, "` | ", read_by, " | ", meaning, " |\n"]);
        }
        table
    }
}

#[cfg(test)]
mod tests;
