//! Multicast groups of the run, as a subnet manager knows them, and memberships of a host.
//!
//! Groups are numbered in the order in which hosts have first joined them. Hosts are simulated in no fixed order, so a
//! host learns the number once no other one can join earlier any more.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr};

use cluster::Time;
use hca::contexts::GROUPS;
use hca::layout::{MULTICAST_LIDS, MULTICAST_PAIR};
use rustix::io::Errno;

use super::Manager;
use super::call::{ConnectionEvent, EventKind, Parameters, Service};
use super::id::State;
use super::requests::DATAGRAM_Q_KEY;

/// GID of a multicast group, in network order.
pub(super) type GroupGid = [u8; 16];

/// Groups by the first time at which a host has joined them, and its LID.
#[derive(Debug, Default)]
pub struct Groups(RefCell<BTreeMap<GroupGid, (Time, u16)>>);

impl Groups {
    /// The host with this LID joins a group.
    fn join(&self, gid: GroupGid, now: Time, lid: u16) {
        let mut groups = self.0.borrow_mut();
        let first = groups.entry(gid).or_insert((now, lid));
        *first = (*first).min((now, lid));
    }

    /// LID of a group; none if there are more groups than LIDs.
    fn lid(&self, gid: &GroupGid) -> Option<u16> {
        let groups = self.0.borrow();
        let first = groups.get(gid)?;
        let number = groups.iter().filter(|(other, at)| (*at, *other) < (first, gid)).count();
        (number < GROUPS).then(|| MULTICAST_LIDS + number as u16)
    }
}

/// A host's membership in a group, for an id.
#[derive(Debug)]
pub(super) struct Membership {
    pub id: u32,
    gid: GroupGid,
    /// Time at which the host has asked for it, until it is answered.
    asked: Option<Time>,
}

/// GID of the group with an address (RFC 4391, section 4), with the signature that Linux has for datagram ids.
fn gid_of(address: IpAddr) -> GroupGid {
    // A group of the link, of the only partition.
    let mut gid = [0; 16];
    (gid[0], gid[1], gid[3], gid[4], gid[5]) = (0xff, 0x12, 0x01, 0xff, 0xff);
    match address.to_canonical() {
        IpAddr::V4(address) => {
            gid[2] = 0x40;
            gid[12..].copy_from_slice(&address.octets());
            gid[12] &= 0xf;
        }
        IpAddr::V6(address) => {
            gid[2] = 0x60;
            gid[6..].copy_from_slice(&address.octets()[6..]);
        }
    }
    gid
}

impl Manager {
    /// An id with an address of this host joins a group.
    pub(super) fn join_group(&mut self, number: u32, address: SocketAddr) -> Result<u32, Errno> {
        let states = [State::Bound, State::AddressResolved, State::RouteResolved];
        let id = self.id_in(number, &states)?;
        if id.service != Service::Datagram || !id.is_on_host || !address.ip().is_multicast() {
            return Err(Errno::INVAL);
        }
        let gid = gid_of(address.ip());
        self.groups.join(gid, self.now, self.lid);
        let membership = Membership { id: number, gid, asked: Some(self.now) };
        let number = self.next_number();
        self.memberships.insert(number, membership);
        Ok(number)
    }

    /// Ends a membership.
    pub(super) fn leave_group(&mut self, membership: u32) -> Result<(), Errno> {
        self.memberships.remove(&membership).ok_or(Errno::NOENT)?;
        for events in self.channels.values_mut() {
            events.retain(|event| event.id != membership);
        }
        Ok(())
    }

    /// Ends all memberships of an id.
    pub(super) fn leave_groups(&mut self, id: u32) {
        let of_id = self.memberships.iter().filter(|(_, membership)| membership.id == id);
        for number in of_id.map(|(number, _)| *number).collect::<Vec<_>>() {
            let _ = self.leave_group(number);
        }
    }

    /// Answers requests for memberships whose group has its number.
    pub(super) fn answer_memberships(&mut self) {
        let visible = self.visible();
        let is_due = |membership: &Membership| membership.asked.is_some_and(|asked| asked <= visible);
        let due = self.memberships.iter().filter(|(_, membership)| is_due(membership));
        for number in due.map(|(number, _)| *number).collect::<Vec<_>>() {
            self.answer_membership(number);
        }
    }

    /// Reports the LID of a group, or that there is none.
    fn answer_membership(&mut self, number: u32) {
        let Some(membership) = self.memberships.get_mut(&number) else { return };
        membership.asked = None;
        let (id, gid) = (membership.id, membership.gid);
        let lid = self.groups.lid(&gid);
        let (kind, status) = match lid {
            Some(_) => (EventKind::GroupJoined, 0),
            None => (EventKind::GroupError, -Errno::NOMEM.raw_os_error()),
        };
        let parameters = Parameters { pair: MULTICAST_PAIR, q_key: DATAGRAM_Q_KEY, ..Parameters::default() };
        let event = ConnectionEvent {
            id: number,
            listener: None,
            service: Service::Datagram,
            kind,
            status,
            lid: lid.unwrap_or_default(),
            gid: Some(gid),
            parameters,
        };
        if let Some(channel) = self.ids.get(&id).map(|id| id.channel) {
            self.push(channel, event);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn address_gives_the_gid_of_its_group() {
        let gid = |text: &str| u128::from_be_bytes(gid_of(text.parse().unwrap()));
        assert_eq!(gid("224.0.1.1"), 0xff12_4001_ffff_0000_0000_0000_0000_0101);
        assert_eq!(gid("239.1.2.3"), 0xff12_4001_ffff_0000_0000_0000_0f01_0203);
        assert_eq!(gid("ff02::1:2"), 0xff12_6001_ffff_0000_0000_0000_0001_0002);
    }

    #[test]
    fn numbers_of_groups_follow_from_their_first_members() {
        let [one, other] = ["224.0.0.1", "224.0.0.2"].map(|text| gid_of(text.parse().unwrap()));
        let at = Time::from_ps;
        let joins = [(one, at(9), 1), (other, at(5), 2), (one, at(4), 3), (other, at(4), 2)];
        for turn in 0..joins.len() {
            let groups = Groups::default();
            joins
                .iter()
                .cycle()
                .skip(turn)
                .take(joins.len())
                .for_each(|join| groups.join(join.0, join.1, join.2));
            assert_eq!([&one, &other].map(|gid| groups.lid(gid)), [Some(0xc001), Some(0xc000)]);
        }
    }

    #[test]
    fn more_groups_than_lids_have_none() {
        let groups = Groups::default();
        for number in 0..17 {
            groups.join([number; 16], Time::from_ps(number.into()), 1);
        }
        assert_eq!(
            (groups.lid(&[15; 16]), groups.lid(&[16; 16]), groups.lid(&[17; 16])),
            (Some(0xc00f), None, None)
        );
    }
}
