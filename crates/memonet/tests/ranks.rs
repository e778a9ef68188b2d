//! `memonet mpicc` and `memonet mpirun`: unmodified MPI programs in C, and their errors.

mod abused;
mod captured;
mod compared;
mod computed;
mod fortran;
mod groups;
mod large;
mod mistaken;
mod placed;
mod windowed;

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;

/// Folder for compiled programs; it exists until all tests have ended.
static FOLDER: LazyLock<tempfile::TempDir> = LazyLock::new(|| tempfile::tempdir().unwrap());

fn memonet() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_memonet"));
    command.stdin(Stdio::null());
    command
}

fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testbench/mpi").join(format!("{name}.c"))
}

/// Compiles a program of `testbench/mpi`.
fn compiled(name: &str, test: &str) -> PathBuf {
    compiled_with(name, test, &[])
}

/// Compiles a program of `testbench/mpi` with options of the compiler.
fn compiled_with(name: &str, test: &str, options: &[&str]) -> PathBuf {
    let program = FOLDER.path().join(format!("{name}-{test}"));
    let mut command = memonet();
    command
        .arg("mpicc")
        .args(["-O1", "-g", "-Wall", "-Wextra", "-Werror"])
        .args(options)
        .arg(source(name))
        .arg("-o")
        .arg(&program);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    program
}

