//! DIMMnet Shell: drives the boards of a running cluster by hand, and looks inside.
//!
//! Any machine that is [`Driven`](machine_api::Driven) has a shell with commands of its own. The commands of DIMMnet-2's manual
//! (doctoral thesis, Keio University, FY2007, appendix C) reproduce its figures character by character. This crate has the
//! commands common to all machines: running, stopping and reversing time, registers by name, waveforms.
//!
//! ```
//! use dimmnet2_machine::Dimmnet2;
//! use dsh::{Flow, Models, Shell, Start};
//!
//! let start = Start { processes: 2, pid: 1, wid: false };
//! let mut shell = Shell::<Dimmnet2>::start(start, std::rc::Rc::new(Models), "model").unwrap();
//! let reply = shell.line("prim VS dt=0 it=0 dw=0 dl=0 ef=0 size=0x200 src=0x400 dst=0x600");
//! assert_eq!(reply.text, "cmd:60000000400_20000000008\n");
//! assert_eq!(shell.line("q").outcome, Ok(Flow::Quit));
//! ```

mod arguments;
mod batch;
mod boards;
mod break_point;
mod clip;
mod completion;
mod conditions;
mod connection;
mod error;
mod explain;
mod expression;
mod extra;
mod frames;
mod help;
mod line_shell;
mod looking;
mod message;
mod peer;
mod printing;
mod program;
mod repetition;
mod script;
pub mod serve;
mod server;
mod session;
mod shell;
mod socket;
mod stop;
pub mod table;
pub mod terminal;
pub mod transcript;
mod typing;
mod values;
mod wire_bytes;

pub use boards::{Boards, Models};
pub use break_point::SubjectError;
pub use completion::{Words, complete};
pub use conditions::{Conditions, LinkFaults};
pub use connection::{ConnectError, Connection, standard_socket};
pub use error::{LineError, StartError};
pub use explain::{ExplainedStage, Explanation};
pub use expression::{ExpressionError, find};
pub use frames::FrameError;
pub use line_shell::{Answer, LineShell};
pub use looking::TraceError;
pub use message::End;
pub use program::{HostProgram, ProgramSource, ProgramState};
pub use script::commands;
pub use server::{Ender, Server};
pub use session::{InstantObserver, Session, SessionError, Snapshot};
pub use shell::{Flow, Process, Reply, Shell, Start};
pub use socket::BindError;
pub use values::{Register, registers, registers_of, sample};
