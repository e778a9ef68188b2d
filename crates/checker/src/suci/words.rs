//! Traces in words.

use super::step::Time;
use super::world::{Action, State, World};

impl World {
    /// An action in words, and the packets that are sent then.
    pub fn words(&self, before: &State, action: Action, time: Time) -> String {
        let seen = |from: usize, to: usize, at: usize| {
            let packet = before.wires[from * self.blocks.len() + to].get(at);
            let words = packet.map_or_else(|| "a packet".into(), |packet| self.see(packet).words);
            format!("{words} from node {from}")
        };
        let does = match action {
            Action::Send(node) => format!("node {node} sends block {}", before.nodes[node].begun + 1),
            Action::Take(node) => format!("node {node} takes a block"),
            Action::Ask(node) => format!("node {node} asks to send again"),
            Action::Arrive(from, to, at) => format!("{} reaches node {to}", seen(from, to, at)),
            Action::Repeat(from, to, at) => {
                format!("{} reaches node {to}, and will once more", seen(from, to, at))
            }
            Action::Lose(from, to, at) => format!("{} is lost", seen(from, to, at)),
            Action::TimeOut(node) => format!("what is due at node {node} happens"),
            Action::Expire => "permits expire".into(),
            Action::Restart => "node 1 is restarted".into(),
        };
        let Some((_, sent)) = self.step(before, action, time) else { return does };
        let sent: Vec<_> = sent.iter().map(|(_, packet)| self.see(packet).words).collect();
        if sent.is_empty() { does } else { format!("{does}: {}", sent.join(", ")) }
    }

    /// Packets in flight in words, by sender and receiver.
    pub fn on_the_way(&self, state: &State) -> Vec<String> {
        let wires = state.wires.iter().enumerate().filter(|(_, wire)| !wire.is_empty());
        wires
            .map(|(wire, packets)| {
                let words: Vec<_> = packets.iter().map(|packet| self.see(packet).words).collect();
                format!(
                    "node {} to {}: {}",
                    wire / self.blocks.len(),
                    wire % self.blocks.len(),
                    words.join(", ")
                )
            })
            .collect()
    }
}
