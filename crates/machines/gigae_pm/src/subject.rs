//! The machine as commands know it.

use lab::Subject;

use crate::GigaePm;

impl Subject for GigaePm {
    const NAME: &'static str = "gigae_pm";
}
