//! What is observed while time passes: marks of programs, what passes pins and switches, watches that come true.

use crate::Time;

/// Where something was observed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// At a node.
    Node(usize),
    /// At a port of the switch.
    Switch(usize),
}

/// What was observed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A host program came past a mark.
    Mark(&'static str),
    /// The board took a beat of the host bus.
    Beat {
        /// Address on the board.
        address: u32,
        /// The beat wrote.
        write: bool,
    },
    /// The link took the first line of a frame.
    TransmitFirst,
    /// The link took the last line of a frame.
    TransmitLast,
    /// A frame left once more, because it was missed or not answered.
    TransmitAgain,
    /// The board took the first line of a frame.
    ReceiveFirst,
    /// The board took the last line of a frame.
    ReceiveLast,
    /// The first line of a frame is in the switch.
    SwitchFirstIn,
    /// The switch gave an output to a frame.
    SwitchFirstOut,
    /// The last line of a frame starts on its way out of the switch.
    SwitchLastOut,
    /// A watch of this name came true.
    Watch(&'static str),
}

/// An event with its time and place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Observation {
    /// When.
    pub time: Time,
    /// Where.
    pub place: Place,
    /// What.
    pub event: Event,
}

/// Observations of one place in the order of time.
#[derive(Debug, Default)]
pub struct Log {
    /// Somebody wants to know.
    pub observing: bool,
    /// What was noted.
    pub observations: Vec<Observation>,
}

impl Log {
    /// Notes an event, if anybody wants to know.
    pub fn observe(&mut self, time: Time, place: Place, event: Event) {
        if self.observing {
            self.observations.push(Observation { time, place, event });
        }
    }
}
