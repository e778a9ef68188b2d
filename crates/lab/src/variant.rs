//! Settings of a machine that a run can choose: its variants.

use cluster::Machine;

/// A setting with its values.
pub struct Variant<M: Machine> {
    /// As the option is typed, without its hyphens.
    pub name: &'static str,
    /// Its values; the first one is that of a run that says nothing.
    pub values: &'static [&'static str],
    /// Sets the value of this place.
    pub set: fn(&mut M::Settings, usize),
}

impl<M: Machine> Variant<M> {
    /// Sets a value by its name. None if there is no such value.
    pub fn choose(&self, settings: &mut M::Settings, value: &str) -> Option<()> {
        let place = self.values.iter().position(|known| *known == value)?;
        (self.set)(settings, place);
        Some(())
    }
}
