//! The page of supported functions, generated from the table.

use std::fmt::Write;

use crate::table;

/// Names of the supported functions, one a line.
pub fn names() -> String {
    let built = table::all().filter(|function| function.built);
    built.map(|function| format!("{}\n", function.name)).collect()
}

/// Page of supported functions by chapter.
pub fn coverage() -> String {
    let mut text = String::from(
        "<!-- Generated from bindings/mpi_abi/src/table by `make tables`; do not edit. -->\n\
         # Functions of MPI\n\n\
         All functions of the standard ABI of MPI 5.0 can be linked. Those that do what the standard says:\n\n\
         | Chapter | There | Of | Functions |\n|---|--:|--:|---|\n",
    );
    for (chapter, table) in table::chapters() {
        let built: Vec<_> =
            table.iter().filter(|function| function.built).map(|function| function.name).collect();
        // A `_c` function shares the entry of the function with small counts.
        let short =
            built.iter().filter(|name| !name.ends_with("_c") || !built.contains(&&name[..name.len() - 2]));
        let names: Vec<_> = short
            .map(|name| match built.contains(&format!("{name}_c").as_str()) {
                true => format!("{}(_c)", name.trim_start_matches("MPI_")),
                false => name.trim_start_matches("MPI_").to_owned(),
            })
            .collect();
        let names = if names.is_empty() { "-".to_owned() } else { names.join(", ") };
        writeln!(text, "| {chapter} | {} | {} | {names} |", built.len(), table.len())
            .expect("a string takes everything");
    }
    let all = table::all();
    let (built, all) = (all.clone().filter(|function| function.built).count(), all.count());
    writeln!(
        text,
        "\n{built} of {all}. Another one says its name when it is called, and ends the run. Each has its twin `PMPI_...` for profilers.\n\n\
         In Fortran, by `mpif.h` and by `use mpi`, there are the same but for those with large counts (`_c`), those of the tool interface (`MPI_T_...`) and those that make integers of handles, and ten more that MPI 3.0 removed: Address, Errhandler_create, \
         Errhandler_get, Errhandler_set, Type_extent, Type_hindexed, Type_hvector, Type_lb, Type_struct, Type_ub."
    )
    .expect("a string takes everything");
    text
}
