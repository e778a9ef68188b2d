//! Where in the program the present call of MPI was made.

use std::path::Path;

/// File, line and function, as far as the program tells: `ring.c:12 in main` if it was compiled with `-g`, else `main`.
///
/// The stack is walked, which takes milliseconds, so this is for calls that do not come back.
pub fn of_call() -> String {
    let (mut in_library, mut place) = (false, String::new());
    backtrace::trace(|frame| {
        let (mut is_function, mut told) = (false, None);
        backtrace::resolve_frame(frame, |symbol| {
            let name = symbol.name().map(|name| name.to_string()).unwrap_or_default();
            is_function |= is_of_mpi(&name);
            told.get_or_insert_with(|| words(&name, symbol.filename().zip(symbol.lineno())));
        });
        in_library |= is_function;
        if in_library && !is_function {
            place = told.unwrap_or_default();
        }
        !in_library || is_function
    });
    place
}

/// Whether this is a name of a function of MPI, in C or in Fortran.
fn is_of_mpi(name: &str) -> bool {
    let begins = |some: [&str; 2]| some.iter().any(|begin| name.starts_with(begin));
    begins(["MPI_", "PMPI_"]) || begins(["mpi_", "pmpi_"]) && name.ends_with('_')
}

fn words(name: &str, line: Option<(&Path, u32)>) -> String {
    let Some((file, line)) = line else { return name.to_owned() };
    let here = std::env::current_dir().unwrap_or_default();
    let file = file.strip_prefix(here).unwrap_or(file).display();
    if name.is_empty() { format!("{file}:{line}") } else { format!("{file}:{line} in {name}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn place_has_what_is_known() {
        let file = std::env::current_dir().unwrap().join("ring.c");
        assert_eq!(words("main", Some((&file, 12))), "ring.c:12 in main");
        assert_eq!(words("", Some((Path::new("/a/ring.c"), 12))), "/a/ring.c:12");
        assert_eq!(words("main", None), "main");
    }

    #[test]
    fn functions_of_mpi_are_known_by_their_names_in_both_languages() {
        assert!(["MPI_Send", "PMPI_Recv", "mpi_send_", "pmpi_recv_"].into_iter().all(is_of_mpi));
        assert!(!["main", "MAIN__", "mpi_abi::link::ask", "my_mpi_send_"].into_iter().any(is_of_mpi));
    }

    #[test]
    fn outside_of_functions_of_mpi_there_is_no_call() {
        assert_eq!(of_call(), "");
    }
}
