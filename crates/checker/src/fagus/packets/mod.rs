//! A world of packets: senders divide messages, an adapter writes the packets into slots, and a library reassembles them (sections 3.2.1
//! to 3.2.3).
//!
//! Only the adapter and the cable are modelled: [`fagus::reassembly`] divides messages, and it or the printed
//! [`fagus::ring`] reassembles them. A sender has one message in flight and sends it again, as a new one, if it is not
//! acknowledged; acknowledgements are neither lost nor late.

mod model;
mod script;
mod words;
mod world;

pub use script::{Script, Step, ring};
pub use world::{Action, PAYLOAD, Receive, World};
