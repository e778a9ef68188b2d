//! Data representations (MPI 5.0, section 14.5).

use std::sync::{Mutex, PoisonError};

use mpi::{Contents, Datatype};

use super::on_file;
use crate::arguments::{Memory, OutNumber, Text};
use crate::calls::external;
use crate::fault::{Fault, Outcome};
use crate::objects::{Tiling, Type, any_datatype};
use crate::types::*;

/// Representations that exist without registration.
const PREDEFINED: [&str; 3] = ["native", "internal", "external32"];
/// Representations that the program has registered: their data is not converted.
static REGISTERED: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Whether there is a representation of this name.
fn exists(name: &str) -> bool {
    let registered = REGISTERED.lock().unwrap_or_else(PoisonError::into_inner);
    PREDEFINED.contains(&name) || registered.iter().any(|other| other == name)
}

/// Name of a representation that a view may have.
pub(super) fn name(text: Text) -> Outcome<String> {
    let name = text.get()?;
    match exists(&name) {
        true => Ok(name),
        false => {
            let why = format!("`{name}` is no data representation; native, internal and external32 are");
            Err(Fault::new(MPI_ERR_UNSUPPORTED_DATAREP, why))
        }
    }
}

/// Bytes in a file of `count` elements.
pub(super) fn bytes(kind: &Type, count: usize, external: bool) -> Outcome<u64> {
    let bytes = if external { external::bytes(&kind.layout, count)? } else { kind.bytes(count)? } as u64;
    match i64::try_from(bytes) {
        Ok(_) => Ok(bytes),
        Err(_) => Err(Fault::new(MPI_ERR_COUNT, format!("{bytes} bytes are more than a file can have"))),
    }
}

/// Places of a filetype's data in a file. `external32` has other sizes for some datatypes.
pub(super) fn tiling(filetype: &Type, external: bool, written: bool) -> Outcome<Tiling> {
    let tiling = Tiling::new(&filetype.layout, written)?;
    let size = bytes(filetype, 1, external)?;
    if size == tiling.size() {
        return Ok(tiling);
    }
    match tiling.is_contiguous() {
        true => Ok(Tiling::contiguous(size)),
        false => Err(other_size()),
    }
}

fn other_size() -> Fault {
    Fault::new(
        MPI_ERR_UNSUPPORTED_DATAREP,
        "the datatype has gaps, and values whose size differs in external32; use datatypes of fixed size",
    )
}

/// `MPI_File_get_type_extent`.
pub fn file_get_type_extent(fh: MPI_File, kind: MPI_Datatype, extent: OutNumber) -> Outcome {
    on_file(fh, |file| {
        let layout = any_datatype(kind)?.layout;
        extent.set(if file.view.is_external() { external_extent(&layout)? } else { layout.extent() })
    })
}

fn external_extent(layout: &Datatype) -> Outcome<i64> {
    let size = external::bytes(layout, 1)? as i64;
    if size as u64 == layout.size() {
        return Ok(layout.extent());
    }
    match layout.contents() {
        Contents::Duplicate { of } => external_extent(of),
        Contents::Resized { extent, .. } => Ok(*extent),
        Contents::Contiguous { count, of } => {
            let extent = external_extent(of)?.checked_mul(*count as i64);
            extent.ok_or_else(|| Fault::new(MPI_ERR_TYPE, "the extent in the file is too large"))
        }
        _ if layout.label().is_some() => Ok(size),
        _ => Err(other_size()),
    }
}

/// `MPI_Register_datarep`. Representations without conversion functions are supported.
pub fn register_datarep(name: Text, read: Memory, write: Memory, extent: Memory, _state: Memory) -> Outcome {
    let register = || {
        let name = name.get()?;
        if name.is_empty() || name.len() >= MPI_MAX_DATAREP_STRING as usize {
            let most = MPI_MAX_DATAREP_STRING - 1;
            return Err(Fault::new(MPI_ERR_ARG, format!("a data representation has 1 to {most} bytes")));
        }
        if exists(&name) {
            let why = format!("there is a data representation `{name}`");
            return Err(Fault::new(MPI_ERR_DUP_DATAREP, why));
        }
        if extent.address() == 0 {
            return Err(Fault::new(MPI_ERR_ARG, "the function of extents is null"));
        }
        if read.address() != 0 || write.address() != 0 {
            return Err(Fault::new(
                MPI_ERR_UNSUPPORTED_OPERATION,
                "conversion functions are not supported; MPI_CONVERSION_FN_NULL is",
            ));
        }
        REGISTERED.lock().unwrap_or_else(PoisonError::into_inner).push(name);
        Ok(())
    };
    register().map_err(|fault: Fault| fault.on(MPI_FILE_NULL))
}