fn run(options: &[&str], program: &Path, arguments: &[&str]) -> Output {
    memonet().arg("mpirun").args(options).arg(program).args(arguments).output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Fingerprint of a run that ended with exit code 0 and printed this.
fn fingerprint(output: &Output, printed: &str) -> String {
    let output_text = stderr(output);
    assert_eq!(output.status.code(), Some(0), "{output_text}");
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(stdout.ends_with(printed), "{stdout}{output_text}");
    assert!(output_text.lines().next().unwrap().ends_with("computation takes no time"), "{output_text}");
    let last = output_text.lines().last().unwrap();
    last.strip_prefix("fingerprint ").expect("it comes last").to_owned()
}

/// Runs a program twice on each of these numbers of ranks; both runs are equal.
fn right(name: &str, machine: &str, ranks: &[usize]) {
    let program = compiled(name, machine);
    for ranks in ranks {
        let count = ranks.to_string();
        let once = || {
            let output = run(&["-np", &count, "--machine", machine], &program, &[]);
            (fingerprint(&output, &format!("{name}: right on {ranks}\n")), output.stdout)
        };
        assert_eq!(once(), once(), "{name} on {ranks} ranks of {machine}");
    }
}

/// Tests of programs in memory: each is right on these numbers of ranks.
macro_rules! programs {
    ($($name:ident $ranks:tt)*) => {
        $(#[test]
        fn $name() {
            super::right(stringify!($name), "memory", &$ranks);
        })*
    };
}

mod memory {
    programs! {
        ping [2]
        one_sided [2]
        ring [2, 3, 16]
        requests [2]
        datatypes [2]
        collectives [1, 2, 3, 4, 7, 8]
        communicators [2, 5, 6]
        derived [1, 2, 5]
        intercommunicators [2, 3, 7]
        ports [1, 2, 5]
        join [1, 2, 5]
        threads [1, 2, 5]
        lifetimes [2, 5]
        files [1, 2, 5]
        cg [1, 4]
        polls [2, 3]
        tolerated [1, 2, 3]
        types [1, 2, 4]
        errors [1, 2]
        generalized [1, 3]
        persistent [1, 2, 5]
        topologies [1, 2, 3, 6]
        sessions [1, 3]
        tools [1, 3]
        windows [1, 2, 5]
        arguments [1, 2, 3]
    }
}

#[test]
fn program_of_sessions_alone_ends_with_its_process() {
    let program = compiled("sessions", "alone");
    for machine in ["memory", "gigae_pm"] {
        let output = run(&["-np", "3", "--machine", machine], &program, &["alone"]);
        fingerprint(&output, "sessions: right\n");
    }
}

#[test]
fn no_session_begins_after_the_end_of_a_rank() {
    let program = compiled("arguments", "after");
    let output = run(&["-np", "2"], &program, &["after"]);
    assert_eq!(output.status.code(), Some(16), "{}", stderr(&output));
}

#[test]
fn deviations_are_warned_of_once_and_refused_by_strict() {
    let program = compiled("tolerated", "deviations");
    let warnings = |options: &[&str], case: &str| {
        let output = run(&[&["-np", "3"], options].concat(), &program, &[case]);
        let text = stderr(&output);
        let warnings: Vec<_> =
            text.lines().filter(|line| line.contains("warning: ")).map(str::to_owned).collect();
        (output.status.code(), warnings, text)
    };
    let (code, once, _) = warnings(&[], "nothing");
    assert_eq!((code, once.len()), (Some(0), 1), "{once:?}");
    assert!(once[0].contains("MPI_DATATYPE_NULL is given for 0 elements"), "{once:?}");
    let (_, twice, _) = warnings(&["--what-if", "machine=memory,dimmnet2"], "nothing");
    assert_eq!(twice.len(), 2, "one a run: {twice:?}");
    for (case, class) in [("characters", 10), ("nothing", 3), ("operations", 10)] {
        let (code, none, text) = warnings(&["--strict"], case);
        assert_eq!((code, none.len()), (Some(class), 0), "{case}: {text}");
    }
    assert_eq!(warnings(&["--strict"], "none").0, Some(0));
}

#[test]
fn programs_of_all_tiers_are_right_on_cards() {
    right("ping", "gigae_pm", &[2]);
    right("ring", "gigae_pm", &[3]);
    right("datatypes", "gigae_pm", &[2]);
    right("collectives", "gigae_pm", &[4]);
    right("communicators", "gigae_pm", &[6]);
    right("derived", "gigae_pm", &[4]);
    right("intercommunicators", "gigae_pm", &[3]);
    right("ports", "gigae_pm", &[4]);
    right("threads", "gigae_pm", &[2]);
    right("lifetimes", "gigae_pm", &[3]);
    right("files", "gigae_pm", &[3]);
}

#[test]
fn repeated_looks_are_those_that_the_simulator_answers() {
    let (program, trace) = (compiled("polls", "looks"), FOLDER.path().join("looks.json"));
    let ran = |options: &[&str]| {
        let output = run(&[&["-np", "2"], options].concat(), &program, &[]);
        (fingerprint(&output, "polls: right on 2\n"), output.stdout)
    };
    // A trace has a row for each call, so the simulator answers all of them.
    assert_eq!(ran(&[]), ran(&["--trace", trace.to_str().unwrap()]));
}

#[test]
fn carrier_and_wait_change_the_time_and_not_the_result() {
    let program = compiled("ring", "carriers");
    let ran = |options: &[&str]| {
        let all = [&["-np", "3", "--machine", "gigae_pm"], options].concat();
        let output = run(&all, &program, &[]);
        let output_text = stderr(&output);
        (
            fingerprint(&output, "ring: right on 3\n"),
            output.stdout,
            output_text.lines().next().unwrap().to_owned(),
        )
    };
    let (pm, printed, first) = ran(&[]);
    assert!(first.contains("on GigaE PM (nic model)"), "{first}");
    assert_eq!(ran(&["--carrier", "pm", "--wait", "poll"]).0, pm, "these are the defaults");
    let mut seen = vec![pm];
    for options in [&[][..], &["--wait", "poll"], &["--wait", "interrupt"], &["--lose", "10%"]] {
        let options = [&["--carrier", "tcp"], options].concat();
        let (fingerprint, prints, first) = ran(&options);
        assert!(first.contains("on GigaE PM over tcp (nic model)"), "{first}");
        assert_eq!((&fingerprint, &prints), (&ran(&options).0, &printed), "{options:?}");
        assert!(!seen.contains(&fingerprint), "{options:?}");
        seen.push(fingerprint);
    }
}

#[test]
fn one_table_has_several_carriers_and_sizes_of_packets() {
    let (program, file) = (compiled("ping", "ways"), FOLDER.path().join("ways.json"));
    let json = ["--json", file.to_str().unwrap()];
    let rows = |options: &[&str]| {
        let output = run(&[&["-np", "2"], options, &json].concat(), &program, &[]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let report: serde_json::Value =
            serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
        (report["runs"].as_array().unwrap().clone(), stderr(&output))
    };
    let (runs, output_text) = rows(&["--machine", "gigae_pm", "--what-if", "carrier=pm,tcp"]);
    assert_eq!([&runs[0]["carrier"], &runs[1]["carrier"]], ["pm", "tcp"]);
    assert!(runs[0]["simulated_ps"].as_u64() < runs[1]["simulated_ps"].as_u64(), "{output_text}");
    assert!(
        output_text.contains("np  machine   carrier  library-cost  nic "),
        "columns without a value are left out: {output_text}"
    );
    let (runs, output_text) = rows(&["--machine", "dimmnet2", "--what-if", "mtu=512,4096"]);
    assert_eq!([&runs[0]["mtu"], &runs[1]["mtu"]], [512, 4096]);
    assert!(output_text.contains("np  machine    mtu  library-cost  nic "), "{output_text}");
}

#[test]
fn programs_of_all_tiers_are_right_on_boards() {
    right("ping", "dimmnet2", &[2]);
    right("ring", "dimmnet2", &[3]);
    right("datatypes", "dimmnet2", &[2]);
    right("collectives", "dimmnet2", &[4]);
    right("communicators", "dimmnet2", &[6]);
    right("cg", "dimmnet2", &[4]);
}

#[test]
fn programs_of_all_tiers_are_right_over_connections() {
    right("ping", "hca", &[2]);
    right("ring", "hca", &[3, 16]);
    right("requests", "hca", &[2]);
    right("datatypes", "hca", &[2]);
    right("collectives", "hca", &[4]);
    right("communicators", "hca", &[6]);
}

#[test]
#[ignore = "slow; make slow"]
#[cfg(feature = "rtl")]
fn programs_run_on_rtl_as_on_the_model() {
    let program = compiled("cg", "rtl");
    for machine in ["dimmnet2", "gigae_pm", "hca"] {
        let ran = ["model", "lockstep"].map(|nic| {
            let output = run(&["-np", "4", "--machine", machine, "--nic", nic], &program, &[]);
            let fingerprint = fingerprint(&output, "cg: right on 4\n");
            let compared = stderr(&output).contains("0 divergences");
            assert_eq!(compared, nic == "lockstep", "a comparison is reported");
            (fingerprint, output.stdout)
        });
        assert_eq!(ran[0], ran[1], "{machine}");
    }
}

#[test]
fn lost_frames_change_the_time_and_not_the_result() {
    let program = compiled("ring", "lossy");
    let good = run(&["-np", "3", "--machine", "gigae_pm"], &program, &[]);
    let bad = run(&["-np", "3", "--machine", "gigae_pm", "--lose", "10%"], &program, &[]);
    let [good, bad] = [good, bad].map(|output| fingerprint(&output, "ring: right on 3\n"));
    assert_ne!(good, bad);
}

#[test]
fn invalid_arguments_are_refused_before_the_run() {
    let refused = |arguments: &[&str], expected: &str| {
        let output = memonet().arg("mpirun").args(arguments).output().unwrap();
        let output_text = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {output_text}");
        assert!(output_text.contains(expected), "{arguments:?}: {output_text}");
        assert!(!output_text.contains("ranks of"), "{arguments:?}: a run began: {output_text}");
    };
    refused(&["-np", "0", "/bin/true"], "there are 1 to 1024 ranks");
    refused(&["-np", "10000", "/bin/true"], "there are 1 to 1024 ranks");
    refused(&["-np", "2", "/nowhere/a.out"], "there is no such file");
    refused(&["-np", "2", "nowhere-at-all"], "it is in no folder of PATH");
    refused(&["-np", "2", "/"], "it is a folder");
    refused(&["-np", "2", "--lose", "1", "/bin/true"], "--lose");
    refused(&["-np", "2", "--lose", "1%", "/bin/true"], "cannot be used with '--machine memory'");
    refused(
        &["-np", "2", "--what-if", "loss=1%", "/bin/true"],
        "but np, per-node, machine, carrier, wait, mtu, one-sided, library-cost, nif, copy, buffering, progress, bus, nic, lose, seed",
    );
    refused(
        &["-np", "2", "--what-if", "machine=gigae_pm,x", "/bin/true"],
        "there are memory, dimmnet2, gigae_pm, cenju3, hca",
    );
    refused(&["--what-if", "np=1,0", "-np", "2", "/bin/true"], "there are 1 to 1024 ranks");
    let lost = ["-np", "2", "--what-if", "lose=0,1%", "machine=memory", "/bin/true"];
    refused(&lost, "cannot be used with '--machine memory'");
    refused(&["-np", "2", "--compute", "profile=", "/bin/true"], "it is `none` or `profile=FILE`");
    refused(&["-np", "2", "--rate", "1e8", "/bin/true"], "cannot be used with '--compute none'");
    let frames = ["-np", "2", "--pcapng", "x", "--machine", "cenju3", "/bin/true"];
    refused(&frames, "'--pcapng <FILE>' cannot be used with '--machine cenju3'");
    let on = |machine: &'static str, options: [&'static str; 2]| {
        ["-np", "2", "--machine", machine, options[0], options[1], "/bin/true"]
    };
    refused(&on("dimmnet2", ["--carrier", "tcp"]), "DIMMnet-2 has lhs, rvs; --machine gigae_pm has it");
    refused(&on("gigae_pm", ["--carrier", "udp"]), "GigaE PM has pm, tcp");
    refused(&on("gigae_pm", ["--wait", "event"]), "because the card interrupts for no message of PM");
    refused(&on("gigae_pm", ["--wait", "sleep"]), "there are poll, event, interrupt");
    refused(&on("gigae_pm", ["--mtu", "512"]), "because a frame of Ethernet carries 1,500 bytes");
    refused(&on("dimmnet2", ["--wait", "interrupt"]), "because a memory slot has no interrupt line");
    refused(&on("dimmnet2", ["--mtu", "256"]), "a BOTF of 512 bytes is never split");
    refused(&on("hca", ["--nif", "old"]), "the channel adapter does not support it; --machine cenju3 has it");
    refused(&on("dimmnet2", ["--bus", "pci-66"]), "DIMMnet-2 does not support it; --machine hca has it");
    refused(&on("cenju3", ["--nif", "blue"]), "there are new, old");
    refused(&["-np", "2", "--what-if", "nif=old", "machine=cenju3,hca", "/bin/true"], "does not support it");
    refused(&on("memory", ["--wait", "poll"]), "'--wait <HOW>' cannot be used with '--machine memory'");
    refused(&["-np", "2", "--what-if", "carrier=tcp", "machine=dimmnet2", "/bin/true"], "DIMMnet-2 has lhs");
    refused(&["-np", "2"], "PROGRAM");
}

#[test]
fn rank_needs_the_launcher() {
    let program = compiled("ping", "alone");
    let output = Command::new(&program).env("LD_PRELOAD", library("standard")).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("memonet mpirun -np 2"), "{}", stderr(&output));
}

