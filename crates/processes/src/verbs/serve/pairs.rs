//! Queue pairs: how they are made, and how a program takes them from state to state (IBA volume 1, section 10.3.1).

use hca::contexts::{Attributes, Kind, QPS};
use hca::layout::{RECEIVE_WQE_BYTES, SEND_WQE_BYTES};

use super::Reply;
use super::adapter::{Adapter, INVALID, NO_ROOM, UNSUPPORTED};
use crate::verbs::call::{Answer, Change, PairWanted, Place};

/// Requests of a ring at most, by the logarithm.
pub(super) const MOST_REQUESTS_LOG: u8 = 14;
/// And at least, so that rings lie as the adapter wants them. Ours.
const LEAST_REQUESTS_LOG: u8 = 4;
/// The first queue pair of programs: 0 and 1 belong to management (IBA volume 1, section 3.9.1).
const FIRST_PAIR: usize = 2;
/// The longest MTU, by its code: 2,048 bytes.
const MOST_MTU: u32 = 4;

/// States of verbs (`ibv_qp_state`).
pub(super) mod state {
    pub const RESET: u32 = 0;
    pub const INIT: u32 = 1;
    pub const READY_TO_RECEIVE: u32 = 2;
    pub const READY_TO_SEND: u32 = 3;
}
use state::*;

/// A queue pair.
#[derive(Clone, Debug)]
pub(super) struct Pair {
    pub wanted: PairWanted,
    pub state: u32,
    /// What the program has said of it so far.
    said: Change,
    /// The adapter knows it: receive requests ring.
    pub loaded: bool,
    pub sends: Ring<u64>,
    pub receives: Ring<(u64, Place)>,
}

/// A ring in host memory, and what is known of the requests in it.
#[derive(Clone, Debug)]
pub(super) struct Ring<T> {
    pub base: u32,
    pub log: u8,
    pub posted: u16,
    pub done: u16,
    pub requests: Vec<T>,
}

impl<T: Clone + Default> Ring<T> {
    fn new(base: u32, log: u8) -> Self {
        Ring { base, log, posted: 0, done: 0, requests: vec![T::default(); 1 << log] }
    }

    /// The place of a request in the ring, by its count.
    pub fn place(&self, count: u16) -> usize {
        usize::from(count) & ((1 << self.log) - 1)
    }

    /// Whether there is room for one more.
    pub fn has_room(&self) -> bool {
        usize::from(self.posted.wrapping_sub(self.done)) < 1 << self.log
    }

    fn clear(&mut self) {
        (self.posted, self.done) = (0, 0);
    }
}

/// Logarithm of a ring of at least so many requests.
fn log(requests: u32) -> Result<u8, i32> {
    let log = requests.max(1).checked_next_power_of_two().ok_or(INVALID)?.ilog2() as u8;
    if log > MOST_REQUESTS_LOG { Err(INVALID) } else { Ok(log.max(LEAST_REQUESTS_LOG)) }
}

impl Adapter {
    pub(super) fn make_pair(&mut self, wanted: PairWanted) -> Reply {
        self.domain(wanted.domain)?;
        self.queue(wanted.send_queue)?;
        self.queue(wanted.receive_queue)?;
        let (send_log, receive_log) = (log(wanted.sends)?, log(wanted.receives)?);
        let free = |number: &usize| self.pairs[*number].is_none();
        let number = (FIRST_PAIR..QPS).find(free).ok_or(NO_ROOM)?;
        let sends = self.memory.take(u64::from(SEND_WQE_BYTES) << send_log)?;
        let receives = self
            .memory
            .take(u64::from(RECEIVE_WQE_BYTES) << receive_log)
            .inspect_err(|_| self.memory.give(sends))?;
        self.pairs[number] = Some(Pair {
            wanted,
            state: RESET,
            said: Change::default(),
            loaded: false,
            sends: Ring::new(sends, send_log),
            receives: Ring::new(receives, receive_log),
        });
        Ok(Answer::Pair { number: number as u8, sends: 1 << send_log, receives: 1 << receive_log })
    }

    pub(super) fn pair(&mut self, pair: u8) -> Result<&mut Pair, i32> {
        self.pairs.get_mut(usize::from(pair)).and_then(Option::as_mut).ok_or(INVALID)
    }

    pub(super) async fn end_pair(&mut self, pair: u8) -> Reply {
        let Pair { sends, receives, .. } = self.pair(pair)?.clone();
        self.host().write_row(Kind::Pair, pair, Attributes::default()).await;
        self.pairs[usize::from(pair)] = None;
        self.memory.give(sends.base);
        self.memory.give(receives.base);
        Ok(Answer::Done)
    }

