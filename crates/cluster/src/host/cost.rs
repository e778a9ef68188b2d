//! What something costs a host, with its source, and how it changes on another computer.

use std::borrow::Cow;

use crate::Duration;

/// What a cost goes by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// Cycles of the processor.
    Processor,
    /// Clocks of the bus between processor and chipset.
    Bus,
    /// Something that stays when the processor is another one: the card, its bus, a cable.
    Apart,
}

/// A cost with its source.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    /// Name of its field.
    pub field: &'static str,
    /// What it is paid for.
    pub name: &'static str,
    /// How long it takes on the computer of the publication.
    pub duration: Duration,
    /// What it would be if no published measurement had chosen it: where a fit begins.
    pub sources_alone: Duration,
    /// What it goes by.
    pub pace: Pace,
    /// Where the number comes from.
    pub source: &'static str,
    /// Published rows by which it was chosen; they do not count as reproduced.
    pub fitted_to: &'static [&'static str],
}

/// What a computer goes by.
#[derive(Clone, Debug, PartialEq)]
pub struct Computer {
    /// Its name on a command line.
    pub name: Cow<'static, str>,
    /// Clock of the processor.
    pub processor_mhz: f64,
    /// Clock of the bus between processor and chipset.
    pub bus_mhz: f64,
    /// Where both come from.
    pub source: Cow<'static, str>,
}

impl Computer {
    /// Whether it is as fast as another one, whatever both are called.
    pub fn is_as(&self, other: &Computer) -> bool {
        (self.processor_mhz, self.bus_mhz) == (other.processor_mhz, other.bus_mhz)
    }

    /// How long something takes here that takes `duration` on `other`.
    pub fn scale(&self, other: &Computer, pace: Pace, duration: Duration) -> Duration {
        let factor = match pace {
            Pace::Processor => other.processor_mhz / self.processor_mhz,
            Pace::Bus => other.bus_mhz / self.bus_mhz,
            Pace::Apart => return duration,
        };
        Duration::from_ps((duration.ps() as f64 * factor).round() as u64)
    }
}

/// What the accesses of a host cost, as values of a run; `costs!` makes one.
pub trait HostCosts: Copy + Default + std::fmt::Debug + PartialEq + Send + Sync + 'static {
    /// Each with its source. Its times are those of the publication, which are the default.
    const TABLE: &'static [Cost];

    /// A cost by the name of its field.
    fn get_mut(&mut self, field: &str) -> Option<&mut Duration>;

    /// A cost of the table.
    fn of(mut self, cost: &Cost) -> Duration {
        *self.get_mut(cost.field).expect("the table has the fields")
    }

    /// On another computer: what goes by its processor or bus is faster or slower with them.
    fn on(mut self, published: &Computer, here: &Computer) -> Self {
        for cost in Self::TABLE {
            let value = self.get_mut(cost.field).expect("the table has the fields");
            *value = here.scale(published, cost.pace, *value);
        }
        self
    }
}

/// A machine's `Costs`: one value for each thing that costs its host time, and the table of what is published about them.
///
/// A line is a field, its time in picoseconds, its pace, a name, a source; and if it was fitted, what the sources alone would make it,
/// and the rows that it was fitted to.
#[macro_export]
macro_rules! costs {
    (@sources $ps:literal) => { $ps };
    (@sources $ps:literal, $from:literal) => { $from };
    ($($(#[$doc:meta])* $field:ident: $ps:literal, $pace:ident, $name:literal, $source:literal
        $(, from $from:literal fitted to [$($row:literal),*])?;)*) => {
        /// What the accesses of a host cost: values of a run. Those of the publication are the default.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Costs {
            $($(#[$doc])* pub $field: $crate::Duration,)*
        }

        impl Costs {
            /// On the computer of the publication.
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
        /// Computes.
        compute: 1_000, Processor, "compute", "a test";
        /// Asks the chipset.
        ask: 60_000, Bus, "ask", "a test", from 50_000 fitted to ["A-1", "A-2"];
        /// Crosses a cable.
        cross: 5_000, Apart, "cross", "a test";
    }

    fn computer(processor_mhz: f64, bus_mhz: f64) -> Computer {
        Computer { name: "test".into(), processor_mhz, bus_mhz, source: "a test".into() }
    }

    #[test]
    fn costs_go_by_processor_or_bus_or_stay() {
        let costs = Costs::default().on(&computer(400.0, 100.0), &computer(200.0, 150.0));
        assert_eq!([costs.compute, costs.ask, costs.cross].map(Duration::ps), [2_000, 40_000, 5_000]);
    }

    #[test]
    fn table_says_what_chose_a_cost() {
        assert_eq!(Costs::TABLE.iter().map(|cost| cost.fitted_to.len()).collect::<Vec<_>>(), [0, 2, 0]);
        assert_eq!(Costs::default().get_mut("ask"), Some(&mut Duration::from_ps(60_000)));
        assert_eq!(Costs::default().get_mut("asks"), None);
    }
}
