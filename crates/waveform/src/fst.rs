//! The FST writer.

use std::fs::File;
use std::io::{BufWriter, Seek, SeekFrom, Write};

use bitvec::prelude::*;
use fst_writer::{
    FstBodyWriter, FstFileType, FstHeaderWriter, FstInfo, FstScopeType, FstSignalId, FstSignalType,
    FstVarDirection, FstVarType, FstWriteError,
};
use hdl::StateMachineTable;

use crate::declare::{Declare, walk};
use crate::spell::spell;
use crate::states::add_states;
use crate::{Format, Variable};

/// Bytes of changes held in memory before they are compressed and written. A larger block compresses better,
/// but a viewer unpacks whole blocks.
pub(crate) const BLOCK: usize = 32 << 20;

type Out = BufWriter<File>;

/// An FST file: `fst-writer` writes hierarchy and changes, [`add_states`] the names of states.
pub(crate) struct FstFile {
    body: FstBodyWriter<Out>,
    ids: Vec<FstSignalId>,
    /// State machine of each variable in the order of declaration, with its width.
    machines: Vec<Option<(&'static StateMachineTable, u32)>>,
    block: usize,
    text: Vec<u8>,
}

struct Header {
    writer: FstHeaderWriter<Out>,
    ids: Vec<Option<FstSignalId>>,
    machines: Vec<Option<(&'static StateMachineTable, u32)>>,
}

impl Declare for Header {
    type Error = FstWriteError;

    fn scope(&mut self, name: &str, bundle: bool) -> Result<(), FstWriteError> {
        let kind = if bundle { FstScopeType::Struct } else { FstScopeType::Module };
        self.writer.scope(name, "", kind)
    }

    fn up(&mut self) -> Result<(), FstWriteError> {
        self.writer.up_scope()
    }

    fn variable(&mut self, index: usize, name: &str, variable: &Variable) -> Result<(), FstWriteError> {
        let name = match variable.range(Format::Fst) {
            Some(high) => format!("{name} [{high}:0]"),
            None => name.to_string(),
        };
        let kind = if variable.machine.is_some() { FstVarType::Enum } else { FstVarType::Reg };
        let signal = FstSignalType::bit_vec(variable.width);
        let id = self.writer.var(name, signal, kind, FstVarDirection::Implicit, None)?;
        self.ids[index] = Some(id);
        self.machines.push(variable.machine.map(|table| (table, variable.width)));
        Ok(())
    }
}

impl FstFile {
    pub(crate) fn create(
        file: File,
        exponent: i8,
        variables: &[Variable],
        block: usize,
    ) -> Result<Self, FstWriteError> {
        let info = FstInfo {
            start_time: 0,
            timescale_exponent: exponent,
            version: concat!("Memonet ", env!("CARGO_PKG_VERSION")).to_string(),
            // The same run must give the same file.
            date: String::new(),
            file_type: FstFileType::Verilog,
        };
        let writer = FstHeaderWriter::new(BufWriter::with_capacity(1 << 20, file), &info)?;
        let ids = vec![None; variables.len()];
        let mut header = Header { writer, ids, machines: Vec::new() };
        walk(variables, &mut header)?;
        let ids = header.ids.into_iter().map(|id| id.expect("every variable is declared")).collect();
        let mut body = header.writer.finish()?;
        // Only changes are passed.
        body.set_deduplicate(false);
        Ok(Self { body, ids, machines: header.machines, block, text: Vec::new() })
    }

    #[inline]
    pub(crate) fn time(&mut self, units: u64) -> Result<(), FstWriteError> {
        // The writer can end a block only directly before a new time.
        if self.body.size() > self.block {
            self.body.flush()?;
        }
        self.body.time_change(units)
    }

    #[inline]
    pub(crate) fn bits(&mut self, variable: usize, bits: &BitSlice<u64, Lsb0>) -> Result<(), FstWriteError> {
        self.body.signal_change(self.ids[variable], spell(bits, &mut self.text))
    }

    pub(crate) fn finish(self) -> Result<u64, FstWriteError> {
        let mut out = self.body.finish()?;
        out.flush()?;
        let mut file = out.into_inner().map_err(|error| error.into_error())?;
        add_states(&mut file, &self.machines)?;
        Ok(file.seek(SeekFrom::End(0))?)
    }
}
