use std::net::{TcpListener, TcpStream};

use tiffin_chassis::slots::{SlotLimits, Slots};
use tiffin_events::Clock;
use tokio::sync::mpsc;

use super::*;
use crate::messages::SocketSlots;

fn dispatcher(poll: &Poll, limits: Limits) -> Dispatcher {
    let (questions, _) = mpsc::unbounded_channel();
    Dispatcher::new(
        poll.registry(),
        questions,
        limits,
        tiffin_testkit::verifier(&Clock::system()),
        AccountSockets::default(),
        Arc::default(),
    )
    .unwrap()
}

fn leaving(hub: &Dispatcher) -> usize {
    let indexes = hub.sockets.indexes().into_iter();
    indexes
        .filter(|index| hub.sockets[*index].is_closing())
        .count()
}

#[test]
fn a_drain_closes_some_sockets_at_a_time() {
    let poll = Poll::new().unwrap();
    let pause = Duration::from_secs(10);
    let limits = Limits {
        drain: (3, pause),
        ..Limits::default()
    };
    let mut hub = dispatcher(&poll, limits);
    let networks = Slots::default();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut began = Instant::now();
    let mut clients = Vec::new();
    for _ in 0..8 {
        clients.push(TcpStream::connect(listener.local_addr().unwrap()).unwrap());
        let (stream, _) = listener.accept().unwrap();
        stream.set_nonblocking(true).unwrap();
        let most = SlotLimits { each: 8, all: 8 };
        let slots = SocketSlots::new(networks.take(None, 1, most).unwrap(), None);
        hub.accept(stream, &[], slots, began);
    }
    assert_eq!(leaving(&hub), 0);
    hub.on_command(Command::Stop, began);
    let mut closed = vec![leaving(&hub)];
    while hub.drain.is_waiting() {
        assert_eq!(hub.drain.due, began + pause, "the others wait for so long");
        assert_eq!(hub.poll_timeout(), Some(pause));
        began = hub.drain.due;
        hub.close_some(began);
        closed.push(leaving(&hub));
    }
    assert_eq!(closed, [3, 6, 8]);
    // A socket that connects now is closed at once.
    clients.push(TcpStream::connect(listener.local_addr().unwrap()).unwrap());
    let (stream, _) = listener.accept().unwrap();
    stream.set_nonblocking(true).unwrap();
    let most = SlotLimits { each: 9, all: 9 };
    let slots = SocketSlots::new(networks.take(None, 1, most).unwrap(), None);
    hub.accept(stream, &[], slots, began);
    assert_eq!(leaving(&hub), 9);
}

#[test]
fn positions_gather_and_statuses_leave_at_once() {
    let (short, long) = (Duration::from_micros(20), Duration::from_millis(4));
    assert_eq!(rest_after(short, false), Duration::ZERO);
    assert_eq!(rest_after(short, true), POSITIONS_REST);
    assert_eq!(rest_after(long, false), long * REST_FACTOR);
    assert_eq!(rest_after(long, true), long * REST_FACTOR);
    assert_eq!(rest_after(long * 9, true), MAX_REST);
}
