//! Boards for the nodes of a shell.

use dimmnet2::Dimmnet2;
use dimmnet2_machine::AnyNic;
use hdl::Model;

/// Where boards come from.
pub trait Boards {
    /// What can stand behind the pins of a board.
    fn kinds(&self) -> &[&'static str];

    /// Boards after reset.
    fn open(&self, kind: &str, count: usize) -> Result<Vec<Box<AnyNic>>, String>;
}

/// The Rust model alone.
pub struct Models;

impl Boards for Models {
    fn kinds(&self) -> &[&'static str] {
        &["model"]
    }

    fn open(&self, _kind: &str, count: usize) -> Result<Vec<Box<AnyNic>>, String> {
        let board = || Box::new(Model::new(Dimmnet2::default())) as Box<AnyNic>;
        Ok(std::iter::repeat_with(board).take(count).collect())
    }
}
