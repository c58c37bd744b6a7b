use std::{
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    time::{Duration, Instant},
};

use futures_util::future::join_all;
use serde_json::{Value, json};
use tiffin_testkit::LiveClient;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::process::{Process, connect_from};

/// The limit of open files of the process.
const FILES: usize = 600;
/// The number of tried connections, by one account and by others without one.
const TRIED: usize = 2_000;
/// Tried at the same time.
const AT_ONCE: usize = 50;
/// The addresses that the attack comes from.
const ATTACKER: u8 = 2;
const OTHERS: std::ops::Range<u8> = 10..18;

/// A customer's token, whose address is proven.
async fn account(process: &Process) -> String {
    let form = json!({
        "email": "nimal@example.com", "password": "Kottu#Roti88", "firstName": "Nimal",
        "lastName": "Perera", "address": "12 Galle Road, Colombo 03", "phone": "+94771234567",
        "image": "/demo/person.svg", "role": "customer",
    });
    let made = process.client.post(process.url("/api/v1/users"));
    assert_eq!(made.json(&form).send().await.unwrap().status(), 201);
    let login = process.client.post(process.url("/api/v1/users/login"));
    let answer = login.json(&form).send().await.unwrap();
    let answer: Value = answer.json().await.unwrap();
    let token = answer["token"].as_str().unwrap();
    let call = process.client.get(process.url("/api/v1/users/sendOTP"));
    assert_eq!(call.bearer_auth(token).send().await.unwrap().status(), 200);
    let code = json!({ "otp": code(process).await });
    let call = process.client.post(process.url("/api/v1/users/verifyOTP"));
    let answer = call.bearer_auth(token).json(&code).send().await.unwrap();
    let answer: Value = answer.json().await.unwrap();
    answer["token"].as_str().unwrap().to_owned()
}