    pub(super) async fn modify(&mut self, number: u8, change: Change) -> Reply {
        let pair = self.pair(number)?;
        let said = pair.said.with(&change);
        let to = change.state.unwrap_or(pair.state);
        let connected = pair.wanted.connected;
        said.check(connected, to)?;
        match (pair.state, to) {
            (_, RESET) => {
                (pair.state, pair.said, pair.loaded) = (RESET, Change::default(), false);
                pair.sends.clear();
                pair.receives.clear();
                self.host().write_row(Kind::Pair, number, Attributes::default()).await;
                return Ok(Answer::Done);
            }
            (RESET | INIT, INIT) | (INIT, READY_TO_RECEIVE) | (READY_TO_RECEIVE, READY_TO_SEND) => {}
            // What the adapter knows of a queue pair at work cannot be changed without beginning anew.
            (READY_TO_RECEIVE | READY_TO_SEND, _) if to <= READY_TO_SEND => return Err(INVALID),
            (_, to) if to <= READY_TO_SEND => return Err(INVALID),
            _ => return Err(UNSUPPORTED),
        }
        (pair.state, pair.said) = (to, said);
        // A row holds all that there is of a queue pair, so the adapter gets it when all is known. A packet that comes to a connection before is sent again.
        if to == if connected { READY_TO_SEND } else { READY_TO_RECEIVE } {
            self.load_pair(number).await?;
        }
        Ok(Answer::Done)
    }

    /// Writes the row of a queue pair, and tells of the requests that wait in its ring.
    async fn load_pair(&mut self, number: u8) -> Result<(), i32> {
        let pair = self.pair(number)?;
        pair.loaded = true;
        let row = pair.row();
        let posted = pair.receives.posted;
        self.host().write_row(Kind::Pair, number, row).await;
        self.ring_receives(number, posted).await;
        Ok(())
    }
}

impl Pair {
    fn row(&self) -> Attributes {
        let Pair { wanted, said, sends, receives, .. } = self;
        Attributes {
            valid: true,
            connected: wanted.connected,
            domain: wanted.domain,
            mtu: said.mtu.unwrap_or(MOST_MTU) as u8,
            send_log: sends.log,
            receive_log: receives.log,
            send_cq: wanted.send_queue,
            receive_cq: wanted.receive_queue,
            retries: said.retries.unwrap_or_default() & 7,
            rnr_retries: said.rnr_retries.unwrap_or_default() & 7,
            send_base: sends.base,
            receive_base: receives.base,
            q_key: said.q_key.unwrap_or_default(),
            peer: said.peer.unwrap_or_default() & 0xff_ffff,
            timeout: said.timeout.unwrap_or_default() & 31,
            peer_lid: said.peer_lid.unwrap_or_default(),
            rnr_timer: said.rnr_timer.unwrap_or_default() & 31,
            send_psn: said.send_psn.unwrap_or_default() & 0xff_ffff,
            receive_psn: said.receive_psn.unwrap_or_default() & 0xff_ffff,
            ..Attributes::default()
        }
    }
}

impl Change {
    /// What was said before, and what is said now.
    fn with(&self, now: &Change) -> Change {
        Change {
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

    /// An error if something is missing for a state, or is none that the adapter has (IBA volume 1, table 91).
    fn check(&self, connected: bool, to: u32) -> Result<(), i32> {
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
        if missing || mtu { Err(INVALID) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connection_is_ready_when_all_is_said_that_its_row_has() {
        let receive = Change {
            mtu: Some(3),
            peer: Some(1),
            peer_lid: Some(2),
            receive_psn: Some(3),
            rnr_timer: Some(12),
            ..Change::default()
        };
        assert_eq!(receive.check(true, READY_TO_RECEIVE), Ok(()));
        assert_eq!(receive.check(true, READY_TO_SEND), Err(INVALID));
        assert_eq!(Change { mtu: Some(5), ..receive.clone() }.check(true, READY_TO_RECEIVE), Err(INVALID));
        let rest = Change {
            send_psn: Some(7),
            timeout: Some(14),
            retries: Some(7),
            rnr_retries: Some(7),
            ..Change::default()
        };
        let all = receive.with(&rest);
        assert_eq!(all.check(true, READY_TO_SEND), Ok(()));
        assert_eq!((all.mtu, all.send_psn), (Some(3), Some(7)));
        assert_eq!(Change::default().check(false, INIT), Err(INVALID), "a datagram has a Q_Key");
    }

    #[test]
    fn rings_hold_what_was_asked_for_or_are_refused() {
        assert_eq!((log(0), log(1), log(500), log(16_384)), (Ok(4), Ok(4), Ok(9), Ok(14)));
        assert_eq!((log(16_385), log(u32::MAX)), (Err(INVALID), Err(INVALID)));
    }
}
