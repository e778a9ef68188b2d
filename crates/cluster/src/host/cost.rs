//! Costs of host operations, with their sources, and their conversion to another computer.

use std::borrow::Cow;

use crate::Duration;

/// Clock with which a cost scales.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// Clock of the processor.
    Processor,
    /// Clock of the bus between processor and chipset.
    FrontSideBus,
    /// Clock of the main memory.
    Memory,
    /// Clock of the PCI bus between chipset and card.
    Pci,
    /// None: the time belongs to the card, a bus that is a setting of the card, or a cable.
    Fixed,
}

/// A cost with its source.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    /// Name of its field.
    pub field: &'static str,
    /// Operation that costs this time.
    pub name: &'static str,
    /// Time on the computer of the publication.
    pub duration: Duration,
    /// Time according to the sources alone, before any fit to published measurements.
    pub sources_alone: Duration,
    /// Clock with which the cost scales.
    pub pace: Pace,
    /// Source of the number.
    pub source: &'static str,
    /// Published rows to which the cost was fitted; these do not count as reproduced.
    pub fitted_to: &'static [&'static str],
}

/// Clocks of a computer, with which costs scale.
#[derive(Clone, Debug, PartialEq)]
pub struct Computer {
    /// Name on the command line.
    pub name: Cow<'static, str>,
    /// Clock of the processor in MHz.
    pub processor_mhz: f64,
    /// Clock of the bus between processor and chipset in MHz.
    pub bus_mhz: f64,
    /// Clock of the main memory in MHz; for memory of double data rate, half its transfers per microsecond.
    pub memory_mhz: f64,
    /// Clock of the PCI bus in MHz.
    pub pci_mhz: f64,
    /// Source of the clocks.
    pub source: Cow<'static, str>,
}

impl Computer {
    /// Whether it has the same clocks as another computer, regardless of names.
    pub fn is_as(&self, other: &Computer) -> bool {
        self.clocks() == other.clocks()
    }

    /// Clocks in MHz, each with its name in a computer file.
    pub fn clocks(&self) -> [(&'static str, f64); 4] {
        [
            ("processor_mhz", self.processor_mhz),
            ("bus_mhz", self.bus_mhz),
            ("memory_mhz", self.memory_mhz),
            ("pci_mhz", self.pci_mhz),
        ]
    }

    /// Time on this computer of an operation that takes `duration` on `other`.
    pub fn scale(&self, other: &Computer, pace: Pace, duration: Duration) -> Duration {
        let factor = match pace {
            Pace::Processor => other.processor_mhz / self.processor_mhz,
            Pace::FrontSideBus => other.bus_mhz / self.bus_mhz,
            Pace::Memory => other.memory_mhz / self.memory_mhz,
            Pace::Pci => other.pci_mhz / self.pci_mhz,
            Pace::Fixed => return duration,
        };
        Duration::from_ps((duration.ps() as f64 * factor).round() as u64)
    }
}

/// Costs of a host's accesses, as values of a run; `costs!` defines a type.
pub trait HostCosts: Copy + Default + std::fmt::Debug + PartialEq + Send + Sync + 'static {
    /// All costs with their sources. The times are those of the publication, which are the default.
    const TABLE: &'static [Cost];

    /// A cost by the name of its field.
    fn get_mut(&mut self, field: &str) -> Option<&mut Duration>;

    /// Value of a cost of the table.
    fn of(mut self, cost: &Cost) -> Duration {
        *self.get_mut(cost.field).expect("the table has the fields")
    }

    /// Costs on another computer: each is converted by the ratio of the clocks of its pace.
    fn on(mut self, published: &Computer, here: &Computer) -> Self {
        for cost in Self::TABLE {
            let value = self.get_mut(cost.field).expect("the table has the fields");
            *value = here.scale(published, cost.pace, *value);
        }
        self
    }
}

