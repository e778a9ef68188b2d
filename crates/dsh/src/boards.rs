//! Boards for the nodes of a shell.

use cluster::AnyNic;
use hdl::Model;
use machine_api::Driven;

/// A source of boards: the network interfaces of a machine.
pub trait Boards<M: Driven> {
    /// Kinds of boards: model, RTL or lockstep.
    fn kinds(&self) -> &[&'static str];

    /// `count` boards after reset.
    fn open(&self, kind: &str, count: usize) -> Result<Vec<Box<AnyNic<M>>>, String>;
}

/// The Rust model alone.
pub struct Models;

impl<M: Driven<Device: Default>> Boards<M> for Models {
    fn kinds(&self) -> &[&'static str] {
        &["model"]
    }

    fn open(&self, _kind: &str, count: usize) -> Result<Vec<Box<AnyNic<M>>>, String> {
        let board = || Box::new(Model::new(M::Device::default())) as Box<AnyNic<M>>;
        Ok(std::iter::repeat_with(board).take(count).collect())
    }
}
