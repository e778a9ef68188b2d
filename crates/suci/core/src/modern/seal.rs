//! Packet protection after the handshake: ChaCha20-Poly1305 (RFC 8439) with the two keys of the Noise
//! handshake. The nonce is the packet number, which is never reused; the header is authenticated.
//!
//! Keys have generations. Both directions begin with generation 0; the key phase bit of the header is the
//! lowest bit of the generation. A side that updates its key seals with the new generation; the other side
//! sees the bit, opens with its next key and updates too. A side updates again only after it has received a
//! packet of the current generation and an acknowledgement of one. Generations therefore differ by at most
//! one, and one bit suffices. Packet numbers increase with generations, so the number of a packet with the
//! other bit tells whether it is late or of the next generation.

mod walk;

use core::fmt;
use core::time::Duration;

use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, Nonce, UnboundKey};

use super::packet::{DATA_HEADER, PHASE};
use crate::counters::Dropped;
use crate::time::Instant;

/// Length of the authentication tag in bytes.
pub(crate) const TAG: usize = 16;

/// Key of one direction and generation. `None` only if 32 bytes were an invalid key length.
struct Key(Option<LessSafeKey>);

impl Key {
    fn new(bytes: &[u8; 32]) -> Self {
        Self(UnboundKey::new(&CHACHA20_POLY1305, bytes).ok().map(LessSafeKey::new))
    }

    /// Nonce format of Noise (revision 34, section 12).
    fn nonce(number: u64) -> Nonce {
        let mut nonce = [0; 12];
        nonce[4..].copy_from_slice(&number.to_le_bytes());
        Nonce::assume_unique_for_key(nonce)
    }

    /// Seals bytes in place and returns their tag. Sealing fails only for messages beyond 256 GiB, whose zero
    /// tag is then rejected as forged.
    fn seal(&self, number: u64, header: &[u8], body: &mut [u8]) -> [u8; TAG] {
        let mut bytes = [0; TAG];
        let key = self.0.as_ref();
        let tag = key.map(|key| key.seal_in_place_separate_tag(Self::nonce(number), Aad::from(header), body));
        if let Some(Ok(tag)) = tag {
            bytes.copy_from_slice(tag.as_ref());
        }
        bytes
    }

    /// Opens bytes in place with their tag at the end. Returns the length without the tag.
    fn open(&self, number: u64, header: &[u8], sealed: &mut [u8]) -> Result<usize, Dropped> {
        let key = self.0.as_ref().ok_or(Dropped::Forged)?;
        let opened = key.open_in_place(Self::nonce(number), Aad::from(header), sealed);
        opened.map(|opened| opened.len()).map_err(|_| Dropped::Forged)
    }

    /// Next key: REKEY of Noise (section 4.2). Its nonce is not a packet number. The new key does not reveal
    /// the old one.
    fn next(&self) -> Self {
        let mut bytes = [0; 32];
        self.seal(u64::MAX, &[], &mut bytes);
        Self::new(&bytes)
    }
}

/// Keys of a connection.
pub(crate) struct Keys {
    sending: Key,
    /// Generation of `sending`.
    generation: u64,
    /// First packet sealed with `sending`.
    first_sent: Option<u64>,
    receiving: Key,
    /// Generation of `receiving`.
    theirs: u64,
    /// Lowest packet number opened with `receiving`.
    first_received: u64,
    next: Key,
    /// Previous receiving key for late packets, and its expiry.
    previous: Option<(Key, Instant)>,
}

/// Packet protection of a connection.
pub(crate) enum Seal {
    Plain,
    Keys(Box<Keys>),
}

impl fmt::Debug for Seal {
    /// Omits the keys.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if matches!(self, Self::Plain) { "Plain" } else { "Keys" })
    }
}

impl Seal {
    /// Keys of generation 0.
    pub fn new(sending: &[u8; 32], receiving: &[u8; 32]) -> Self {
        let receiving = Key::new(receiving);
        Self::Keys(Box::new(Keys {
            sending: Key::new(sending),
            generation: 0,
            first_sent: None,
            next: receiving.next(),
            receiving,
            theirs: 0,
            first_received: 0,
            previous: None,
        }))
    }

    /// Bytes that sealing adds to a packet.
    pub fn tag(&self) -> usize {
        if matches!(self, Self::Plain) { 0 } else { TAG }
    }

    /// Seals the body of a Data packet.
    pub fn close(&mut self, number: u64, packet: &mut Vec<u8>) {
        let Self::Keys(keys) = self else { return };
        keys.first_sent.get_or_insert(number);
        if keys.generation & 1 == 1 {
            packet[0] |= PHASE;
        }
        let (header, body) = packet.split_at_mut(DATA_HEADER);
        let tag = keys.sending.seal(number, header, body);
        packet.extend_from_slice(&tag);
    }

