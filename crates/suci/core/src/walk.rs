//! Endpoints as states, for a checker that walks everything that can happen to them.
//!
//! ```
//! use suci::{Config, Endpoint, Rules, Security, walk::Walked};
//!
//! let config = Config::new(Rules::REPAIRED, Security::Trusted);
//! let one = Walked::new(Endpoint::new(config, [7; 32]).unwrap()).unwrap();
//! let mut other = one.clone();
//! assert!(other == one);
//! other.endpoint().input(suci::Instant::ZERO, "10.0.0.1:7".parse().unwrap(), b"of no use");
//! assert!(other == one, "what is counted decides nothing");
//! ```

use std::hash::{Hash, Hasher};
use std::ops::Deref;

use crate::endpoint::Inner;
use crate::{Endpoint, Peer, Security};

/// An endpoint that can be copied and compared. Two that were made alike are equal if they do the same from now on, whatever they
/// have counted.
pub struct Walked(Endpoint);

impl Walked {
    /// None of an endpoint with a key: a copy of it would use a nonce twice.
    pub fn new(endpoint: Endpoint) -> Option<Self> {
        (endpoint.config().security == Security::Trusted).then_some(Self(endpoint))
    }

    /// The endpoint, to have something happen to it.
    pub fn endpoint(&mut self) -> &mut Endpoint {
        &mut self.0
    }

    /// Bytes of memory that blocks from a peer take, unfinished ones and those that the application has not taken.
    pub fn held(&self, peer: Peer) -> usize {
        match &self.0.0 {
            Inner::Paper(endpoint) => endpoint.held(peer),
            Inner::Modern(endpoint) => endpoint.held(peer),
        }
    }

    /// Takes out how late it is and what was measured of time, so that states that differ in nothing else are one: it is
    /// [`Instant::ZERO`](crate::Instant::ZERO) now, and what is due later is still due later. A checker that lets each time-out happen
    /// at any time loses nothing by it. Only with the rules of the paper; with our own nothing changes, since their packets tell the time.
    pub fn forget_time(&mut self) {
        if let Inner::Paper(endpoint) = &mut self.0.0 {
            endpoint.forget_time();
        }
    }
}

impl Deref for Walked {
    type Target = Endpoint;

    fn deref(&self) -> &Endpoint {
        &self.0
    }
}

impl Clone for Walked {
    fn clone(&self) -> Self {
        Self(Endpoint::from(self.0.0.clone()))
    }
}

impl PartialEq for Walked {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0.0, &other.0.0) {
            (Inner::Paper(one), Inner::Paper(other)) => one.state() == other.state(),
            (Inner::Modern(one), Inner::Modern(other)) => one.state() == other.state(),
            _ => false,
        }
    }
}

impl Eq for Walked {}

impl Hash for Walked {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        match &self.0.0 {
            Inner::Paper(endpoint) => endpoint.state().hash(hasher),
            Inner::Modern(endpoint) => endpoint.state().hash(hasher),
        }
    }
}
