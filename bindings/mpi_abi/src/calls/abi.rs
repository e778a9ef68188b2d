//! Facts about the binary interface and about Fortran (MPI 5.0, section 20.4): those of gfortran. Programs may ask at any
//! time.

use super::info::info_of;
use crate::arguments::{Memory, Out};
use crate::fault::{Fault, Outcome};
use crate::objects::with;
use crate::types::*;

/// Sizes of numbers in Fortran, in bytes.
const SIZES: [(&str, usize); 4] = [
    ("mpi_logical_size", 4),
    ("mpi_integer_size", 4),
    ("mpi_real_size", 4),
    ("mpi_double_precision_size", 8),
];

/// Kinds of numbers that Fortran may have; gfortran has all but the reals of 2 bytes.
const KINDS: [(&str, bool); 18] = [
    ("logical1", true),
    ("logical2", true),
    ("logical4", true),
    ("logical8", true),
    ("logical16", true),
    ("integer1", true),
    ("integer2", true),
    ("integer4", true),
    ("integer8", true),
    ("integer16", true),
    ("real2", false),
    ("real4", true),
    ("real8", true),
    ("real16", true),
    ("complex4", false),
    ("complex8", true),
    ("complex16", true),
    ("complex32", true),
];

/// `MPI_Abi_get_info`.
pub fn get_info(info: Out<MPI_Info>) -> Outcome {
    let size = |name: &str, bytes: usize| (name.to_owned(), bytes.to_string());
    info_of(
        info,
        vec![
            size("mpi_aint_size", size_of::<MPI_Aint>()),
            size("mpi_count_size", size_of::<MPI_Count>()),
            size("mpi_offset_size", size_of::<MPI_Offset>()),
        ],
    )
}

fn fortran() -> Vec<(String, String)> {
    let sizes = SIZES.iter().map(|(name, bytes)| ((*name).to_owned(), bytes.to_string()));
    let kinds = KINDS.iter().map(|(kind, there)| (format!("mpi_{kind}_supported"), there.to_string()));
    sizes.chain(kinds).collect()
}

/// `MPI_Abi_get_fortran_info`.
pub fn get_fortran_info(info: Out<MPI_Info>) -> Outcome {
    info_of(info, fortran())
}

/// `MPI_Abi_set_fortran_info`: an error if a fact differs.
pub fn set_fortran_info(info: MPI_Info) -> Outcome {
    let given = with(|objects| objects.infos.get(info).cloned())?;
    let own = fortran();
    let other =
        |(key, value): &&(String, String)| own.iter().any(|(name, fact)| name == key && fact != value);
    match given.iter().find(other) {
        Some((key, value)) => {
            Err(Fault::new(MPI_ERR_ABI, format!("{key} is {value} for another compiler than gfortran")))
        }
        None => Ok(()),
    }
}

/// Bytes of a logical value of this size, as gfortran has them.
fn logical(size: c_int, truth: bool) -> Outcome<Vec<u8>> {
    match size {
        1 | 2 | 4 | 8 | 16 => {
            let mut bytes = vec![0; size as usize];
            bytes[0] = truth.into();
            Ok(bytes)
        }
        other => Err(Fault::new(MPI_ERR_ARG, format!("a LOGICAL has 1, 2, 4, 8 or 16 bytes, not {other}"))),
    }
}

/// `MPI_Abi_get_fortran_booleans`.
pub fn get_fortran_booleans(size: c_int, truth: Memory, falsehood: Memory, is_set: Out<c_int>) -> Outcome {
    let (yes, no) = (logical(size, true)?, logical(size, false)?);
    for (to, bytes) in [(truth, yes), (falsehood, no)] {
        to.present()?;
        to.write(0, &bytes);
    }
    is_set.set(1)
}

/// `MPI_Abi_set_fortran_booleans`: an error for other values than those of gfortran.
pub fn set_fortran_booleans(size: c_int, truth: Memory, falsehood: Memory) -> Outcome {
    for (from, expected) in [(truth, logical(size, true)?), (falsehood, logical(size, false)?)] {
        from.present()?;
        let mut bytes = Vec::new();
        from.read(0, expected.len(), &mut bytes);
        if bytes != expected {
            return Err(Fault::new(MPI_ERR_ABI, "the values are set: .true. is 1 and .false. is 0"));
        }
    }
    Ok(())
}

/// `MPI_Get_hw_resource_info`: no rank is bound to a part of its computer.
pub fn get_hw_resource_info(info: Out<MPI_Info>) -> Outcome {
    info_of(info, Vec::new())
}