    /// Opens the body of a Data packet. A key replaced by it is kept for `keep`.
    pub fn open<'a>(
        &mut self,
        now: Instant,
        keep: Duration,
        number: u64,
        header: &[u8],
        body: &'a [u8],
        scratch: &'a mut Vec<u8>,
    ) -> Result<&'a [u8], Dropped> {
        let phase = header[0] & PHASE != 0;
        let Self::Keys(keys) = self else { return if phase { Err(Dropped::Kind) } else { Ok(body) } };
        if body.len() < TAG {
            return Err(Dropped::Length);
        }
        scratch.clear();
        scratch.extend_from_slice(body);
        let mut with = |key: &Key| key.open(number, header, scratch);
        let length;
        if phase == (keys.theirs & 1 == 1) {
            length = with(&keys.receiving)?;
            keys.first_received = keys.first_received.min(number);
        } else if number < keys.first_received {
            let previous = keys.previous.as_ref().filter(|(_, until)| now < *until);
            length = with(&previous.ok_or(Dropped::Stale)?.0)?;
        } else {
            length = with(&keys.next)?;
            let next = keys.next.next();
            let receiving = core::mem::replace(&mut keys.next, next);
            keys.previous = Some((core::mem::replace(&mut keys.receiving, receiving), now + keep));
            (keys.theirs, keys.first_received) = (keys.theirs + 1, number);
            if keys.generation < keys.theirs {
                keys.advance();
            }
        }
        Ok(&scratch[..length])
    }

    /// Generation of the sending key.
    pub fn generation(&self) -> u64 {
        if let Self::Keys(keys) = self { keys.generation } else { 0 }
    }

    /// Packets sealed with the current key if `next` is the next packet number.
    pub fn used(&self, next: u64) -> u64 {
        let Self::Keys(keys) = self else { return 0 };
        keys.first_sent.map_or(0, |first| next - first)
    }

    /// Updates the sending key if the peer is ready, judged by the highest acknowledged number. Returns
    /// whether it did.
    pub fn update(&mut self, acknowledged: Option<u64>) -> bool {
        let Self::Keys(keys) = self else { return false };
        let heard = keys.generation == keys.theirs;
        let seen = keys.first_sent.is_some_and(|first| acknowledged.is_some_and(|number| number >= first));
        if heard && seen {
            keys.advance();
        }
        heard && seen
    }
}

impl Keys {
    fn advance(&mut self) {
        self.sending = self.sending.next();
        self.generation += 1;
        self.first_sent = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::modern::packet::put_data;

    const KEEP: Duration = Duration::from_millis(1);

    fn pair() -> (Seal, Seal) {
        (Seal::new(&[1; 32], &[2; 32]), Seal::new(&[2; 32], &[1; 32]))
    }

    fn sealed(by: &mut Seal, number: u64) -> Vec<u8> {
        let mut packet = Vec::new();
        put_data(&mut packet, 7, number, 5);
        packet.extend(b"body");
        by.close(number, &mut packet);
        packet
    }

    fn opened(by: &mut Seal, now: Instant, number: u64, packet: &[u8]) -> Result<Vec<u8>, Dropped> {
        let (header, body) = packet.split_at(DATA_HEADER);
        by.open(now, KEEP, number, header, body, &mut Vec::new()).map(<[u8]>::to_vec)
    }

    #[test]
    fn every_bit_of_header_and_body_is_authenticated() {
        let (mut a, mut b) = pair();
        let packet = sealed(&mut a, 0);
        for at in 0..packet.len() * 8 {
            let mut forged = packet.clone();
            forged[at / 8] ^= 1 << (at % 8);
            assert_eq!(opened(&mut b, Instant::ZERO, 0, &forged), Err(Dropped::Forged), "bit {at}");
        }
        assert_eq!(opened(&mut b, Instant::ZERO, 0, &packet[..20]), Err(Dropped::Length));
        assert_eq!(opened(&mut b, Instant::ZERO, 1, &packet), Err(Dropped::Forged));
        assert!(opened(&mut b, Instant::ZERO, 0, &packet).is_ok());
    }

    #[test]
    fn late_packets_of_the_previous_key_are_opened_for_a_while() {
        let (mut a, mut b) = pair();
        let late = [sealed(&mut a, 0), sealed(&mut a, 1)];
        assert!(!a.update(None), "nothing is acknowledged");
        assert!(a.update(Some(1)));
        assert!(!a.update(Some(1)), "nothing of this generation is acknowledged");
        let first = sealed(&mut a, 2);
        assert!(opened(&mut b, Instant::ZERO, 2, &first).is_ok());
        assert_eq!((a.generation(), b.generation()), (1, 1));
        assert!(opened(&mut b, Instant::ZERO, 0, &late[0]).is_ok());
        assert_eq!(opened(&mut b, Instant::ZERO + KEEP, 1, &late[1]), Err(Dropped::Stale));
        assert!(!a.update(Some(2)), "the other side has not been heard with this generation");
    }

    #[test]
    fn both_sides_may_update_at_once() {
        let (mut a, mut b) = pair();
        let (from_a, from_b) = (sealed(&mut a, 0), sealed(&mut b, 0));
        assert!(opened(&mut a, Instant::ZERO, 0, &from_b).is_ok());
        assert!(opened(&mut b, Instant::ZERO, 0, &from_a).is_ok());
        assert!(a.update(Some(0)) && b.update(Some(0)));
        let (from_a, from_b) = (sealed(&mut a, 1), sealed(&mut b, 1));
        assert!(opened(&mut a, Instant::ZERO, 1, &from_b).is_ok());
        assert!(opened(&mut b, Instant::ZERO, 1, &from_a).is_ok());
        assert_eq!((a.generation(), b.generation()), (1, 1));
    }
}
