//! Commands of `rdma/rdma_user_cm.h`.
#![allow(unsafe_code)]

use std::mem::{MaybeUninit, size_of, zeroed};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use libc::{c_int, sockaddr_in, sockaddr_in6};
use processes::verbs::connections::call::{
    ConnectionAnswer, ConnectionCall, ConnectionEvent, EventKind, Parameters, Route, Service,
};
use processes::verbs::{Answer, Call};
use serde_bytes::ByteBuf;

use super::channels;
use crate::abi::connections::*;
use crate::{device, link};

/// `IBV_EVENT_COMM_EST`.
const ESTABLISHED: u32 = 4;
/// Code of the path MTU, 2,048 bytes; of the rate, 10 Gbit/s; of the packet life time, 16.8 ms.
const PATH: (u32, u8, u8) = (4, 3, 12);
/// `exactly`, the selector of values in path records.
const EXACTLY: u8 = 2;

/// A message: its header and the structure behind it.
struct Message<'a> {
    header: Header,
    body: &'a [u8],
}

impl Message<'_> {
    /// The structure, whose last fields may be missing if `least` bytes are there.
    fn take_at_least<T: Copy>(&self, least: usize) -> Result<T, c_int> {
        if self.body.len() < least {
            return Err(libc::EINVAL);
        }
        let mut value = MaybeUninit::<T>::zeroed();
        let length = self.body.len().min(size_of::<T>());
        // SAFETY: the structures have numbers alone, and `length` bytes are in both places.
        unsafe {
            std::ptr::copy_nonoverlapping(self.body.as_ptr(), value.as_mut_ptr().cast(), length);
            Ok(value.assume_init())
        }
    }

    fn take<T: Copy>(&self) -> Result<T, c_int> {
        self.take_at_least(size_of::<T>())
    }

    /// Writes the answer to the address that the program names.
    fn answer<T: Copy>(&self, address: u64, value: &T) -> Result<(), c_int> {
        let room = usize::from(self.header.output);
        if address == 0 {
            return Err(libc::EFAULT);
        }
        // SAFETY: the program names a place with this room, as to the kernel.
        unsafe {
            let from = std::ptr::from_ref(value).cast::<u8>();
            std::ptr::copy_nonoverlapping(from, address as *mut u8, room.min(size_of::<T>()));
        }
        Ok(())
    }
}

fn ask(function: &str, call: ConnectionCall) -> Result<Answer, c_int> {
    link::ask(function, Call::Connection(call))
}

fn done(function: &str, call: ConnectionCall) -> Result<(), c_int> {
    ask(function, call).map(|_| ())
}

/// The address of a structure for either family; `EAFNOSUPPORT` for others.
fn address(of: &sockaddr_in6) -> Result<SocketAddr, c_int> {
    let port = u16::from_be(of.sin6_port);
    match of.sin6_family.into() {
        libc::AF_INET => {
            // SAFETY: the structure for IPv4 is shorter, and the program has written one.
            let of = unsafe { std::ptr::from_ref(of).cast::<sockaddr_in>().read() };
            Ok(SocketAddr::new(Ipv4Addr::from(u32::from_be(of.sin_addr.s_addr)).into(), port))
        }
        libc::AF_INET6 => Ok(SocketAddr::new(Ipv6Addr::from(of.sin6_addr.s6_addr).into(), port)),
        _ => Err(libc::EAFNOSUPPORT),
    }
}

/// `sockaddr_in` or `sockaddr_in6`, in the place of the longer one.
fn structure(address: SocketAddr) -> sockaddr_in6 {
    // SAFETY: the structure has numbers alone.
    let mut place: sockaddr_in6 = unsafe { zeroed() };
    place.sin6_port = address.port().to_be();
    match address.ip() {
        IpAddr::V4(ip) => {
            place.sin6_family = libc::AF_INET as u16;
            // SAFETY: the structure for IPv4 is shorter.
            unsafe { (*(&raw mut place).cast::<sockaddr_in>()).sin_addr.s_addr = u32::from(ip).to_be() };
        }
        IpAddr::V6(ip) => {
            place.sin6_family = libc::AF_INET6 as u16;
            place.sin6_addr.s6_addr = ip.octets();
        }
    }
    place
}

