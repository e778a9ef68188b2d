//! State machines: states and arcs, declared once for Rust and SystemVerilog.

/// One state of a state machine.
#[derive(Debug)]
pub struct StateInfo {
    /// Name, the same in Rust, SystemVerilog and the waveform viewer.
    pub name: &'static str,
    /// Meaning of the state: what happens in it or ends it.
    pub doc: &'static str,
    /// States that may follow, other than the state itself.
    pub next: &'static [&'static str],
}

/// The table of a state machine. The first state is the reset state; codes count from 0.
#[derive(Debug)]
pub struct StateMachineTable {
    /// Rust name, UpperCamelCase; SystemVerilog adds `_e` in snake_case.
    pub name: &'static str,
    /// Generated package that holds the enumeration.
    pub package: &'static str,
    /// Purpose of the state machine, and the figure that it implements.
    pub doc: &'static str,
    /// States in declaration order.
    pub states: &'static [StateInfo],
}

impl StateMachineTable {
    /// Width of the state register in bits.
    pub const fn width(&self) -> u32 {
        let n = self.states.len() as u32;
        if n <= 2 { 1 } else { u32::BITS - (n - 1).leading_zeros() }
    }

    /// Code of the state with this name.
    pub fn code(&self, name: &str) -> Option<u64> {
        self.states.iter().position(|s| s.name == name).map(|i| i as u64)
    }

    /// Name of the state with this code, or `None` if no state has it.
    pub fn state(&self, code: u64) -> Option<&'static str> {
        self.states.get(usize::try_from(code).ok()?).map(|s| s.name)
    }

    /// All declared arcs as pairs of codes (from, to), in order of declaration. Staying in a state is not an
    /// arc.
    pub fn arcs(&'static self) -> impl Iterator<Item = (u64, u64)> {
        self.states.iter().enumerate().flat_map(move |(from, state)| {
            state.next.iter().map(move |to| {
                let to = self.code(to).expect("an arc leads to a declared state");
                (from as u64, to)
            })
        })
    }
}

/// A state enumeration declared with [`fsm!`](crate::fsm).
pub trait StateMachine: crate::Bits {
    /// Table of the states.
    const TABLE: &'static StateMachineTable;
}

/// Declares a state machine: its states, each with the states that may follow it.
///
/// ```
/// hdl::fsm! {
///     /// Status Write Unit (figure 5.17).
///     pub enum State in status_write_unit_pkg {
///         /// Waits for a status.
///         Nop => [Write1],
///         /// Writes the upper 64 bits.
///         Write1 => [Write2],
///         /// Writes the lower 64 bits.
///         Write2 => [Nop],
///     }
/// }
/// use hdl::StateMachine;
/// assert_eq!(State::default(), State::Nop);
/// assert_eq!(State::TABLE.arcs().collect::<Vec<_>>(), [(0, 1), (1, 2), (2, 0)]);
/// ```
#[macro_export]
macro_rules! fsm {
    (
        $(#[doc = $doc:literal])*
        $vis:vis enum $name:ident in $package:ident {
            $( $(#[doc = $state_doc:literal])* $state:ident => [$($next:ident),* $(,)?] , )*
        }
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        $vis enum $name {
            $( $(#[doc = $state_doc])* $state, )*
        }

        const _: () = {
            use $crate::{Bits, Kind, StateMachine, StateMachineTable, StateInfo};

            const STATES: &[$name] = &[$( $name::$state ),*];

            impl Default for $name {
                #[inline(always)]
                fn default() -> Self {
                    STATES[0]
                }
            }

            impl Bits for $name {
                const WIDTH: u32 = TABLE.width();
                const KIND: Kind = Kind::StateMachine(&TABLE);

                #[inline(always)]
                fn put(self, words: &mut [u64], at: u32, width: u32) {
                    (self as u8).put(words, at, width);
                }

                fn take(words: &[u64], at: u32, width: u32) -> Self {
                    STATES[u8::take(words, at, width) as usize]
                }
            }

            impl StateMachine for $name {
                const TABLE: &'static StateMachineTable = &TABLE;
            }

            static TABLE: StateMachineTable = StateMachineTable {
                name: stringify!($name),
                package: stringify!($package),
                doc: concat!($($doc, "\n"),*),
                states: &[$( StateInfo {
                    name: stringify!($state),
                    doc: concat!($($state_doc, "\n"),*),
                    next: &[$( stringify!($next) ),*],
                } ),*],
            };
        };
    };
}
