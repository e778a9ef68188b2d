//! The end of a replay: all faults have ceased, and hosts send and take everything.

use ::gigae_pm::pins::{In, Out};
use ::gigae_pm::protocol::precedes;
use ::gigae_pm::registers::{Register, cause};
use hdl::{Nic, NicError};

use super::stage::CHANNEL;
use super::{Player, QUICK_SCAN};
use crate::gigae_pm::state::State;
use crate::gigae_pm::wrong::Wrong;

/// T, in core clock cycles: several round trips of a short message.
pub const TIMEOUT: u32 = 4_000;
/// Core clock cycles within which every frame arrives that ever will: twenty times T.
pub const PATIENCE: u64 = 20 * TIMEOUT as u64;
/// Cycles from one look to the next.
const LOOK: u64 = 1_000;

/// The content of a message that fills a slot of a receive ring.
pub const FILLER: [u8; 4] = [0xff; 4];

/// Message `number` of a sender: it says so.
pub fn message(sender: usize, number: u32) -> Vec<u8> {
    [&(sender as u32).to_le_bytes()[..], &number.to_le_bytes()].concat()
}

/// The end of a replay.
#[derive(Clone, Debug, Default)]
pub struct Ending {
    /// Core clock edge at which the first step began.
    pub begins: u64,
    /// Numbers of the messages that the receiver's host got, by sender, in the order in which it got them.
    pub delivered: Vec<Vec<u32>>,
    /// Messages that each sender believes to be acknowledged.
    pub acknowledged: Vec<u32>,
    /// Violations, judged by the hosts' view of their messages.
    pub violations: Vec<Wrong>,
    /// Work was left after [`PATIENCE`]: a deadlock if no frame was sent in the second half of it, else a livelock.
    pub trap: Option<Wrong>,
    /// A card has reported a dead peer to its host.
    pub reported_dead: bool,
    /// Picoseconds from the end of the script to this one.
    pub took: u64,
    /// Frames that left the cards in this time.
    pub frames: u64,
}

impl Ending {
    /// Everything was delivered once, in order, and is acknowledged, or the host knows that the peer is dead.
    pub fn is_good(&self) -> bool {
        self.trap.is_none() && self.violations.is_empty()
    }
}

impl<N: Nic<In = In, Out = Out>> Player<'_, N> {
    /// Faults cease: hosts send and take everything, wires lose nothing, timers run.
    pub(super) fn end(mut self, begins: u64, last_state: &State) -> Result<Ending, NicError> {
        let (receiver, last) = (self.receiver(), self.world.last());
        for (index, link) in last_state.links[self.world.senders()].iter().enumerate() {
            let mut number = link.sender.highest;
            while precedes(number, last) {
                number = number.wrapping_add(1);
                self.stage.host(index as u16).send(CHANNEL, receiver, message(index, number));
            }
        }
        self.stage.set_registers(Register::ScanPeriod, QUICK_SCAN);
        self.stage.set_registers(Register::Timeout, TIMEOUT);
        self.stage.set_registers(Register::Room, 1);
        self.stage.host(receiver).takes = true;
        self.stage.let_flow();

        let (start, frames) = (self.stage.now(), self.stage.frames);
        let (begin, mut half) = (self.stage.edges(), frames);
        let mut over = false;
        while !over && self.stage.edges() < begin + PATIENCE {
            self.stage.run(LOOK)?;
            if self.stage.edges() <= begin + PATIENCE / 2 {
                half = self.stage.frames;
            }
            over = self.is_over();
        }
        self.stage.check()?;

        let delivered = self.delivered();
        let acknowledged: Vec<_> = self.acknowledged();
        let trap = if self.stage.frames > half { Wrong::Livelock } else { Wrong::Deadlock };
        Ok(Ending {
            begins,
            violations: violations(&self.starts, &delivered, &acknowledged),
            delivered,
            acknowledged,
            trap: (!over).then_some(trap),
            reported_dead: self.reported_dead(),
            took: self.stage.now() - start,
            frames: self.stage.frames - frames,
        })
    }

    fn is_over(&mut self) -> bool {
        let last = self.world.last();
        let expected: Vec<_> = self.starts.iter().map(|&start| last.wrapping_sub(start) as usize).collect();
        let all_there = self.delivered().iter().zip(expected).all(|(got, count)| got.len() >= count);
        let all_known = || self.acknowledged().iter().all(|&acked| acked == last);
        self.reported_dead() || all_there && all_known()
    }

    fn reported_dead(&self) -> bool {
        let senders = 0..self.receiver();
        senders.into_iter().any(|node| self.stage.interrupt_causes(node) & cause::DEAD_PEER != 0)
    }

    fn acknowledged(&self) -> Vec<u32> {
        let receiver = self.receiver();
        (0..receiver).map(|node| self.stage.control(node, receiver).acked).collect()
    }

    fn delivered(&mut self) -> Vec<Vec<u32>> {
        let mut numbers = vec![Vec::new(); self.world.senders];
        let receiver = self.receiver();
        for delivery in &self.stage.host(receiver).deliveries {
            let word = |at: usize| {
                let bytes = delivery.bytes.get(at..at + 4)?;
                Some(u32::from_le_bytes(bytes.try_into().ok()?))
            };
            // A filler has no second word.
            if let (Some(sender), Some(number)) = (word(0), word(4)) {
                numbers[sender as usize].push(number);
            }
        }
        numbers
    }
}

/// Violations in the deliveries and in the acknowledgements that senders believe to have.
fn violations(starts: &[u32], delivered: &[Vec<u32>], acknowledged: &[u32]) -> Vec<Wrong> {
    let mut found = Vec::new();
    for ((&start, numbers), &acked) in starts.iter().zip(delivered).zip(acknowledged) {
        let mut next = start.wrapping_add(1);
        for &number in numbers {
            if precedes(number, next) {
                found.push(Wrong::Duplicate);
            } else if precedes(next, number) {
                found.push(Wrong::Misorder);
            }
            if !precedes(number, next) {
                next = number.wrapping_add(1);
            }
        }
        let missing = (1..=acked.wrapping_sub(start)).any(|i| !numbers.contains(&start.wrapping_add(i)));
        if missing {
            found.push(Wrong::SilentLoss);
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn violations_are_told_from_what_the_host_got() {
        let of = |numbers: &[u32], acked| violations(&[0], &[numbers.to_vec()], &[acked]);
        assert_eq!(of(&[1, 2, 3], 3), []);
        assert_eq!(of(&[1, 2], 1), [], "an ACK may be on its way");
        assert_eq!(of(&[1], 2), [Wrong::SilentLoss]);
        assert_eq!(of(&[1, 1, 2], 2), [Wrong::Duplicate]);
        assert_eq!(of(&[2], 0), [Wrong::Misorder]);
        assert_eq!(of(&[2, 1], 2), [Wrong::Duplicate, Wrong::Misorder]);
    }

    #[test]
    fn numbers_begin_after_those_of_the_session_before() {
        assert_eq!(violations(&[u32::MAX], &[vec![0, 1]], &[1]), []);
        assert_eq!(violations(&[2], &[vec![]], &[2]), []);
    }
}
