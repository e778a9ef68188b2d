//! Waveforms of a device: VCD and FST files, and layouts for their viewer.
//!
//! A [`Recorder`] takes the signal list and the samples of one or more devices ([`hdl::signals`],
//! [`hdl::sample`], or [`hdl::Nic::signals`] and [`hdl::Nic::sample`]) and writes the changes. All devices
//! share one tree of scopes: `node0.model` and `node0.rtl` are siblings, with the blocks below them, so a
//! path in a lockstep report is also a path in the viewer.
//!
//! ```no_run
//! # fn run(nic: &impl hdl::Nic) -> Result<(), Box<dyn std::error::Error>> {
//! use waveform::{Recorder, Scope};
//!
//! let scopes = [Scope { name: "node0.model", signals: nic.signals() }];
//! let mut recorder = Recorder::create("botf.fst", 1, &scopes)?;
//! let mut words = Vec::new();
//! nic.sample(&mut words);
//! recorder.record(0, 0, &words)?;
//! println!("{}", recorder.finish()?);
//! # Ok(())
//! # }
//! ```
//!
//! # Representation of signals
//!
//! * A register is a variable of the same name in the scope of its block.
//! * A bundle, of pins or of a register, is a scope with one variable per field, including those of nested
//!   bundles: `pins_o.line.data`.
//! * The state of a state machine is one variable, and the viewer shows the state's name. In FST, the
//!   variable is the code with an enumeration table. wellen (hence Surfer) shows its names, and so does
//!   GTKWave for traces that a [`Layout`] opens (for other traces it shows the code until the enumeration is
//!   selected). GTKWave cannot read enumerations in VCD, so there the variable is a string with the name,
//!   which both viewers show. A code without a state, possible in RTL only, appears as `undeclared_<code>` in
//!   VCD and as the bare code in FST.
//! * A scope of [`Differs`] may accompany two sides: one bit per block, high where the sides differ.
//! * The path is the same in both formats. A variable has the value x until its scope is first recorded.
//!
//! Strings in FST are not used: fst-writer writes only strings of fixed length, and GTKWave 3.3 shows those
//! as empty.

mod change;
mod declare;
mod differs;
mod error;
mod format;
mod fst;
mod layout;
mod recorder;
mod spell;
mod states;
mod variable;
mod vcd;

pub use differs::Differs;
pub use error::{CreateError, RecordError, WriteError};
pub use format::Format;
pub use layout::{Group, Layout, Pick, View};
pub use recorder::{Recorder, Summary};
pub use variable::{Scope, Variable, variables};
