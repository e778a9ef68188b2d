//! Programs over any [`Endpoint`], whose messages say whether they are the right ones.

use crate::{Channel, Endpoint, NodeId, SendError};

/// Bytes of message `number` of a node: no two messages of a stream are alike.
pub fn message(from: NodeId, number: u32, size: usize) -> Vec<u8> {
    let first = u32::from(from.0).wrapping_mul(0x9e37) ^ number.wrapping_mul(0x85eb_ca6b);
    let byte = |i: usize| (first.wrapping_add(i as u32).wrapping_mul(0x27d4_eb2f) >> 24) as u8;
    (0..size).map(byte).collect()
}

/// A message that should not have come like this.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Wrong {
    /// It is from somebody else, of another size, out of order, or damaged.
    #[error("message {number} from node {from} is not what was sent")]
    Message {
        /// Who should have sent it.
        from: u16,
        /// Its number.
        number: u32,
    },
    /// A message could not be sent.
    #[error(transparent)]
    Send(#[from] SendError),
}

/// Sends a message and waits for an answer of the same size, again and again. A buffer is given back when the next message is
/// on its way, so that this costs no time in between. `turn` is called when an answer is there.
pub async fn ping(
    port: &mut impl Endpoint,
    channel: Channel,
    to: NodeId,
    size: usize,
    rounds: u32,
    mut turn: impl FnMut(u32),
) -> Result<(), Wrong> {
    let own = port.node();
    port.send(channel, to, &message(own, 0, size)).await?;
    for number in 0..rounds {
        let answer = port.next(channel).await;
        turn(number);
        let right = answer.sender == to && *answer == message(to, number, size);
        if number + 1 < rounds {
            port.send(channel, to, &message(own, number + 1, size)).await?;
        }
        port.put_receive_buffer(answer).await;
        if !right {
            return Err(Wrong::Message { from: to.0, number });
        }
    }
    Ok(())
}

/// Answers what [`ping`] sends.
pub async fn pong(
    port: &mut impl Endpoint,
    channel: Channel,
    from: NodeId,
    size: usize,
    rounds: u32,
) -> Result<(), Wrong> {
    let own = port.node();
    for number in 0..rounds {
        let question = port.next(channel).await;
        let right = question.sender == from && *question == message(from, number, size);
        port.send(channel, from, &message(own, number, size)).await?;
        port.put_receive_buffer(question).await;
        if !right {
            return Err(Wrong::Message { from: from.0, number });
        }
    }
    Ok(())
}

/// Sends so many messages, one after the other. Sizes are as `size` says.
pub async fn source(
    port: &mut impl Endpoint,
    channel: Channel,
    to: NodeId,
    count: u32,
    size: impl Fn(u32) -> usize,
) -> Result<(), Wrong> {
    for number in 0..count {
        port.send(channel, to, &message(port.node(), number, size(number))).await?;
    }
    Ok(())
}

/// Takes what [`source`] sends. `turn` is called when a message is there.
pub async fn sink(
    port: &mut impl Endpoint,
    channel: Channel,
    from: NodeId,
    count: u32,
    size: impl Fn(u32) -> usize,
    mut turn: impl FnMut(u32),
) -> Result<(), Wrong> {
    for number in 0..count {
        let got = port.next(channel).await;
        turn(number);
        let right = got.sender == from && *got == message(from, number, size(number));
        port.put_receive_buffer(got).await;
        if !right {
            return Err(Wrong::Message { from: from.0, number });
        }
    }
    Ok(())
}
