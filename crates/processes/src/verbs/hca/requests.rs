//! Work requests in the rings of a queue pair.

use hca::layout::{Operation, RECEIVE_WQE_BYTES, SEND_WQE_BYTES, SendWqe};
use hca::registers::Doorbell;

use super::Reply;
use super::adapter::Adapter;
use super::errno::{EINVAL, ENOMEM};
use super::gather::Place;
use super::queue_pair::{QueuePair, Receive, Send};
use super::transitions::state::{DRAINED, ERROR, READY_TO_SEND, RESET, SEND_ERROR};
use crate::verbs::call::access::{REMOTE_ATOMIC, REMOTE_READ, REMOTE_WRITE};
use crate::verbs::call::{Answer, Buffer, CompletedOperation, MemoryAddress, SendOperation, SendRequest};

impl Adapter {
    /// Posts a send request; `remote` is the peer's memory of RDMA or of an atomic operation.
    pub(super) async fn post_send(
        &mut self,
        number: u8,
        request: SendRequest,
        remote: Option<MemoryAddress>,
    ) -> Reply {
        let pair = self.pair(number)?;
        check_send(pair, &request)?;
        let domain = pair.init.domain;
        let is_flushed = matches!(pair.state, ERROR | SEND_ERROR);
        let place = match &request.inline {
            _ if is_flushed => Place::default(),
            Some(data) => self.place_inline(domain, data).await?,
            None => self.place(domain, &request.pieces, request.operation.reads()).await?,
        };
        let wqe = self.send_wqe(number, &request, &place, remote)?;
        self.spend(self.host().post_send_time()).await;
        let pair = self.pair(number)?;
        let operation = match request.operation {
            SendOperation::Send => CompletedOperation::Send,
            SendOperation::Write => CompletedOperation::Write,
            SendOperation::Read => CompletedOperation::Read,
            SendOperation::CompareSwap => CompletedOperation::CompareSwap,
            SendOperation::FetchAdd => CompletedOperation::FetchAdd,
            SendOperation::Bind => CompletedOperation::Bind,
        };
        let Place { bounce, .. } = place;
        let send = Send { id: request.id, operation, signalled: request.signalled, bounce };
        let count = pair.sends.push(send);
        let entry = pair.sends.base + SEND_WQE_BYTES * pair.sends.index(count) as u32;
        let is_held = pair.state == DRAINED;
        if is_flushed {
            self.flush_one(number, count, false);
            return Ok(Answer::Done);
        }
        self.host().set_memory(entry, &wqe.bytes());
        if !is_held {
            self.ring_sends(number).await;
        }
        Ok(Answer::Done)
    }

    /// The request as the adapter reads it.
    fn send_wqe(
        &mut self,
        number: u8,
        request: &SendRequest,
        place: &Place,
        remote: Option<MemoryAddress>,
    ) -> Result<SendWqe, i32> {
        let QueuePair { attributes, .. } = self.pair(number)?;
        let peer = (attributes.peer_lid, attributes.peer);
        let (operation, access) = match (request.operation, request.immediate) {
            (SendOperation::Send, None) => (Operation::Send, 0),
            (SendOperation::Send, Some(_)) => (Operation::SendImmediate, 0),
            (SendOperation::Write, None) => (Operation::RdmaWrite, REMOTE_WRITE),
            (SendOperation::Write, Some(_)) => (Operation::RdmaWriteImmediate, REMOTE_WRITE),
            (SendOperation::Read, _) => (Operation::RdmaRead, REMOTE_READ),
            (SendOperation::CompareSwap, _) => (Operation::CompareSwap, REMOTE_ATOMIC),
            (SendOperation::FetchAdd, _) => (Operation::FetchAdd, REMOTE_ATOMIC),
            // It takes its place among the requests as an RDMA WRITE of no bytes.
            (SendOperation::Bind, _) => (Operation::RdmaWrite, 0),
        };
        let remote = match remote {
            Some(remote) if access != 0 => {
                self.directory.translate(peer, access, request.remote_key, remote.address, place.length)
            }
            _ => 0,
        };
        // Data that the driver scatters have to be seen when they arrive.
        let scatters = place.bounce.is_some() && request.operation.reads();
        let destination = request.destination.unwrap_or_default();
        Ok(SendWqe {
            operation: operation.code(),
            signalled: request.signalled || scatters,
            solicited: request.solicited,
            immediate: request.immediate.unwrap_or_default(),
            address: place.address,
            length: place.length,
            l_key: place.key,
            r_key: request.remote_key,
            remote: remote.into(),
            destination: destination.pair & 0xff_ffff,
            lid: destination.lid,
            q_key: destination.q_key,
            swap: request.swap,
            compare: request.compare,
        })
    }

