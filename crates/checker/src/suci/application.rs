//! Applications: they send the blocks of their plan, take those that arrive, and check them.

use std::rc::Rc;

use ::suci::{Event, SendError};

use super::step::address;
use super::world::{State, World};
use super::wrong::Wrong;

impl World {
    /// A node gives its next block to its endpoint; false if there is none, or no room for it.
    pub(super) fn begin(&self, state: &mut State, at: usize) -> bool {
        let node = Rc::make_mut(&mut state.nodes[at]);
        let Some(packets) = self.blocks[at].get(usize::from(node.begun)) else { return false };
        let Some(peer) = node.peers[self.receiver(at)] else { return false };
        let bytes = vec![content(at, node.begun); self.length(*packets)];
        match node.endpoint.endpoint().send(peer, 0, &bytes) {
            Ok(()) => {}
            Err(SendError::TooLarge { .. }) => node.refused += 1,
            Err(_) => return false,
        }
        node.begun += 1;
        true
    }

    /// An application hears what there is to hear, or up to and including one block. Whether it has heard of a block.
    pub(super) fn hear(&self, state: &mut State, at: usize, one: bool) -> bool {
        let lives: Vec<_> = state.nodes.iter().map(|node| node.since).collect();
        let node = Rc::make_mut(&mut state.nodes[at]);
        let mut any = false;
        while let Some(event) = node.endpoint.endpoint().poll_event() {
            match event {
                Event::Connected { peer, address: from, .. } => {
                    let from = self.nodes().find(|node| address(*node) == from).expect("all are known");
                    node.peers[from] = Some(peer);
                }
                Event::Block { peer, block, .. } => {
                    let from = self.nodes().find(|from| node.peers[*from] == Some(peer));
                    let from = from.expect("who sends is known");
                    let (number, wrong) = self.judge(from, &block);
                    // Blocks given up by a restart may have arrived or not.
                    let wrong = wrong.or(if number < node.taken[from] {
                        Some(Wrong::Duplicate)
                    } else if number > node.taken[from].max(lives[from]) {
                        Some(Wrong::Misorder)
                    } else {
                        None
                    });
                    node.taken[from] = node.taken[from].max(number + 1);
                    state.wrong = state.wrong.or(wrong);
                    any = true;
                    if one {
                        break;
                    }
                }
                _ => {}
            }
        }
        any
    }

    /// Which block of a node this is, and whether it is not as it was sent.
    fn judge(&self, from: usize, block: &[u8]) -> (u8, Option<Wrong>) {
        let number = block.first().map_or(0, |byte| byte & 15);
        let packets = self.blocks[from].get(usize::from(number)).copied().unwrap_or(0);
        let whole =
            block.len() == self.length(packets) && block.iter().all(|byte| *byte == content(from, number));
        (number, (!whole).then_some(Wrong::Torn))
    }
}

/// The byte that a block consists of.
fn content(from: usize, number: u8) -> u8 {
    (from as u8) << 4 | number
}
