//! State machines: states and arcs, declared once for Rust and SystemVerilog.

/// One state of a state machine.
#[derive(Debug)]
pub struct StateInfo {
    /// Name, the same in Rust, SystemVerilog and the waveform viewer.
    pub name: &'static str,
    /// Meaning of the state: what happens in it or ends it.
    pub doc: &'static str,
    /// Arcs to the states that may follow, in order of declaration.
    pub next: &'static [ArcInfo],
}

/// One arc of a state machine.
#[derive(Debug)]
pub struct ArcInfo {
    /// State after the arc; the state that it leaves if the machine waits there.
    pub to: &'static str,
    /// Condition for the arc, in words. `None` for an arc that is always taken, and where a table states no
    /// conditions.
    pub condition: Option<&'static str>,
}

impl ArcInfo {
    /// An arc without a condition.
    pub const fn new(to: &'static str) -> Self {
        Self { to, condition: None }
    }
}

impl StateInfo {
    /// Arcs to other states.
    pub fn leaving(&'static self) -> impl Iterator<Item = &'static ArcInfo> {
        self.next.iter().filter(|arc| arc.to != self.name)
    }

    /// Fault in the arcs of this state. Every state of a table that [`fsm!`](crate::fsm) declares has none.
    pub const fn fault(&self) -> Option<ArcFault> {
        let mut at = 0;
        while at < self.next.len() {
            let arc = &self.next[at];
            if arc.condition.is_some() != self.next[0].condition.is_some() {
                return Some(ArcFault::Mixed);
            }
            if let Some(condition) = arc.condition
                && condition.is_empty()
            {
                return Some(ArcFault::Empty);
            }
            let mut before = 0;
            while before < at {
                if is_equal(self.next[before].to.as_bytes(), arc.to.as_bytes()) {
                    return Some(ArcFault::Twice);
                }
                before += 1;
            }
            at += 1;
        }
        None
    }
}

/// Fault in the arcs of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArcFault {
    /// Two arcs lead to the same state.
    Twice,
    /// Some arcs have a condition and others have none.
    Mixed,
    /// A condition has no words.
    Empty,
}

const fn is_equal(a: &[u8], b: &[u8]) -> bool {
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    at == a.len() && at == b.len()
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
    /// Name in snake_case, unique within the device; drawings have it. The machine `State` of a package has that of
    /// its block.
    pub fn drawing(&self) -> String {
        match self.name {
            "State" => self.package.trim_end_matches("_pkg").to_string(),
            name => name.to_lowercase(),
        }
    }

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

    /// All declared arcs between different states as pairs of codes (from, to), in order of declaration.
    /// Coverage, proofs and mutants count these; arcs from a state to itself are for readers only.
    pub fn arcs(&'static self) -> impl Iterator<Item = (u64, u64)> {
        self.states.iter().enumerate().flat_map(move |(from, state)| {
            state.leaving().map(move |arc| {
                let to = self.code(arc.to).expect("an arc leads to a declared state");
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

/// Declares a state machine: its states, each with the arcs to the states that may follow it.
///
/// An arc may carry its condition in words. A state either states the conditions of all its arcs or of none; an
/// arc to the state itself says when the machine waits there.
///
/// ```
/// hdl::fsm! {
///     /// Status Write Unit (figure 5.17).
///     pub enum State in status_write_unit_pkg {
///         /// Waits for a status.
///         Nop => [Write1: "Status Write Enable, area not full", Nop: "otherwise"],
///         /// Writes the upper 64 bits.
///         Write1 => [Write2],
///         /// Writes the lower 64 bits.
///         Write2 => [Nop],
///     }
/// }
/// use hdl::StateMachine;
/// assert_eq!(State::default(), State::Nop);
/// assert_eq!(State::TABLE.arcs().collect::<Vec<_>>(), [(0, 1), (1, 2), (2, 0)]);
/// assert_eq!(State::TABLE.states[0].next[0].condition, Some("Status Write Enable, area not full"));
/// ```
///
/// A state cannot name the same arc twice:
///
/// ```compile_fail
/// hdl::fsm! {
///     /// A lamp.
///     pub enum State in lamp_pkg {
///         /// Dark.
///         Off => [On, On],
///         /// Bright.
///         On => [Off],
///     }
/// }
/// ```
///
/// It cannot have arcs with and without condition:
///
/// ```compile_fail
/// hdl::fsm! {
///     /// A lamp.
///     pub enum State in lamp_pkg {
///         /// Dark.
///         Off => [On: "switch pressed", Off],
///         /// Bright.
///         On => [Off],
///     }
/// }
/// ```
///
/// An arc cannot lead to a state that is not declared:
///
/// ```compile_fail
/// hdl::fsm! {
///     /// A lamp.
///     pub enum State in lamp_pkg {
///         /// Dark.
///         Off => [Broken],
///     }
/// }
/// ```
#[macro_export]
macro_rules! fsm {
    (@condition) => { None };
    (@condition $condition:literal) => { Some($condition) };
    (
        $(#[doc = $doc:literal])*
        $vis:vis enum $name:ident in $package:ident {
            $( $(#[doc = $state_doc:literal])* $state:ident =>
                [$($next:ident $(: $condition:literal)?),* $(,)?] , )*
        }
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        $vis enum $name {
            $( $(#[doc = $state_doc])* $state, )*
        }

        const _: () = {
            use $crate::{ArcFault, ArcInfo, Bits, Kind, StateInfo, StateMachine, StateMachineTable};

            const STATES: &[$name] = &[$( $name::$state ),*];

            // Every arc leads to a declared state.
            const _: &[&[$name]] = &[$( &[$( $name::$next ),*] ),*];

            $(
                const _: () = match TABLE.states[$name::$state as usize].fault() {
                    None => {}
                    Some(ArcFault::Twice) => {
                        panic!(concat!("state ", stringify!($state), " names an arc twice; delete one"))
                    }
                    Some(ArcFault::Mixed) => panic!(concat!(
                        "state ", stringify!($state),
                        " has arcs with and without condition; give all of them one, or none"
                    )),
                    Some(ArcFault::Empty) => {
                        panic!(concat!("state ", stringify!($state), " has an empty condition; write or delete it"))
                    }
                };
            )*

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
                    next: &[$( ArcInfo {
                        to: stringify!($next),
                        condition: $crate::fsm!(@condition $($condition)?),
                    } ),*],
                } ),*],
            };
        };
    };
}
