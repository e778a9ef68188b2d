//! The receive ring as printed (section 3.2.3). [`Reassembly`](crate::reassembly::Reassembly) replaces it;
//! this module shows why.
//!
//! The adapter writes packets into the slots of a ring and reports each by a completion. A program that takes
//! a completion of a longer message searches all slots for its other packets and marks them as received;
//! their own completions then only repost the slots.

use crate::reassembly::Header;

/// Contents of a slot: sender and header. They remain after the slot was reposted, until another packet
/// overwrites them.
pub type Slot = Option<(u16, Header)>;

/// Result of a completion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pulled {
    /// The packet was already received; its slot is reposted.
    Received,
    /// Packets are missing. The paper does not print the following step; waiting is the plain reading (H3).
    Missing,
    /// The message is complete, with its packets in these slots in order. The slot of the completion is
    /// reposted.
    Whole(Vec<usize>),
}

/// Handles the completion of a slot. `payload` is the length of a full payload.
///
/// ```
/// use fagus::reassembly::Header;
/// use fagus::ring::{Pulled, pull};
///
/// let packet = |number| Some((7, Header { size: 3000, id: 1, number }));
/// let mut received = [false; 3];
/// assert_eq!(pull(2, 2042, &[packet(1), None, packet(0)], &mut received), Pulled::Whole(vec![2, 0]));
/// assert_eq!(received, [true, false, false]);
/// ```
pub fn pull(slot: usize, payload: usize, slots: &[Slot], received: &mut [bool]) -> Pulled {
    if std::mem::take(&mut received[slot]) {
        return Pulled::Received;
    }
    let Some((from, header)) = slots[slot] else { return Pulled::Missing };
    // Searches all slots, whether or not their completions have been taken (H4).
    let find = |number| {
        let wanted = Some((from, Header { number, ..header }));
        if number == header.number { Some(slot) } else { slots.iter().position(|slot| *slot == wanted) }
    };
    let whole: Option<Vec<usize>> = (0..header.packets(payload) as u16).map(find).collect();
    let Some(whole) = whole else { return Pulled::Missing };
    for other in whole.iter().filter(|other| **other != slot) {
        received[*other] = true;
    }
    Pulled::Whole(whole)
}
