//! Noise handshakes (noiseprotocol.org, revision 34) with crate `snow`: two messages, in Initiate and in
//! Accept. The caller's connection ID is the prologue of both.

mod walk;

use core::fmt;

use snow::{Builder, HandshakeState};

use super::packet::{HELLO, Hello, parse_hello, put_hello};
use super::seal::{Seal, TAG};
use crate::config::Security;
use crate::counters::Dropped;
use crate::keys::PublicKey;

/// Longest handshake message: ephemeral key, with `IK` the caller's sealed static key, and sealed transport
/// parameters.
pub(crate) const LONGEST_HELLO: usize = 32 + 32 + TAG + HELLO + TAG;

/// Initial handshake state; `None` with `Security::Trusted`. `to` is the called key; `ephemeral` replaces the
/// random ephemeral key.
fn handshake(
    security: &Security,
    id: u64,
    calls: bool,
    to: Option<&PublicKey>,
    ephemeral: Option<[u8; 32]>,
) -> Result<Option<Box<HandshakeState>>, snow::Error> {
    let Some(pattern) = security.pattern() else { return Ok(None) };
    let mut prologue = [0; 14];
    prologue[..6].copy_from_slice(b"suci 1");
    prologue[6..].copy_from_slice(&id.to_be_bytes());
    let mut builder = Builder::new(pattern.parse()?).prologue(&prologue)?;
    builder = match security {
        Security::Trusted => return Ok(None),
        Security::SharedKey(key) => builder.psk(0, key)?,
        Security::Pinned { own, .. } => builder.local_private_key(own.as_bytes())?,
    };
    if let Some(to) = to {
        builder = builder.remote_public_key(to.as_bytes())?;
    }
    if let Some(key) = &ephemeral {
        // For recorded endpoints. Derived ephemeral keys are unique like random ones.
        builder = builder.fixed_ephemeral_key_for_testing_only(key);
    }
    Ok(Some(Box::new(if calls { builder.build_initiator()? } else { builder.build_responder()? })))
}

/// Connection keys of a complete handshake.
fn seal(mut state: Box<HandshakeState>, calls: bool) -> Seal {
    let (of_the_caller, of_the_called) = state.dangerously_get_raw_split();
    if calls { Seal::new(&of_the_caller, &of_the_called) } else { Seal::new(&of_the_called, &of_the_caller) }
}

fn plain(hello: &Hello) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(LONGEST_HELLO);
    put_hello(&mut bytes, hello);
    bytes
}

/// An outgoing call that waits for its answer.
pub(crate) struct Call {
    /// Message of the Initiate.
    pub message: Vec<u8>,
    state: Option<Box<HandshakeState>>,
}

impl fmt::Debug for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Call")
    }
}

impl Call {
    /// An error if the operating system provides no random numbers.
    pub fn new(
        security: &Security,
        hello: &Hello,
        to: Option<&PublicKey>,
        ephemeral: Option<[u8; 32]>,
    ) -> Result<Self, snow::Error> {
        let mut state = handshake(security, hello.id, true, to, ephemeral)?;
        let mut message = plain(hello);
        if let Some(state) = &mut state {
            let mut sealed = [0; LONGEST_HELLO];
            let length = state.write_message(&message, &mut sealed)?;
            message.clear();
            message.extend_from_slice(&sealed[..length]);
        }
        Ok(Self { message, state })
    }

    /// Reads the message of an Accept. A forged one does not prevent a later genuine one.
    pub fn accepted(&mut self, message: &[u8]) -> Result<(Hello, Seal), Dropped> {
        let Some(state) = &mut self.state else { return Ok((parse_hello(message)?, Seal::Plain)) };
        let mut opened = [0; LONGEST_HELLO];
        let length = state.read_message(message, &mut opened).map_err(|_| Dropped::Forged)?;
        let hello = parse_hello(&opened[..length])?;
        let state = self.state.take().ok_or(Dropped::Stale)?;
        Ok((hello, seal(state, true)))
    }
}

/// An incoming call to be answered.
pub(crate) struct Called {
    /// Transport parameters of the caller.
    pub hello: Hello,
    /// Authenticated key of the caller.
    pub key: Option<PublicKey>,
    state: Option<Box<HandshakeState>>,
}

