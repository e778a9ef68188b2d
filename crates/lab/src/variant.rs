//! Variants: settings of a machine that a run can choose.

use cluster::Machine;

/// A setting with its values.
pub struct Variant<M: Machine> {
    /// Name of the option without its hyphens.
    pub name: &'static str,
    /// Values by name; the first one is the default.
    pub values: &'static [&'static str],
    /// Sets the value with this index.
    pub set: fn(&mut M::Settings, usize),
}

impl<M: Machine> Variant<M> {
    /// Sets a value by its name; `None` if it does not exist.
    pub fn choose(&self, settings: &mut M::Settings, value: &str) -> Option<()> {
        let place = self.values.iter().position(|known| *known == value)?;
        (self.set)(settings, place);
        Some(())
    }
}
