//! Generates `mpi.h` and, for Fortran, `mpif.h` and `mpi.f90` from the tables.

use std::fmt::Write;

use crate::table::{self, Function};
use crate::types;

#[cfg(not(feature = "mpich"))]
mod fortran;
#[cfg(test)]
mod tests;

#[cfg(not(feature = "mpich"))]
pub use fortran::{fortran_header, fortran_module};

/// Text of `mpi.h`.
pub fn header() -> String {
    let mut text = String::from(
        "/* Generated from bindings/mpi_abi/src by `make tables`; do not edit.\n * The standard ABI of MPI 5.0 \
         (chapter 20): types, values and functions. */\n#ifndef MPI_H\n#define MPI_H\n\n",
    );
    text += include_str!("types.h");
    for name in types::HANDLES {
        writeln!(text, "typedef struct {}* {name};", name.replacen("MPI_", "MPI_ABI_", 1)).expect(WRITES);
    }
    text.push('\n');
    for types::Constant { name, kind, value } in types::standard::all() {
        match *kind {
            "" => writeln!(text, "#define {name} {}", number(*value)),
            kind => writeln!(text, "#define {name} (({kind}){value:#x})"),
        }
        .expect(WRITES);
    }
    for (name, value) in types::standard::ALIASES {
        writeln!(text, "#define {name} {value}").expect(WRITES);
    }
    text.push('\n');
    text += include_str!("functions.h");
    for prefix in ["", "P"] {
        for function in table::all() {
            writeln!(text, "{};", prototype(prefix, function)).expect(WRITES);
        }
        text.push('\n');
    }
    text += "/* Names of the time before the ABI, by which Fortran handles were made. */\n";
    for (kind, to, from) in table::INTEGERS {
        writeln!(text, "#define {} {to}\n#define {} {from}", c2f(kind, "c2f"), c2f(kind, "f2c"))
            .expect(WRITES);
    }
    text + "\n#if defined(__cplusplus)\n}\n#endif\n#endif\n"
}

const WRITES: &str = "a string takes everything";

/// A number in C syntax, negative numbers in parentheses.
fn number(value: i64) -> String {
    if value < 0 { format!("({value})") } else { value.to_string() }
}

/// C prototype of a function.
pub fn prototype(prefix: &str, function: &Function) -> String {
    let mut arguments: Vec<_> = function.arguments().map(|(name, kind)| declaration(&kind, name)).collect();
    if function.name == "MPI_Pcontrol" {
        // Further arguments are ignored.
        arguments.push("...".to_owned());
    }
    let arguments = if arguments.is_empty() { "void".to_owned() } else { arguments.join(", ") };
    format!("{} {prefix}{}({arguments})", declaration(function.result, "").trim_end(), function.name)
}

/// C declaration of a name with this Rust type.
fn declaration(kind: &str, name: &str) -> String {
    if types::CALLBACKS.contains(&kind) {
        return format!("{kind} *{name}");
    }
    if let Some(array) = kind.strip_prefix("*mut [").and_then(|rest| rest.strip_suffix(']')) {
        let (element, length) = array.split_once("; ").expect("an array has a length");
        return format!("{}[][{length}]", declaration(element, name));
    }
    let (stars, element) = pointee(kind);
    let constant = if kind.starts_with("*const") { "const " } else { "" };
    let element = match element {
        "c_int" => "int",
        "c_char" => "char",
        "c_void" => "void",
        "c_double" => "double",
        other => other,
    };
    format!("{constant}{element} {}{name}", "*".repeat(stars))
}

/// Number of pointer levels of a type, and its innermost element.
fn pointee(kind: &str) -> (usize, &str) {
    match kind.strip_prefix("*mut ").or_else(|| kind.strip_prefix("*const ")) {
        Some(inner) => {
            let (stars, element) = pointee(inner);
            (stars + 1, element)
        }
        None => (0, kind),
    }
}

/// Old name of a conversion between a handle and an integer.
fn c2f(kind: &str, direction: &str) -> String {
    let name = if kind == "MPI_Datatype" { "MPI_Type" } else { kind };
    format!("{name}_{direction}")
}
