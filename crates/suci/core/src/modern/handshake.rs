//! Cookies, which validate a caller's address without state, and connection IDs.

use std::net::{IpAddr, SocketAddr};

use core::time::Duration;

use sha2::{Digest, Sha256};

use super::packet::{COOKIE, Cookie};
use crate::time::Instant;

/// Lifetime of a cookie.
const COOKIE_LIFE: Duration = Duration::from_secs(10);

/// Secret from which connection IDs and cookies are derived.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Secret {
    seed: [u8; 32],
    /// Connection IDs and ephemeral keys derived so far.
    issued: u64,
}

impl Secret {
    pub(crate) fn new(seed: [u8; 32]) -> Self {
        Self { seed, issued: 0 }
    }

    /// Keyed hash. All inputs of a purpose have the same length, so hashing secret and input is safe.
    fn hash(&self, purpose: u8, input: &[&[u8]]) -> [u8; 32] {
        let mut hash = Sha256::new();
        hash.update(self.seed);
        hash.update([purpose]);
        input.iter().for_each(|part| hash.update(part));
        hash.finalize().into()
    }

    /// An unpredictable number, unique except with probability 2^-64.
    pub(crate) fn id(&mut self) -> u64 {
        self.issued += 1;
        let hash = self.hash(1, &[&self.issued.to_be_bytes()]);
        u64::from_be_bytes(hash[..8].try_into().unwrap_or_default())
    }

    /// Ephemeral secret key of a handshake, derived from the seed and unique.
    pub(crate) fn ephemeral(&mut self) -> [u8; 32] {
        self.issued += 1;
        self.hash(3, &[&self.issued.to_be_bytes()])
    }

    /// Cookie for a caller.
    pub(crate) fn cookie(&self, now: Instant, address: &SocketAddr, id: u64) -> Cookie {
        self.bake(now.nanos(), address, id)
    }

    fn bake(&self, created: u64, address: &SocketAddr, id: u64) -> Cookie {
        let octets = match address.ip() {
            IpAddr::V4(ip) => ip.to_ipv6_mapped().octets(),
            IpAddr::V6(ip) => ip.octets(),
        };
        let input = [&created.to_be_bytes()[..], &octets, &address.port().to_be_bytes(), &id.to_be_bytes()];
        let mut hash = [0; COOKIE];
        hash.copy_from_slice(&self.hash(2, &input)[..COOKIE]);
        Cookie { created, hash }
    }

    /// Whether a cookie is genuine, for this caller and not expired.
    pub(crate) fn proves(&self, cookie: &Cookie, now: Instant, address: &SocketAddr, id: u64) -> bool {
        let created = Instant::from_nanos(cookie.created);
        let fresh = created <= now && now.since(created) < COOKIE_LIFE;
        let right = self.bake(cookie.created, address, id).hash;
        // Compares in constant time.
        fresh && right.iter().zip(&cookie.hash).fold(0, |differ, (a, b)| differ | (a ^ b)) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cookie_is_valid_for_one_caller_and_address_for_ten_seconds() {
        let secret = Secret::new([1; 32]);
        let here: SocketAddr = "10.0.0.1:9".parse().unwrap();
        let now = Instant::from_nanos(5);
        let cookie = secret.cookie(now, &here, 7);
        assert!(secret.proves(&cookie, now + Duration::from_secs(9), &here, 7));
        assert!(!secret.proves(&cookie, now + Duration::from_secs(10), &here, 7));
        assert!(!secret.proves(&cookie, Instant::ZERO, &here, 7));
        assert!(!secret.proves(&cookie, now, &here, 8));
        assert!(!secret.proves(&cookie, now, &"10.0.0.2:9".parse().unwrap(), 7));
        assert!(!Secret::new([2; 32]).proves(&cookie, now, &here, 7));
    }

    #[test]
    fn every_bit_of_a_cookie_and_its_caller_counts() {
        let secret = Secret::new([1; 32]);
        let from = |ip: u128, port: u16| SocketAddr::from((std::net::Ipv6Addr::from(ip), port));
        let now = Instant::from_nanos(5_000_000_000);
        let (ip, port, id) = (u128::MAX / 3, 0x5aa5, 0x0123_4567_89ab_cdef_u64);
        let cookie = secret.cookie(now, &from(ip, port), id);
        let proves = |cookie: Cookie, ip, port, id| secret.proves(&cookie, now, &from(ip, port), id);
        assert!(proves(cookie, ip, port, id));
        for bit in 0..128 {
            let mut hash = cookie.hash;
            hash[bit / 8] ^= 1 << (bit % 8);
            assert!(!proves(Cookie { hash, ..cookie }, ip, port, id), "hash, bit {bit}");
            assert!(!proves(cookie, ip ^ 1 << bit, port, id), "address, bit {bit}");
        }
        for bit in 0..64 {
            let created = cookie.created ^ 1 << bit;
            assert!(!proves(Cookie { created, ..cookie }, ip, port, id), "time, bit {bit}");
            assert!(!proves(cookie, ip, port, id ^ 1 << bit), "ID, bit {bit}");
        }
        for bit in 0..16 {
            assert!(!proves(cookie, ip, port ^ 1 << bit, id), "port, bit {bit}");
        }
    }
}