fn parameters(of: &ConnParam) -> Parameters {
    Parameters {
        pair: of.qp_num,
        q_key: of.qkey,
        data: ByteBuf::from(&of.data[..usize::from(of.data_len)]),
        shares_receives: of.srq != 0,
        responder_resources: of.responder_resources,
        initiator_depth: of.initiator_depth,
        flow_control: of.flow_control != 0,
        retries: of.retry_count.min(7),
        rnr_retries: of.rnr_retry_count.min(7),
    }
}

/// Carries out a command, written to the channel with this descriptor.
pub fn carry_out(fd: c_int, channel: u32, message: &[u8]) -> Result<(), c_int> {
    let head = message.get(..size_of::<Header>()).ok_or(libc::EINVAL)?;
    // SAFETY: the bytes are there; the structure has numbers alone.
    let header = unsafe { head.as_ptr().cast::<Header>().read_unaligned() };
    let body = &message[size_of::<Header>()..];
    let body = body.get(..usize::from(header.input)).ok_or(libc::EINVAL)?;
    let message = Message { header, body };
    match header.command {
        command::CREATE_ID => create(channel, &message),
        command::DESTROY_ID => destroy(&message),
        command::BIND_IP => {
            let of: BindIp = message.take()?;
            done("rdma_bind_addr", ConnectionCall::Bind { id: of.id, address: address(&of.address)? })
        }
        command::RESOLVE_IP => {
            let ResolveIp { source, destination, id, timeout_ms } = message.take()?;
            let source = if source.sin6_family == 0 { None } else { Some(address(&source)?) };
            let destination = address(&destination)?;
            done("rdma_resolve_addr", ConnectionCall::ResolveAddress { id, source, destination, timeout_ms })
        }
        command::RESOLVE_ROUTE => {
            done("rdma_resolve_route", ConnectionCall::ResolveRoute(message.take::<IdAndValue>()?.id))
        }
        command::QUERY_ROUTE => query_route(&message),
        command::CONNECT => {
            let of: Connect = message.take_at_least(size_of::<Connect>() - size_of::<[u32; 2]>())?;
            done("rdma_connect", ConnectionCall::Connect { id: of.id, parameters: parameters(&of.param) })
        }
        command::LISTEN => {
            let IdAndValue { id, value: backlog } = message.take()?;
            done("rdma_listen", ConnectionCall::Listen { id, backlog })
        }
        command::ACCEPT => accept(&message),
        command::REJECT => {
            let of: Reject = message.take()?;
            let data = ByteBuf::from(&of.data[..usize::from(of.data_len)]);
            done("rdma_reject", ConnectionCall::Reject { id: of.id, reason: of.reason, data })
        }
        command::DISCONNECT => {
            done("rdma_disconnect", ConnectionCall::Disconnect(message.take_at_least::<IdAndValue>(4)?.id))
        }
        command::INIT_QP_ATTR => pair_attributes(&message),
        command::GET_EVENT => get_event(fd, &message),
        command::SET_OPTION => set_option(&message),
        command::NOTIFY => {
            let IdAndValue { id, value } = message.take()?;
            match value {
                ESTABLISHED => done("rdma_notify", ConnectionCall::NotifyEstablished(id)),
                _ => Err(libc::EINVAL),
            }
        }
        command::JOIN_IP_MCAST => join_ip(&message),
        command::JOIN_MCAST => join(&message),
        command::LEAVE_MCAST => leave(&message),
        command::MIGRATE_ID => migrate(fd, channel, &message),
        _ => Err(libc::ENOSYS),
    }
}

fn create(channel: u32, message: &Message) -> Result<(), c_int> {
    let CreateId { uid, response, space, .. } = message.take()?;
    let service = Service::of_port_space(space).ok_or(libc::EPROTONOSUPPORT)?;
    let Answer::Number(id) = ask("rdma_create_id", ConnectionCall::Create { channel, service })? else {
        return Err(libc::EIO);
    };
    channels::add_id(id, uid);
    message.answer(response, &id)
}

