//! Addresses of hosts: host `i` has 10.0.0.(`i` + 1), and its port the LID `i` + 1.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

/// The subnet of all hosts, `10.0.0.0/24` (our choice).
const NETWORK: [u8; 3] = [10, 0, 0];

/// The address of the host with this LID.
pub(super) fn of_lid(lid: u16) -> Ipv4Addr {
    Ipv4Addr::new(NETWORK[0], NETWORK[1], NETWORK[2], lid as u8)
}

/// The LID of the host with this address; none outside the subnet.
pub(super) fn lid_of(address: IpAddr, hosts: usize) -> Option<u16> {
    let IpAddr::V4(address) = address.to_canonical() else { return None };
    let [network @ .., host] = address.octets();
    (network == NETWORK && (1..=hosts).contains(&host.into())).then_some(host.into())
}

/// Whether an address is one of the subnet, with a host or without.
pub(super) fn is_of_subnet(address: IpAddr) -> bool {
    matches!(address.to_canonical(), IpAddr::V4(address) if address.octets()[..3] == NETWORK)
}

/// Whether an address names no host in particular.
pub(super) fn is_unspecified(address: SocketAddr) -> bool {
    address.ip().is_unspecified()
}

/// Whether an address is one of `localhost`: that of the host of the run whose program listens on the port, as for TCP
/// sockets.
pub(super) fn is_loopback(address: SocketAddr) -> bool {
    address.ip().to_canonical().is_loopback()
}

/// No address.
pub(super) fn unspecified() -> SocketAddr {
    SocketAddr::new(Ipv4Addr::UNSPECIFIED.into(), 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_name_hosts_of_the_run() {
        let lid = |text: &str| lid_of(text.parse().unwrap(), 2);
        assert_eq!((lid("10.0.0.1"), lid("10.0.0.2"), lid("::ffff:10.0.0.2")), (Some(1), Some(2), Some(2)));
        for other in ["10.0.0.0", "10.0.0.3", "10.0.1.1", "127.0.0.1", "::1"] {
            assert_eq!(lid(other), None, "{other}");
        }
        assert_eq!(lid_of(of_lid(7).into(), 16), Some(7));
        assert!(is_loopback("[::1]:1".parse().unwrap()) && is_loopback("127.0.0.9:1".parse().unwrap()));
    }
}
