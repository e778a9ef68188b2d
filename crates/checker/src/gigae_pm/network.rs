//! Faults of the network, and times at which a timer may expire.

use std::fmt;
use std::str::FromStr;

/// Faults of the network. Without faults it delivers every frame once, in order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Network {
    /// A frame may be lost.
    pub loss: bool,
    /// A frame may arrive twice.
    pub duplication: bool,
    /// A frame may overtake another.
    pub reordering: bool,
}

impl Network {
    /// Keeps order and loses nothing.
    pub const FIFO: Self = Self { loss: false, duplication: false, reordering: false };
    /// Keeps order, may lose.
    pub const LOSS: Self = Self { loss: true, ..Self::FIFO };
    /// Keeps order, may lose and duplicate.
    pub const DUPLICATION: Self = Self { duplication: true, ..Self::LOSS };
    /// Loses nothing, may reorder.
    pub const REORDERING: Self = Self { reordering: true, ..Self::FIFO };
    /// May reorder and lose.
    pub const REORDERING_LOSS: Self = Self { reordering: true, ..Self::LOSS };
    /// May reorder, lose and duplicate.
    pub const ANY: Self = Self { reordering: true, ..Self::DUPLICATION };
    /// The five networks on which repairs must hold.
    pub const ALL: [Self; 5] = [Self::FIFO, Self::LOSS, Self::DUPLICATION, Self::REORDERING_LOSS, Self::ANY];
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let faults =
            [(self.loss, "loss"), (self.duplication, "duplication"), (self.reordering, "reordering")];
        let faults: Vec<_> = faults.into_iter().filter(|(on, _)| *on).map(|(_, name)| name).collect();
        f.write_str(if faults.is_empty() { "fifo".into() } else { faults.join(",") }.as_str())
    }
}

/// An item of a list of faults that is not a fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoSuchFault(pub String);

impl fmt::Display for NoSuchFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is none of fifo, loss, duplication, reordering", self.0)
    }
}

impl std::error::Error for NoSuchFault {}

impl FromStr for Network {
    type Err = NoSuchFault;

    /// A list such as `fifo` or `loss,reordering`.
    fn from_str(list: &str) -> Result<Self, NoSuchFault> {
        let mut network = Self::FIFO;
        for item in list.split(',').map(str::trim) {
            match item {
                "fifo" => {}
                "loss" => network.loss = true,
                "duplication" => network.duplication = true,
                "reordering" => network.reordering = true,
                _ => return Err(NoSuchFault(item.to_string())),
            }
        }
        Ok(network)
    }
}

/// Time at which the timer of a message may expire.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Timers {
    /// Only when no frame is in flight: T is longer than any round trip.
    #[default]
    Late,
    /// Whenever the message is not acknowledged: T is too short.
    Premature,
}
