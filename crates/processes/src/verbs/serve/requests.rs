//! Requests: what a program puts into its rings.

use hca::layout::{Operation, RECEIVE_WQE_BYTES, SEND_WQE_BYTES};
use hca::registers::Doorbell;
use hca::traffic::host::SendWqe;

use super::Reply;
use super::adapter::{Adapter, INVALID, NO_ROOM};
use super::pairs::state::{READY_TO_SEND, RESET};
use crate::verbs::call::{Answer, Place, Send};

impl Adapter {
    pub(super) async fn send(&mut self, number: u8, request: Send) -> Reply {
        let (address, inside) = self.address(request.place);
        let pair = self.pair(number)?;
        if pair.state != READY_TO_SEND || pair.wanted.connected == request.to.is_some() {
            return Err(INVALID);
        }
        if !pair.sends.has_room() {
            return Err(NO_ROOM);
        }
        let count = pair.sends.posted;
        let at = pair.sends.place(count);
        pair.sends.requests[at] = request.id;
        pair.sends.posted = count.wrapping_add(1);
        let place = pair.sends.base + SEND_WQE_BYTES * at as u32;
        let to = request.to.unwrap_or_default();
        let operation = if request.immediate.is_some() { Operation::SendImmediate } else { Operation::Send };
        let wqe = SendWqe {
            operation: operation.code(),
            signalled: request.signalled,
            solicited: request.solicited,
            immediate: request.immediate.unwrap_or_default(),
            address,
            length: request.place.length,
            l_key: request.place.key,
            destination: to.pair & 0xff_ffff,
            lid: to.lid,
            q_key: to.q_key,
            ..SendWqe::default()
        };
        if inside {
            let bytes = request.data.len().min(request.place.length as usize);
            self.host().set_memory(address, &request.data[..bytes]);
        }
        let words: Vec<u8> = wqe.words().into_iter().flat_map(u64::to_le_bytes).collect();
        self.host().set_memory(place, &words);
        self.host().compute(self.host().costs().post).await;
        self.host().ring(Doorbell::SendBell, number, count.wrapping_add(1)).await;
        Ok(Answer::Done)
    }

    pub(super) async fn receive(&mut self, number: u8, id: u64, place: Place) -> Reply {
        let (address, _) = self.address(place);
        let pair = self.pair(number)?;
        if pair.state == RESET {
            return Err(INVALID);
        }
        if !pair.receives.has_room() {
            return Err(NO_ROOM);
        }
        let count = pair.receives.posted;
        let at = pair.receives.place(count);
        pair.receives.requests[at] = (id, place);
        pair.receives.posted = count.wrapping_add(1);
        let (loaded, base) = (pair.loaded, pair.receives.base);
        let ring = base + u32::from(RECEIVE_WQE_BYTES) * at as u32;
        let words = [u64::from(place.length) << 32 | u64::from(address), place.key.into()];
        self.host().set_memory(ring, &words.map(u64::to_le_bytes).concat());
        self.host().compute(self.host().costs().post).await;
        if loaded {
            self.ring_receives(number, count.wrapping_add(1)).await;
        }
        Ok(Answer::Done)
    }

    /// Tells the adapter how many receive requests there are.
    pub(super) async fn ring_receives(&self, number: u8, count: u16) {
        self.host().ring(Doorbell::ReceiveBell, number, count).await;
    }
}
