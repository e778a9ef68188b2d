//! Variants: settings of a machine that a run can choose.

use cluster::Machine;
use cluster::host::LibraryCost;
use mpi::carrier::OneSided;

/// A setting and its values; an option of the commands that run programs is made of it.
pub struct Variant<M: Machine> {
    /// Name of the option, without its hyphens.
    pub name: &'static str,
    /// Meaning, for `--help`: `ROM of the network interface`.
    pub doc: &'static str,
    /// Values; the first one is the default.
    pub values: &'static [&'static str],
    /// Applies the value at this place of `values`.
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

/// Name of the variant for the path of one-sided accesses.
pub const ONE_SIDED: &str = "one-sided";
/// Name of the option for the cost of the own steps of host libraries.
pub const LIBRARY_COST: &str = "library-cost";

/// The variant of a machine whose network carries out one-sided accesses of MPI.
pub const fn one_sided<M: Machine>(set: fn(&mut M::Settings, usize)) -> Variant<M> {
    Variant {
        name: ONE_SIDED,
        doc: "Path of puts and gets of MPI: `native`, by remote writes and reads of the network interface, or `messages` to the library of the target",
        values: OneSided::NAMES,
        set,
    }
}

/// The variant of a machine that knows the time of an instruction of its processor.
pub const fn library_cost<M: Machine>(set: fn(&mut M::Settings, usize)) -> Variant<M> {
    Variant {
        name: LIBRARY_COST,
        doc: "Cost of the own steps of the host's library, such as MPI or PM: `looks`, the few that the machine charges anyway; `counted`, the instructions of its code, one in each clock of the processor; `off`, none",
        values: LibraryCost::NAMES,
        set,
    }
}
