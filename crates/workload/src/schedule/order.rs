//! An order in which all messages can be sent.
//!
//! A receiver identifies messages by the order in which those of a sender arrive, so the sender must keep an
//! order known in advance. Messages are ordered by the times at which they would begin on a network without
//! delay; among equal times a message comes after the one it follows, then the file decides. A message
//! therefore waits only for earlier messages, those that it follows and those to the same node. No message
//! waits for itself on any network.

use std::collections::HashMap;
use std::ops::Range;

use super::{Id, Message, Start};

/// Reason why there is no order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Trouble {
    /// Each id follows the next one, and the last one the first.
    Cycle(Vec<Id>),
    /// The sender of the message neither receives nor sends a message with the id that it follows.
    NotItsOwn { message: u32, id: Id },
}

/// Times at which a node has received all messages with an id, and has sent all, on a network without delay.
type Known = [Option<u64>; 2];

/// Order of the messages. `ids` has the range of messages with each id, which have the same begin.
pub(super) fn order(messages: &[Message], ids: &[Range<u32>]) -> Result<Vec<u32>, Trouble> {
    let depths = depths(messages, ids)?;
    let depth = |message: u32| match messages[message as usize].start {
        Start::After(Id(id), _) => depths[id as usize] + 1,
        Start::At(_) | Start::When(_) => 0,
    };
    let mut order: Vec<u32> = (0..messages.len() as u32).collect();
    order.sort_by_key(|message| depth(*message));
    let mut begins = vec![0; messages.len()];
    // Ids of several messages by node. Used for lookups only, because its order is random.
    let mut known: HashMap<(Id, u32), Known> = HashMap::new();
    let mut gathered = vec![false; ids.len()];
    for &number in &order {
        let Message { from, start, .. } = messages[number as usize];
        begins[number as usize] = match start {
            Start::At(time) => time.ps(),
            // Operations have an order of their own.
            Start::When(_) => 0,
            Start::After(id, delay) => {
                let range = &ids[id.0 as usize];
                let [received, sent] = if range.len() == 1 {
                    knows(messages, &begins, range.start, from)
                } else {
                    if !std::mem::replace(&mut gathered[id.0 as usize], true) {
                        gather(messages, &begins, id, range, &mut known);
                    }
                    known.get(&(id, from)).copied().unwrap_or_default()
                };
                let since = received.or(sent).ok_or(Trouble::NotItsOwn { message: number, id })?;
                since.saturating_add(delay.ps())
            }
        };
    }
    // Messages with equal times stay in the order of their depth.
    order.sort_by_key(|message| begins[*message as usize]);
    Ok(order)
}

/// Length of the chain of messages that must precede one with each id.
fn depths(messages: &[Message], ids: &[Range<u32>]) -> Result<Vec<u32>, Trouble> {
    const UNKNOWN: u32 = u32::MAX;
    const ON_THE_WAY: u32 = u32::MAX - 1;
    let mut depths = vec![UNKNOWN; ids.len()];
    let mut way: Vec<Id> = Vec::new();
    for id in 0..ids.len() as u32 {
        let mut next = Some(Id(id));
        let mut depth = loop {
            let Some(id @ Id(index)) = next else { break 0 };
            match depths[index as usize] {
                UNKNOWN => {}
                ON_THE_WAY => {
                    let first = way.iter().position(|met| *met == id).expect("it was met on the way");
                    return Err(Trouble::Cycle(way.split_off(first)));
                }
                depth => break depth + 1,
            }
            depths[index as usize] = ON_THE_WAY;
            way.push(id);
            next = match messages[ids[index as usize].start as usize].start {
                Start::At(_) | Start::When(_) => None,
                Start::After(id, _) => Some(id),
            };
        };
        for Id(index) in way.drain(..).rev() {
            depths[index as usize] = depth;
            depth += 1;
        }
    }
    Ok(depths)
}

/// Times at which a node has received and sent a message.
fn knows(messages: &[Message], begins: &[u64], message: u32, node: u32) -> Known {
    let begin = begins[message as usize];
    let Message { from, to, .. } = messages[message as usize];
    [(to == node).then_some(begin), (from == node).then_some(begin)]
}

/// Finds the times at which each node has received and sent all messages with an id.
fn gather(
    messages: &[Message],
    begins: &[u64],
    id: Id,
    range: &Range<u32>,
    known: &mut HashMap<(Id, u32), Known>,
) {
    for number in range.clone() {
        let Message { from, to, .. } = messages[number as usize];
        for (node, kind) in [(to, 0), (from, 1)] {
            let latest = &mut known.entry((id, node)).or_default()[kind];
            *latest = (*latest).max(Some(begins[number as usize]));
        }
    }
}
