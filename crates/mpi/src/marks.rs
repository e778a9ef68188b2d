//! Points that the library and its programs come past, for [stages](cluster::Stages) of a message. Marks take no time.

/// A program calls to send a message, and to answer one.
pub const SEND: &str = "send";
/// The same, for an answer.
pub const REPLY: &str = "reply";
/// The library hands a packet to its carrier.
pub const HANDED: &str = "packet handed to the carrier";
/// The carrier has handed a packet to the library.
pub const TAKEN: &str = "packet taken from the carrier";
/// The library has done with a packet that came: it has been compared with what waits, and copied.
pub const MATCHED: &str = "packet matched";
/// A call to receive has returned, with a message.
pub const RECEIVED: &str = "receive";
/// The same, with the answer.
pub const ANSWERED: &str = "answer";
