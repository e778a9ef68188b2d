//! What all protocols share.

pub mod elsewhere;
pub mod graph;

pub use elsewhere::Elsewhere;
