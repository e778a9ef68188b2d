//! An order in which all messages can be sent.
//!
//! Messages of one pair of nodes arrive in the order in which they were sent, and that is how a receiver knows them. So
//! the sender must keep an order that the receiver knows beforehand. It is by the times at which messages would begin if
//! the network took no time at all; of those that begin together a follower comes after what it follows, and then the
//! file decides. A message waits only for earlier ones, be it that it follows them or that they go to the same node
//! first. So none waits for itself, whatever the network does.

use std::collections::HashMap;
use std::ops::Range;

use super::{Id, Message, Start};

/// Why there is no order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Trouble {
    /// Each of these follows the next one, and the last one the first.
    Cycle(Vec<Id>),
    /// The sender of the message neither receives nor sends a message with the id that it follows.
    NotItsOwn { message: u32, id: Id },
}

/// When a node knows of all messages with an id that it receives, and of all that it sends, were there no network.
type Known = [Option<u64>; 2];

/// The order of the messages. `ids` has the messages with each id, which are in a row and begin alike.
pub(super) fn order(messages: &[Message], ids: &[Range<u32>]) -> Result<Vec<u32>, Trouble> {
    let depths = depths(messages, ids)?;
    let depth = |message: u32| match messages[message as usize].start {
        Start::At(_) => 0,
        Start::After(Id(id), _) => depths[id as usize] + 1,
    };
    let mut order: Vec<u32> = (0..messages.len() as u32).collect();
    order.sort_by_key(|message| depth(*message));
    let mut begins = vec![0; messages.len()];
    // Ids of several messages, by node. Only asked, never walked.
    let mut known: HashMap<(Id, u32), Known> = HashMap::new();
    let mut gathered = vec![false; ids.len()];
    for &number in &order {
        let Message { from, start, .. } = messages[number as usize];
        begins[number as usize] = match start {
            Start::At(time) => time.ps(),
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
    // Messages stay in the order of their depth where they begin together.
    order.sort_by_key(|message| begins[*message as usize]);
    Ok(order)
}

/// How many messages one after the other must be sent before one with each id is.
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
                Start::At(_) => None,
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

/// When a node knows of a message.
fn knows(messages: &[Message], begins: &[u64], message: u32, node: u32) -> Known {
    let begin = begins[message as usize];
    let Message { from, to, .. } = messages[message as usize];
    [(to == node).then_some(begin), (from == node).then_some(begin)]
}

/// Finds when each node knows of all messages with an id.
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
