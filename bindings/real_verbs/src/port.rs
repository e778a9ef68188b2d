//! Ports of adapters, and the choice of one by its address.

use std::net::{IpAddr, Ipv6Addr};

/// An active port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    /// Name of the adapter.
    pub device: String,
    /// Number of the port, from 1.
    pub number: u8,
    /// LID, assigned by the subnet manager of InfiniBand; 0 on Ethernet.
    pub lid: u16,
    /// Bytes of a packet at most.
    pub mtu: usize,
    /// GIDs that packets to other hosts can have.
    pub gids: Vec<Gid>,
}

/// A global identifier of a port. On Ethernet it is an IP address of the network interface; one of IPv4 is `::ffff:a.b.c.d`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gid {
    /// Index in the table of the port.
    pub index: u8,
    /// The 128 bits, in network byte order.
    pub bytes: [u8; 16],
}

/// A port, and the GID that packets get.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The chosen port.
    pub port: Port,
    /// Source address of packets.
    pub gid: Gid,
}

/// Why no port can be chosen.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoPort {
    /// The computer has no active port.
    #[error(
        "no RDMA device was found with a port that is up; `ibv_devinfo` lists them. Linux makes one of any network interface, as root: modprobe rdma_rxe; rdma link add rxe0 type rxe netdev INTERFACE"
    )]
    None,
    /// No port has the address.
    #[error(
        "no port of an RDMA device has the address {address}; there are {found}. Bind the node to one of these"
    )]
    Elsewhere {
        /// The address to bind to.
        address: IpAddr,
        /// Ports and their addresses, as text.
        found: String,
    },
}

/// Chooses the port that has this address as a GID. GIDs of InfiniBand are no addresses, so without a match the first such
/// port is chosen; the unspecified address chooses any port.
///
/// ```
/// use real_verbs::{Port, choose, port::Gid};
///
/// let gid = |index, text: &str| Gid { index, bytes: text.parse::<std::net::Ipv6Addr>().unwrap().octets() };
/// let gids = vec![gid(0, "fe80::1"), gid(1, "::ffff:10.0.0.7")];
/// let port = Port { device: "rxe0".into(), number: 1, lid: 0, mtu: 1024, gids };
/// assert_eq!(choose(&[port.clone()], "10.0.0.7".parse().unwrap()).unwrap().gid.index, 1);
/// assert!(choose(&[port], "127.0.0.1".parse().unwrap()).is_err());
/// ```
pub fn choose(ports: &[Port], address: IpAddr) -> Result<Choice, NoPort> {
    let wanted = match address {
        IpAddr::V4(address) => address.to_ipv6_mapped(),
        IpAddr::V6(address) => address,
    };
    let mut all = ports.iter().flat_map(|port| port.gids.iter().map(move |gid| (port, *gid)));
    let same = all.clone().find(|(_, gid)| gid.bytes == wanted.octets());
    let any = || all.find(|(port, _)| port.lid != 0 || address.is_unspecified());
    match same.or_else(any) {
        Some((port, gid)) => Ok(Choice { port: port.clone(), gid }),
        None if ports.is_empty() => Err(NoPort::None),
        None => Err(NoPort::Elsewhere { address, found: list(ports) }),
    }
}

/// All ports and their addresses, in one line.
fn list(ports: &[Port]) -> String {
    let port = |port: &Port| {
        let gids: Vec<_> =
            port.gids.iter().map(|gid| Ipv6Addr::from(gid.bytes).to_canonical().to_string()).collect();
        format!("{} port {} ({})", port.device, port.number, gids.join(", "))
    };
    ports.iter().map(port).collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn port(device: &str, lid: u16, gids: &[&str]) -> Port {
        let gid = |(index, text): (usize, &&str)| Gid {
            index: index as u8,
            bytes: text.parse::<Ipv6Addr>().unwrap().octets(),
        };
        let gids = gids.iter().enumerate().map(gid).collect();
        Port { device: device.into(), number: 1, lid, mtu: 1024, gids }
    }

    fn at(ports: &[Port], address: &str) -> Result<(String, u8), String> {
        let choice = choose(ports, address.parse().unwrap()).map_err(|error| error.to_string())?;
        Ok((choice.port.device, choice.gid.index))
    }

    #[test]
    fn port_with_the_address_is_chosen() {
        let ports = [
            port("rxe0", 0, &["fe80::1", "::ffff:10.0.0.7"]),
            port("rxe1", 0, &["fe80::2", "::ffff:10.0.0.8", "2001:db8::8"]),
        ];
        assert_eq!(at(&ports, "10.0.0.7"), Ok(("rxe0".into(), 1)));
        assert_eq!(at(&ports, "10.0.0.8"), Ok(("rxe1".into(), 1)));
        assert_eq!(at(&ports, "2001:db8::8"), Ok(("rxe1".into(), 2)));
        assert_eq!(at(&ports, "0.0.0.0"), Ok(("rxe0".into(), 0)));
    }

    #[test]
    fn infiniband_accepts_any_address_that_no_ethernet_port_has() {
        let ports = [port("mlx4_0", 5, &["fe80::3"]), port("rxe0", 0, &["::ffff:10.0.0.7"])];
        assert_eq!(at(&ports, "192.168.0.1"), Ok(("mlx4_0".into(), 0)));
        assert_eq!(at(&ports, "10.0.0.7"), Ok(("rxe0".into(), 0)));
    }

    #[test]
    fn error_lists_the_addresses() {
        let ports = [port("rxe0", 0, &["fe80::1", "::ffff:10.0.0.7"])];
        assert_eq!(
            at(&ports, "127.0.0.1").unwrap_err(),
            "no port of an RDMA device has the address 127.0.0.1; there are rxe0 port 1 (fe80::1, 10.0.0.7). Bind the node to one of these"
        );
        assert!(at(&[], "127.0.0.1").unwrap_err().starts_with("no RDMA device was found"));
    }
}
