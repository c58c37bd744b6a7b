//! The addresses that messages may go to. A browser names its push service itself, so an account could make
//! the service call any address. Only `https` and addresses of the public internet are allowed.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use tiffin_chassis::refusals;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use url::{Host, Url};

refusals! {
    /// The reason why an endpoint is refused.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum BadEndpoint {
        NotHttps =
            422, "notification.endpoint-not-https",
            "The endpoint must be an https address.", at "endpoint";
        NotPublic =
            422, "notification.endpoint-not-public",
            "The endpoint must be on the public internet.", at "endpoint";
    }
}

/// Checks an address as it is written. [`PublicOnly`] checks the addresses that its name resolves to.
pub fn check(endpoint: &str, loopback: bool) -> Result<Url, BadEndpoint> {
    let url: Url = endpoint.parse().map_err(|_| BadEndpoint::NotHttps)?;
    let ip = match url.host() {
        None => return Err(BadEndpoint::NotHttps),
        Some(Host::Ipv4(ip)) => Some(IpAddr::V4(ip)),
        Some(Host::Ipv6(ip)) => Some(IpAddr::V6(ip)),
        Some(Host::Domain(_)) => None,
    };
    if loopback && ip.is_some_and(|ip| ip.is_loopback()) {
        return Ok(url);
    }
    if url.scheme() != "https" || !url.username().is_empty() || url.password().is_some() {
        return Err(BadEndpoint::NotHttps);
    }
    if ip.is_some_and(|ip| !is_public(ip)) {
        return Err(BadEndpoint::NotPublic);
    }
    Ok(url)
}

/// A resolver that returns only addresses of the public internet.
#[derive(Debug)]
pub struct PublicOnly {
    pub loopback: bool,
}

impl Resolve for PublicOnly {
    fn resolve(&self, name: Name) -> Resolving {
        let loopback = self.loopback;
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let allowed: Vec<SocketAddr> = found
                .filter(|address| {
                    is_public(address.ip()) || (loopback && address.ip().is_loopback())
                })
                .collect();
            if allowed.is_empty() {
                return Err(BadEndpoint::NotPublic.into());
            }
            Ok(Box::new(allowed.into_iter()) as Addrs)
        })
    }
}

/// True if an address belongs to the public internet and is not in one of IANA's special ranges.
fn is_public(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => is_public_v4(ip),
        IpAddr::V6(ip) => match v4_within(ip) {
            Some(ip) => is_public_v4(ip),
            None => is_public_v6(ip),
        },
    }
}

fn is_public_v4(ip: Ipv4Addr) -> bool {
    let [a, b, c, _] = ip.octets();
    let is_special = ip.is_private()
        || ip.is_loopback()
        || ip.is_link_local()
        || ip.is_documentation()
        || ip.is_multicast()
        || a == 0
        || a >= 240
        // Addresses between a provider and its customers, RFC 6598.
        || (a == 100 && (64..128).contains(&b))
        || (a, b, c) == (192, 0, 0)
        // Benchmarks, RFC 2544.
        || (a == 198 && (b == 18 || b == 19));
    !is_special
}

fn is_public_v6(ip: Ipv6Addr) -> bool {
    // 2000::/3, the only range in use, without documentation and tunnels.
    let [a, b, ..] = ip.segments();
    (0x2000..0x4000).contains(&a) && !(a == 0x2001 && (b == 0xdb8 || b < 0x200)) && a != 0x3fff
}

/// The IPv4 address that an IPv6 address contains.
fn v4_within(ip: Ipv6Addr) -> Option<Ipv4Addr> {
    let ([0x2002, high, low, ..] | [0x64, 0xff9b, 0, 0, 0, 0, high, low]) = ip.segments() else {
        return ip.to_ipv4_mapped();
    };
    Some(Ipv4Addr::from_bits(
        (u32::from(high) << 16) | u32::from(low),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_go_to_the_public_internet_by_https_and_nowhere_else() {
        for (endpoint, expected) in [
            ("https://push.example/abc", Ok(())),
            ("https://8.8.8.8/abc", Ok(())),
            ("https://[2606:4700::1111]/abc", Ok(())),
            ("http://push.example/abc", Err(BadEndpoint::NotHttps)),
            ("https://a:b@push.example/", Err(BadEndpoint::NotHttps)),
            ("file:///etc/passwd", Err(BadEndpoint::NotHttps)),
            ("push.example", Err(BadEndpoint::NotHttps)),
            ("", Err(BadEndpoint::NotHttps)),
            ("https://127.0.0.1/", Err(BadEndpoint::NotPublic)),
            ("https://2130706433/", Err(BadEndpoint::NotPublic)),
            ("https://0x7f.1/", Err(BadEndpoint::NotPublic)),
            ("https://10.1.2.3/", Err(BadEndpoint::NotPublic)),
            ("https://100.64.0.1/", Err(BadEndpoint::NotPublic)),
            (
                "https://169.254.169.254/latest",
                Err(BadEndpoint::NotPublic),
            ),
            ("https://192.168.0.1/", Err(BadEndpoint::NotPublic)),
            ("https://198.18.0.1/", Err(BadEndpoint::NotPublic)),
            ("https://0.0.0.0/", Err(BadEndpoint::NotPublic)),
            ("https://255.255.255.255/", Err(BadEndpoint::NotPublic)),
            ("https://[::1]/", Err(BadEndpoint::NotPublic)),
            ("https://[::]/", Err(BadEndpoint::NotPublic)),
            ("https://[fd00::1]/", Err(BadEndpoint::NotPublic)),
            ("https://[fe80::1]/", Err(BadEndpoint::NotPublic)),
            ("https://[::ffff:10.0.0.1]/", Err(BadEndpoint::NotPublic)),
            ("https://[64:ff9b::a00:1]/", Err(BadEndpoint::NotPublic)),
            ("https://[2002:a00:1::]/", Err(BadEndpoint::NotPublic)),
            ("https://[2001:db8::1]/", Err(BadEndpoint::NotPublic)),
        ] {
            assert_eq!(check(endpoint, false).map(drop), expected, "{endpoint}");
        }
    }

    #[test]
    fn where_it_is_asked_for_a_push_service_may_be_on_this_machine() {
        assert!(check("http://127.0.0.1:9/abc", true).is_ok());
        assert!(check("http://10.0.0.1/abc", true).is_err());
    }

    #[tokio::test]
    async fn a_name_for_an_address_of_ours_does_not_resolve() {
        let resolve = |loopback| PublicOnly { loopback }.resolve("localhost".parse().unwrap());
        assert!(resolve(false).await.is_err());
        assert!(resolve(true).await.is_ok());
    }
}
