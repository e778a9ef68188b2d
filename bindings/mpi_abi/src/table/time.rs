//! Timers (MPI 5.0, section 9.6) and address arithmetic; none of these functions returns an error code.

use super::{Function, Table, symbols};
use crate::clock;
use crate::types::*;

/// Functions of this chapter.
pub const TABLE: &Table = &[&[
    Function { name: "MPI_Wtime", arguments: &[], large: false, result: "c_double", built: true },
    Function { name: "MPI_Wtick", arguments: &[], large: false, result: "c_double", built: true },
    Function {
        name: "MPI_Aint_add",
        arguments: &[("base", "MPI_Aint"), ("disp", "MPI_Aint")],
        large: false,
        result: "MPI_Aint",
        built: true,
    },
    Function {
        name: "MPI_Aint_diff",
        arguments: &[("addr1", "MPI_Aint"), ("addr2", "MPI_Aint")],
        large: false,
        result: "MPI_Aint",
        built: true,
    },
]];

symbols! { MPI_Wtime() -> c_double { clock::read().as_secs_f64() } }
symbols! { MPI_Wtick() -> c_double { clock::READ_COST.as_secs_f64() } }
symbols! { MPI_Aint_add(base: MPI_Aint, disp: MPI_Aint) -> MPI_Aint { base.wrapping_add(disp) } }
symbols! { MPI_Aint_diff(addr1: MPI_Aint, addr2: MPI_Aint) -> MPI_Aint { addr1.wrapping_sub(addr2) } }
