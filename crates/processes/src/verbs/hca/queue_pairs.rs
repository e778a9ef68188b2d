//! Calls on queue pairs: creation, changes of state and attributes, destruction.

use hca::contexts::{Attributes, Kind, QPS};
use hca::layout::{RECEIVE_WQE_BYTES, SEND_WQE_BYTES};

use super::Reply;
use super::adapter::Adapter;
use super::errno::{EINVAL, ENOMEM, EOPNOTSUPP};
use super::queue_pair::state::*;
use super::queue_pair::{QueuePair, Ring, ring_log};
use crate::verbs::call::{Answer, QueuePairAttributes, QueuePairInit};

/// The first queue pair for programs: 0 and 1 belong to management (IBA volume 1, section 3.9.1).
const FIRST_PAIR: usize = 2;

impl Adapter {
    pub(super) fn create_queue_pair(&mut self, init: QueuePairInit) -> Reply {
        self.check_domain(init.domain)?;
        self.completion_queue(init.send_queue)?;
        self.completion_queue(init.receive_queue)?;
        let (send_log, receive_log) = (ring_log(init.sends)?, ring_log(init.receives)?);
        let free = |number: &usize| self.pairs[*number].is_none();
        let number = (FIRST_PAIR..QPS).find(free).ok_or(ENOMEM)?;
        let sends = self.memory.allocate(u64::from(SEND_WQE_BYTES) << send_log)?;
        let receives = self
            .memory
            .allocate(u64::from(RECEIVE_WQE_BYTES) << receive_log)
            .inspect_err(|_| self.memory.free(sends))?;
        self.pairs[number] = Some(QueuePair {
            init,
            state: RESET,
            attributes: QueuePairAttributes::default(),
            is_loaded: false,
            sends: Ring::new(sends, send_log),
            receives: Ring::new(receives, receive_log),
        });
        Ok(Answer::QueuePair { number: number as u8, sends: 1 << send_log, receives: 1 << receive_log })
    }

    pub(super) fn pair(&mut self, pair: u8) -> Result<&mut QueuePair, i32> {
        self.pairs.get_mut(usize::from(pair)).and_then(Option::as_mut).ok_or(EINVAL)
    }

    pub(super) async fn destroy_queue_pair(&mut self, pair: u8) -> Reply {
        let QueuePair { sends, receives, .. } = self.pair(pair)?.clone();
        self.host().write_row(Kind::Pair, pair, Attributes::default()).await;
        self.pairs[usize::from(pair)] = None;
        self.memory.free(sends.base);
        self.memory.free(receives.base);
        Ok(Answer::Done)
    }

    pub(super) async fn modify_queue_pair(&mut self, number: u8, change: QueuePairAttributes) -> Reply {
        let pair = self.pair(number)?;
        let attributes = pair.attributes.updated_with(&change);
        let to = change.state.unwrap_or(pair.state);
        let connected = pair.init.connected;
        attributes.check(connected, to)?;
        match (pair.state, to) {
            (_, RESET) => {
                (pair.state, pair.is_loaded) = (RESET, false);
                pair.attributes = QueuePairAttributes::default();
                pair.sends.clear();
                pair.receives.clear();
                self.host().write_row(Kind::Pair, number, Attributes::default()).await;
                return Ok(Answer::Done);
            }
            (RESET | INIT, INIT) | (INIT, READY_TO_RECEIVE) | (READY_TO_RECEIVE, READY_TO_SEND) => {}
            // The row of a working queue pair can be changed through a reset only.
            (READY_TO_RECEIVE | READY_TO_SEND, _) if to <= READY_TO_SEND => return Err(EINVAL),
            (_, to) if to <= READY_TO_SEND => return Err(EINVAL),
            _ => return Err(EOPNOTSUPP),
        }
        (pair.state, pair.attributes) = (to, attributes);
        // The row holds all attributes, so it is written when the last ones are known. The peer of a connection resends
        // packets that arrive before.
        if to == if connected { READY_TO_SEND } else { READY_TO_RECEIVE } {
            self.load_row(number).await?;
        }
        Ok(Answer::Done)
    }

    /// Writes the row of a queue pair, and rings the doorbell for receive requests posted before.
    async fn load_row(&mut self, number: u8) -> Result<(), i32> {
        let pair = self.pair(number)?;
        pair.is_loaded = true;
        let row = pair.row();
        let posted = pair.receives.posted;
        self.host().write_row(Kind::Pair, number, row).await;
        self.ring_receives(number, posted).await;
        Ok(())
    }
}
