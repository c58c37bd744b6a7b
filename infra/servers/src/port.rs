use std::net::{Ipv4Addr, TcpListener};

use crate::{At, ServersError};

/// A port of the loopback address that nobody listens on now.
pub(crate) fn free() -> Result<u16, ServersError> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).at("127.0.0.1")?;
    Ok(listener.local_addr().at("127.0.0.1")?.port())
}
