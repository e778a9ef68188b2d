//! The VCD writer.

use std::fs::File;
use std::io::{self, BufWriter, Write};

use bitvec::prelude::*;
use hdl::StateMachineTable;
use vcd::{ReferenceIndex, TimescaleUnit, VarType};

use crate::declare::{Declare, walk};
use crate::spell::spell;
use crate::{Format, Variable};

/// VCD is text with a line per change: a large buffer is essential for speed.
const BUFFER: usize = 1 << 20;

/// The `vcd` crate writes the header and the identifier codes. Its value changes are formatted character by
/// character, so the lines of the body are formatted here.
pub(crate) struct VcdFile {
    out: BufWriter<File>,
    /// Identifier code of each variable.
    codes: Vec<String>,
    line: Vec<u8>,
    text: Vec<u8>,
}

struct Header<'a> {
    writer: vcd::Writer<&'a mut BufWriter<File>>,
    codes: Vec<String>,
}

impl Declare for Header<'_> {
    type Error = io::Error;

    fn scope(&mut self, name: &str, _bundle: bool) -> io::Result<()> {
        self.writer.add_module(name)
    }

    fn up(&mut self) -> io::Result<()> {
        self.writer.upscope()
    }

    fn variable(&mut self, index: usize, name: &str, variable: &Variable) -> io::Result<()> {
        let (kind, width) = match variable.machine {
            Some(_) => (VarType::String, 1),
            None => (VarType::Reg, variable.width),
        };
        let range = variable.range(Format::Vcd).map(|high| ReferenceIndex::Range(high as i32, 0));
        let code = self.writer.add_var(kind, width, name, range)?;
        self.codes[index] = code.to_string();
        Ok(())
    }
}

impl VcdFile {
    pub(crate) fn create(file: File, exponent: i8, variables: &[Variable]) -> io::Result<Self> {
        let mut out = BufWriter::with_capacity(BUFFER, file);
        let mut writer = vcd::Writer::new(&mut out);
        writer.version(concat!("Memonet ", env!("CARGO_PKG_VERSION")))?;
        let units =
            [TimescaleUnit::PS, TimescaleUnit::NS, TimescaleUnit::US, TimescaleUnit::MS, TimescaleUnit::S];
        let power = (exponent + 12) as u32;
        writer.timescale(10u32.pow(power % 3), units[(power / 3) as usize])?;
        let mut header = Header { writer, codes: vec![String::new(); variables.len()] };
        walk(variables, &mut header)?;
        header.writer.enddefinitions()?;
        let codes = header.codes;
        Ok(Self { out, codes, line: Vec::new(), text: Vec::new() })
    }

    pub(crate) fn time(&mut self, units: u64) -> io::Result<()> {
        writeln!(self.out, "#{units}")
    }

    #[inline]
    pub(crate) fn bits(&mut self, variable: usize, bits: &BitSlice<u64, Lsb0>) -> io::Result<()> {
        self.line.clear();
        if bits.len() == 1 {
            self.line.push(b'0' + bits[0] as u8);
        } else {
            // Readers extend values with zeros on the left.
            let text = spell(bits, &mut self.text);
            let first = text.iter().position(|&digit| digit != b'0').unwrap_or(text.len() - 1);
            self.line.push(b'b');
            self.line.extend_from_slice(&text[first..]);
            self.line.push(b' ');
        }
        self.end_line(variable)
    }

    #[inline]
    pub(crate) fn state(&mut self, variable: usize, table: &StateMachineTable, code: u64) -> io::Result<()> {
        self.line.clear();
        self.line.push(b's');
        match table.state(code) {
            Some(name) => self.line.extend_from_slice(name.as_bytes()),
            None => write!(self.line, "undeclared_{code}")?,
        }
        self.line.push(b' ');
        self.end_line(variable)
    }

    pub(crate) fn unknown(&mut self, index: usize, variable: &Variable) -> io::Result<()> {
        self.line.clear();
        let value = match variable {
            Variable { machine: Some(_), .. } => "sx ",
            Variable { width: 1, .. } => "x",
            _ => "bx ",
        };
        self.line.extend_from_slice(value.as_bytes());
        self.end_line(index)
    }

    #[inline]
    fn end_line(&mut self, variable: usize) -> io::Result<()> {
        self.line.extend_from_slice(self.codes[variable].as_bytes());
        self.line.push(b'\n');
        self.out.write_all(&self.line)
    }

    pub(crate) fn finish(mut self) -> io::Result<u64> {
        self.out.flush()?;
        Ok(self.out.get_ref().metadata()?.len())
    }
}
