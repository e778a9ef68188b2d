//! Generates `mpif.h` and `mpi.f90`: the constants of C, and for `use mpi` the interfaces of the subroutines
//! (MPI 5.0, sections 19.1.4 and 19.1.5).

use std::fmt::Write;

use super::WRITES;
use crate::fortran::common::{Variable, standard as common};
use crate::table::{self, Function};
use crate::types::{self, Constant, standard};

/// `mpif.h`: one statement a line, valid in fixed and in free form.
pub fn fortran_header() -> String {
    let mut text = String::from(
        "! Generated from bindings/mpi_abi/src by `make tables`; do not edit.\n\
         ! Constants of MPI 5.0 for Fortran, in fixed and in free form.\n",
    );
    let mut statement = |words: &str| writeln!(text, "      {words}").expect(WRITES);
    for name in ["MPI_ADDRESS_KIND", "MPI_COUNT_KIND", "MPI_OFFSET_KIND"] {
        parameter(&mut statement, "integer", name, 8);
    }
    parameter(&mut statement, "integer", "MPI_INTEGER_KIND", 4);
    for name in ["MPI_SUBARRAYS_SUPPORTED", "MPI_ASYNC_PROTECTS_NONBLOCKING"] {
        parameter(&mut statement, "logical", name, ".false.");
    }
    // Indices of status fields: C counts from 0, Fortran from 1.
    parameter(&mut statement, "integer", "MPI_STATUS_SIZE", standard::MPI_F_STATUS_SIZE);
    for (name, at) in [
        ("MPI_SOURCE", standard::MPI_F_SOURCE),
        ("MPI_TAG", standard::MPI_F_TAG),
        ("MPI_ERROR", standard::MPI_F_ERROR),
    ] {
        parameter(&mut statement, "integer", name, at + 1);
    }
    for Constant { name, value, .. } in standard::all().filter(|constant| is_fortran(constant)) {
        // Fortran strings have no terminating zero and need one character less.
        let value = if name.starts_with("MPI_MAX_") { value - 1 } else { *value };
        parameter(&mut statement, "integer", name, value);
    }
    for (name, value) in standard::ALIASES.iter().filter(|(_, value)| value.starts_with("MPI_")) {
        parameter(&mut statement, "integer", name, value);
    }
    parameter(&mut statement, "integer(kind=8)", "MPI_DISPLACEMENT_CURRENT", -1);
    for Variable { name, bytes, .. } in common::variables() {
        match (*name, bytes / common::WORD) {
            // Two constants stand for arrays of weights.
            ("MPI_UNWEIGHTED" | "MPI_WEIGHTS_EMPTY", words) => statement(&format!("integer {name}({words})")),
            (_, 1) => statement(&format!("integer {name}")),
            // `MPI_STATUSES_IGNORE` stands for an array of statuses.
            ("MPI_STATUSES_IGNORE", words) => statement(&format!("integer {name}({words},1)")),
            (_, words) => statement(&format!("integer {name}({words})")),
        }
        statement(&format!("common /{}/ {name}", common::NAME));
    }
    statement(&format!("integer MPI_NOTHING_BEHIND({})", common::REST));
    statement(&format!("common /{}/ MPI_NOTHING_BEHIND", common::NAME));
    for (kind, name) in FUNCTIONS {
        for name in [name.to_owned(), format!("P{name}")] {
            statement(&format!("{kind} {name}"));
            statement(&format!("external {name}"));
        }
    }
    for name in SUBROUTINES {
        statement(&format!("external {name}"));
    }
    text
}

/// Functions with a result, with the type of each.
const FUNCTIONS: [(&str, &str); 4] = [
    ("double precision", "MPI_WTIME"),
    ("double precision", "MPI_WTICK"),
    ("integer(kind=8)", "MPI_AINT_ADD"),
    ("integer(kind=8)", "MPI_AINT_DIFF"),
];

/// Predefined callbacks, which programs pass as arguments.
const SUBROUTINES: [&str; 13] = [
    "MPI_NULL_COPY_FN",
    "MPI_DUP_FN",
    "MPI_NULL_DELETE_FN",
    "MPI_COMM_NULL_COPY_FN",
    "MPI_COMM_DUP_FN",
    "MPI_COMM_NULL_DELETE_FN",
    "MPI_TYPE_NULL_COPY_FN",
    "MPI_TYPE_DUP_FN",
    "MPI_TYPE_NULL_DELETE_FN",
    "MPI_CONVERSION_FN_NULL",
    "MPI_WIN_NULL_COPY_FN",
    "MPI_WIN_DUP_FN",
    "MPI_WIN_NULL_DELETE_FN",
];

fn parameter(statement: &mut impl FnMut(&str), kind: &str, name: &str, value: impl std::fmt::Display) {
    statement(&format!("{kind} {name}"));
    statement(&format!("parameter ({name}={value})"));
}

