//! Endpoints as states of a model checker, which explores all their behaviours.
//!
//! ```
//! use suci::{Config, Endpoint, Rules, Security, walk::Walked};
//!
//! let config = Config::new(Rules::REPAIRED, Security::Trusted);
//! let one = Walked::new(Endpoint::new(config, [7; 32]).unwrap()).unwrap();
//! let mut other = one.clone();
//! assert!(other == one);
//! other.endpoint().input(suci::Instant::ZERO, "10.0.0.1:7".parse().unwrap(), b"not a packet");
//! assert!(other == one, "counters are not compared");
//! ```

use std::hash::{Hash, Hasher};
use std::ops::Deref;

use crate::endpoint::Inner;
use crate::{Endpoint, Peer, Security};

/// An endpoint that can be copied and compared. Two endpoints with equal configurations are equal if their
/// future behaviour is the same, whatever their counters.
pub struct Walked(Endpoint);

impl Walked {
    /// Wraps an endpoint without protection; `None` otherwise, as a copy of a key would reuse nonces.
    pub fn new(endpoint: Endpoint) -> Option<Self> {
        (endpoint.config().security == Security::Trusted).then_some(Self(endpoint))
    }

    /// The endpoint, for calls.
    pub fn endpoint(&mut self) -> &mut Endpoint {
        &mut self.0
    }

    /// Memory of a peer's blocks in bytes: incomplete ones and those that the application has not taken.
    pub fn held(&self, peer: Peer) -> usize {
        match &self.0.0 {
            Inner::Paper(endpoint) => endpoint.held(peer),
            Inner::Modern(endpoint) => endpoint.held(peer),
        }
    }

    /// Removes absolute times and measurements, so that states that differ only in them are equal: the
    /// current time becomes [`Instant::ZERO`](crate::Instant::ZERO), and pending timers stay pending. Sound
    /// for a checker that lets each timer expire at any time. Only with the rules of the paper; no effect
    /// otherwise, because packets then contain times.
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
