//! Traces in words.

use super::step::Time;
use super::world::{Action, State, World, Wrong};

impl World {
    /// What happens, and what is sent then, in words.
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

    /// What is on the way, in words, by who sent it.
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

impl Wrong {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Duplicate => "duplicate",
            Self::Misorder => "wrong order",
            Self::Torn => "torn block",
            Self::SilentLoss => "silent loss",
            Self::Memory => "memory",
            Self::Overrun => "window",
            Self::Overflow => "socket buffer",
            Self::Unpermitted => "permits",
            Self::Deadlock => "deadlock",
            Self::Livelock => "livelock",
            Self::Storm => "storm",
        }
    }

    /// What has happened, as a sentence.
    pub const fn says(self) -> &'static str {
        match self {
            Self::Duplicate => "a block is handed over twice",
            Self::Misorder => "a block is handed over before the one that precedes it",
            Self::Torn => "a block is not as it was sent",
            Self::SilentLoss => "a block counts as arrived that its receiver does not have",
            Self::Memory => "blocks take more memory than there is for them",
            Self::Overrun => "more is on the way than the whole window of the receiver",
            Self::Overflow => "more is on the way to a node than its socket buffer holds",
            Self::Unpermitted => "more is sent again than is permitted, or more is permitted than the budget",
            Self::Deadlock => "from here on all comes to rest before everything has arrived",
            Self::Livelock => "from here on it goes on for ever, and not everything can arrive",
            Self::Storm => "packets chase each other for ever, although nothing is done and no time passes",
        }
    }
}
