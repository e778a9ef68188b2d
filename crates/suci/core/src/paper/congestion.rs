//! Congestion control of the sender (section 3.2, figures 1 and 2): before much is sent again, the receiver is asked.

use super::Repairs;

/// How far the asking is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Congestion {
    /// A request waits for its answer.
    pub requested: bool,
    /// Number of the last request. Numbers are ours: with the printed rules it stays 0.
    pub number: u32,
    /// Bytes that may still be sent by a permit.
    pub permitted: usize,
}

/// What happens to a sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cause {
    /// Acknowledgements of so many packets are missing: the application says so, or the timer.
    Stalled(usize),
    /// A permit of so many bytes comes, for this request.
    Permit(u32, usize),
}

/// What it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Act {
    /// Nothing.
    Nothing,
    /// Sends again, without asking.
    Resend,
    /// Sends a request.
    Request,
    /// Sends again, as much as is permitted.
    ResendPermitted,
}

/// One step. From `congested` packets on the receiver is asked; the paper prints no number.
pub fn next(state: Congestion, cause: Cause, congested: usize, repairs: &Repairs) -> (Congestion, Act) {
    match cause {
        // A lost request or permit is waited for for ever, unless it is repeated (H9).
        Cause::Stalled(_) if state.requested => {
            (state, if repairs.permits { Act::Request } else { Act::Nothing })
        }
        Cause::Stalled(packets) if packets >= congested => {
            let number = if repairs.permits { state.number.wrapping_add(1) } else { 0 };
            (Congestion { requested: true, number, permitted: 0 }, Act::Request)
        }
        Cause::Stalled(_) => (state, Act::Resend),
        Cause::Permit(number, bytes) => {
            // A permit that is not asked for, or comes again, is as good as any in print (H20).
            let valid = !repairs.permits || (state.requested && number == state.number);
            if !valid || bytes == 0 {
                return (state, Act::Nothing);
            }
            let permitted = if repairs.permits { bytes } else { state.permitted + bytes };
            (Congestion { requested: false, permitted, ..state }, Act::ResendPermitted)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repeated_permit_counts_twice_as_printed_and_once_repaired() {
        for (repairs, twice) in [(Repairs::NONE, 2_000), (Repairs::ALL, 1_000)] {
            let (state, act) = next(Congestion::default(), Cause::Stalled(40), 32, &repairs);
            assert_eq!(act, Act::Request);
            let (state, act) = next(state, Cause::Permit(state.number, 1_000), 32, &repairs);
            assert_eq!((state.permitted, act), (1_000, Act::ResendPermitted));
            let (state, _) = next(state, Cause::Permit(state.number, 1_000), 32, &repairs);
            assert_eq!(state.permitted, twice);
        }
    }

    #[test]
    fn a_request_is_repeated_only_when_repaired() {
        for (repairs, act) in [(Repairs::NONE, Act::Nothing), (Repairs::ALL, Act::Request)] {
            let (state, _) = next(Congestion::default(), Cause::Stalled(40), 32, &repairs);
            assert_eq!(next(state, Cause::Stalled(40), 32, &repairs), (state, act));
        }
    }
}
