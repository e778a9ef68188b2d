//! What protects packets: a Noise handshake with a shared key, and a tag on every packet after it (noiseprotocol.org, revision 34).
//!
//! The caller's connection id is bound to the handshake; all that follows is encrypted, and the packet number is its nonce. Of the
//! header nothing else can be changed: another connection id names another key.

use core::fmt;

use snow::{Builder, HandshakeState, StatelessTransportState};

use super::packet::{HELLO, Hello, parse_hello, put_hello};
use crate::config::Security;
use crate::counters::Dropped;

/// Bytes by which a sealed message is longer.
pub(crate) const TAG: usize = 16;
/// Both sides make new keys for each connection, which are mixed with the shared one: who learns that later reads nothing of before.
const PATTERN: &str = "Noise_NNpsk0_25519_ChaChaPoly_BLAKE2s";
/// The longest message of a handshake: a public key, a hello, a tag.
pub(crate) const LONGEST_HELLO: usize = 32 + HELLO + TAG;

/// How packets of a connection are sealed.
pub(crate) enum Seal {
    Plain,
    Noise(Box<StatelessTransportState>),
}

impl fmt::Debug for Seal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if matches!(self, Self::Plain) { "Plain" } else { "Noise" })
    }
}

impl Seal {
    /// Seals what follows the header of a packet.
    pub fn close(&self, number: u64, packet: &mut Vec<u8>, header: usize, scratch: &mut Vec<u8>) {
        let Self::Noise(noise) = self else { return };
        scratch.resize(packet.len() - header + TAG, 0);
        let sealed = noise.write_message(number, &packet[header..], scratch);
        packet.truncate(header);
        // It fails only for messages beyond 64 KiB; without its body the packet is lost.
        packet.extend_from_slice(&scratch[..sealed.unwrap_or(0)]);
    }

    /// Opens the body of a packet.
    pub fn open<'a>(
        &self,
        number: u64,
        body: &'a [u8],
        scratch: &'a mut Vec<u8>,
    ) -> Result<&'a [u8], Dropped> {
        let Self::Noise(noise) = self else { return Ok(body) };
        scratch.resize(body.len(), 0);
        let length = noise.read_message(number, body, scratch).map_err(|_| Dropped::Forged)?;
        Ok(&scratch[..length])
    }
}

fn handshake(security: &Security, id: u64, calls: bool) -> Result<Option<Box<HandshakeState>>, snow::Error> {
    let Security::SharedKey(key) = security else { return Ok(None) };
    let mut prologue = [0; 14];
    prologue[..6].copy_from_slice(b"suci 1");
    prologue[6..].copy_from_slice(&id.to_be_bytes());
    let builder = Builder::new(PATTERN.parse()?).psk(0, key)?.prologue(&prologue)?;
    Ok(Some(Box::new(if calls { builder.build_initiator()? } else { builder.build_responder()? })))
}

fn plain(hello: &Hello) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(LONGEST_HELLO);
    put_hello(&mut bytes, hello);
    bytes
}

/// A call that waits for its answer.
pub(crate) struct Call {
    /// What is said in an Initiate.
    pub message: Vec<u8>,
    state: Option<Box<HandshakeState>>,
}

impl fmt::Debug for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Call")
    }
}

impl Call {
    /// An error if the system has no random numbers.
    pub fn new(security: &Security, hello: &Hello) -> Result<Self, snow::Error> {
        let mut state = handshake(security, hello.id, true)?;
        let mut message = plain(hello);
        if let Some(state) = &mut state {
            let mut sealed = [0; LONGEST_HELLO];
            let length = state.write_message(&message, &mut sealed)?;
            message.clear();
            message.extend_from_slice(&sealed[..length]);
        }
        Ok(Self { message, state })
    }

    /// Reads what an Accept says. If it is forged, the genuine one can still come.
    pub fn accepted(&mut self, message: &[u8]) -> Result<(Hello, Seal), Dropped> {
        let Some(state) = &mut self.state else { return Ok((parse_hello(message)?, Seal::Plain)) };
        let mut opened = [0; LONGEST_HELLO];
        let length = state.read_message(message, &mut opened).map_err(|_| Dropped::Forged)?;
        let hello = parse_hello(&opened[..length])?;
        let state = self.state.take().ok_or(Dropped::Stale)?;
        let noise = state.into_stateless_transport_mode().map_err(|_| Dropped::Forged)?;
        Ok((hello, Seal::Noise(Box::new(noise))))
    }
}

/// A call that is to be answered.
pub(crate) struct Called {
    /// What the caller says.
    pub hello: Hello,
    state: Option<Box<HandshakeState>>,
}

impl Called {
    /// Reads what an Initiate says.
    pub fn new(security: &Security, id: u64, message: &[u8]) -> Result<Self, Dropped> {
        let mut state = handshake(security, id, false).map_err(|_| Dropped::NoRoom)?;
        let hello = match &mut state {
            None => parse_hello(message)?,
            Some(state) => {
                let mut opened = [0; LONGEST_HELLO];
                let length = state.read_message(message, &mut opened).map_err(|_| Dropped::Forged)?;
                parse_hello(&opened[..length])?
            }
        };
        if hello.id == id { Ok(Self { hello, state }) } else { Err(Dropped::Malformed) }
    }

    /// What is said in an Accept, and how packets are sealed from now on.
    pub fn answer(self, own: &Hello) -> Result<(Vec<u8>, Seal), Dropped> {
        let message = plain(own);
        let Some(mut state) = self.state else { return Ok((message, Seal::Plain)) };
        let mut sealed = [0; LONGEST_HELLO];
        let length = state.write_message(&message, &mut sealed).map_err(|_| Dropped::NoRoom)?;
        let noise = state.into_stateless_transport_mode().map_err(|_| Dropped::NoRoom)?;
        Ok((sealed[..length].to_vec(), Seal::Noise(Box::new(noise))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: Security = Security::SharedKey([7; 32]);

    fn hello(id: u64) -> Hello {
        Hello { id, datagram: 1_200, unscheduled: 0, window: 1, largest_block: 1 }
    }

    #[test]
    fn a_forged_answer_does_not_spoil_the_genuine_one() {
        let mut call = Call::new(&KEY, &hello(1)).unwrap();
        let called = Called::new(&KEY, 1, &call.message).unwrap();
        let (answer, seal) = called.answer(&hello(2)).unwrap();
        for at in 0..answer.len() {
            let mut forged = answer.clone();
            forged[at] ^= 1;
            assert!(call.accepted(&forged).is_err());
        }
        let (theirs, opened_by) = call.accepted(&answer).unwrap();
        assert_eq!(theirs, hello(2));
        let (mut packet, mut scratch) = (b"headbody".to_vec(), Vec::new());
        seal.close(5, &mut packet, 4, &mut scratch);
        assert_eq!(packet.len(), 8 + TAG);
        assert_eq!(opened_by.open(5, &packet[4..], &mut scratch), Ok(&b"body"[..]));
        assert_eq!(opened_by.open(6, &packet[4..], &mut scratch), Err(Dropped::Forged));
    }

    #[test]
    fn another_key_or_another_connection_id_is_no_call() {
        let call = Call::new(&KEY, &hello(1)).unwrap();
        assert_eq!(Called::new(&KEY, 2, &call.message).err(), Some(Dropped::Forged));
        let other = Security::SharedKey([8; 32]);
        assert_eq!(Called::new(&other, 1, &call.message).err(), Some(Dropped::Forged));
        assert!(Called::new(&Security::Trusted, 1, &call.message).is_err());
    }
}
