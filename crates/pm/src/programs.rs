//! Programs over any [`Endpoint`], which check the messages that they receive.

use crate::{Channel, Endpoint, GetSendBufferError, NodeId, SendError};

/// Bytes of message `number` of a node, different for all messages of a stream.
pub fn message(from: NodeId, number: u32, size: usize) -> Vec<u8> {
    let first = u32::from(from.0).wrapping_mul(0x9e37) ^ number.wrapping_mul(0x85eb_ca6b);
    let byte = |i: usize| (first.wrapping_add(i as u32).wrapping_mul(0x27d4_eb2f) >> 24) as u8;
    (0..size).map(byte).collect()
}

/// Why a program fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Wrong {
    /// The message has another sender or size, is out of order, or is damaged.
    #[error("message {number} from node {from} is not what was sent")]
    Message {
        /// Expected sender.
        from: u16,
        /// Number of the expected message.
        number: u32,
    },
    /// A message could not be sent.
    #[error(transparent)]
    Send(#[from] SendError),
}

/// Sends a message and waits for an answer of the same size, `rounds` times. A buffer is put back after the next
/// message was sent, so that this does not count for the round trip. `turn` is called at each answer.
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

/// Sends `count` messages in sequence, with sizes from `size`.
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

/// Receives the messages of [`source`]. `turn` is called at each message.
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

/// Programs of two nodes that any implementation of [`Endpoint`] has to pass: refused calls, ping-pong, then a stream each way with
/// messages of all sizes. All data is checked.
///
/// # Panics
///
/// If a call that PM refuses is not refused.
pub async fn conform(mut port: impl Endpoint, channel: Channel) -> Result<(), Wrong> {
    const ROUNDS: u32 = 10;
    const COUNT: u32 = 90;
    assert_eq!(port.get_send_buffer(channel, 4).await, Err(GetSendBufferError::NotOpen));
    port.open(channel, 7).await.expect("the channel is free");
    assert!(port.open(channel, 7).await.is_err(), "a channel is open once");
    let most = port.most_bytes();
    assert_eq!(port.get_send_buffer(channel, most + 1).await, Err(GetSendBufferError::TooLong { most }));
    assert_eq!(port.send(channel, NodeId(2), &[0]).await, Err(SendError::NoSuchNode(2)));
    let other = NodeId(1 - port.node().0);
    if port.node() == NodeId(0) {
        ping(&mut port, channel, other, 100, ROUNDS, |_| ()).await?;
        source(&mut port, channel, other, COUNT, stream_bytes).await?;
        sink(&mut port, channel, other, COUNT, stream_bytes, |_| ()).await
    } else {
        pong(&mut port, channel, other, 100, ROUNDS).await?;
        sink(&mut port, channel, other, COUNT, stream_bytes, |_| ()).await?;
        source(&mut port, channel, other, COUNT, stream_bytes).await
    }
}

/// Bytes of a message of the stream, from 1 to the 1,468 of the longest.
fn stream_bytes(number: u32) -> usize {
    [1, 4, 7, 8, 100, 504, 505, 1024, 1468][number as usize % 9]
}
