//! Block diagrams: files `crates/machines/NAME/diagram.txt`.
//!
//! `in BLOCK` begins the rows of a block; the first rows are those of the device. `row NAME NAME` places its parts
//! from left to right; `(NAME)` is a port, something outside of the device. `wire FROM TO PIN PIN` is a wire, which
//! carries something while one of the pins is not 0. A pin belongs to FROM, or else its path begins with its block;
//! `!` before it inverts it. Lines that begin with `#` are comments.

use crate::arrangement::{Layout, Pin, Row, Wire};
use crate::protocol::{Block, Register};

impl Wire {
    /// Whether the wire begins or ends outside of the device.
    pub(crate) fn is_external(&self) -> bool {
        is_port(&self.from) || is_port(&self.to)
    }

    /// Whether the wire carries something, by the words of a node.
    pub(crate) fn carries(&self, words: &[u64]) -> bool {
        self.pins.iter().any(|pin| pin.is_active(words))
    }
}

impl Pin {
    fn is_active(&self, words: &[u64]) -> bool {
        let mut bits = self.offset..self.offset + self.width;
        let is_set = |bit: u32| words[self.word + (bit / 64) as usize] >> (bit % 64) & 1 == 1;
        bits.any(is_set) != self.inverted
    }
}

/// The diagrams of this program: name of the machine and text.
const LAYOUTS: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/layouts.rs"));

/// The diagram of a machine; without a file all blocks follow their hierarchy.
pub fn of_machine(machine: &str, blocks: &[Block]) -> Result<Layout, String> {
    let found = LAYOUTS.iter().find(|(name, _)| *name == machine);
    found.map_or(Ok(Layout::default()), |(name, text)| {
        parse(text, blocks).map_err(|why| format!("diagram of {name}, line {why}"))
    })
}

/// Reads a diagram; an error names the line.
pub fn parse(text: &str, blocks: &[Block]) -> Result<Layout, String> {
    let (mut layout, mut block) = (Layout::default(), String::new());
    for (number, line) in text.lines().enumerate() {
        let words: Vec<_> = line.split_whitespace().collect();
        let read = match *words {
            [] => Ok(()),
            [word, ..] if word.starts_with('#') => Ok(()),
            ["in", path] => known(path, blocks).map(|()| block = path.to_string()),
            ["row", ref parts @ ..] => row(&block, parts, blocks).map(|row| layout.rows.push(row)),
            ["wire", from, to, ref pins @ ..] if !pins.is_empty() => {
                wire(from, to, pins, blocks).map(|wire| layout.wires.push(wire))
            }
            _ => Err("a line is `in BLOCK`, `row NAME...` or `wire FROM TO PIN...`".to_string()),
        };
        read.map_err(|why| format!("{}: {why}", number + 1))?;
    }
    let is_placed =
        |end: &String| is_block(end, blocks) || layout.rows.iter().any(|row| row.parts.contains(end));
    for end in layout.wires.iter().flat_map(|wire| [&wire.from, &wire.to]) {
        if !is_placed(end) {
            return Err(format!("{}: no row has the port {end}", text.lines().count()));
        }
    }
    Ok(layout)
}

fn row(block: &str, parts: &[&str], blocks: &[Block]) -> Result<Row, String> {
    let path = |part: &&str| {
        if is_port(part) {
            return Ok(part.to_string());
        }
        let path = if block.is_empty() { part.to_string() } else { format!("{block}.{part}") };
        known(&path, blocks).map(|()| path)
    };
    Ok(Row { block: block.to_string(), parts: parts.iter().map(path).collect::<Result<_, _>>()? })
}

fn wire(from: &str, to: &str, pins: &[&str], blocks: &[Block]) -> Result<Wire, String> {
    for end in [from, to] {
        if !is_port(end) {
            known(end, blocks)?;
        }
    }
    let pins = pins.iter().map(|text| pin(from, text, blocks)).collect::<Result<_, _>>()?;
    Ok(Wire { from: from.to_string(), to: to.to_string(), pins })
}

