//! Variables of a waveform, derived from a signal list field by field.

use hdl::{BundleTable, Kind, Signal, SignalRole, StateMachineTable, words_for};

use crate::Format;

/// A device, or any tree of blocks, with its position in the waveform.
#[derive(Clone, Copy, Debug)]
pub struct Scope<'a> {
    /// Position in the waveform, parts joined by `.`: `node0.model`.
    pub name: &'a str,
    /// Signals in the order of the samples.
    pub signals: &'a [Signal],
}

/// One variable of a waveform: a register, or one field of a bundle.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Index of its scope in the list of scopes.
    pub scope: usize,
    /// Name of that scope, for example `node0.model`.
    pub scope_name: String,
    /// Path of its block below the scope; empty for the device itself.
    pub block: String,
    /// Name in the block; fields of bundles are joined by `.`: `pins_o.line.data`.
    pub name: String,
    /// Width in bits.
    pub width: u32,
    /// State machine, if the variable is a state.
    pub machine: Option<&'static StateMachineTable>,
    /// Bit offset in a sample of its scope.
    pub at: usize,
}

impl Variable {
    /// Full path in the waveform, parts joined by `.`.
    pub fn path(&self) -> String {
        let parts = [self.scope_name.as_str(), &self.block, &self.name];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(".")
    }

    /// Highest bit of the range that a file of this format declares; `None` for single bits and strings.
    pub(crate) fn range(&self, format: Format) -> Option<u32> {
        let string = format == Format::Vcd && self.machine.is_some();
        (self.width > 1 && !string).then(|| self.width - 1)
    }

    /// The name by which GTKWave lists the variable in a file of this format.
    pub fn gtkwave_name(&self, format: Format) -> String {
        match self.range(format) {
            Some(high) => format!("{}[{high}:0]", self.path()),
            None => self.path(),
        }
    }
}

/// All variables of several scopes, in the order of declaration in a file.
pub fn variables(scopes: &[Scope]) -> Vec<Variable> {
    let mut variables = Vec::new();
    for (index, scope) in scopes.iter().enumerate() {
        for signal in scope.signals {
            let mut add = |name: String, width, machine, at| {
                let (scope_name, block) = (scope.name.to_string(), signal.block.clone());
                variables.push(Variable { scope: index, scope_name, block, name, width, machine, at });
            };
            let kind = match signal.role {
                SignalRole::Register(kind) => kind,
                SignalRole::Pins(_, table) => Kind::Bundle(table),
            };
            expand(signal.name.to_string(), signal.width, kind, signal.word * 64, &mut add);
        }
    }
    variables
}

/// Number of words of a sample of these signals.
pub(crate) fn sample_words(signals: &[Signal]) -> usize {
    signals.iter().map(|signal| signal.word + words_for(signal.width)).max().unwrap_or(0)
}

/// Callback of [`expand`]: name, width, state machine and bit offset of each variable.
type Add<'a> = dyn FnMut(String, u32, Option<&'static StateMachineTable>, usize) + 'a;

fn expand(name: String, width: u32, kind: Kind, at: usize, add: &mut Add) {
    match kind {
        Kind::Bundle(BundleTable { fields, .. }) => {
            for field in *fields {
                let name = format!("{name}.{}", field.name);
                expand(name, field.width, field.kind, at + field.offset as usize, add);
            }
        }
        // A field of width 0 has no value to show.
        _ if width == 0 => {}
        Kind::StateMachine(table) => add(name, width, Some(table), at),
        Kind::Vector => add(name, width, None, at),
    }
}
