//! A world of packets: senders divide messages, an adapter writes the packets into slots, and a library makes messages of them again (sections 3.2.1 to 3.2.3).
//!
//! Nothing of it is modelled but the adapter and the cable: packets are divided by [`fagus::reassembly`], put together by it or by the printed
//! [`fagus::ring`]. A sender has one message on its way and sends it again, as a new one, if it is not acknowledged; acknowledgements cost nothing.

mod model;
mod script;
mod words;
mod world;

pub use script::{Script, Step, ring};
pub use world::{Action, PAYLOAD, Receive, Sender, State, World};
