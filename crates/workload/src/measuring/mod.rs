//! Measuring as papers on networks do it: phases, offered and accepted load, saturation, repetition, knee.
//!
//! A [`Measurement`] judges the messages of one run that were created in its measurement phase. [`Repeated`]
//! joins runs with different seeds, and [`find_knee`] finds the load at which a network saturates.

mod confidence;
mod knee;
mod measurement;
mod phases;
mod saturation;

pub use confidence::{Interval, Repeated};
pub use knee::{Knee, find_knee};
pub use measurement::{Conditions, Measurement, Rate};
pub use phases::{PhaseLengths, Phases, WarmUp};
