//! Registers by name, and their values as text.

use cluster::{Machine, Node};
use hdl::{Kind, Signal, SignalRole, StateMachineTable};

/// A register, or a field of one, of one board.
#[derive(Clone, Debug)]
pub struct Register {
    /// Node of the board.
    pub node: usize,
    /// Path below the board, with parts joined by `.`.
    pub name: String,
    kind: Kind,
    doc: &'static str,
    /// Index of the signal that holds it.
    signal: usize,
    /// First bit of that signal.
    first: usize,
    /// First bit in a sample, and number of bits.
    start: usize,
    width: usize,
}

impl Register {
    /// The value in a sample: its low 64 bits.
    pub fn value(&self, sample: &[u64]) -> u64 {
        bits(sample, self.start, self.width.min(64))
    }

    /// Whether two samples differ here.
    pub fn differs(&self, a: &[u64], b: &[u64]) -> bool {
        let pieces = (0..self.width).step_by(64);
        pieces
            .map(|at| (at, (self.width - at).min(64)))
            .any(|(at, width)| bits(a, self.start + at, width) != bits(b, self.start + at, width))
    }

    /// The value as the name of a state, or in hexadecimal.
    pub fn show(&self, sample: &[u64]) -> String {
        if let Some(table) = self.state_machine() {
            let code = self.value(sample);
            return table.state(code).map_or_else(|| format!("{code:#x}"), str::to_string);
        }
        if self.width <= 64 {
            return format!("{:#x}", self.value(sample));
        }
        let pieces = (0..self.width).step_by(64).rev();
        let digits =
            pieces.map(|at| format!("{:016x}", bits(sample, self.start + at, (self.width - at).min(64))));
        let digits: String = digits.collect();
        let significant = digits.trim_start_matches('0');
        format!("0x{}", if significant.is_empty() { "0" } else { significant })
    }

    /// Code of a state of the register, if its values have names.
    pub fn code(&self, state: &str) -> Option<u64> {
        self.state_machine()?.code(state)
    }

    /// States and arcs, if the register is a state machine.
    pub fn state_machine(&self) -> Option<&'static StateMachineTable> {
        match self.kind {
            Kind::StateMachine(table) => Some(table),
            _ => None,
        }
    }

    /// Signal and bit in it of bit `bit`; `None` if it has fewer bits.
    pub fn place(&self, bit: u32) -> Option<(usize, u32)> {
        let at = (self.start + bit as usize).checked_sub(self.first)?;
        ((bit as usize) < self.width).then_some((self.signal, at as u32))
    }

    /// Number of bits.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Meaning of the field or state machine; empty for other registers.
    pub fn doc(&self) -> &'static str {
        match self.kind {
            Kind::StateMachine(table) if self.doc.is_empty() => table.doc,
            _ => self.doc,
        }
    }

    /// Largest value that can be compared with.
    pub fn most(&self) -> u64 {
        u64::MAX >> (64 - self.width.clamp(1, 64))
    }
}

fn bits(words: &[u64], start: usize, width: usize) -> u64 {
    let (word, shift) = (start / 64, start % 64);
    let low = words[word] >> shift;
    let value = if shift + width > 64 { low | words[word + 1] << (64 - shift) } else { low };
    value & (u64::MAX >> (64 - width.max(1)))
}

/// All registers of a board, with a name for each field; pins are not included.
pub fn registers<M: Machine>(node: &Node<M>) -> Vec<Register> {
    registers_of(node.nic().signals(), node.id())
}

/// All registers among the signals of the board of a node.
pub fn registers_of(signals: &[Signal], node: usize) -> Vec<Register> {
    let mut all = Vec::new();
    for (index, signal) in signals.iter().enumerate() {
        if let SignalRole::Register(kind) = signal.role {
            let first = 64 * signal.word;
            let whole = Register {
                node,
                name: full_name(signal),
                kind,
                doc: "",
                signal: index,
                first,
                start: first,
                width: signal.width as usize,
            };
            collect(whole, &mut all);
        }
    }
    all
}

fn full_name(signal: &Signal) -> String {
    if signal.block.is_empty() {
        signal.name.to_string()
    } else {
        format!("{}.{}", signal.block, signal.name)
    }
}

/// Adds a register, or each of its fields.
fn collect(register: Register, all: &mut Vec<Register>) {
    let Kind::Bundle(table) = register.kind else {
        all.push(register);
        return;
    };
    for field in table.fields {
        let part = Register {
            name: format!("{}.{}", register.name, field.name),
            kind: field.kind,
            doc: field.doc,
            start: register.start + field.offset as usize,
            width: field.width as usize,
            ..register
        };
        collect(part, all);
    }
}

/// Values of all signals of a board at present.
pub fn sample<M: Machine>(node: &Node<M>) -> Vec<u64> {
    let mut words = Vec::new();
    node.nic().sample(&mut words);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn register(kind: Kind, start: usize, width: usize) -> Register {
        Register { node: 0, name: "r".to_string(), kind, doc: "", signal: 0, first: start, start, width }
    }

    #[test]
    fn values_may_lie_across_words() {
        let sample = [0xffff_0000_0000_0000, 0x0000_0000_0000_00ab, 0];
        assert_eq!(register(Kind::Vector, 60, 12).value(&sample), 0xabf);
        assert_eq!(register(Kind::Vector, 0, 128).show(&sample), "0xabffff000000000000");
        assert_eq!(register(Kind::Vector, 128, 64).show(&sample), "0x0");
        assert_eq!(register(Kind::Vector, 72, 100).show(&sample), "0x0");
        assert_eq!(register(Kind::Vector, 64, 8).most(), 0xff);
    }

    #[test]
    fn states_have_names() {
        use dimmnet2::window_controller::request_acceptor::State;
        let state = register(Kind::StateMachine(<State as hdl::StateMachine>::TABLE), 0, 2);
        assert_eq!(state.show(&[2]), "ReqIn");
        assert_eq!((state.code("Wait"), state.code("wait")), (Some(3), None));
    }

    #[test]
    fn difference_is_seen_in_every_word() {
        let wide = register(Kind::Vector, 0, 128);
        assert!(wide.differs(&[0, 1], &[0, 2]));
        assert!(!register(Kind::Vector, 0, 64).differs(&[0, 1], &[0, 2]));
    }
}
