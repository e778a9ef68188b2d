//! Views (MPI 5.0, section 14.3).

use super::collective::{exchange, in_first};
use super::{change, host, manage, on_file, representation};
use crate::arguments::{Out, OutText, Text};
use crate::calls::datatype::add;
use crate::fault::{Fault, Outcome};
use crate::objects::{OpenFile, Tiling, Type, View, datatype, predefined};
use crate::types::*;

/// View of a file that was opened: its bytes.
pub(super) fn of_bytes() -> View {
    let byte = predefined(MPI_BYTE).expect("bytes are predefined");
    View {
        displacement: 0,
        etype: byte.clone(),
        unit: 1,
        filetype: byte,
        tiling: Tiling::contiguous(1),
        representation: "native".into(),
    }
}

/// `MPI_File_set_view`. All file pointers are 0 afterwards.
pub fn file_set_view(
    fh: MPI_File,
    displacement: MPI_Offset,
    etype: MPI_Datatype,
    filetype: MPI_Datatype,
    representation: Text,
    info: MPI_Info,
) -> Outcome {
    on_file(fh, |file| {
        let made = check(&file, displacement, etype, filetype, representation)
            .and_then(|view| Ok((view, manage::hints(info)?)));
        let own = made.as_ref().map(|_| ()).map_err(Fault::clone);
        let (unit, letters) = match &made {
            Ok((view, _)) => (view.unit as i64, letters(&view.representation)),
            Err(_) => (0, 0),
        };
        let current = displacement == DISPLACEMENT_CURRENT;
        let mut pointer = 0;
        in_first(&file, own, &[unit, letters, current.into()], || {
            let Ok(shared) = file.shared() else { return Ok(()) };
            let failed = |error| host::fault("share the pointer of", &file.name, &error);
            pointer = shared.get().map_err(failed)?;
            shared.set(0).map_err(failed)
        })?;
        let (mut view, hints) = made?;
        if current {
            let pointer = exchange(file.communicator, &[pointer])?[0][0];
            view.displacement = file.view.byte_offset(pointer)?;
        }
        manage::merge(fh, hints)?;
        change(fh, |file| {
            file.view = view.into();
            file.position = 0;
        })
    })
}

/// A word that differs between the names of representations.
fn letters(name: &str) -> i64 {
    name.bytes().fold(0, |word: i64, byte| word.wrapping_mul(257).wrapping_add(byte.into()))
}

/// Checks the arguments of a view.
fn check(
    file: &OpenFile,
    displacement: MPI_Offset,
    etype: MPI_Datatype,
    filetype: MPI_Datatype,
    representation: Text,
) -> Outcome<View> {
    let representation = representation::name(representation)?;
    let external = representation == "external32";
    let sequential = file.has(MPI_MODE_SEQUENTIAL);
    if displacement == DISPLACEMENT_CURRENT && !sequential {
        let why = "MPI_DISPLACEMENT_CURRENT is for files that are open with MPI_MODE_SEQUENTIAL";
        return Err(Fault::new(MPI_ERR_ARG, why));
    }
    if displacement < 0 && displacement != DISPLACEMENT_CURRENT {
        return Err(Fault::new(MPI_ERR_ARG, format!("a displacement of {displacement} is below zero")));
    }
    let (etype, filetype) = (datatype(etype)?, datatype(filetype)?);
    let unit = representation::bytes(&etype, 1, external)?;
    let written = !file.has(MPI_MODE_RDONLY);
    representation::tiling(&etype, external, written)?;
    let tiling = representation::tiling(&filetype, external, written)?;
    if tiling.size().checked_rem(unit).unwrap_or(tiling.size()) != 0 {
        let size = tiling.size();
        let why = format!("a filetype of {size} bytes is no whole number of etypes of {unit} bytes");
        return Err(Fault::new(MPI_ERR_TYPE, why));
    }
    Ok(View { displacement, etype, unit, filetype, tiling, representation: representation.into() })
}

/// `MPI_File_get_view`. Derived datatypes have new handles, which the program frees.
pub fn file_get_view(
    fh: MPI_File,
    displacement: Out<MPI_Offset>,
    etype: Out<MPI_Datatype>,
    filetype: Out<MPI_Datatype>,
    representation: OutText,
) -> Outcome {
    on_file(fh, |file| {
        let view = &file.view;
        displacement.set(view.displacement)?;
        etype.set(handle(&view.etype)?)?;
        filetype.set(handle(&view.filetype)?)?;
        representation.set(&view.representation, MPI_MAX_DATAREP_STRING as usize).map(|_| ())
    })
}

/// Handle of a datatype for the program: that of a predefined one, or of a duplicate.
fn handle(kind: &Type) -> Outcome<MPI_Datatype> {
    match predefined(kind.handle) {
        Some(_) => Ok(kind.handle),
        None => add(kind.layout.duplicate(), true),
    }
}
