//! Place of the current MPI call in the program.

use std::path::Path;

/// File, line and function from debug information: `ring.c:12 in main` for a program compiled with `-g`,
/// otherwise `main`.
///
/// Walking the stack takes milliseconds, so this is only for calls that end the run.
pub fn of_call() -> String {
    let (mut in_library, mut place) = (false, String::new());
    backtrace::trace(|frame| {
        let (mut is_function, mut description) = (false, None);
        backtrace::resolve_frame(frame, |symbol| {
            let name = symbol.name().map(|name| name.to_string()).unwrap_or_default();
            is_function |= is_of_mpi(&name);
            description.get_or_insert_with(|| words(&name, symbol.filename().zip(symbol.lineno())));
        });
        in_library |= is_function;
        if in_library && !is_function {
            place = description.unwrap_or_default();
        }
        !in_library || is_function
    });
    place
}

/// Whether a symbol is an MPI function of C or Fortran.
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
    fn place_shows_the_available_information() {
        let file = std::env::current_dir().unwrap().join("ring.c");
        assert_eq!(words("main", Some((&file, 12))), "ring.c:12 in main");
        assert_eq!(words("", Some((Path::new("/a/ring.c"), 12))), "/a/ring.c:12");
        assert_eq!(words("main", None), "main");
    }

    #[test]
    fn mpi_functions_are_recognized_in_both_languages() {
        assert!(["MPI_Send", "PMPI_Recv", "mpi_send_", "pmpi_recv_"].into_iter().all(is_of_mpi));
        assert!(!["main", "MAIN__", "mpi_abi::link::ask", "my_mpi_send_"].into_iter().any(is_of_mpi));
    }

    #[test]
    fn no_place_outside_of_mpi_functions() {
        assert_eq!(of_call(), "");
    }
}
