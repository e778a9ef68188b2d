//! States that the Rust source of a block can enter, read from its text.
//!
//! The function `next` or `next_state` of a block is interpreted for one state: every branch is followed whose
//! condition does not depend on the state alone. The result is the set of the states after an edge. It can be
//! too large, since pins and registers are unknown, but never too small.

mod interpreter;
mod registers;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::{fs, io};

use hdl::StateMachineTable;
use syn::{Block, FnArg, ImplItem, Item};

use interpreter::Run;
use registers::Scope;

/// Functions of a block: those of its file, and of the files in the folder of the same name.
pub struct Source {
    functions: BTreeMap<String, Vec<Function>>,
}

struct Function {
    has_receiver: bool,
    body: Block,
}

/// States that may follow; the state itself if the machine can wait.
pub type States = BTreeSet<String>;

impl Source {
    /// Reads the functions of the block that this file declares.
    pub fn read(file: &Path) -> io::Result<Self> {
        let mut source = Self { functions: BTreeMap::new() };
        source.add(&fs::read_to_string(file)?)?;
        let folder = file.with_extension("");
        if folder.is_dir() {
            for entry in fs::read_dir(folder)? {
                let path = entry?.path();
                if path.extension().is_some_and(|extension| extension == "rs") {
                    source.add(&fs::read_to_string(path)?)?;
                }
            }
        }
        Ok(source)
    }

    fn add(&mut self, text: &str) -> io::Result<()> {
        let file = syn::parse_file(text).map_err(io::Error::other)?;
        for item in file.items {
            match item {
                Item::Impl(item) => {
                    for function in item.items {
                        if let ImplItem::Fn(function) = function {
                            let has_receiver =
                                matches!(function.sig.inputs.first(), Some(FnArg::Receiver(_)));
                            self.insert(&function.sig.ident, has_receiver, function.block);
                        }
                    }
                }
                Item::Fn(function) => self.insert(&function.sig.ident, false, *function.block),
                _ => {}
            }
        }
        Ok(())
    }

    fn insert(&mut self, name: &syn::Ident, has_receiver: bool, body: Block) {
        self.functions.entry(name.to_string()).or_default().push(Function { has_receiver, body });
    }

    /// States that the block can be in after an edge in `state`; `None` if the source has no function of the
    /// next state.
    pub fn after(&self, table: &'static StateMachineTable, state: &str) -> Option<States> {
        let function = ["next_state", "next"].iter().find_map(|name| self.functions.get(*name)?.first())?;
        let mut run = Run { source: self, table, state, next: [state.to_string()].into() };
        run.block(&function.body, &mut Scope::default());
        Some(run.next)
    }
}

#[cfg(test)]
mod tests {
    use hdl::StateMachine;

    use super::*;

    hdl::fsm! {
        /// A lift.
        enum Lift in lift_pkg {
            /// Waits for a call.
            Idle => [Up, Down],
            /// Rises.
            Up => [Idle],
            /// Sinks.
            Down => [Idle],
            /// Waits for a repair.
            Broken => [Idle],
        }
    }

    /// States after an edge in `state`, where this is the arm of the state and what follows the `match`.
    fn after(state: &str, arm: &str, behind: &str) -> Vec<String> {
        let mut source = Source { functions: BTreeMap::new() };
        let text = format!(
            "impl Lift {{
                fn next(&self, pins: &In) -> Self {{
                    let q = self;
                    let mut d = *q;
                    let target = |up| if up {{ Up }} else {{ Down }};
                    match q.state {{
                        {state} => {arm}
                        _ => {{}}
                    }}
                    {behind}
                    d
                }}
                fn is_moving(&self) -> bool {{ matches!(self.state, State::Up | State::Down) }}
                fn fail(&mut self, hard: bool) {{ if hard {{ self.state = State::Broken; }} }}
            }}"
        );
        source.add(&text).unwrap();
        source.after(Lift::TABLE, state).unwrap().into_iter().collect()
    }

    #[test]
    fn assignment_without_condition_leaves_the_state() {
        assert_eq!(after("Up", "d.state = Idle,", ""), ["Idle"]);
        assert_eq!(after("Up", "{}", ""), ["Up"]);
    }

    #[test]
    fn condition_on_pins_may_hold_or_not() {
        assert_eq!(after("Up", "if pins.top { d.state = Idle; }", ""), ["Idle", "Up"]);
        assert_eq!(after("Idle", "d.state = if pins.up { Up } else { Down },", ""), ["Down", "Up"]);
        assert_eq!(after("Idle", "if pins.call { d.state = target(pins.up); }", ""), ["Down", "Idle", "Up"]);
    }

    #[test]
    fn condition_on_the_state_is_decided() {
        let behind = "if q.is_moving() && pins.stuck { d.state = Broken; }";
        assert_eq!(after("Up", "d.state = Idle,", behind), ["Broken", "Idle"]);
        assert_eq!(after("Idle", "d.state = Up,", behind), ["Up"]);
    }

    #[test]
    fn methods_on_the_next_registers_and_resets_are_followed() {
        assert_eq!(after("Up", "d.fail(pins.hard),", ""), ["Broken", "Up"]);
        assert_eq!(after("Broken", "d = Self::default(),", ""), ["Idle"]);
    }

    #[test]
    fn variable_that_changes_is_unknown() {
        let behind = "let mut stuck = false; stuck = pins.stuck; if stuck { d.state = Broken; }";
        assert_eq!(after("Up", "d.state = Idle,", behind), ["Broken", "Idle"]);
    }
}
