//! Agreement on the number of a new communicator: one that none of its processes uses.
//!
//! Every process contributes a mask of the numbers that it does not use. Usually the lowest number that is
//! free everywhere is taken at once. A non-blocking call may still wait for its number meanwhile, and two calls
//! could take the same one. So while a process has such calls, all processes reserve the number first and ask
//! each other whether it was still free.

use std::rc::Rc;

use super::Channel;
use crate::communicator::Communicator;
use crate::contexts::CONTEXTS;
use crate::datatype::Kind;
use crate::error::Error;
use crate::operation::Operation;
use crate::predefined::Predefined;
use crate::progress::Library;

/// Bitwise and: the bits that are set at all processes.
const BOTH: Operation = Operation::Predefined(Predefined::BitAnd, Kind::Byte);

/// Bit of the number 0, which `MPI_COMM_WORLD` has: set where no non-blocking call waits for a number.
const NONE_WAITS: u8 = 1;

/// All processes of a communicator to be made: one group, or two whose leaders can communicate.
pub(super) struct Members {
    /// Messages within the group of this process.
    pub local: Channel,
    pub other: Option<OtherGroup>,
    /// The same at all members; calls at the same time have different keys.
    pub key: u64,
}

/// The group at the other side of an intercommunicator.
pub(super) struct OtherGroup {
    /// Rank of the leader in the group of this process.
    pub leader: usize,
    /// At the leader, messages to the other leader, and its rank there.
    pub peer: Option<(Channel, usize)>,
}

impl Members {
    /// All processes of an existing communicator.
    pub fn of(communicator: &Communicator) -> Members {
        let channel = communicator.channel();
        let key = u64::from(communicator.number()) << 32 | u64::from(channel.call);
        if communicator.remote_group().is_none() {
            return Members { local: channel, other: None, key };
        }
        let local = channel.local();
        let peer = (communicator.rank() == 0).then_some((channel, 0));
        Members { local, other: Some(OtherGroup { leader: 0, peer }), key }
    }

    /// The number of the new communicator, the same at all members.
    pub async fn number(&self) -> Result<u16, Error> {
        let library: &Rc<Library> = self.local.communicator.library();
        // Calls of other threads may take a number meanwhile.
        let _waiting = library.concurrent.is_polling().then(|| WaitingCall::new(library));
        for attempt in 0.. {
            let mut free = self.both(free_numbers(library)).await?;
            let certain = free[0] & NONE_WAITS != 0;
            free[0] &= !NONE_WAITS;
            let number = choose(&free, self.key.wrapping_mul(attempt))?;
            if certain {
                return Ok(number);
            }
            let is_free = library.contexts.borrow_mut().insert(number);
            let everywhere = self.both(vec![u8::from(is_free)]).await?;
            if everywhere == [1] {
                return Ok(number);
            }
            if is_free {
                library.contexts.borrow_mut().remove(&number);
            }
        }
        unreachable!("attempts do not end")
    }

    /// Bits that all members have set.
    async fn both(&self, bytes: Vec<u8>) -> Result<Vec<u8>, Error> {
        let Some(OtherGroup { leader, peer }) = &self.other else {
            return self.local.allreduce(bytes, &BOTH).await;
        };
        let count = bytes.len();
        let own = self.local.reduce(bytes, &BOTH, *leader).await?;
        let all = match peer {
            Some((channel, rank)) => {
                let theirs = channel.exchange(*rank, own.clone(), *rank, count).await?;
                channel.combine(&BOTH, &own, theirs).await?
            }
            None => vec![0; count],
        };
        self.local.broadcast(all, *leader).await
    }
}

/// Guard of a call that waits for its number, for the agreements of other calls.
struct WaitingCall<'a>(&'a Library);

impl<'a> WaitingCall<'a> {
    fn new(library: &'a Library) -> Self {
        library.agreements.update(|count| count + 1);
        WaitingCall(library)
    }
}

impl Drop for WaitingCall<'_> {
    fn drop(&mut self) {
        self.0.agreements.update(|count| count - 1);
    }
}

/// Bit mask of the numbers that this process does not use.
fn free_numbers(library: &Library) -> Vec<u8> {
    let mut free = vec![u8::MAX; usize::from(CONTEXTS / 8)];
    for number in library.contexts.borrow().range(..CONTEXTS) {
        free[usize::from(number / 8)] &= !(1 << (number % 8));
    }
    if library.agreements.get() == 0 {
        free[0] |= NONE_WAITS;
    }
    free
}

/// One of the free numbers: the lowest, or further attempts of calls with different keys would meet again.
fn choose(free: &[u8], at: u64) -> Result<u16, Error> {
    let is_free = |number: &u16| free[usize::from(number / 8)] & 1 << (number % 8) != 0;
    let count = free.iter().map(|byte| u64::from(byte.count_ones())).sum::<u64>();
    let mut left = at.checked_rem(count).ok_or(Error::Exhausted("there are no more communicators"))?;
    // Bytes before the one that contains the number are skipped whole.
    let before = |byte: &&u8| {
        let here = u64::from(byte.count_ones());
        let is_before = here <= left;
        if is_before {
            left -= here;
        }
        is_before
    };
    let skipped = free.iter().take_while(before).count() as u16;
    Ok((8 * skipped..CONTEXTS).filter(is_free).nth(left as usize).expect("it is below their count"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_attempt_takes_the_lowest_number() {
        let mut free = vec![0; usize::from(CONTEXTS) / 8];
        assert!(choose(&free, 0).is_err());
        free[1] = 0b1010_0000;
        free[200] = 1;
        let numbers = [0, 1, 2, 3].map(|at| choose(&free, at).unwrap());
        assert_eq!(numbers, [13, 15, 1600, 13]);
    }
}