fn destroy(message: &Message) -> Result<(), c_int> {
    let DestroyId { response, id, .. } = message.take()?;
    done("rdma_destroy_id", ConnectionCall::Destroy(id))?;
    let (reported, unseen) = channels::remove_id(id);
    for request in unseen {
        done("rdma_destroy_id", ConnectionCall::Destroy(request))?;
    }
    message.answer(response, &reported)
}

/// `RDMA_MC_JOIN_FLAG_SENDONLY_FULLMEMBER`, the last flag; the library attaches no queue pair then.
const SENDS_ONLY: u16 = 1;

fn join_ip(message: &Message) -> Result<(), c_int> {
    let JoinIp { response, uid, address: of, id } = message.take()?;
    join_group(message, response, (id, uid), address(&of)?)
}

fn join(message: &Message) -> Result<(), c_int> {
    let Join { response, uid, id, length, flags, address: of } = message.take()?;
    if flags > SENDS_ONLY || usize::from(length) > size_of_val(&of) {
        return Err(libc::EINVAL);
    }
    // SAFETY: the structure for all families is longer.
    let of = unsafe { std::ptr::from_ref(&of).cast::<sockaddr_in6>().read() };
    join_group(message, response, (id, uid), address(&of)?)
}

fn join_group(
    message: &Message,
    response: u64,
    (id, uid): (u32, u64),
    address: SocketAddr,
) -> Result<(), c_int> {
    let Answer::Number(membership) = ask("rdma_join_multicast", ConnectionCall::JoinGroup { id, address })?
    else {
        return Err(libc::EIO);
    };
    channels::add_id(membership, uid);
    message.answer(response, &membership)
}

fn leave(message: &Message) -> Result<(), c_int> {
    let DestroyId { response, id, .. } = message.take()?;
    done("rdma_leave_multicast", ConnectionCall::LeaveGroup(id))?;
    message.answer(response, &channels::remove_id(id).0)
}

fn accept(message: &Message) -> Result<(), c_int> {
    let of: Accept = message.take_at_least(size_of::<Accept>() - size_of::<[u32; 2]>())?;
    let parameters = (of.param.valid != 0).then(|| parameters(&of.param));
    if parameters.is_some() {
        channels::set_uid(of.id, of.uid);
    }
    done("rdma_accept", ConnectionCall::Accept { id: of.id, parameters })
}

fn migrate(fd: c_int, channel: u32, message: &Message) -> Result<(), c_int> {
    let Query { response, id, value: from } = message.take()?;
    if channels::number(from as c_int).is_none() {
        return Err(libc::EINVAL);
    }
    done("rdma_migrate_id", ConnectionCall::Migrate { id, channel })?;
    message.answer(response, &channels::migrate(id, fd))
}

fn query_route(message: &Message) -> Result<(), c_int> {
    let Query { response, id, .. } = message.take()?;
    let Answer::Connection(ConnectionAnswer::Route(route)) =
        ask("query_route", ConnectionCall::QueryRoute(id))?
    else {
        return Err(libc::EIO);
    };
    message.answer(response, &answer_of(&route))
}

/// The addresses of an id, and the path to its peer.
fn answer_of(route: &Route) -> RouteAnswer {
    // SAFETY: the structure has numbers alone.
    let mut answer: RouteAnswer = unsafe { zeroed() };
    answer.source = structure(route.source);
    if let Some(destination) = route.destination {
        answer.destination = structure(destination);
    }
    let Some(lid) = route.lid else { return answer };
    (answer.node_guid, answer.port) = (device::guid(lid), 1);
    let path = &mut answer.paths[0];
    (path.sgid, path.pkey) = (device::gid_of(lid), device::PARTITION.to_be());
    if let Some(peer) = route.peer_lid {
        let (mtu, rate, life) = PATH;
        path.dgid = device::gid_of(peer);
        (path.slid, path.dlid) = (lid.to_be(), peer.to_be());
        (path.reversible, path.numb_path) = (1, 1);
        (path.mtu_selector, path.mtu) = (EXACTLY, mtu);
        (path.rate_selector, path.rate) = (EXACTLY, rate);
        (path.life_selector, path.life) = (EXACTLY, life);
        answer.num_paths = route.has_path.into();
    }
    answer
}

