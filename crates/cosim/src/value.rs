//! Values of a sample, split into fields and formatted.

use bitvec::prelude::*;
use hdl::{Kind, Signal, SignalRole};

/// A named part of a signal: a field of a bundle, or the whole signal.
#[derive(Clone, Debug)]
pub(crate) struct Leaf {
    /// Name, fields joined by `.`; empty if the signal has no fields.
    pub name: String,
    kind: Kind,
    offset: u32,
    width: u32,
}

/// The named parts of a signal.
pub(crate) fn leaves(signal: &Signal) -> Vec<Leaf> {
    let kind = match signal.role {
        SignalRole::Register(kind) => kind,
        SignalRole::Pins(_, table) => Kind::Bundle(table),
    };
    leaves_of(kind, signal.width)
}

/// The named parts of a value of `kind`.
pub(crate) fn leaves_of(kind: Kind, width: u32) -> Vec<Leaf> {
    let mut leaves = Vec::new();
    collect(String::new(), kind, 0, width, &mut leaves);
    leaves
}

fn collect(name: String, kind: Kind, offset: u32, width: u32, leaves: &mut Vec<Leaf>) {
    let Kind::Bundle(table) = kind else {
        leaves.push(Leaf { name, kind, offset, width });
        return;
    };
    for field in table.fields {
        let name = if name.is_empty() { field.name.to_string() } else { format!("{name}.{}", field.name) };
        collect(name, field.kind, offset + field.offset, field.width, leaves);
    }
}

impl Leaf {
    fn bits<'a>(&self, words: &'a [u64]) -> &'a BitSlice<u64, Lsb0> {
        &words.view_bits::<Lsb0>()[self.offset as usize..(self.offset + self.width) as usize]
    }

    /// Whether two values of the signal differ in this part.
    pub fn differs(&self, a: &[u64], b: &[u64]) -> bool {
        self.bits(a) != self.bits(b)
    }

    /// The value as the name of a state, or in hexadecimal.
    pub fn show(&self, words: &[u64]) -> String {
        let bits = self.bits(words);
        if let Kind::StateMachine(table) = self.kind {
            let code = bits.load_le::<u64>();
            return table.state(code).map_or_else(|| format!("{code} (no state)"), str::to_string);
        }
        let words = bits.chunks(64).map(|chunk| chunk.load_le::<u64>()).rev();
        let mut words = words.skip_while(|&word| word == 0);
        let mut text = format!("{:#x}", words.next().unwrap_or(0));
        text.extend(words.map(|word| format!("{word:016x}")));
        text
    }
}