/// The library that `mpirun` loads for this interface.
fn library(abi: &str) -> PathBuf {
    let output = run(&["-np", "1", "--abi", abi], Path::new("/usr/bin/env"), &[]);
    let output = String::from_utf8_lossy(&output.stdout).into_owned();
    output.lines().find_map(|line| line.strip_prefix("LD_PRELOAD=")).expect("it comes first").into()
}

#[test]
fn program_with_the_handles_of_mpich_runs_on_its_own_library() {
    let (program, library) = (FOLDER.path().join("mpich"), library("mpich"));
    let output = Command::new("cc")
        .args(["-O1", "-Wall", "-Wextra", "-Werror"])
        .arg(source("mpich"))
        .arg("-o")
        .args([&program, &library])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let other = run(&["-np", "4"], &program, &[]);
    assert_eq!(other.status.code(), Some(2));
    assert!(stderr(&other).contains("it is linked to libmpi.so.12: type --abi mpich"), "{}", stderr(&other));
    for machine in ["memory", "dimmnet2"] {
        let once = || run(&["-np", "4", "--abi", "mpich", "--machine", machine], &program, &[]);
        let [first, second] = [once(), once()].map(|output| fingerprint(&output, "mpich: right on 4\n"));
        assert_eq!(first, second, "{machine}");
    }
}

