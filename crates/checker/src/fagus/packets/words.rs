//! Events of a world of packets in words.

use ::fagus::reassembly::Header;

use super::world::{Action, PAYLOAD, State};

/// An action in words.
pub fn of(before: &State, action: Action) -> String {
    let next = |sender: usize| before.senders[sender].done + 1;
    let named = |packet: Option<&Vec<u8>>| {
        let Some((header, bytes)) = packet.and_then(|packet| Header::decode(packet, PAYLOAD).ok()) else {
            return "a packet".to_string();
        };
        let Header { id, number, .. } = header;
        format!("packet {number} of message {} (m_ID {id})", bytes[0])
    };
    let cable = |sender: usize| named(before.senders[sender].cable.front());
    match action {
        Action::Send(sender) => format!("node {sender} divides message {}", next(sender)),
        Action::Again(sender) => format!("node {sender} sends message {} again", next(sender)),
        Action::Leave(sender) => {
            format!("{} leaves node {sender}", named(before.senders[sender].packets.front()))
        }
        Action::Lose(sender) => format!("{} from node {sender} is lost", cable(sender)),
        Action::Arrive(sender) => match before.posted.front() {
            Some(slot) => format!("{} from node {sender} comes for slot {slot}", cable(sender)),
            None => format!("{} from node {sender} finds no slot", cable(sender)),
        },
        Action::Pull => {
            let slot = before.completed[0];
            let packet = before.slots[slot].as_ref().map(|(_, packet)| packet);
            format!("the completion of slot {slot} is pulled, {}", named(packet))
        }
    }
}
