//! Waveforms of a device: VCD and FST files, and the layouts that open them.
//!
//! A [`Recorder`] takes the signal list and the samples of one or more devices ([`hdl::signals`],
//! [`hdl::sample`], or [`hdl::Nic::signals`] and [`hdl::Nic::sample`]) and writes what changes. All devices
//! share one tree of scopes: `node0.model` and `node0.rtl` lie side by side, and below them the blocks, so
//! that a path in a lockstep report is a path in the viewer.
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
//! # What a signal becomes
//!
//! * A register is a variable of its own name in the scope of its block.
//! * A bundle, pins or register, is a scope with one variable per field, nested bundles included:
//!   `pins_o.line.data`.
//! * A machine's state is one variable, and the viewer shows the state's name. In FST it is the code with an
//!   enumeration table; wellen (hence Surfer) shows its names, and so does GTKWave for traces that a
//!   [`Layout`] opens (others show the code until asked for the enumeration). VCD has no enumerations that
//!   GTKWave reads, so there the variable is a string that holds the name; both show it. A code that no state
//!   has, possible in RTL only, shows as `undeclared_<code>` in VCD and as the bare code in FST.
//! * Beside two sides can lie a scope of [`Differs`]: a bit for each block, high where the sides differ in it.
//! * The path is the same in both formats. A variable has the value x until its scope is first recorded.
//!
//! Strings in FST were tried and left: fst-writer writes strings of a fixed length only, and GTKWave 3.3
//! shows those as empty.

mod change;
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