/// The pin or register of `from` with this name, or else the one with this path.
fn pin(from: &str, text: &str, blocks: &[Block]) -> Result<Pin, String> {
    let (name, inverted) = text.strip_prefix('!').map_or((text, false), |name| (name, true));
    let own = blocks.iter().filter(|block| block.path == from).map(|block| (block, name));
    let with_path = blocks
        .iter()
        .filter(|block| !block.path.is_empty())
        .filter_map(|block| Some((block, name.strip_prefix(&block.path)?.strip_prefix('.')?)));
    let found = own.chain(with_path).find_map(|(block, name)| Some((block, name, bits(block, name)?)));
    let (block, name, (word, offset, width)) =
        found.ok_or_else(|| format!("{from} has no pin {name}, and no block has one with this path"))?;
    Ok(Pin { name: format!("{}.{name}", block.path), word, offset, width, inverted })
}

/// Word, first bit and width of a pin or register of a block.
fn bits(block: &Block, name: &str) -> Option<(usize, u32, u32)> {
    let field = |register: &Register| {
        let field = register.fields.iter().find(|field| field.name == name)?;
        Some((register.word, field.offset, field.width))
    };
    let whole = |register: &&Register| register.name == name;
    block
        .registers
        .iter()
        .find_map(field)
        .or_else(|| block.registers.iter().find(whole).map(|register| (register.word, 0, register.width)))
}

fn is_port(name: &str) -> bool {
    name.starts_with('(') && name.ends_with(')')
}

fn is_block(path: &str, blocks: &[Block]) -> bool {
    blocks.iter().any(|block| block.path == path)
}

fn known(path: &str, blocks: &[Block]) -> Result<(), String> {
    if is_block(path, blocks) { Ok(()) } else { Err(format!("the device has no block {path}")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{Field, Role};

    fn blocks() -> Vec<Block> {
        let field = |name: &str, offset| {
            let (name, doc) = (name.to_string(), String::new());
            Field { name, doc, offset, width: 1, table: None }
        };
        let pins = |word| Register {
            name: "pins_o".to_string(),
            role: Role::Outputs,
            width: 2,
            word,
            table: None,
            fields: vec![field("valid", 0), field("bus.empty", 1)],
        };
        let block = |path: &str, word| Block {
            path: path.to_string(),
            rust_type: String::new(),
            registers: vec![pins(word)],
            memory: None,
        };
        vec![block("", 0), block("a", 1), block("a.b", 2), block("c", 3)]
    }

    #[test]
    fn rows_and_wires_name_blocks_and_bits() {
        let text =
            "# D\nrow a (net)\nrow c\nin a\nrow b\nwire a.b c valid !bus.empty\nwire (net) a c.valid\n";
        let layout = parse(text, &blocks()).unwrap();
        let rows: Vec<_> = layout.rows.iter().map(|row| (row.block.as_str(), row.parts.join(" "))).collect();
        assert_eq!(rows, [("", "a (net)".into()), ("", "c".into()), ("a", "a.b".to_string())]);
        let pins: Vec<_> = layout.wires.iter().flat_map(|wire| &wire.pins).collect();
        let bits: Vec<_> = pins.iter().map(|pin| (pin.word, pin.offset, pin.inverted)).collect();
        assert_eq!(bits, [(2, 0, false), (2, 1, true), (3, 0, false)]);
        assert_eq!(pins[1].name, "a.b.bus.empty");
    }

    #[test]
    fn wire_is_lit_while_a_bit_is_set_or_an_inverted_one_is_clear() {
        let layout = parse("wire a c valid\nwire a.b c !bus.empty\n", &blocks()).unwrap();
        let carries = |words: [u64; 4]| [0, 1].map(|wire| layout.wires[wire].carries(&words));
        assert_eq!(carries([0; 4]), [false, true]);
        assert_eq!(carries([0, 1, 0, 0]), [true, true]);
        assert_eq!(carries([0, 0, 2, 0]), [false, false]);
    }

    #[test]
    fn errors_name_the_line() {
        for (text, part) in [
            ("row a\nrow x", "2: the device has no block x"),
            ("in y", "1: the device has no block y"),
            ("wire a c ready", "1: a has no pin ready"),
            ("wire a c", "1: a line is"),
            ("wire a (net) valid", "no row has the port (net)"),
        ] {
            let error = parse(text, &blocks()).unwrap_err();
            assert!(error.contains(part), "{error}");
        }
    }
}
