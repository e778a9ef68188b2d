//! Key pairs that identify programs.

use core::fmt;
use core::str::FromStr;

use snow::params::DHChoice;
use snow::resolvers::{CryptoResolver, DefaultResolver};
use zeroize::Zeroize;

/// Length of an X25519 key in bytes (RFC 7748).
const KEY: usize = 32;

/// Secret key of a program. It is erased when dropped and never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct SecretKey([u8; KEY]);

impl SecretKey {
    /// Generates a key from random numbers of the operating system.
    pub fn generate() -> Result<Self, NoRandomness> {
        let mut bytes = [0; KEY];
        let mut random = DefaultResolver.resolve_rng().ok_or(NoRandomness)?;
        random.try_fill_bytes(&mut bytes).map_err(|_| NoRandomness)?;
        Ok(Self(bytes))
    }

    /// Restores a key from a secret store. All bytes must be random.
    pub const fn from_bytes(bytes: [u8; KEY]) -> Self {
        Self(bytes)
    }

    /// Key bytes for a secret store.
    pub const fn as_bytes(&self) -> &[u8; KEY] {
        &self.0
    }

    /// Public key of the pair.
    pub fn public(&self) -> PublicKey {
        let mut bytes = [0; KEY];
        if let Some(mut curve) = DefaultResolver.resolve_dh(&DHChoice::Curve25519) {
            curve.set(&self.0);
            bytes.copy_from_slice(curve.pubkey());
        }
        PublicKey(bytes)
    }
}

impl fmt::Debug for SecretKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretKey")
    }
}

impl Drop for SecretKey {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

/// Public key that identifies a program. Its text form is 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PublicKey([u8; KEY]);

impl PublicKey {
    /// A public key from its bytes.
    pub const fn from_bytes(bytes: [u8; KEY]) -> Self {
        Self(bytes)
    }

    /// Key in the byte order of RFC 7748.
    pub const fn as_bytes(&self) -> &[u8; KEY] {
        &self.0
    }
}

impl fmt::Display for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PublicKey({self})")
    }
}

impl FromStr for PublicKey {
    type Err = NoKey;

    fn from_str(text: &str) -> Result<Self, NoKey> {
        let digits = text.as_bytes();
        if digits.len() != 2 * KEY || !digits.iter().all(u8::is_ascii_hexdigit) {
            return Err(NoKey);
        }
        let mut key = [0; KEY];
        for (byte, at) in key.iter_mut().zip((0..).step_by(2)) {
            *byte = u8::from_str_radix(&text[at..at + 2], 16).map_err(|_| NoKey)?;
        }
        Ok(Self(key))
    }
}

/// The text is not a public key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a public key is 64 digits to the base 16")]
pub struct NoKey;

/// The operating system provides no random numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the operating system gives no random numbers")]
pub struct NoRandomness;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn public_keys_round_trip_as_text() {
        let key = PublicKey::from_bytes(core::array::from_fn(|at| at as u8 * 8));
        assert_eq!(key.to_string().parse(), Ok(key));
        assert_eq!("85".parse::<PublicKey>(), Err(NoKey));
        assert_eq!("+5".repeat(32).parse::<PublicKey>(), Err(NoKey));
    }

    #[test]
    fn key_pair_of_rfc_7748_matches() {
        // Section 6.1, the keys of Alice.
        let secret: PublicKey =
            "77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a".parse().unwrap();
        let public = "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a";
        assert_eq!(SecretKey::from_bytes(*secret.as_bytes()).public().to_string(), public);
    }
}
