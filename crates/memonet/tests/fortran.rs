//! `memonet mpifort`: MPI programs in Fortran, with `mpif.h` and with `use mpi`; and `memonet mpicxx`.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{FOLDER, fingerprint, memonet, run, stderr};

/// Compiles a source by `memonet mpifort`. Without gfortran it prints NOT TESTED and returns none.
pub fn compiled(source: &Path, test: &str) -> Option<PathBuf> {
    if Command::new("gfortran").arg("--version").output().is_err() {
        eprintln!("NOT TESTED: programs in Fortran, because there is no gfortran; `ci/install test` gets it");
        return None;
    }
    let work = FOLDER.path().join(format!("fortran-{test}"));
    std::fs::create_dir_all(&work).unwrap();
    let program = work.join(source.file_stem().unwrap());
    let output = memonet()
        .arg("mpifort")
        .args(["-O1", "-g", "-Wall", "-Werror"])
        .arg(source)
        .arg("-o")
        .arg(&program)
        // The compiler writes modules into its working folder.
        .current_dir(&work)
        .env("XDG_CACHE_HOME", FOLDER.path().join("cache"))
        .output()
        .unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{}", stderr(&output));
    Some(program)
}

/// Runs a program of `testbench/mpi` twice on each of these numbers of ranks of each machine; both runs are equal.
fn right(source: &str, ranks: &[usize]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testbench/mpi").join(source);
    let Some(program) = compiled(&path, source) else { return };
    let name = path.file_stem().unwrap().to_str().unwrap();
    for machine in ["memory", "gigae_pm", "dimmnet2"] {
        for ranks in ranks {
            let count = ranks.to_string();
            let once = || {
                let output = run(&["-np", &count, "--machine", machine], &program, &[]);
                fingerprint(&output, &format!("{name}: right on {ranks}\n"))
            };
            assert_eq!(once(), once(), "{source} on {ranks} ranks of {machine}");
        }
    }
}

#[test]
fn old_program_with_mpif_h_is_right_on_all_machines() {
    right("ring.f", &[2, 3]);
}

#[test]
fn collectives_of_all_fortran_types_are_right_on_all_machines() {
    right("sums.f90", &[1, 4]);
}

#[test]
fn windows_with_attributes_and_names_are_right_on_all_machines() {
    right("windows.f90", &[1, 3]);
}

#[test]
fn types_and_graphs_in_fortran_are_right_on_all_machines() {
    right("chapters.f90", &[1, 3]);
}

#[test]
fn grid_with_attributes_and_errors_is_right_on_all_machines() {
    right("grid.f90", &[2, 6]);
}

/// Compiles and runs a program whose only call between `MPI_Init` and `MPI_Finalize` is this one; its standard error.
fn wrong(call: &str, test: &str) -> Option<String> {
    let source = FOLDER.path().join(format!("{test}.f90"));
    let lines = [
        "program wrong",
        "  use mpi",
        "  integer :: ierr, x = 0",
        "  call MPI_Init(ierr)",
        call,
        "  if (x > 0) stop 1",
        "end program",
    ];
    std::fs::write(&source, lines.join("\n") + "\n").unwrap();
    let output = run(&["-np", "1"], &compiled(&source, test)?, &[]);
    assert_ne!(output.status.code(), Some(0));
    Some(stderr(&output))
}

#[test]
fn wrong_call_is_named_with_its_line_in_fortran() {
    let call = "call MPI_Recv(x, 1, MPI_INTEGER, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)";
    let Some(error) = wrong(call, "waits") else { return };
    let expected = "waits.f90:5 in wrong for a message of rank 0, tag 3";
    assert!(error.contains("waits in MPI_Recv at ") && error.contains(expected), "{error}");
    let error = wrong("call MPI_Send(x, -1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, ierr)", "counts").unwrap();
    assert!(error.contains("rank 0: MPI_Send: a count of -1 is below zero, at "), "{error}");
}

#[test]
fn missing_compiler_is_named_with_its_variable() {
    for (command, variable) in [("mpicc", "CC"), ("mpicxx", "CXX"), ("mpifort", "FC")] {
        let output = memonet().args([command, "a.x"]).env(variable, "no-such-compiler").output().unwrap();
        let error = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{error}");
        assert!(
            error.contains(&format!("`no-such-compiler`; MEMONET_{variable} names another one")),
            "{error}"
        );
    }
}

#[test]
fn program_in_cxx_runs_as_the_same_in_c() {
    let (source, program) = (FOLDER.path().join("ring.cc"), FOLDER.path().join("ring-cxx"));
    let text = "#include <mpi.h>\n#include <iostream>\n\
        int main(int argc, char **argv) {\n\
          MPI_Init(&argc, &argv);\n\
          int rank, sum;\n\
          MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n\
          MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);\n\
          MPI_Finalize();\n\
          if (rank == 0) std::cout << \"sum \" << sum << std::endl;\n\
        }\n";
    std::fs::write(&source, text).unwrap();
    let output = memonet().args(["mpicxx", "-Wall", "-Werror"]).arg(&source).arg("-o").arg(&program).output();
    let output = output.unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    fingerprint(&run(&["-np", "3"], &program, &[]), "sum 3\n");
}