    pub(super) async fn post_receive(&mut self, number: u8, id: u64, pieces: Vec<Buffer>) -> Reply {
        let pair = self.pair(number)?;
        let too_many = pieces.len() > pair.init.receive_pieces.max(1) as usize;
        if pair.shared.is_some() || pair.state == RESET || too_many {
            return Err(EINVAL);
        }
        if !pair.receives.has_room() {
            return Err(ENOMEM);
        }
        let (domain, is_flushed) = (pair.init.domain, pair.state == ERROR);
        let place = if is_flushed { Place::default() } else { self.place(domain, &pieces, true).await? };
        let buffer = Buffer { key: place.key, offset: place.address.into(), length: place.length };
        self.spend(self.host().post_receive_time(self.host().costs().post)).await;
        let pair = self.pair(number)?;
        let count = pair.receives.push(Receive { id, buffer, bounce: place.bounce });
        let is_loaded = pair.is_loaded;
        if is_flushed {
            self.flush_one(number, count, true);
            return Ok(Answer::Done);
        }
        self.write_receive(number, count)?;
        if is_loaded {
            self.ring_receives(number).await;
        }
        Ok(Answer::Done)
    }

    /// Writes the receive request of this count into its ring.
    pub(super) fn write_receive(&mut self, number: u8, count: u16) -> Result<(), i32> {
        let pair = self.pair(number)?;
        let entry = pair.receives.base + u32::from(RECEIVE_WQE_BYTES) * pair.receives.index(count) as u32;
        let wqe = pair.receives.request(count).wqe();
        self.host().set_memory(entry, &wqe);
        Ok(())
    }

    /// Tells the adapter of all send requests.
    pub(super) async fn ring_sends(&mut self, number: u8) {
        let Ok(pair) = self.pair(number) else { return };
        pair.sends.rung = pair.sends.posted;
        let count = pair.sends.posted;
        self.ring(Doorbell::SendBell, number, count).await;
    }

    /// Tells the adapter of all receive requests.
    pub(super) async fn ring_receives(&mut self, number: u8) {
        let Ok(pair) = self.pair(number) else { return };
        pair.receives.rung = pair.receives.posted;
        let count = pair.receives.posted;
        self.ring(Doorbell::ReceiveBell, number, count).await;
    }
}

/// Checks a send request against its queue pair.
fn check_send(pair: &QueuePair, request: &SendRequest) -> Result<(), i32> {
    let SendRequest { operation, pieces, inline, destination, .. } = request;
    let has_state = matches!(pair.state, READY_TO_SEND | DRAINED | SEND_ERROR | ERROR);
    let is_remote = *operation != SendOperation::Send;
    let too_many = pieces.len() > pair.init.send_pieces.max(1) as usize;
    let too_long = inline.as_ref().is_some_and(|data| data.len() > pair.init.inline as usize);
    let reads = operation.reads();
    if !has_state
        || pair.init.service.is_connected() == destination.is_some()
        || is_remote && !pair.init.service.is_connected()
        || too_many
        || too_long
        || reads && (inline.is_some() || pair.attributes.reads == 0)
    {
        return Err(EINVAL);
    }
    if pair.sends.has_room() { Ok(()) } else { Err(ENOMEM) }
}
