use axum::routing::get;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    time::Instant,
};

use super::*;

const SHORT: Duration = Duration::from_millis(200);

async fn start(app: Router) -> (SocketAddr, CancellationToken, tokio::task::JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let shutdown = CancellationToken::new();
    let task = tokio::spawn(serve_with(
        listener,
        app,
        Connections::of_process(BehindProxy(true)),
        shutdown.clone(),
        Timeouts {
            head: SHORT,
            answer: SHORT,
            drain: Duration::from_secs(2),
        },
    ));
    (address, shutdown, task)
}

async fn rest_of(stream: &mut TcpStream) -> String {
    let mut text = String::new();
    stream.read_to_string(&mut text).await.unwrap_or_default();
    text
}

#[tokio::test]
async fn a_slow_request_head_is_cut_off() {
    let (address, ..) = start(Router::new()).await;
    for head in ["", "P", "GET / HTTP/1.1\r\nHost: x\r\nX-Slow: "] {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(head.as_bytes()).await.unwrap();
        let start = Instant::now();
        let read = tokio::time::timeout(SHORT * 10, rest_of(&mut stream)).await;
        assert!(read.is_ok(), "{head:?} held its connection");
        assert!(start.elapsed() >= SHORT / 2, "{head:?} was cut off at once");
    }
}

#[tokio::test]
async fn a_client_that_reads_nothing_is_cut_off() {
    let given_up = CancellationToken::new();
    let guard = given_up.clone();
    // An answer without an end: what makes it is dropped with its connection.
    let endless = move || {
        let held = guard.clone().drop_guard();
        let chunks = futures_util::stream::unfold(held, |held| async move {
            let chunk = Ok::<_, io::Error>(Bytes::from_static(&[b'x'; 16_384]));
            Some((chunk, held))
        });
        std::future::ready(axum::body::Body::from_stream(chunks))
    };
    let (address, ..) = start(Router::new().route("/", get(endless))).await;
    let mut stream = TcpStream::connect(address).await.unwrap();
    let request = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n";
    stream.write_all(request).await.unwrap();
    let ended = tokio::time::timeout(SHORT * 100, given_up.cancelled()).await;
    assert!(ended.is_ok(), "the answer held its connection");
    drop(stream);
}

/// An answer of JSON that says when it is let go.
struct Answer {
    bytes: Vec<u8>,
    _guard: tokio_util::sync::DropGuard,
}

impl AsRef<[u8]> for Answer {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

#[tokio::test]
async fn an_answer_that_is_not_taken_is_let_go() {
    let given_up = CancellationToken::new();
    let guard = given_up.clone();
    let answer = async move || {
        let answer = Answer {
            bytes: vec![b' '; 64 * 1024 * 1024],
            _guard: guard.clone().drop_guard(),
        };
        let kind = [(header::CONTENT_TYPE, "application/json")];
        (kind, Bytes::from_owner(answer))
    };
    let (address, ..) = start(crate::server::harden(
        "test",
        Router::new().route("/", get(answer)),
    ))
    .await;
    let mut stream = TcpStream::connect(address).await.unwrap();
    let request = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n";
    stream.write_all(request).await.unwrap();
    let ended = tokio::time::timeout(SHORT * 100, given_up.cancelled()).await;
    assert!(ended.is_ok(), "the answer held its connection");
    drop(stream);
}

#[tokio::test]
async fn a_request_names_one_host() {
    let (address, ..) = start(Router::new().route("/", get(async || "fine"))).await;
    for (version, hosts, status) in [
        ("1.1", "Host: food.example:8080\r\n", "200"),
        ("1.0", "", "200"),
        ("1.1", "", "400"),
        ("1.1", "Host: a\r\nHost: b\r\n", "400"),
        ("1.1", "Host: a/b\r\n", "400"),
        ("1.1", "Host: user@a\r\n", "400"),
    ] {
        let mut stream = TcpStream::connect(address).await.unwrap();
        let request = format!("GET / HTTP/{version}\r\n{hosts}Connection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let answer = rest_of(&mut stream).await;
        assert_eq!(answer.split(' ').nth(1), Some(status), "{hosts:?}");
    }
}

#[tokio::test]
async fn a_handler_knows_who_is_at_the_other_end() {
    let app = Router::new().route("/", get(|Peer(peer): Peer| async move { peer.to_string() }));
    let (address, ..) = start(app).await;
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream
        .write_all(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        .await
        .unwrap();
    let answer = rest_of(&mut stream).await;
    assert!(
        answer.ends_with(&stream.local_addr().unwrap().to_string()),
        "{answer}"
    );
}

#[tokio::test]
async fn a_request_under_way_is_finished_and_no_new_one_taken() {
    let app = Router::new().route(
        "/slow",
        get(|| async {
            tokio::time::sleep(Duration::from_millis(300)).await;
            "done"
        }),
    );
    let (address, shutdown, task) = start(app).await;
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream
        .write_all(b"GET /slow HTTP/1.1\r\nHost: x\r\n\r\n")
        .await
        .unwrap();
    tokio::time::sleep(Duration::from_millis(50)).await;
    shutdown.cancel();
    assert!(rest_of(&mut stream).await.ends_with("done"));
    task.await.unwrap();
    assert!(TcpStream::connect(address).await.is_err());
}

#[tokio::test]
async fn an_upgraded_connection_comes_out_as_plain_tcp() {
    let app = Router::new().route(
        "/up",
        get(|mut request: Request| async move {
            let upgrade = hyper::upgrade::on(&mut request);
            tokio::spawn(async move {
                let (mut stream, early) = into_tcp(upgrade.await.unwrap()).unwrap();
                stream.write_all(&early).await.unwrap();
            });
            (
                http::StatusCode::SWITCHING_PROTOCOLS,
                [("connection", "upgrade"), ("upgrade", "echo")],
            )
        }),
    );
    let (address, ..) = start(app).await;
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream
        .write_all(
            b"GET /up HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: echo\r\n\r\nhello",
        )
        .await
        .unwrap();
    assert!(rest_of(&mut stream).await.ends_with("hello"));
}
