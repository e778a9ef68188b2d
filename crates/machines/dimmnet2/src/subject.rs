//! The machine as commands know it.

use lab::Subject;

use crate::Dimmnet2;

impl Subject for Dimmnet2 {
    const NAME: &'static str = "dimmnet2";
}