fn pair_attributes(message: &Message) -> Result<(), c_int> {
    let Query { response, id, value: state } = message.take()?;
    let call = ConnectionCall::QueuePairAttributes { id, state };
    let Answer::Connection(ConnectionAnswer::Attributes(of)) = ask("rdma_init_qp_attr", call)? else {
        return Err(libc::EIO);
    };
    // SAFETY: the structure has numbers alone.
    let mut all: KernelQpAttr = unsafe { zeroed() };
    (all.mask, all.state, all.path_mtu, all.qkey) = (of.mask, of.state, of.mtu, of.q_key);
    (all.rq_psn, all.sq_psn, all.dest_qp_num) = (of.receive_psn, of.send_psn, of.peer);
    // The only P_Key and the only port.
    (all.access, all.pkey_index, all.port_num) = (of.access, 0, 1);
    (all.max_rd_atomic, all.max_dest_rd_atomic) = (of.reads, of.peer_reads);
    (all.min_rnr_timer, all.timeout) = (of.rnr_timer, of.timeout);
    (all.retry_cnt, all.rnr_retry) = (of.retries, of.rnr_retries);
    (all.ah.dlid, all.ah.port_num) = (of.peer_lid, 1);
    message.answer(response, &all)
}

fn get_event(fd: c_int, message: &Message) -> Result<(), c_int> {
    let response: u64 = message.take()?;
    let (event, uid) = channels::next(fd)?;
    message.answer(response, &event_answer(&event, uid))
}

fn event_answer(event: &ConnectionEvent, uid: u64) -> EventAnswer {
    // SAFETY: the structure has numbers alone.
    let mut answer: EventAnswer = unsafe { zeroed() };
    (answer.uid, answer.id) = (uid, event.id);
    (answer.event, answer.status) = (event.kind as u32, event.status as u32);
    let Parameters { pair, q_key, data, .. } = &event.parameters;
    let length = data.len().min(255);
    let mut bytes = [0; 256];
    bytes[..length].copy_from_slice(&data[..length]);
    match event.service {
        Service::Connection => {
            let of = &event.parameters;
            answer.param.connection = ConnParam {
                qp_num: *pair,
                qkey: *q_key,
                data: bytes,
                data_len: length as u8,
                srq: of.shares_receives.into(),
                responder_resources: of.responder_resources,
                initiator_depth: of.initiator_depth,
                flow_control: of.flow_control.into(),
                retry_count: of.retries,
                rnr_retry_count: of.rnr_retries,
                valid: 1,
            };
        }
        Service::Datagram => {
            // SAFETY: the structure has numbers alone.
            let mut of: UdParam = unsafe { zeroed() };
            (of.qp_num, of.qkey, of.data, of.data_len) = (*pair, *q_key, bytes, length as u8);
            if matches!(event.kind, EventKind::Established | EventKind::GroupJoined) {
                (of.ah.dlid, of.ah.port_num) = (event.lid, 1);
            }
            if let Some(gid) = event.gid {
                (of.ah.is_global, of.ah.grh.dgid) = (1, gid);
            }
            answer.param.datagram = of;
        }
    }
    answer
}

/// Options of `RDMA_OPTION_ID` by number, with their length in bytes.
const OPTIONS: [usize; 4] = [1, 4, 4, 1];
const REUSE_ADDRESS: u32 = 1;

fn set_option(message: &Message) -> Result<(), c_int> {
    let SetOption { value, id, level, name, length } = message.take()?;
    let wanted = *OPTIONS.get(name as usize).filter(|_| level == 0).ok_or(libc::ENOSYS)?;
    if length as usize != wanted || value == 0 {
        return Err(libc::EINVAL);
    }
    if name != REUSE_ADDRESS {
        // Service levels, dual stacks and other time-outs make no difference here; the id has to be one.
        return done("rdma_set_option", ConnectionCall::QueryRoute(id));
    }
    // SAFETY: the program names a number of this length.
    let allowed = unsafe { (value as *const c_int).read_unaligned() } != 0;
    done("rdma_set_option", ConnectionCall::ReusePort { id, allowed })
}
