//! Processes as users of the channel adapter: how a program of verbs that knows nothing of the simulator runs on modelled hosts (decision 0066).
//!
//! A guest is a process of the operating system with a library that stands in for libibverbs (`bindings/verbs`). It talks through a [slot](crate::Slot) as
//! a rank of MPI does: the library writes a [`Call`], the simulator carries it out on the adapter of the guest's host, lets virtual time pass, and
//! writes an [`Answer`]. Only one of all guests and the simulator runs at a time. What guests tell each other beside the adapter, by TCP, goes through the
//! operating system; the simulator is told when they [wait for it](Call::Waits).

mod beside;
pub mod call;
pub mod environment;
mod process;
mod run;
mod serve;

pub use call::{Answer, Call, Called};
pub use process::{Death, Ended, Process, Program};
pub use run::{Ending, Run};
pub use serve::serve;