#[test]
fn fortran_program_of_mpich_runs_on_its_own_library() {
    let (program, library) = (FOLDER.path().join("mpich-fortran"), library("mpich"));
    let output = Command::new("gfortran")
        .args(["-O1", "-fallow-argument-mismatch"])
        .arg(source("mpich").with_extension("f90"))
        .arg("-o")
        .args([&program, &library])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    for machine in ["memory", "dimmnet2"] {
        let output = run(&["-np", "3", "--abi", "mpich", "--machine", machine], &program, &[]);
        fingerprint(&output, "mpich.f90: right on 3\n");
    }
}

#[test]
fn environment_has_the_rank_and_a_hash_seed() {
    let script = ["mpirun", "-np", "2", "/bin/sh", "-c", "echo rank $MEMONET_RANK, $PYTHONHASHSEED"];
    let own = memonet().args(script).env_remove("PYTHONHASHSEED").output().unwrap();
    assert_eq!(String::from_utf8_lossy(&own.stdout), "rank 0, 0\nrank 1, 0\n");
    let given = memonet().args(script).env("PYTHONHASHSEED", "random").output().unwrap();
    assert_eq!(String::from_utf8_lossy(&given.stdout), "rank 0, random\nrank 1, random\n");
}

#[test]
fn run_in_which_no_rank_calls_mpi_init_is_an_error() {
    for options in [&[][..], &["--machine", "gigae_pm"], &["--what-if", "seed=1,2"]] {
        let output = run(&[&["-np", "2"], options].concat(), Path::new("/bin/echo"), &["hello"]);
        let error = stderr(&output);
        assert!(String::from_utf8_lossy(&output.stdout).starts_with("hello\nhello\n"), "{error}");
        assert_eq!(output.status.code(), Some(1), "{options:?}: {error}");
        assert!(error.contains("no rank called MPI_Init") && error.contains("memonet mpicc"), "{error}");
        assert!(!error.contains("\nfingerprint"), "{error}");
    }
}

