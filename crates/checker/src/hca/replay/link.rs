//! A link that leaves out a rule of an adapter: it changes or drops the packets that the rule is about.

use ::hca::layout::PacketKind;
use ::hca::traffic::packet::Packet as Forged;
use ::hca::traffic::wire::{bytes, with_icrc};
use hdl::NicError;

use super::super::defect::Defect;
use super::super::step::operation;
use super::super::world::{Packet, State, World, distance};
use ::hca::layout::Operation;

/// LIDs of the adapters.
pub const LIDS: [u16; 2] = [1, 2];
/// Queue pairs of the connection.
pub const PAIRS: [u8; 2] = [2, 241];
/// First byte of the PSN, in front of the AETH.
const PSN: usize = 17;
/// The syndrome of an AETH.
const SYNDROME: usize = 20;

/// Words that arrive for the words of a packet from a queue pair; `None` if the link drops it.
pub fn passes(
    world: &World,
    before: &State,
    from: usize,
    packet: Packet,
    words: &[u64],
) -> Result<Option<Vec<u64>>, NicError> {
    let unchanged = Ok(Some(words.to_vec()));
    let Some(defect) = world.defect else { return unchanged };
    let to = 1 - from;
    let (requester, responder) = (before.sides[to].requester, before.sides[to].responder);
    let bytes = bytes(words).ok_or("an adapter sends whole packets")?;
    match packet {
        Packet::Answer { psn, syndrome } => {
            let Some((psn, syndrome)) = defect.answers(&requester, (psn, syndrome)) else { return Ok(None) };
            let mut bytes = with_psn(&bytes, psn);
            bytes[SYNDROME] = syndrome;
            Ok(Some(with_icrc(&bytes)))
        }
        Packet::Response { .. } if defect == Defect::TakesAnyData && requester.active => {
            Ok(Some(with_icrc(&with_psn(&bytes, requester.oldest))))
        }
        Packet::Response { .. } | Packet::Original { .. } => unchanged,
        Packet::Request { psn, request, .. } => {
            let repeats = distance(responder.psn, psn) >> 23 == 1;
            let gap = !repeats && psn != responder.psn;
            let reads = operation(world.requests[from][usize::from(request)]) == Operation::RdmaRead;
            match defect {
                Defect::DropsDuplicates if repeats => Ok(None),
                Defect::TakesDuplicates if repeats => Ok(Some(with_icrc(&with_psn(&bytes, responder.psn)))),
                Defect::TakesGaps if gap => Ok(Some(with_icrc(&with_psn(&bytes, responder.psn)))),
                Defect::AcknowledgesReads if repeats && reads => {
                    let lids = (LIDS[from], LIDS[to]);
                    let forged = Forged::new(PacketKind::SendOnly, lids, PAIRS[to].into(), psn);
                    Ok(Some(with_icrc(&forged.bytes())))
                }
                _ => unchanged,
            }
        }
    }
}

fn with_psn(bytes: &[u8], psn: u32) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[PSN..PSN + 3].copy_from_slice(&psn.to_be_bytes()[1..]);
    bytes
}
