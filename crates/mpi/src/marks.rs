//! Marks of the library and its programs, which delimit the [stages](cluster::Stages) of a message. Marks
//! take no time.

/// A program calls send with a message.
pub const SEND: &str = "send";
/// A program calls send with the answer.
pub const REPLY: &str = "reply";
/// The library passes a packet to its carrier.
pub const HANDED: &str = "packet handed to the carrier";
/// The carrier has passed a received packet to the library.
pub const TAKEN: &str = "packet taken from the carrier";
/// The library has processed a received packet: matched and copied.
pub const MATCHED: &str = "packet matched";
/// The receive call has returned with the message.
pub const RECEIVED: &str = "receive";
/// The receive call has returned with the answer.
pub const ANSWERED: &str = "answer";