/// Whether Fortran has the constant: handles and numbers, but not addresses or constants of C alone.
fn is_fortran(constant: &Constant) -> bool {
    let handle = types::HANDLES.contains(&constant.kind);
    let only_c = ["MPI_T_", "MPI_F_"].iter().any(|begin| constant.name.starts_with(begin));
    (handle || constant.kind.is_empty()) && !only_c
}

/// `mpi.f90`, the module of `use mpi`. Subroutines that are not implemented have no interface, but can be
/// linked.
pub fn fortran_module() -> String {
    let mut text = String::from(
        "! Generated from bindings/mpi_abi/src by `make tables`; do not edit.\n\
         ! The module of MPI 5.0 for Fortran: what is in mpif.h, and what each subroutine takes.\n\
         module mpi\n  implicit none\n  include 'mpif.h'\n\n  interface\n",
    );
    let there = |function: &&Function| {
        function.built
            && function.result == "c_int"
            && !function.name.ends_with("_c")
            && !function.name.starts_with("MPI_T_")
            && !is_of_handles(function)
    };
    for prefix in ["", "P"] {
        for function in table::all().filter(there) {
            text += &interface(prefix, function);
        }
    }
    text + "  end interface\nend module mpi\n"
}

/// Whether a function converts handles to or from integers, which Fortran handles already are.
fn is_of_handles(function: &Function) -> bool {
    table::INTEGERS.iter().any(|(_, to, from)| [to, from].contains(&&function.name))
}

fn interface(prefix: &str, function: &Function) -> String {
    let name = function.name;
    // Fortran omits the arguments of `main`.
    let arguments = function.arguments().filter(|(name, _)| !["argc", "argv"].contains(name));
    let mut declared: Vec<_> =
        arguments.map(|(name, kind)| (name, declaration(function, name, &kind))).collect();
    if name != "MPI_Pcontrol" {
        declared.push(("ierror", "integer :: ierror".to_owned()));
    }
    let names: Vec<_> = declared.iter().map(|(name, _)| *name).collect();
    // A line has at most 132 characters.
    let names: Vec<_> = names.chunks(6).map(|some| some.join(", ")).collect();
    let mut text = format!("    subroutine {prefix}{name}({})\n      import\n", names.join(", &\n        "));
    for (_, declaration) in &declared {
        writeln!(text, "      {declaration}").expect(WRITES);
    }
    text + &format!("    end subroutine {prefix}{name}\n")
}

/// Arguments that are LOGICAL in Fortran and integers in C.
const LOGICAL: [&str; 7] = ["flag", "reorder", "periods", "remain_dims", "commute", "high", "weighted"];
/// Names of array arguments that do not begin with `array_of_`.
const LISTS: [&str; 22] = [
    "sendcounts",
    "recvcounts",
    "displs",
    "sdispls",
    "rdispls",
    "sendtypes",
    "recvtypes",
    "ranks",
    "ranks1",
    "ranks2",
    "dims",
    "periods",
    "coords",
    "remain_dims",
    "edges",
    "sources",
    "sourceweights",
    "destinations",
    "destweights",
    "degrees",
    "weights",
    "neighbors",
];

/// Fortran declaration of an argument.
fn declaration(function: &Function, name: &str, kind: &str) -> String {
    let of_mpi_1 = function.name.starts_with("MPI_Attr_") || function.name.starts_with("MPI_Keyval_");
    let address = if of_mpi_1 { "integer" } else { "integer(kind=MPI_ADDRESS_KIND)" };
    if types::CALLBACKS.contains(&kind) {
        return format!("external :: {name}");
    }
    if ["attribute_val", "extra_state"].contains(&name) {
        return format!("{address} :: {name}");
    }
    let element = kind.trim_start_matches("*const ").trim_start_matches("*mut ");
    let list = if name.starts_with("array_of_") || LISTS.contains(&name) { "(*)" } else { "" };
    match element {
        // Choice buffers: any type, kind and rank.
        "c_void" => format!("type(*), dimension(*) :: {name}\n      !GCC$ ATTRIBUTES NO_ARG_CHECK :: {name}"),
        "c_char" => format!("character(len=*) :: {name}"),
        "[c_int; 3]" => format!("integer :: {name}(3, *)"),
        "c_int" if LOGICAL.contains(&name) => format!("logical :: {name}{list}"),
        "MPI_Aint" => format!("integer(kind=MPI_ADDRESS_KIND) :: {name}{list}"),
        "MPI_Offset" => format!("integer(kind=MPI_OFFSET_KIND) :: {name}{list}"),
        "MPI_Count" => format!("integer(kind=MPI_COUNT_KIND) :: {name}{list}"),
        "MPI_Status" if list.is_empty() => format!("integer :: {name}(MPI_STATUS_SIZE)"),
        "MPI_Status" => format!("integer :: {name}(MPI_STATUS_SIZE, *)"),
        // Handles and integers.
        _ => format!("integer :: {name}{list}"),
    }
}
