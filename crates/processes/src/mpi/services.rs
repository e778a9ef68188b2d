//! Ports and services that the processes of a run share, and hosts on which processes can be started.

use std::collections::{BTreeMap, BTreeSet};

use super::call::CallError;
use super::standard::{ERR_NAME, ERR_PORT, ERR_SERVICE};

/// Ports, published names and spare hosts of a run.
#[derive(Debug, Default)]
pub(crate) struct Services {
    /// Open ports, each by its tag, with the process that opened it.
    ports: BTreeMap<u32, usize>,
    /// Ports by the names of services.
    published: BTreeMap<String, String>,
    /// Last tag in use.
    last_tag: u32,
    /// Hosts without a process.
    spare: BTreeSet<usize>,
    /// Processes that have not ended.
    live: usize,
}

/// Beginning of the name of a port.
const PORT: &str = "memonet port ";

/// Tag of messages that tell a spare host what to do. Those of ports are higher.
pub(crate) const HOST_TAG: u32 = 0;

impl Services {
    /// Services of `hosts` hosts, the first `ranks` of which have a process.
    pub fn new(ranks: usize, hosts: usize) -> Self {
        Services { spare: (ranks..hosts).collect(), live: ranks, ..Services::default() }
    }

    /// A tag of messages between worlds that was not used before.
    pub fn take_tag(&mut self) -> u32 {
        self.last_tag += 1;
        self.last_tag
    }

    /// Name of a new port of a process.
    pub fn open_port(&mut self, process: usize) -> String {
        let tag = self.take_tag();
        self.ports.insert(tag, process);
        format!("{PORT}{tag}")
    }

    /// Tag of an open port, and the process that opened it.
    pub fn find_port(&self, name: &str) -> Result<(u32, usize), CallError> {
        let tag = name.strip_prefix(PORT).and_then(|tag| tag.parse().ok());
        let found = tag.and_then(|tag| Some((tag, *self.ports.get(&tag)?)));
        found.ok_or_else(|| error(ERR_PORT, format!("no port is open under the name `{name}`")))
    }

    /// Tag of an open port of this process.
    pub fn find_own_port(&self, name: &str, process: usize) -> Result<u32, CallError> {
        match self.find_port(name)? {
            (tag, owner) if owner == process => Ok(tag),
            (_, owner) => Err(error(ERR_PORT, format!("process {owner} opened the port `{name}`"))),
        }
    }

    /// Closes a port of this process.
    pub fn close_port(&mut self, name: &str, process: usize) -> Result<(), CallError> {
        let tag = self.find_own_port(name, process)?;
        self.ports.remove(&tag);
        Ok(())
    }

    /// Publishes a port under the name of a service.
    pub fn publish(&mut self, service: String, port: String) -> Result<(), CallError> {
        if self.published.contains_key(&service) {
            return Err(error(ERR_SERVICE, format!("the service `{service}` is published already")));
        }
        self.published.insert(service, port);
        Ok(())
    }

    /// Withdraws the name of a service.
    pub fn unpublish(&mut self, service: &str) -> Result<(), CallError> {
        let unknown = || error(ERR_SERVICE, format!("no service `{service}` is published"));
        self.published.remove(service).map(|_| ()).ok_or_else(unknown)
    }

    /// Port of a service.
    pub fn look_up(&self, service: &str) -> Result<String, CallError> {
        let unknown = || error(ERR_NAME, format!("no service `{service}` is published"));
        self.published.get(service).cloned().ok_or_else(unknown)
    }

    /// Spare hosts.
    pub fn spare(&self) -> impl Iterator<Item = usize> {
        self.spare.iter().copied()
    }

    /// Takes `count` spare hosts for new processes, the first ones; `None` if there are fewer.
    pub fn take_hosts(&mut self, count: usize) -> Option<Vec<usize>> {
        let taken: Vec<_> = self.spare.iter().copied().take(count).collect();
        if taken.len() < count {
            return None;
        }
        self.spare.retain(|host| !taken.contains(host));
        self.live += count;
        Some(taken)
    }

    /// Whether all processes have ended.
    pub fn is_over(&self) -> bool {
        self.live == 0
    }

    /// A process has ended, and its host is spare if it was started on one. Returns whether it was the last process.
    pub fn end(&mut self, process: usize, is_spare: bool) -> bool {
        self.live -= 1;
        if is_spare {
            self.spare.insert(process);
        }
        self.ports.retain(|_, owner| *owner != process);
        self.is_over()
    }
}

fn error(class: i32, reason: String) -> CallError {
    CallError { class, reason }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_are_found_until_they_are_closed() {
        let mut services = Services::new(2, 2);
        let (first, second) = (services.open_port(0), services.open_port(1));
        assert_eq!(services.find_port(&second), Ok((2, 1)));
        assert_eq!(services.close_port(&first, 1).unwrap_err().class, ERR_PORT);
        assert_eq!(services.close_port(&first, 0), Ok(()));
        assert_eq!(services.find_port(&first).unwrap_err().class, ERR_PORT);
        assert!(!services.end(1, false));
        assert!(services.find_port(&second).is_err() && services.find_port("another").is_err());
        assert!(services.end(0, false));
    }

    #[test]
    fn services_are_published_once_and_withdrawn_once() {
        let mut services = Services::new(1, 1);
        assert_eq!(services.look_up("ocean").unwrap_err().class, ERR_NAME);
        assert_eq!(services.publish("ocean".into(), "a".into()), Ok(()));
        assert_eq!(services.publish("ocean".into(), "b".into()).unwrap_err().class, ERR_SERVICE);
        assert_eq!(services.look_up("ocean"), Ok("a".into()));
        assert_eq!(services.unpublish("ocean"), Ok(()));
        assert_eq!(services.unpublish("ocean").unwrap_err().class, ERR_SERVICE);
    }

    #[test]
    fn hosts_are_taken_together_and_become_spare_again() {
        let mut services = Services::new(1, 4);
        assert_eq!(services.take_hosts(4), None);
        assert_eq!(services.take_hosts(2), Some(vec![1, 2]));
        assert!(!services.end(1, true) && !services.end(0, false));
        assert_eq!(services.spare().collect::<Vec<_>>(), [1, 3]);
        assert!(services.end(2, true));
    }
}