#[test]
fn missing_library_is_named() {
    let alone = Path::new(env!("CARGO_TARGET_TMPDIR")).join("alone");
    std::fs::create_dir_all(&alone).unwrap();
    let memonet = alone.join("memonet");
    let _ = std::fs::remove_file(&memonet);
    std::fs::hard_link(env!("CARGO_BIN_EXE_memonet"), &memonet).unwrap();
    let output =
        Command::new(&memonet).args(["mpirun", "-np", "1", "--abi", "mpich", "/bin/true"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let output_text = stderr(&output);
    assert!(
        output_text.contains("there is no libmpi.so.12 next to") && output_text.contains("-p mpich"),
        "{output_text}"
    );
}

#[test]
fn report_is_written_as_json() {
    let (program, file) = (compiled("ring", "json"), FOLDER.path().join("report.json"));
    let output = run(&["-np", "3", "--json", file.to_str().unwrap()], &program, &[]);
    let fingerprint = fingerprint(&output, "ring: right on 3\n");
    let report: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    assert_eq!(report["report"], "mpirun");
    assert_eq!(report["fingerprint"], fingerprint);
    assert_eq!((&report["ranks"], &report["messages"]), (&3.into(), &15.into()));
}

#[test]
fn frames_of_a_run_are_messages_of_mpi_to_the_dissector() {
    let (program, file) = (compiled("ring", "frames"), FOLDER.path().join("ring.pcapng"));
    let options = ["-np", "3", "--machine", "gigae_pm", "--pcapng", file.to_str().unwrap()];
    let captured = fingerprint(&run(&options, &program, &[]), "ring: right on 3\n");
    let plain = fingerprint(&run(&options[..4], &program, &[]), "ring: right on 3\n");
    assert_eq!(captured, plain, "a capture changes nothing");
    assert!(std::fs::metadata(&file).unwrap().len() > 0);
    let dissector = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/wireshark/gigae_pm.lua");
    let mut tshark = Command::new("tshark");
    tshark.arg("-X").arg(format!("lua_script:{}", dissector.display())).arg("-r").arg(&file);
    tshark.args(["-Y", "gigae_pm.mpi", "-T", "fields"]);
    tshark.args(["-e", "gigae_pm.mpi.kind", "-e", "gigae_pm.mpi.rank", "-e", "_ws.col.Info"]);
    let Ok(output) = tshark.output() else {
        eprintln!("NOT TESTED: the dissector, because there is no tshark; see ci/install tap");
        return;
    };
    let rows = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && !rows.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    for row in rows.lines() {
        let (kind, rank) = (row.split('\t').next().unwrap(), row.split('\t').nth(1).unwrap());
        let output_text = row.split('\t').nth(2).unwrap();
        assert!(
            kind != "1"
                || output_text.starts_with("Eager: ") && output_text.contains(&format!("rank {rank}, tag ")),
            "{row}"
        );
    }
    assert!(rows.lines().any(|row| row.starts_with("1\t0\t")), "{rows}");
}
