//! The receive ring as it is printed (section 3.2.3). [`Reassembly`](crate::reassembly::Reassembly) is what runs; this shows why.
//!
//! The adapter writes packets into the slots of a ring and tells of each by a completion. A program that pulls the completion of a packet of a longer message
//! looks through all slots for the others, and marks those as received: their own completions are to do nothing but post the slot again.

use crate::reassembly::Header;

/// What a slot holds: who sent it, and its header. It stays there when the slot is posted again, until another packet is written over it.
pub type Slot = Option<(u16, Header)>;

/// What becomes of a completion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pulled {
    /// The packet was taken before: its slot is posted again.
    Received,
    /// Packets are missing. What then is done is not printed; to wait for them is the plain reading (H3).
    Missing,
    /// A message is whole, by the packets in these slots, in their order. The slot of the completion is posted again.
    Whole(Vec<usize>),
}

/// Pulls the completion of a slot, where a packet has so many bytes of a message at most.
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
    // In all slots, whether their completion has been pulled or not (H4).
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
