//! Observations: marks of programs, events on pins and in switches, and watches that became true.

use crate::Time;

/// Location of an observation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// At a node.
    Node(usize),
    /// At a port of the switch.
    Switch(usize),
}

/// Kind of an observation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A program reached a mark.
    Mark(&'static str),
    /// The board accepted a beat of the host bus.
    Beat {
        /// Address on the board.
        address: u32,
        /// The beat wrote.
        write: bool,
    },
    /// The link accepted the first line of a frame.
    TransmitFirst,
    /// The link accepted the last line of a frame.
    TransmitLast,
    /// A frame was retransmitted, because it was lost or not acknowledged.
    TransmitAgain,
    /// The board accepted the first line of a frame.
    ReceiveFirst,
    /// The board accepted the last line of a frame.
    ReceiveLast,
    /// The first line of a frame has arrived in the switch.
    SwitchFirstIn,
    /// The switch granted an output to a frame.
    SwitchFirstOut,
    /// The last line of a frame starts to leave the switch.
    SwitchLastOut,
    /// A watch of this name became true.
    Watch(&'static str),
}

/// An event with its time and place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Observation {
    /// Virtual time of the event.
    pub time: Time,
    /// Node or port of the event.
    pub place: Place,
    /// Kind of the event.
    pub event: Event,
}

/// Observations of one place in the order of time.
#[derive(Debug, Default)]
pub struct Log {
    /// Events are recorded.
    pub observing: bool,
    /// Recorded events.
    pub observations: Vec<Observation>,
}

impl Log {
    /// Records an event if recording is enabled.
    pub fn observe(&mut self, time: Time, place: Place, event: Event) {
        if self.observing {
            self.observations.push(Observation { time, place, event });
        }
    }
}
