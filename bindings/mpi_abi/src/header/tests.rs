use std::path::{Path, PathBuf};
use std::process::Command;

use super::*;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn committed_headers_and_page_match_the_tables() {
    let written = |file: &str| std::fs::read_to_string(root().join(file)).expect("it is in the repository");
    assert!(written("bindings/mpi_abi/include/mpi.h") == header(), "mpi.h: type `make tables`");
    #[cfg(not(feature = "mpich"))]
    {
        let [header, module] =
            ["mpif.h", "mpi.f90"].map(|name| written(&format!("bindings/mpi_abi/include/{name}")));
        assert!(header == fortran_header(), "mpif.h: type `make tables`");
        assert!(module == fortran_module(), "mpi.f90: type `make tables`");
    }
    assert!(
        written("crates/processes/src/mpi/functions.txt") == crate::names(),
        "functions.txt: type `make tables`"
    );
    assert!(written("docs/mpi-functions.md") == crate::coverage(), "mpi-functions.md: type `make tables`");
}

#[test]
fn functions_are_unique_in_the_table() {
    let mut names: Vec<_> = table::all().map(|function| function.name).collect();
    let all = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), all);
}

#[test]
fn arrays_pointers_and_functions_are_declared_in_c_syntax() {
    let is = |kind, name, text: &str| assert_eq!(declaration(kind, name), text);
    is("*const c_void", "buf", "const void *buf");
    is("*mut *mut c_char", "argv", "char **argv");
    is("*mut [c_int; 3]", "ranges", "int ranges[][3]");
    is("MPI_User_function", "by", "MPI_User_function *by");
    is("MPI_Comm", "comm", "MPI_Comm comm");
}

#[test]
#[cfg(not(feature = "mpich"))]
fn fortran_header_is_valid_in_fixed_and_free_form() {
    for line in fortran_header().lines().filter(|line| !line.starts_with('!')) {
        // A statement begins in column 7, ends before column 73 and has no continuation.
        assert!(line.len() <= 72 && line.starts_with("      ") && !line.starts_with("       "), "{line}");
    }
}

#[test]
#[cfg(not(feature = "mpich"))]
fn fortran_declarations_follow_types_and_names() {
    let interface = fortran_module();
    let of = |name: &str| {
        let at = interface.find(&format!("subroutine {name}(")).unwrap_or_else(|| panic!("{name}"));
        interface[at..].split("end subroutine").next().unwrap().to_owned()
    };
    assert!(of("MPI_Waitall").contains("integer :: array_of_statuses(MPI_STATUS_SIZE, *)"));
    assert!(of("MPI_Waitall").contains("integer :: array_of_requests(*)"));
    assert!(of("MPI_Cart_create").contains("logical :: periods(*)"));
    assert!(of("MPI_Cart_create").contains("logical :: reorder\n"));
    assert!(of("MPI_Allreduce").contains("NO_ARG_CHECK :: recvbuf"));
    assert!(of("MPI_Type_get_extent").contains("integer(kind=MPI_ADDRESS_KIND) :: extent\n"));
    assert!(of("MPI_Error_string").contains("character(len=*) :: string"));
    assert!(of("MPI_Init").starts_with("subroutine MPI_Init(ierror)"));
    assert!(!interface.contains("subroutine MPI_Send_c("));
}

/// C assertions of all values and prototypes of the tables after including a header.
fn claims<'a>(
    header: &Path,
    constants: impl Iterator<Item = &'a types::Constant>,
    functions: impl Iterator<Item = &'a Function> + Clone,
    status: usize,
) -> String {
    let mut text = format!("#include <stddef.h>\n#include \"{}\"\n", header.display());
    for types::Constant { name, value, .. } in constants {
        // Handles with the highest of their 32 bits set are negative in C.
        let narrow = if *value > i32::MAX.into() { "(unsigned)" } else { "" };
        writeln!(text, "_Static_assert((long){narrow}{name} == {value}, \"{name}\");").expect(WRITES);
    }
    for prefix in ["", "P"] {
        for function in functions.clone() {
            writeln!(text, "{};", prototype(prefix, function)).expect(WRITES);
        }
    }
    let sizes = "sizeof(MPI_Aint) == 8 && sizeof(MPI_Count) == 8 && sizeof(MPI_Offset) == 8";
    text + &format!("_Static_assert(sizeof(MPI_Status) == {status} && {sizes}, \"sizes\");\n")
}

fn compiles(name: &str, claims: &str, include: &Path) {
    let file = std::env::temp_dir().join(format!("memonet-{}-{name}.c", std::process::id()));
    std::fs::write(&file, claims).expect("there is a folder for temporary files");
    let output = Command::new("cc")
        .args(["-fsyntax-only", "-Wno-deprecated-declarations", "-I"])
        .args([include, &file])
        .output()
        .expect("cc runs");
    let _ = std::fs::remove_file(&file);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}", errors.lines().take(20).collect::<Vec<_>>().join("\n"));
}

fn standard(name: &str, header: &Path) {
    let status = size_of::<types::standard::MPI_Status>();
    let claims = claims(header, types::standard::all(), table::all(), status);
    compiles(name, &claims, header.parent().expect("a header is in a folder"));
}

#[test]
fn compiled_header_matches_the_table() {
    standard("own", &root().join("bindings/mpi_abi/include/mpi.h"));
}

/// A header of MPICH 5: named by a variable, next to the compiler wrapper in the PATH, or below target/ where
/// `ci/install reference` puts it.
fn other(variable: &str, wrapper: &str, header: &str) -> Option<PathBuf> {
    let named = std::env::var_os(variable).map(PathBuf::from);
    let beside = |folder: PathBuf| {
        let header = folder.join("../include").join(header);
        (folder.join(wrapper).is_file() && header.is_file()).then_some(header)
    };
    let path = std::env::var_os("PATH").unwrap_or_default();
    let installed = root().join("target/mpich/bin");
    named.or_else(|| std::env::split_paths(&path).chain([installed]).find_map(beside))
}

const NOT_COMPARED: &str = "not compared: no header of MPICH 5 here; `ci/install reference` brings it";

#[test]
fn values_and_prototypes_match_an_installed_mpich_abi() {
    match other("MPI_ABI_HEADER", "mpicc_abi", "mpi_abi.h") {
        Some(header) => standard("other", &header),
        None => eprintln!("{NOT_COMPARED}"),
    }
}

#[cfg(feature = "mpich")]
#[test]
fn values_and_prototypes_match_an_installed_mpich() {
    let Some(header) = other("MPICH_HEADER", "mpicc_abi", "mpi.h") else {
        return eprintln!("{NOT_COMPARED}");
    };
    let functions = table::all().chain(table::mpich::TABLE.iter().copied().flatten());
    let claims = claims(&header, types::all(), functions, size_of::<types::MPI_Status>());
    compiles("mpich", &claims, header.parent().expect("a header is in a folder"));
}
