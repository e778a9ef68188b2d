//! Cookies, by which a caller proves that it reads mail at its address, before anything is kept of it; and connection ids.

use std::net::{IpAddr, SocketAddr};

use core::time::Duration;

use sha2::{Digest, Sha256};

use super::packet::{COOKIE, Cookie};
use crate::time::Instant;

/// How long a cookie is taken back.
const COOKIE_LIFE: Duration = Duration::from_secs(10);

/// What connection ids and cookies are made of, and nobody else knows.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Secret {
    seed: [u8; 32],
    made: u64,
}

impl Secret {
    pub(crate) fn new(seed: [u8; 32]) -> Self {
        Self { seed, made: 0 }
    }

    /// All inputs have a fixed length for their purpose, so a hash of secret and input is a keyed hash.
    fn hash(&self, purpose: u8, input: &[&[u8]]) -> [u8; 32] {
        let mut hash = Sha256::new();
        hash.update(self.seed);
        hash.update([purpose]);
        input.iter().for_each(|part| hash.update(part));
        hash.finalize().into()
    }

    /// A number that nobody can guess and that was not made before, with luck of 2^64.
    pub(crate) fn id(&mut self) -> u64 {
        self.made += 1;
        let hash = self.hash(1, &[&self.made.to_be_bytes()]);
        u64::from_be_bytes(hash[..8].try_into().unwrap_or_default())
    }

    /// A secret key for a handshake, made of the seed: never the same again.
    pub(crate) fn ephemeral(&mut self) -> [u8; 32] {
        self.made += 1;
        self.hash(3, &[&self.made.to_be_bytes()])
    }

    /// A cookie for a caller.
    pub(crate) fn cookie(&self, now: Instant, address: &SocketAddr, id: u64) -> Cookie {
        self.bake(now.nanos(), address, id)
    }

    fn bake(&self, made: u64, address: &SocketAddr, id: u64) -> Cookie {
        let octets = match address.ip() {
            IpAddr::V4(ip) => ip.to_ipv6_mapped().octets(),
            IpAddr::V6(ip) => ip.octets(),
        };
        let input = [&made.to_be_bytes()[..], &octets, &address.port().to_be_bytes(), &id.to_be_bytes()];
        let mut hash = [0; COOKIE];
        hash.copy_from_slice(&self.hash(2, &input)[..COOKIE]);
        Cookie { made, hash }
    }

    /// Whether a cookie is one of ours, for this caller, and not stale.
    pub(crate) fn proves(&self, cookie: &Cookie, now: Instant, address: &SocketAddr, id: u64) -> bool {
        let made = Instant::from_nanos(cookie.made);
        let fresh = made <= now && now.since(made) < COOKIE_LIFE;
        let right = self.bake(cookie.made, address, id).hash;
        // All bytes are compared, so that the time it takes tells nothing.
        fresh && right.iter().zip(&cookie.hash).fold(0, |differ, (a, b)| differ | (a ^ b)) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cookie_is_good_for_one_caller_at_one_address_for_ten_seconds() {
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
}
