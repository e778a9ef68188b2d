//! Packets between processes.

use std::ops::{Deref, Range};
use std::rc::Rc;

use crate::envelope::Envelope;

/// A packet: an envelope, and data of its message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packet {
    /// The message, and the purpose of the packet.
    pub envelope: Envelope,
    /// The message or a part of it; empty for a packet without data.
    pub data: Data,
}

/// A packet as it has arrived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Received {
    /// Number of the process that sent the packet.
    pub from: usize,
    /// The packet; `None` if the bytes that came are no packet of this library.
    pub packet: Option<Packet>,
}

/// Bytes of a message, or a part of them. Copies share the bytes.
#[derive(Clone, Debug, Default)]
pub struct Data {
    message: Rc<Vec<u8>>,
    part: Range<usize>,
}

impl Packet {
    /// A packet with the whole of these bytes.
    pub fn new(envelope: Envelope, data: Vec<u8>) -> Packet {
        Packet { envelope, data: data.into() }
    }

    /// Bytes of the packet, which begin with those of its envelope.
    pub fn to_bytes(&self) -> Vec<u8> {
        [&self.envelope.to_bytes()[..], &self.data].concat()
    }

    /// Length of the packet in bytes.
    pub fn length(&self) -> usize {
        Envelope::BYTES + self.data.len()
    }
}

impl Received {
    /// A packet out of the bytes that a process has sent.
    pub fn bytes(from: usize, bytes: Vec<u8>) -> Received {
        let envelope = Envelope::split(&bytes).map(|(envelope, _)| envelope);
        let data = Data::from(bytes);
        Received {
            from,
            packet: envelope
                .map(|envelope| Packet { envelope, data: data.part(Envelope::BYTES..data.len()) }),
        }
    }
}

impl Data {
    /// A part of these bytes, by their indices.
    pub fn part(&self, part: Range<usize>) -> Data {
        assert!(part.start <= part.end && part.end <= self.len(), "{part:?} of {} bytes", self.len());
        let part = self.part.start + part.start..self.part.start + part.end;
        Data { message: self.message.clone(), part }
    }

    /// Adds further bytes at the end.
    pub fn append(&mut self, bytes: Data) {
        if self.is_empty() {
            *self = bytes;
            return;
        }
        if self.part != (0..self.message.len()) {
            *self = self.to_vec().into();
        }
        Rc::make_mut(&mut self.message).extend_from_slice(&bytes);
        self.part.end += bytes.len();
    }

    /// The bytes, not copied if they are all of the message and nothing else shares them.
    pub fn into_vec(self) -> Vec<u8> {
        if self.part == (0..self.message.len()) { Rc::unwrap_or_clone(self.message) } else { self.to_vec() }
    }
}

impl From<Vec<u8>> for Data {
    fn from(bytes: Vec<u8>) -> Data {
        let part = 0..bytes.len();
        Data { message: Rc::new(bytes), part }
    }
}

impl Deref for Data {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.message[self.part.clone()]
    }
}

impl PartialEq for Data {
    fn eq(&self, other: &Data) -> bool {
        self[..] == other[..]
    }
}

impl Eq for Data {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::envelope::Kind;

    const ENVELOPE: Envelope =
        Envelope { context: 1, rank: 2, tag: 3, length: 5, request: 6, kind: Kind::Eager };

    #[test]
    fn packet_keeps_its_bytes_on_the_way() {
        let packet = Packet::new(ENVELOPE, b"hello".to_vec());
        assert_eq!(packet.length(), packet.to_bytes().len());
        assert_eq!(Received::bytes(4, packet.to_bytes()), Received { from: 4, packet: Some(packet) });
        assert_eq!(Received::bytes(4, vec![0; 30]), Received { from: 4, packet: None });
    }

    #[test]
    fn appended_bytes_come_last_and_do_not_change_copies() {
        let begin = Data::from(vec![1, 2, 3]);
        let mut all = Data::default();
        for bytes in [begin.part(1..3), begin.clone(), begin.part(0..1), Data::default()] {
            all.append(bytes);
        }
        assert_eq!((&all[..], &begin[..]), (&[2, 3, 1, 2, 3, 1][..], &[1, 2, 3][..]));
        assert_eq!(all.into_vec(), [2, 3, 1, 2, 3, 1]);
    }

    #[test]
    fn parts_share_and_the_last_owner_copies_nothing() {
        let bytes = vec![1, 2, 3, 4];
        let address = bytes.as_ptr();
        let data = Data::from(bytes);
        let part = data.part(1..3);
        assert_eq!((part[..].to_vec(), part.part(1..2).into_vec()), (vec![2, 3], vec![3]));
        let copy = data.clone().into_vec();
        assert_ne!(copy.as_ptr(), address);
        drop(part);
        let same = data.into_vec();
        assert_eq!(same.as_ptr(), address);
    }
}
