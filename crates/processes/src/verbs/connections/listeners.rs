//! Listening ids of all hosts, by which `localhost` is resolved.

use std::cell::RefCell;
use std::collections::BTreeMap;

use cluster::Time;

use super::call::Service;

/// Ports on which programs of the run listen, with the time since when.
#[derive(Debug, Default)]
pub struct Listeners(RefCell<BTreeMap<(Service, u16, u16), Time>>);

impl Listeners {
    /// The host with this LID listens.
    pub(super) fn add(&self, service: Service, port: u16, lid: u16, now: Time) {
        self.0.borrow_mut().insert((service, port, lid), now);
    }

    pub(super) fn remove(&self, service: Service, port: u16, lid: u16) {
        self.0.borrow_mut().remove(&(service, port, lid));
    }

    /// The first host that has listened on a port until `visible`; hosts are simulated in no fixed order, so a later
    /// time is not seen.
    pub(super) fn find(&self, service: Service, port: u16, visible: Time) -> Option<u16> {
        let listeners = self.0.borrow();
        let mut of_port = listeners.range((service, port, 0)..=(service, port, u16::MAX));
        of_port.find(|(_, since)| **since <= visible).map(|((_, _, lid), _)| *lid)
    }
}
