use std::path::{Path, PathBuf};
use std::process::Command;

use super::*;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn written_header_and_page_are_those_of_the_tables() {
    let written = |file: &str| std::fs::read_to_string(root().join(file)).expect("it is in the repository");
    assert!(written("bindings/mpi_abi/include/mpi.h") == header(), "mpi.h: type `make tables`");
    assert!(written("docs/mpi-functions.md") == crate::coverage(), "mpi-functions.md: type `make tables`");
}

#[test]
fn no_function_stands_twice_in_the_table() {
    let mut names: Vec<_> = table::all().map(|function| function.name).collect();
    let all = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), all);
}

#[test]
fn arrays_pointers_and_functions_are_declared_as_c_wants_them() {
    let is = |kind, name, text: &str| assert_eq!(declaration(kind, name), text);
    is("*const c_void", "buf", "const void *buf");
    is("*mut *mut c_char", "argv", "char **argv");
    is("*mut [c_int; 3]", "ranges", "int ranges[][3]");
    is("MPI_User_function", "by", "MPI_User_function *by");
    is("MPI_Comm", "comm", "MPI_Comm comm");
}

/// Types, values and prototypes of this table, for a compiler that has read this header before.
fn claims(header: &Path) -> String {
    let mut text = format!("#include \"{}\"\n", header.display());
    for types::Constant { name, value, .. } in types::all() {
        writeln!(text, "_Static_assert((long){name} == {value}, \"{name}\");").expect(WRITES);
    }
    for prefix in ["", "P"] {
        for function in table::all() {
            writeln!(text, "{};", prototype(prefix, function)).expect(WRITES);
        }
    }
    text + "_Static_assert(sizeof(MPI_Status) == 32 && sizeof(MPI_Aint) == 8 && sizeof(MPI_Count) == 8, \"sizes\");\n"
}

fn compiles(name: &str, header: &Path) {
    let file = std::env::temp_dir().join(format!("memonet-{}-{name}.c", std::process::id()));
    std::fs::write(&file, claims(header)).expect("there is a folder for temporary files");
    let output = Command::new("cc")
        .args(["-fsyntax-only", "-Wno-deprecated-declarations"])
        .arg(&file)
        .output()
        .expect("cc runs");
    let _ = std::fs::remove_file(&file);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}", errors.lines().take(20).collect::<Vec<_>>().join("\n"));
}

#[test]
fn header_says_to_a_compiler_what_the_table_says() {
    compiles("own", &root().join("bindings/mpi_abi/include/mpi.h"));
}

/// The header of another implementation of this ABI, MPICH 5 say: named by `MPI_ABI_HEADER`, or beside the `mpicc_abi` of the PATH.
fn other_header() -> Option<PathBuf> {
    let named = std::env::var_os("MPI_ABI_HEADER").map(PathBuf::from);
    let beside =
        |folder: PathBuf| folder.join("mpicc_abi").is_file().then(|| folder.join("../include/mpi_abi.h"));
    let path = std::env::var_os("PATH").unwrap_or_default();
    named.or_else(|| std::env::split_paths(&path).find_map(beside))
}

#[test]
fn values_and_prototypes_are_those_of_another_implementation_where_it_is_installed() {
    match other_header() {
        Some(header) => compiles("other", &header),
        None => eprintln!(
            "not compared: no mpicc_abi in PATH and no MPI_ABI_HEADER; `pip install mpich` brings both"
        ),
    }
}
