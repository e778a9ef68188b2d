//! Queue pairs, their rings and their states (IBA volume 1, section 10.3.1).

use hca::contexts::{Attributes, PairState};

use super::errno::EINVAL;
use crate::verbs::call::{Buffer, QueuePairAttributes, QueuePairInit};

/// Logarithm of the largest ring: 16,384 requests.
pub(super) const MOST_REQUESTS_LOG: u8 = 14;
/// Logarithm of the smallest ring: 16 requests, which satisfies the alignment that the adapter needs (our choice).
const LEAST_REQUESTS_LOG: u8 = 4;
/// Code of the largest MTU: 2,048 bytes.
const MOST_MTU: u32 = 4;

/// Values of `ibv_qp_state`.
pub(super) mod state {
    pub const RESET: u32 = 0;
    pub const INIT: u32 = 1;
    pub const READY_TO_RECEIVE: u32 = 2;
    pub const READY_TO_SEND: u32 = 3;
}
use state::*;

/// A queue pair, its attributes and its rings.
#[derive(Clone, Debug)]
pub(super) struct QueuePair {
    pub init: QueuePairInit,
    pub state: u32,
    /// Attributes that the program has set since the last reset.
    pub attributes: QueuePairAttributes,
    /// The adapter has the row, so receive requests ring the doorbell.
    pub is_loaded: bool,
    pub sends: Ring<u64>,
    pub receives: Ring<(u64, Buffer)>,
}

/// A ring of work requests in host memory.
#[derive(Clone, Debug)]
pub(super) struct Ring<T> {
    pub base: u32,
    pub log: u8,
    /// Requests posted, modulo 2^16.
    pub posted: u16,
    /// Requests completed, modulo 2^16.
    pub completed: u16,
    /// Data about the requests that is needed at completion, by index in the ring.
    pub requests: Vec<T>,
}

impl<T: Clone + Default> Ring<T> {
    pub fn new(base: u32, log: u8) -> Self {
        Ring { base, log, posted: 0, completed: 0, requests: vec![T::default(); 1 << log] }
    }

    /// Index in the ring of the request of this count.
    pub fn index(&self, count: u16) -> usize {
        usize::from(count) & ((1 << self.log) - 1)
    }

    pub fn has_room(&self) -> bool {
        usize::from(self.posted.wrapping_sub(self.completed)) < 1 << self.log
    }

    pub fn clear(&mut self) {
        (self.posted, self.completed) = (0, 0);
    }
}

/// Logarithm of a ring of at least `requests` requests.
pub(super) fn ring_log(requests: u32) -> Result<u8, i32> {
    let log = requests.max(1).checked_next_power_of_two().ok_or(EINVAL)?.ilog2() as u8;
    if log > MOST_REQUESTS_LOG { Err(EINVAL) } else { Ok(log.max(LEAST_REQUESTS_LOG)) }
}

impl QueuePair {
    pub fn row(&self) -> Attributes {
        let QueuePair { init, attributes, sends, receives, .. } = self;
        Attributes {
            state: PairState::ReadyToSend.code(),
            connected: init.connected,
            domain: init.domain,
            mtu: attributes.mtu.unwrap_or(MOST_MTU) as u8,
            send_log: sends.log,
            receive_log: receives.log,
            send_cq: init.send_queue,
            receive_cq: init.receive_queue,
            retries: attributes.retries.unwrap_or_default() & 7,
            rnr_retries: attributes.rnr_retries.unwrap_or_default() & 7,
            send_base: sends.base,
            receive_base: receives.base,
            q_key: attributes.q_key.unwrap_or_default(),
            peer: attributes.peer.unwrap_or_default() & 0xff_ffff,
            timeout: attributes.timeout.unwrap_or_default() & 31,
            peer_lid: attributes.peer_lid.unwrap_or_default(),
            rnr_timer: attributes.rnr_timer.unwrap_or_default() & 31,
            send_psn: attributes.send_psn.unwrap_or_default() & 0xff_ffff,
            receive_psn: attributes.receive_psn.unwrap_or_default() & 0xff_ffff,
            ..Attributes::default()
        }
    }
}

impl QueuePairAttributes {
    /// These attributes, where `now` has no other ones.
    pub(super) fn updated_with(&self, now: &QueuePairAttributes) -> QueuePairAttributes {
        QueuePairAttributes {
            state: now.state.or(self.state),
            q_key: now.q_key.or(self.q_key),
            mtu: now.mtu.or(self.mtu),
            peer: now.peer.or(self.peer),
            peer_lid: now.peer_lid.or(self.peer_lid),
            receive_psn: now.receive_psn.or(self.receive_psn),
            send_psn: now.send_psn.or(self.send_psn),
            rnr_timer: now.rnr_timer.or(self.rnr_timer),
            timeout: now.timeout.or(self.timeout),
            retries: now.retries.or(self.retries),
            rnr_retries: now.rnr_retries.or(self.rnr_retries),
        }
    }

    /// An error if an attribute is missing for this state, or the adapter does not support it (IBA volume 1, table 91).
    pub(super) fn check(&self, connected: bool, to: u32) -> Result<(), i32> {
        let receives = to == READY_TO_RECEIVE || to == READY_TO_SEND;
        let sends = to == READY_TO_SEND;
        let path = self.mtu.is_some() && self.peer.is_some() && self.peer_lid.is_some();
        let arrives = path && self.receive_psn.is_some() && self.rnr_timer.is_some();
        let leaves = self.timeout.is_some() && self.retries.is_some() && self.rnr_retries.is_some();
        let missing = match connected {
            true => receives && !arrives || sends && !leaves,
            false => to != RESET && self.q_key.is_none(),
        } || sends && self.send_psn.is_none();
        let mtu = self.mtu.is_some_and(|mtu| mtu == 0 || mtu > MOST_MTU);
        if missing || mtu { Err(EINVAL) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connection_is_ready_when_all_attributes_are_set() {
        let receive = QueuePairAttributes {
            mtu: Some(3),
            peer: Some(1),
            peer_lid: Some(2),
            receive_psn: Some(3),
            rnr_timer: Some(12),
            ..QueuePairAttributes::default()
        };
        assert_eq!(receive.check(true, READY_TO_RECEIVE), Ok(()));
        assert_eq!(receive.check(true, READY_TO_SEND), Err(EINVAL));
        assert_eq!(
            QueuePairAttributes { mtu: Some(5), ..receive.clone() }.check(true, READY_TO_RECEIVE),
            Err(EINVAL)
        );
        let rest = QueuePairAttributes {
            send_psn: Some(7),
            timeout: Some(14),
            retries: Some(7),
            rnr_retries: Some(7),
            ..QueuePairAttributes::default()
        };
        let all = receive.updated_with(&rest);
        assert_eq!(all.check(true, READY_TO_SEND), Ok(()));
        assert_eq!((all.mtu, all.send_psn), (Some(3), Some(7)));
        assert_eq!(
            QueuePairAttributes::default().check(false, INIT),
            Err(EINVAL),
            "a datagram needs a Q_Key"
        );
    }

    #[test]
    fn rings_hold_the_requested_number_or_are_refused() {
        assert_eq!(
            (ring_log(0), ring_log(1), ring_log(500), ring_log(16_384)),
            (Ok(4), Ok(4), Ok(9), Ok(14))
        );
        assert_eq!((ring_log(16_385), ring_log(u32::MAX)), (Err(EINVAL), Err(EINVAL)));
    }
}