impl Called {
    /// Reads the message of an Initiate.
    pub fn new(
        security: &Security,
        id: u64,
        message: &[u8],
        ephemeral: Option<[u8; 32]>,
    ) -> Result<Self, Dropped> {
        let mut state = handshake(security, id, false, None, ephemeral).map_err(|_| Dropped::NoRoom)?;
        let (hello, key) = match &mut state {
            None => (parse_hello(message)?, None),
            Some(state) => {
                let mut opened = [0; LONGEST_HELLO];
                let length = state.read_message(message, &mut opened).map_err(|_| Dropped::Forged)?;
                let key = state.get_remote_static().and_then(|key| key.try_into().ok());
                (parse_hello(&opened[..length])?, key.map(PublicKey::from_bytes))
            }
        };
        if let Security::Pinned { peers, .. } = security
            && !key.is_some_and(|key| peers.contains(&key))
        {
            return Err(Dropped::NotPinned);
        }
        if hello.id == id { Ok(Self { hello, key, state }) } else { Err(Dropped::Malformed) }
    }

    /// Message of the Accept, and the protection of the following packets.
    pub fn answer(self, own: &Hello) -> Result<(Vec<u8>, Seal), Dropped> {
        let message = plain(own);
        let Some(mut state) = self.state else { return Ok((message, Seal::Plain)) };
        let mut sealed = [0; LONGEST_HELLO];
        let length = state.write_message(&message, &mut sealed).map_err(|_| Dropped::NoRoom)?;
        Ok((sealed[..length].to_vec(), seal(state, false)))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::hash::{DefaultHasher, Hash, Hasher};

    use super::*;
    use crate::keys::SecretKey;

    const KEY: Security = Security::SharedKey([7; 32]);

    fn hello(id: u64) -> Hello {
        Hello { id, datagram: 1_200, most: 1_200, unscheduled: 0, window: 1, largest_block: 1 }
    }

    fn pinned(own: u8, peers: &[u8]) -> (Security, PublicKey) {
        let key = |number| SecretKey::from_bytes([number; 32]);
        let peers = peers.iter().map(|number| key(*number).public()).collect::<BTreeSet<_>>();
        (Security::Pinned { own: key(own), peers }, key(own).public())
    }

    #[test]
    fn forged_answer_does_not_spoil_the_genuine_one() {
        let (called_by, theirs) = (pinned(1, &[]), pinned(2, &[1]));
        for (here, there, to) in [(KEY, KEY, None), (called_by.0, theirs.0, Some(theirs.1))] {
            let mut call = Call::new(&here, &hello(1), to.as_ref(), None).unwrap();
            let called = Called::new(&there, 1, &call.message, None).unwrap();
            assert_eq!(called.key, to.map(|_| called_by.1));
            let (answer, mut seal) = called.answer(&hello(2)).unwrap();
            for at in 0..answer.len() {
                let mut forged = answer.clone();
                forged[at] ^= 1;
                assert!(call.accepted(&forged).is_err());
            }
            let (said, _) = call.accepted(&answer).unwrap();
            assert_eq!(said, hello(2));
            assert_eq!(seal.tag(), TAG);
            assert!(!seal.update(None));
        }
    }

    #[test]
    fn calls_without_protection_are_compared_by_their_messages() {
        let call = |security: &Security, id| Call::new(security, &hello(id), None, Some([5; 32])).unwrap();
        let hash = |call: &Call| {
            let mut hasher = DefaultHasher::new();
            call.hash(&mut hasher);
            hasher.finish()
        };
        let (one, other) = (call(&Security::Trusted, 1), call(&Security::Trusted, 2));
        assert_eq!((&one, hash(&one)), (&one.clone(), hash(&call(&Security::Trusted, 1))));
        assert_ne!((&one, hash(&one)), (&other, hash(&other)));
        assert_ne!(hash(&one), hash(&other));
        // The state of a handshake cannot be compared.
        let secured = call(&KEY, 1);
        assert_eq!(secured.message, call(&KEY, 1).message);
        assert_ne!(secured, call(&KEY, 1));
    }

    #[test]
    fn wrong_key_or_connection_id_is_rejected() {
        let call = Call::new(&KEY, &hello(1), None, None).unwrap();
        assert_eq!(Called::new(&KEY, 2, &call.message, None).err(), Some(Dropped::Forged));
        let other = Security::SharedKey([8; 32]);
        assert_eq!(Called::new(&other, 1, &call.message, None).err(), Some(Dropped::Forged));
        assert!(Called::new(&Security::Trusted, 1, &call.message, None).is_err());
    }

    #[test]
    fn calls_to_a_wrong_key_and_of_unpinned_keys_are_rejected() {
        let (here, there) = (pinned(1, &[]), pinned(2, &[3]));
        let call = Call::new(&here.0, &hello(1), Some(&pinned(4, &[]).1), None).unwrap();
        assert_eq!(Called::new(&there.0, 1, &call.message, None).err(), Some(Dropped::Forged));
        let call = Call::new(&here.0, &hello(1), Some(&there.1), None).unwrap();
        assert_eq!(Called::new(&there.0, 1, &call.message, None).err(), Some(Dropped::NotPinned));
    }
}
