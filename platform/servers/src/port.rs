use std::{
    collections::BTreeSet,
    net::{Ipv4Addr, TcpListener},
    ops::Range,
    sync::{Mutex, PoisonError},
};

use rand::RngExt;

use crate::{At, ServersError};

/// Below the ports that systems give to outgoing connections (RFC 6335; Linux starts at 32768): one
/// of those could be taken while a server is down for a moment.
const RANGE: Range<u16> = 20_000..32_000;

/// The ports that this process has allocated. A port stays free until its server listens.
static ALLOCATED: Mutex<BTreeSet<u16>> = Mutex::new(BTreeSet::new());

/// A free port of the loopback address, another one each time.
pub fn free() -> Result<u16, ServersError> {
    let mut allocated = ALLOCATED.lock().unwrap_or_else(PoisonError::into_inner);
    let mut rng = rand::rng();
    let mut tried = (0..50).map(|_| rng.random_range(RANGE));
    let is_free = |port: &u16| {
        !allocated.contains(port) && TcpListener::bind((Ipv4Addr::LOCALHOST, *port)).is_ok()
    };
    if let Some(port) = tried.find(is_free) {
        allocated.insert(port);
        return Ok(port);
    }
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).at("127.0.0.1")?;
    Ok(listener.local_addr().at("127.0.0.1")?.port())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    #[test]
    fn free_ports_are_out_of_the_way_of_outgoing_connections_and_no_two_are_the_same() {
        let ports: BTreeSet<u16> = (0..500).map(|_| super::free().unwrap()).collect();
        assert_eq!(ports.len(), 500);
        assert!(ports.iter().all(|port| super::RANGE.contains(port)));
    }
}
