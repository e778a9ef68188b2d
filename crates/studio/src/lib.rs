//! A live view of a cluster in a browser: blocks, states, sources and time.
//!
//! One thread owns the shell and simulates ([`Simulator`]). Pages send [`Request`]s and receive [`Message`]s as JSON
//! over a WebSocket. A page that is slow misses moments; it never delays the run. Everything that changes the run is a
//! line of the shell, so a session in the browser can be repeated as a script.
//!
//! The feature `serve` adds the web server and the page.

mod arrangement;
mod capture;
mod hello;
mod history;
mod layout;
mod links;
mod page;
pub mod protocol;
mod record;
mod recorder;
mod run_recorder;
#[cfg(feature = "serve")]
pub mod serve;
mod simulator;
mod snapshot;
mod sources;
mod tours;

pub use arrangement::{Layout, Pin, Row, Wire};
pub use protocol::{
    Arc, Block, Call, Event, Field, Hello, Link, Message, Moment, Node, Queue, Register, Request, Role, Said,
    SourceArm, SourceFile, State, Table, VERSION,
};
pub use record::record;
pub use run_recorder::RunRecorder;
pub use simulator::{Asked, Audience, Simulator};
pub use snapshot::{Seen, Snapshot};
pub use tours::{Line, Step, TOURS, Tour};

#[cfg(test)]
mod tests;
