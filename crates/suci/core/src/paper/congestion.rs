//! Congestion control of the paper's sender (section 3.2, figures 1 and 2): it asks the receiver before it
//! retransmits much.

use super::Repairs;

/// State of the request for a permit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Congestion {
    /// Whether a request waits for its answer.
    pub requested: bool,
    /// Number of the last request, a repair; always 0 with the printed rules.
    pub number: u32,
    /// Bytes that a permit still allows to be sent.
    pub permitted: usize,
}

/// Input of the sender's congestion control.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cause {
    /// This many packets are unacknowledged, according to the application or the timer.
    Stalled(usize),
    /// A permit for this request with this many bytes.
    Permit(u32, usize),
}

/// Action of the sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Act {
    /// No action.
    Nothing,
    /// Retransmit without asking.
    Resend,
    /// Send a request.
    Request,
    /// Retransmit as much as the permit allows.
    ResendPermitted,
}

/// Handles an input. The sender asks from `congested` unacknowledged packets on; the paper prints no number.
pub fn next(state: Congestion, cause: Cause, congested: usize, repairs: &Repairs) -> (Congestion, Act) {
    match cause {
        // As printed the sender waits forever for a lost request or permit; the repair repeats the request
        // (H9).
        Cause::Stalled(_) if state.requested => {
            (state, if repairs.permits { Act::Request } else { Act::Nothing })
        }
        Cause::Stalled(packets) if packets >= congested => {
            let number = if repairs.permits { state.number.wrapping_add(1) } else { 0 };
            (Congestion { requested: true, number, permitted: 0 }, Act::Request)
        }
        Cause::Stalled(_) => (state, Act::Resend),
        Cause::Permit(number, bytes) => {
            // As printed an unrequested or duplicate permit is valid too (H20).
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
    fn duplicate_permit_counts_twice_as_printed_once_repaired() {
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
    fn request_is_repeated_only_when_repaired() {
        for (repairs, act) in [(Repairs::NONE, Act::Nothing), (Repairs::ALL, Act::Request)] {
            let (state, _) = next(Congestion::default(), Cause::Stalled(40), 32, &repairs);
            assert_eq!(next(state, Cause::Stalled(40), 32, &repairs), (state, act));
        }
    }
}