/// Defines a machine's `Costs`: one value for each operation that costs host time, and the table of their
/// sources.
///
/// A line has a field, its time in picoseconds, its pace, a name and a source. If the cost was fitted, the
/// time according to the sources alone and the rows of the fit follow.
#[macro_export]
macro_rules! costs {
    (@sources $ps:literal) => { $ps };
    (@sources $ps:literal, $from:literal) => { $from };
    ($($(#[$doc:meta])* $field:ident: $ps:literal, $pace:ident, $name:literal, $source:literal
        $(, from $from:literal fitted to [$($row:literal),*])?;)*) => {
        /// Costs of a host's accesses, as values of a run. The default is the computer of the publication.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Costs {
            $($(#[$doc])* pub $field: $crate::Duration,)*
        }

        impl Costs {
            /// Costs on the computer of the publication.
            pub const PUBLISHED: Costs = Costs { $($field: $crate::Duration::from_ps($ps),)* };
        }

        impl $crate::host::HostCosts for Costs {
            const TABLE: &'static [$crate::host::Cost] = &[$($crate::host::Cost {
                field: stringify!($field),
                name: $name,
                duration: $crate::Duration::from_ps($ps),
                sources_alone: $crate::Duration::from_ps(costs!(@sources $ps $(, $from)?)),
                pace: $crate::host::Pace::$pace,
                source: $source,
                fitted_to: &[$($($row),*)?],
            },)*];

            fn get_mut(&mut self, field: &str) -> Option<&mut $crate::Duration> {
                match field {
                    $(stringify!($field) => Some(&mut self.$field),)*
                    _ => None,
                }
            }
        }

        impl Default for Costs {
            fn default() -> Self {
                Self::PUBLISHED
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    costs! {
        /// Scales with the processor.
        compute: 1_000, Processor, "compute", "a test";
        /// Scales with the front-side bus.
        ask: 60_000, FrontSideBus, "ask", "a test", from 50_000 fitted to ["A-1", "A-2"];
        /// Does not scale.
        cross: 5_000, Fixed, "cross", "a test";
        /// Scales with the memory.
        copy: 30_000, Memory, "copy", "a test";
        /// Scales with PCI.
        poke: 250_000, Pci, "poke", "a test";
    }

    fn computer([processor_mhz, bus_mhz, memory_mhz, pci_mhz]: [f64; 4]) -> Computer {
        let [name, source] = ["test", "a test"].map(Into::into);
        Computer { name, processor_mhz, bus_mhz, memory_mhz, pci_mhz, source }
    }

    #[test]
    fn each_cost_scales_with_its_own_clock_or_not_at_all() {
        let published = computer([400.0, 100.0, 100.0, 33.0]);
        let on = |clocks| {
            let costs = Costs::default().on(&published, &computer(clocks));
            [costs.compute, costs.ask, costs.cross, costs.copy, costs.poke].map(Duration::ps)
        };
        assert_eq!(on([400.0, 100.0, 100.0, 33.0]), [1_000, 60_000, 5_000, 30_000, 250_000]);
        assert_eq!(on([200.0, 100.0, 100.0, 33.0]), [2_000, 60_000, 5_000, 30_000, 250_000]);
        assert_eq!(on([400.0, 150.0, 100.0, 33.0]), [1_000, 40_000, 5_000, 30_000, 250_000]);
        assert_eq!(on([400.0, 100.0, 50.0, 33.0]), [1_000, 60_000, 5_000, 60_000, 250_000]);
        assert_eq!(on([400.0, 100.0, 100.0, 66.0]), [1_000, 60_000, 5_000, 30_000, 125_000]);
    }

    #[test]
    fn computers_differ_in_any_clock() {
        let published = computer([400.0, 100.0, 100.0, 33.0]);
        for place in 0..4 {
            let mut clocks = [400.0, 100.0, 100.0, 33.0];
            assert!(computer(clocks).is_as(&published));
            clocks[place] += 1.0;
            assert!(!computer(clocks).is_as(&published));
        }
    }

    #[test]
    fn table_names_the_source_of_a_cost() {
        assert_eq!(Costs::TABLE.iter().map(|cost| cost.fitted_to.len()).collect::<Vec<_>>(), [0, 2, 0, 0, 0]);
        assert_eq!(Costs::default().get_mut("ask"), Some(&mut Duration::from_ps(60_000)));
        assert_eq!(Costs::default().get_mut("asks"), None);
    }
}