/// The code of the mail that comes: its first word of six digits.
async fn code(process: &Process) -> String {
    let began = Instant::now();
    loop {
        for mail in process.mails() {
            let (_, body) = mail.split_once("\r\n\r\n").unwrap_or_default();
            let is_code =
                |word: &&str| word.len() == 6 && word.bytes().all(|it| it.is_ascii_digit());
            let mut words = body.split(|letter: char| !letter.is_ascii_alphanumeric());
            if let Some(code) = words.find(is_code) {
                return code.to_owned();
            }
        }
        assert!(
            began.elapsed() < Duration::from_mins(1),
            "no code is mailed"
        );
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

const HANDSHAKE: &str = "GET /live HTTP/1.1\r\nHost: food.example\r\nConnection: Upgrade\r\n\
    Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

/// A masked text frame whose mask changes nothing.
fn frame(text: &str) -> Vec<u8> {
    let length = u16::try_from(text.len()).unwrap().to_be_bytes();
    [&[0x81, 0xfe][..], &length, &[0; 4], text.as_bytes()].concat()
}

/// The first bytes of one connection of the attack: a socket of the account, one without a token, a head
/// that never ends, or nothing.
fn client_bytes(nth: usize, token: &str) -> Vec<u8> {
    let auth = frame(&json!({ "type": "auth", "token": token }).to_string());
    match nth % 4 {
        0 | 1 => [HANDSHAKE.as_bytes(), &auth].concat(),
        2 => HANDSHAKE.into(),
        _ if nth % 8 == 3 => b"GET / HTTP/1.1\r\nHost: food.example\r\nX-Slow: ".to_vec(),
        _ => Vec::new(),
    }
}

/// Opens the connections and keeps every one of them.
async fn attack(process: &Process, token: &str) -> Vec<TcpStream> {
    let mut sockets = Vec::new();
    for first in (0..TRIED).step_by(AT_ONCE) {
        let tries = (first..first + AT_ONCE).map(async |nth| {
            let mut stream = connect_from(ATTACKER, process.address).await.ok()?;
            // A connection that was refused is closed already.
            let _ = stream.write_all(&client_bytes(nth, token)).await;
            Some(stream)
        });
        sockets.extend(join_all(tries).await.into_iter().flatten());
    }
    sockets
}

/// Asks as others do until the end, and counts the answers. Panics at the first answer that is not the one
/// expected.
async fn ask_meanwhile(
    process: &Process,
    has_ended: &AtomicBool,
    most: &AtomicUsize,
    asked: &AtomicUsize,
) {
    while !has_ended.load(Ordering::Relaxed) {
        for path in ["/healthz", "/api/v1/restaurant", "/"] {
            let answer = process.client.get(process.url(path)).send().await;
            let status = answer.map(|answer| answer.status().as_u16());
            assert_eq!(
                status.map_err(|error| format!("{path}: {error:?}")),
                Ok(200)
            );
            asked.fetch_add(1, Ordering::Relaxed);
        }
        most.fetch_max(process.files(), Ordering::Relaxed);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn two_thousand_connections_and_a_slow_body_leave_the_platform_open_to_others() {
    let process = Process::up(FILES).await;
    assert_eq!(process.max_files(), FILES, "the soft limit is the hard one");
    assert!(
        process.log().contains("it takes 225 connections at once"),
        "{}",
        process.log()
    );
    let token = account(&process).await;
    let idle = process.files();

    let (has_ended, most) = (AtomicBool::new(false), AtomicUsize::new(0));
    let asked = AtomicUsize::new(0);
    let attacked = async {
        let sockets = attack(&process, &token).await;
        // Sockets that say nothing are let go after five seconds; those of the account stay. Others get some
        // answers meanwhile.
        let began = Instant::now();
        while process.metric("live_sockets").await > 10.0 || asked.load(Ordering::Relaxed) < 9 {
            assert!(
                began.elapsed() < Duration::from_mins(1),
                "sockets without a token stay, or others get no answers"
            );
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        has_ended.store(true, Ordering::Relaxed);
        sockets
    };
    let others = ask_meanwhile(&process, &has_ended, &most, &asked);
    let (sockets, (), ()) = tokio::join!(attacked, others, trickle(&process));
    let asked = asked.into_inner();
    let most = most.into_inner();
    eprintln!(
        "{idle} files idle, at most {most} of {FILES} under {TRIED} connections; {asked} answers to others"
    );
    assert!(most < FILES);
    assert!(process.metric("http_connections_refused_total").await > 100.0);

    let spread = from_many_networks(&process).await;
    assert!(
        !process.log().contains("can't accept connections"),
        "{}",
        process.log()
    );
    assert!(
        !process.log().contains("Too many open files"),
        "{}",
        process.log()
    );
    drop((sockets, spread));
    everything_is_as_before(&process, &token, idle).await;
}

/// Connections of more networks than there is room for: the last ones are refused at once, and nothing
/// else lacks a file.
async fn from_many_networks(process: &Process) -> Vec<TcpStream> {
    let mut sockets = Vec::new();
    for network in OTHERS {
        let tries = (0..60).map(|_| connect_from(network, process.address));
        sockets.extend(join_all(tries).await.into_iter().flatten());
    }
    assert!(process.files() < FILES);
    // Silent ones go after ten seconds: on a slow machine one or another may still get in.
    let mut answer = String::new();
    for network in OTHERS.end.. {
        let mut more = connect_from(network, process.address).await.unwrap();
        let read = more.read_to_string(&mut answer);
        let read = tokio::time::timeout(Duration::from_secs(1), read).await;
        if read.is_ok() {
            break;
        }
        sockets.push(more);
    }
    assert!(answer.starts_with("HTTP/1.1 503 "), "{answer}");
    assert!(answer.contains("\r\nRetry-After: 5\r\n"), "{answer}");
    let ready = process.metric("live_sockets").await;
    assert!(ready <= 10.0, "{ready}");
    sockets
}

/// Everybody gets in again, the attacker too, and no file is left open.
async fn everything_is_as_before(process: &Process, token: &str, idle: usize) {
    let began = Instant::now();
    loop {
        let all = process.files();
        let mut asked = connect_from(ATTACKER, process.address).await.unwrap();
        let request = b"GET /healthz HTTP/1.1\r\nHost: food.example\r\nConnection: close\r\n\r\n";
        asked.write_all(request).await.unwrap();
        let mut answer = String::new();
        let _ = asked.read_to_string(&mut answer).await;
        if answer.starts_with("HTTP/1.1 200 ") && all <= idle + 50 {
            break;
        }
        assert!(
            began.elapsed() < Duration::from_mins(1),
            "{all} files, {answer}"
        );
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    let url = format!("ws://{}/live", process.address);
    LiveClient::connect(&url, token).await;
}

/// A body of JSON that comes a byte at a time is answered 408, and its connection closed.
async fn trickle(process: &Process) {
    let mut stream = TcpStream::connect(process.address).await.unwrap();
    let head = "POST /api/v1/users/login HTTP/1.1\r\nHost: food.example\r\n\
        Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{";
    stream.write_all(head.as_bytes()).await.unwrap();
    let (mut reads, mut writes) = stream.into_split();
    let trickles = tokio::spawn(async move {
        while writes.write_all(b" ").await.is_ok() {
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
    });
    let mut answer = Vec::new();
    let ended = tokio::time::timeout(Duration::from_mins(1), reads.read_to_end(&mut answer)).await;
    trickles.abort();
    // What was sent after the answer may make its end a reset.
    let _ = ended.unwrap();
    let answer = String::from_utf8(answer).unwrap().to_ascii_lowercase();
    assert!(answer.starts_with("http/1.1 408 "), "{answer}");
    assert!(answer.contains("connection: close"), "{answer}");
}
