use std::{
    net::{Ipv4Addr, TcpListener},
    ops::Range,
};

use rand::RngExt;

use crate::{At, ServersError};

/// Below the ports that systems give to outgoing connections (RFC 6335; Linux starts at 32768): one
/// of those could be taken while a server is down for a moment.
const RANGE: Range<u16> = 20_000..32_000;

/// A free port of the loopback address.
pub fn free() -> Result<u16, ServersError> {
    let mut rng = rand::rng();
    let mut tried = (0..50).map(|_| rng.random_range(RANGE));
    let found = tried.find(|port| TcpListener::bind((Ipv4Addr::LOCALHOST, *port)).is_ok());
    if let Some(port) = found {
        return Ok(port);
    }
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).at("127.0.0.1")?;
    Ok(listener.local_addr().at("127.0.0.1")?.port())
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_free_port_is_out_of_the_way_of_outgoing_connections() {
        assert!(super::RANGE.contains(&super::free().unwrap()));
    }
}
