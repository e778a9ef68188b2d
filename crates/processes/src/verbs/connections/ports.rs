//! Ports and addresses of ids.

use std::net::SocketAddr;

use rustix::io::Errno;

use super::Manager;
use super::addresses::{self, is_loopback, is_unspecified};
use super::id::State;

/// The first port that is given to ids without one, as in Linux.
pub(super) const FIRST_FREE: u16 = 32_768;

impl Manager {
    /// Gives an id an address of this host and a port.
    pub(super) fn bind(&mut self, number: u32, address: SocketAddr) -> Result<(), Errno> {
        let is_own = addresses::lid_of(address.ip(), self.hosts) == Some(self.lid);
        if !(is_own || is_loopback(address) || is_unspecified(address)) {
            return Err(Errno::ADDRNOTAVAIL);
        }
        self.id_in(number, &[State::Idle])?;
        let port = match address.port() {
            0 => self.free_port(number)?,
            port if self.is_taken(number, port) => return Err(Errno::ADDRINUSE),
            port => port,
        };
        let id = self.id(number)?;
        (id.source, id.state) = (SocketAddr::new(address.ip(), port), State::Bound);
        id.is_on_host = !is_unspecified(address);
        Ok(())
    }

    /// Whether another id of the service has the port for itself.
    fn is_taken(&self, number: u32, port: u16) -> bool {
        let Some(own) = self.ids.get(&number) else { return true };
        let others = self.ids.iter().filter(|(other, id)| **other != number && id.listener.is_none());
        let mut of_port = others.filter(|(_, id)| id.service == own.service && id.source.port() == port);
        of_port.any(|(_, id)| !(id.reuses_port && own.reuses_port && id.state != State::Listening))
    }

    fn free_port(&mut self, number: u32) -> Result<u16, Errno> {
        for _ in FIRST_FREE..=u16::MAX {
            self.last_port = self.last_port.checked_add(1).unwrap_or(FIRST_FREE);
            if !self.is_taken(number, self.last_port) {
                return Ok(self.last_port);
            }
        }
        Err(Errno::ADDRNOTAVAIL)
    }

    /// The listening id of a service and port.
    pub(super) fn listener(&self, service: super::call::Service, port: u16) -> Option<u32> {
        let of_port = |id: &super::id::Id| {
            id.state == State::Listening && id.service == service && id.source.port() == port
        };
        self.ids.iter().find(|(_, id)| of_port(id)).map(|(number, _)| *number)
    }
}
