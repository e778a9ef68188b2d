//! Work requests in the rings of a queue pair.

use hca::layout::SendWqe;
use hca::layout::{Operation, RECEIVE_WQE_BYTES, SEND_WQE_BYTES};
use hca::registers::Doorbell;

use super::Reply;
use super::adapter::Adapter;
use super::errno::{EINVAL, ENOMEM};
use super::queue_pair::state::{READY_TO_SEND, RESET};
use crate::verbs::call::{Answer, Buffer, SendRequest};

impl Adapter {
    pub(super) async fn post_send(&mut self, number: u8, request: SendRequest) -> Reply {
        let address = self.address(request.buffer);
        let pair = self.pair(number)?;
        if pair.state != READY_TO_SEND || pair.init.connected == request.destination.is_some() {
            return Err(EINVAL);
        }
        if !pair.sends.has_room() {
            return Err(ENOMEM);
        }
        let count = pair.sends.posted;
        let at = pair.sends.index(count);
        pair.sends.requests[at] = request.id;
        pair.sends.posted = count.wrapping_add(1);
        let entry = pair.sends.base + SEND_WQE_BYTES * at as u32;
        let destination = request.destination.unwrap_or_default();
        let operation = if request.immediate.is_some() { Operation::SendImmediate } else { Operation::Send };
        let wqe = SendWqe {
            operation: operation.code(),
            signalled: request.signalled,
            solicited: request.solicited,
            immediate: request.immediate.unwrap_or_default(),
            // The adapter refuses address 0, which no region contains.
            address: address.unwrap_or(0),
            length: request.buffer.length,
            l_key: request.buffer.key,
            destination: destination.pair & 0xff_ffff,
            lid: destination.lid,
            q_key: destination.q_key,
            ..SendWqe::default()
        };
        if let Some(address) = address {
            let bytes = request.data.len().min(request.buffer.length as usize);
            self.host().set_memory(address, &request.data[..bytes]);
        }
        let words: Vec<u8> = wqe.words().into_iter().flat_map(u64::to_le_bytes).collect();
        self.host().set_memory(entry, &words);
        self.spend(self.host().costs().post).await;
        self.ring(Doorbell::SendBell, number, count.wrapping_add(1)).await;
        Ok(Answer::Done)
    }

    pub(super) async fn post_receive(&mut self, number: u8, id: u64, buffer: Buffer) -> Reply {
        let address = self.address(buffer).unwrap_or(0);
        let pair = self.pair(number)?;
        if pair.state == RESET {
            return Err(EINVAL);
        }
        if !pair.receives.has_room() {
            return Err(ENOMEM);
        }
        let count = pair.receives.posted;
        let at = pair.receives.index(count);
        pair.receives.requests[at] = (id, buffer);
        pair.receives.posted = count.wrapping_add(1);
        let (is_loaded, base) = (pair.is_loaded, pair.receives.base);
        let entry = base + u32::from(RECEIVE_WQE_BYTES) * at as u32;
        let words = [u64::from(buffer.length) << 32 | u64::from(address), buffer.key.into()];
        self.host().set_memory(entry, &words.map(u64::to_le_bytes).concat());
        self.spend(self.host().costs().post).await;
        if is_loaded {
            self.ring_receives(number, count.wrapping_add(1)).await;
        }
        Ok(Answer::Done)
    }

    /// Tells the adapter that `count` receive requests have been posted, modulo 2^16.
    pub(super) async fn ring_receives(&mut self, number: u8, count: u16) {
        self.ring(Doorbell::ReceiveBell, number, count).await;
    }
}
