//! Dispatcher: schedules the work of the firmware, which is one thread.
//!
//! Received frames have priority, because the sender waits for the answer and the buffer is needed;
//! then send descriptors; then the timer scan and pending GOs. Each unit of work is completed
//! before the next begins.

use hdl::{Bundle, Clocked, Item, Package, Probe, Quiet, Role, StateMachine, Visitor};

hdl::fsm! {
    /// Work in progress.
    pub enum State in dispatcher_pkg {
        /// Waits for work.
        Idle => [
            Receive: "frame waits",
            Send: "no frame, descriptor waits",
            Scan: "only a scan is due",
            Idle: "no work, or card disabled",
        ],
        /// Processes a received frame.
        Receive => [Idle: "receive_done", Receive: "otherwise"],
        /// Processes a send descriptor.
        Send => [Idle: "send_done", Send: "otherwise"],
        /// Visits a control structure.
        Scan => [Idle: "scan_done", Scan: "otherwise"],
    }
}

hdl::bundle! {
    /// Input pins of the Dispatcher.
    pub struct In in dispatcher_pkg {
        /// The firmware is enabled.
        enable: bool,
        /// A received frame waits.
        receive_wanted: bool,
        /// A send descriptor waits.
        send_wanted: bool,
        /// A visit of a control structure is due.
        scan_wanted: bool,
        /// The received frame is processed; high for one cycle.
        receive_done: bool,
        /// The send descriptor is processed; high for one cycle.
        send_done: bool,
        /// The visit is over; high for one cycle.
        scan_done: bool,
    }
}

hdl::bundle! {
    /// Output pins of the Dispatcher.
    pub struct Out in dispatcher_pkg {
        /// Processes a received frame.
        receive_start: bool,
        /// Processes a send descriptor.
        send_start: bool,
        /// Visits a control structure.
        scan_start: bool,
    }
}

hdl::bundle! {
    /// Registers of the Dispatcher.
    pub struct Dispatcher in dispatcher_pkg {
        /// Work in progress.
        state: State,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "gigae_pm/firmware/dispatcher_pkg",
    source: file!(),
    items: &[Item::StateMachine(State::TABLE), Item::Bundle(In::TABLE), Item::Bundle(Out::TABLE)],
};

impl Clocked for Dispatcher {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        use State::*;
        let q = self;
        Out { receive_start: q.state == Receive, send_start: q.state == Send, scan_start: q.state == Scan }
    }

    #[inline(always)]
    fn tick(&mut self, pins: &In) {
        *self = self.next(pins);
    }

    fn reset(&mut self) {
        *self = Self::default();
    }

    #[inline]
    fn quiescent(&self) -> Quiet {
        // The state changes only with new work or the end of work.
        Quiet::UntilInput
    }
}

impl Dispatcher {
    /// Work in progress.
    #[inline(always)]
    pub(super) fn state(&self) -> State {
        self.state
    }

    #[inline(always)]
    fn next(&self, pins: &In) -> Self {
        use State::*;
        let q = self;
        let mut d = *q;

        match q.state {
            // Idle: selects work by priority.
            Idle => {
                if !pins.enable {
                    d.state = Idle;
                } else if pins.receive_wanted {
                    d.state = Receive;
                } else if pins.send_wanted {
                    d.state = Send;
                } else if pins.scan_wanted {
                    d.state = Scan;
                }
            }
            // Receive: until the frame is delivered or dropped.
            Receive => {
                if pins.receive_done {
                    d.state = Idle;
                }
            }
            // Send: until network DMA has started, or the descriptor cannot be served.
            Send => {
                if pins.send_done {
                    d.state = Idle;
                }
            }
            // Scan: one control structure.
            Scan => {
                if pins.scan_done {
                    d.state = Idle;
                }
            }
        }
        d
    }
}

impl Probe for Dispatcher {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(self);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: In = In {
        enable: true,
        receive_wanted: true,
        send_wanted: true,
        scan_wanted: true,
        receive_done: false,
        send_done: false,
        scan_done: false,
    };

    fn after(state: State, pins: In) -> State {
        let mut dispatcher = Dispatcher { state };
        dispatcher.tick(&pins);
        dispatcher.state
    }

    #[test]
    fn frames_go_before_descriptors_and_these_before_visits() {
        use State::*;
        assert_eq!(after(Idle, ALL), Receive);
        assert_eq!(after(Idle, In { receive_wanted: false, ..ALL }), Send);
        assert_eq!(after(Idle, In { receive_wanted: false, send_wanted: false, ..ALL }), Scan);
        assert_eq!(after(Idle, In { enable: true, ..In::default() }), Idle);
        assert_eq!(after(Idle, In { enable: false, ..ALL }), Idle);
    }

    #[test]
    fn work_goes_on_to_its_own_end() {
        use State::*;
        let ends = [
            (Receive, In { receive_done: true, ..ALL }),
            (Send, In { send_done: true, ..ALL }),
            (Scan, In { scan_done: true, ..ALL }),
        ];
        for (state, _) in ends {
            for (other, pins) in ends {
                assert_eq!(after(state, pins), if other == state { Idle } else { state });
            }
        }
    }

    #[test]
    fn work_is_started_as_long_as_it_goes_on() {
        use State::*;
        for state in [Idle, Receive, Send, Scan] {
            let Out { receive_start, send_start, scan_start } = Dispatcher { state }.outputs();
            assert_eq!(
                [receive_start, send_start, scan_start],
                [Receive, Send, Scan].map(|work| work == state)
            );
        }
    }
}
