//! Wrong arguments of all commands: exit code 2, nothing on standard output, and the option in the message.
//!
//! Lines are split at spaces; `''` is an empty argument.

use crate::{memonet, stderr};

/// Command lines by the option or argument that their message names.
const REFUSED: &[(&str, &[&str])] = &[
    (
        "--np",
        &["mpirun -np 0 true", "mpirun -np 1025 true", "mpirun -np many true", "mpirun -np", "mpirun true"],
    ),
    ("--np", &["mpirun -np 2 --what-if np=0,1 true"]),
    (
        "<PROGRAM>...",
        &["mpirun -np 2", "mpirun -np 2 no-such-program", "mpirun -np 2 /tmp", "mpirun -np 2 --fly true"],
    ),
    ("<PROGRAM>...", &["mpirun -np 1 true :", "mpirun -np 1 : true", "mpirun true : no-such-program"]),
    (
        "--np <N>",
        &[
            "mpirun true : -np 0 true",
            "mpirun true : -np x true",
            "mpirun --np 33 --machine hca true : -n 32 true",
        ],
    ),
    (
        "--wdir <FOLDER>",
        &["mpirun -np 1 -wdir /no-such-folder true", "mpirun true : -wd /no-such-folder true"],
    ),
    ("--hostfile <FILE>", &["mpirun -np 1 -machinefile /no-such-file true", "mpirun -np 1 -f /tmp true"]),
    ("--env <NAME> <VALUE>", &["mpirun -np 1 -env A=B c true", "mpirun -np 1 -env A"]),
    ("-x <NAME[=VALUE]>", &["mpirun -np 1 -x =b true"]),
    ("--machine", &["mpirun -np 2 --machine cray true", "run --machine cray", "lockstep --machine cray"]),
    (
        "--nif",
        &[
            "mpirun -np 2 --machine hca --nif old true",
            "mpirun -np 2 --machine gigae_pm --nif new true",
            "mpirun -np 2 --machine dimmnet2 --nif old true",
            "mpirun -np 2 --machine cenju3 --nif older true",
            "mpirun -np 2 --nif old true",
            "mpirun -np 2 --what-if machine=cenju3,gigae_pm nif=old true",
            "run --nif old",
            "run --machine hca --nif old",
            "run --program mpi-ping --machine hca --nif old",
            "run --input LICENSE-MIT --nif old",
            "fagus --machine gigae_pm --nif old",
        ],
    ),
    (
        "--bus",
        &[
            "mpirun -np 2 --machine gigae_pm --bus pci-66 true",
            "mpirun -np 2 --machine hca --bus isa true",
            "mpirun -np 2 --machine hca --what-if bus=isa true",
            "run --bus pci-66",
            "run --machine hca --bus isa",
            "fagus --bus pci-66",
            "verbs --bus isa -- true",
        ],
    ),
    (
        "--one-sided",
        &[
            "mpirun -np 2 --machine gigae_pm --one-sided native true",
            "mpirun -np 2 --one-sided messages true",
            "mpirun -np 2 --machine hca --one-sided rdma true",
            "mpirun -np 2 --machine dimmnet2 --what-if one-sided=native,some true",
            "run --one-sided messages",
            "run --machine hca --one-sided native",
            "run --program mpi-put --machine cenju3 --one-sided native",
        ],
    ),
    ("--copy", &["mpirun -np 2 --machine gigae_pm --copy off true", "run --machine cenju3 --copy maybe"]),
    (
        "--buffering",
        &["mpirun -np 2 --machine gigae_pm --buffering serial true", "run --machine hca --buffering serial"],
    ),
    (
        "--progress",
        &["mpirun -np 2 --machine gigae_pm --progress 1s true", "run --machine cenju3 --progress 2s"],
    ),
    (
        "--per-node",
        &[
            "mpirun -np 2 --machine dimmnet2 --per-node 3 true",
            "mpirun -np 2 --machine dimmnet2 --per-node 0 true",
            "mpirun -np 2 --machine dimmnet2 --per-node two true",
            "mpirun -np 2 --machine hca --per-node 2 true",
            "mpirun -np 2 --machine gigae_pm --what-if per-node=1,2 true",
            "mpirun -np 2 --per-node 2 true",
            "run --per-node 2",
            "run --input LICENSE-MIT --per-node 2",
            "run --program transpose --per-node 2",
            "run --program mpi-ping --per-node 0",
            "run --program mpi-ping --per-node 3",
            "run --program mpi-ping --machine hca --per-node 2",
            "fagus --per-node 3",
            "fagus --machine cenju3 --per-node 2",
            "fagus --machine gigae_pm --carrier udp --per-node 2",
            "cluster --workload uniform --per-node 0",
            "cluster --workload uniform --per-node 3",
            "cluster --workload uniform --machine cenju3 --per-node 2",
        ],
    ),
    (
        "--carrier",
        &[
            "mpirun -np 2 --carrier tcp true",
            "mpirun -np 2 --machine hca --carrier tcp true",
            "run --carrier lhs",
            "run --program mpi-ping --carrier rc",
            "run --program transpose --carrier lhs",
            "run --input LICENSE-MIT --carrier lhs",
            "fagus --carrier rc",
        ],
    ),
    (
        "--wait",
        &["mpirun -np 2 --wait poll true", "mpirun -np 2 --machine hca --wait event true", "run --wait poll"],
    ),
    (
        "--wait",
        &["mpirun -np 2 --wait sleep true", "fagus --wait sleep", "run --machine gigae_pm --wait sleep"],
    ),
    (
        "--mtu",
        &["mpirun -np 2 --machine hca --mtu 512 true", "mpirun -np 2 --mtu 99999 true", "run --mtu 512"],
    ),
    ("--mtu", &["run --program mpi-ping --mtu 8", "run --program mpi-ping --mtu big"]),
    ("--abi", &["mpirun -np 2 --abi lam true"]),
    (
        "--nic",
        &["mpirun -np 2 --nic asic true", "mpirun -np 2 --nic lockstep true", "mpirun -np 2 --nic rtl true"],
    ),
    (
        "--nic",
        &[
            "run --nic asic",
            "lockstep --nic model",
            "wave --golden --nic rtl",
            "tap --nic asic",
            "shell --nic asic",
        ],
    ),
    (
        "--nic",
        &["explain botf --nic asic", "verbs --nic asic -- true", "serve --nic asic", "fagus --nic asic"],
    ),
    (
        "--lose",
        &[
            "mpirun -np 2 --lose 1% true",
            "mpirun -np 2 --lose 200% true",
            "fagus --lose 5",
            "suci run --lose 5",
        ],
    ),
    ("--lose", &["cluster --workload uniform --lose 200%", "suci bench --lose 51"]),
    (
        "--seed",
        &[
            "mpirun -np 2 --seed x true",
            "run --seed x",
            "run --machine gigae_pm --seed 1",
            "run --input LICENSE-MIT --seed 1",
            "wave --golden --seed 2",
            "wave --machine hca --seed 2",
            "lockstep --seed x",
            "cluster --workload uniform --seed x",
            "fagus --seed x",
            "tap --seed x",
            "gate-level --seed x",
            "mutants --seed x",
            "suci run --seed x",
            "suci bench --seed 0",
        ],
    ),
    ("--what-if", &["mpirun -np 2 --what-if colour=red true", "mpirun -np 2 --what-if seed=1 seed=2 true"]),
    ("--compute", &["mpirun -np 2 --compute all true", "mpirun -np 2 --compute profile= true"]),
    ("--rate", &["mpirun -np 2 --rate 0 true", "mpirun -np 2 --rate 5 true"]),
    ("--limit", &["mpirun -np 2 --limit x true", "mpirun -np 2 --limit 0 true", "verbs --limit 0s -- true"]),
    ("--limit", &["cluster --workload uniform --limit 0s", "cluster --workload uniform --limit 2000s"]),
    (
        "--pcapng",
        &[
            "mpirun -np 2 --pcapng x true",
            "mpirun -np 2 --machine cenju3 --pcapng x true",
            "run --machine cenju3 --pcapng x",
        ],
    ),
    (
        "--waves",
        &[
            "mpirun -np 2 --waves x true",
            "run --program transpose --waves x",
            "run --input LICENSE-MIT --waves x",
        ],
    ),
    ("--waves", &["lockstep --from 10", "lockstep --waves ''"]),
    ("--hosts <HOSTS>", &["verbs -n 0 -- true", "verbs -n 65 -- true", "verbs -n 2 -- true : true"]),
    (
        "<PROGRAM [: PROGRAM]>...",
        &["verbs", "verbs -- no-such-program", "verbs -- : true", "verbs -- true :", "verbs --fly -- true"],
    ),
    (
        "--workload",
        &[
            "cluster",
            "cluster --workload ''",
            "cluster --workload circle",
            "cluster --workload /no/such/file.toml",
        ],
    ),
    (
        "--load",
        &[
            "cluster --workload uniform --load 0",
            "cluster --workload uniform --load -1",
            "cluster --workload uniform --load 0.1,1.5",
            "cluster --workload uniform --load nan",
            "cluster --workload uniform --load heavy",
        ],
    ),
    ("--size", &["cluster --workload uniform --size 0", "cluster --workload uniform --size 497"]),
    ("--size", &["suci run --size 0", "suci run --nodes 1000 --size 16000000", "fagus --size huge"]),
    (
        "--nodes",
        &[
            "cluster --workload uniform --nodes 0",
            "cluster --workload uniform --nodes 1",
            "cluster --workload uniform --nodes 99999",
            "cluster --workload transpose --nodes 5",
            "cluster --workload bit-reversal --nodes 12",
            "bench --nodes 0",
            "bench --nodes 1",
            "bench --nodes 2,99999",
            "bench --machine hca --nodes 65",
            "bench --mpi --nodes 2",
            "tap --nodes 1",
            "tap --nodes 99999",
            "fagus --nodes 0",
            "fagus --nodes 17 --machine hca --carrier ud",
            "suci run --nodes 1",
        ],
    ),
    ("--only", &["bench --count --only nothing", "bench --count --only hca --output x"]),
    (
        "--count",
        &["bench --count --mpi", "bench --only hca", "bench --against x", "bench --count --machine hca"],
    ),
    ("--messages", &["cluster --workload uniform --messages 0"]),
    ("--repeat", &["cluster --workload uniform --repeat 0", "cluster --workload uniform --repeat 1001"]),
    (
        "--window",
        &[
            "cluster --workload uniform --window 0",
            "cluster --workload uniform --window some",
            "cluster --workload uniform --window 2 --load 0.1",
            "cluster --workload uniform --window 2 --knee",
            "cluster --workload uniform --window 2 --time 10us",
        ],
    ),
    (
        "--hot-node",
        &[
            "cluster --workload hot-spot --nodes 4 --hot-node 4",
            "cluster --workload hot-spot --hot-node x",
            "cluster --workload uniform --hot-node 1",
        ],
    ),
    (
        "--hot-share",
        &["cluster --workload hot-spot --hot-share 101%", "cluster --workload uniform --hot-share 20%"],
    ),
    ("--csv", &["cluster --workload uniform --svg one --csv one", "cluster --workload one --csv ./one"]),
    ("--messages-csv", &["cluster --workload uniform --csv one --messages-csv one"]),
    ("--warm-up", &["cluster --workload uniform --time 1ms --warm-up soon"]),
    ("--measure", &["cluster --workload uniform --measure 0"]),
    ("--drain", &["cluster --workload uniform --measure 1us --drain x"]),
    (
        "--messages",
        &[
            "cluster --workload uniform --knee --messages 49",
            "bench --mpi --messages 0",
            "check mpi --messages 0",
        ],
    ),
    ("--time", &["cluster --workload uniform --time 0", "cluster --workload uniform --time 1ps"]),
    (
        "--time",
        &["cluster --workload uniform --time soon", "cluster --workload uniform --time 1ms --messages 2"],
    ),
    (
        "--topology",
        &[
            "cluster --workload uniform --topology multistage",
            "cluster --workload uniform --machine hca --topology multistage",
            "cluster --workload uniform --topology ''",
            "cluster --workload uniform --topology back-to-back",
            "cluster --workload uniform --topology /no/such/file",
        ],
    ),
    (
        "--primitive",
        &["cluster --workload uniform --primitive pm", "cluster --workload uniform --primitive ''"],
    ),
    ("--poll", &["cluster --workload uniform --poll often"]),
    ("--threads", &["cluster --workload uniform --threads 0", "cluster --workload uniform --threads 257"]),
    ("--svg", &["cluster --workload uniform --svg x.png", "explain botf --svg x.png"]),
    (
        "--bytes",
        &["run --bytes 0", "run --bytes 497", "run --machine gigae_pm --bytes 1469", "wave --bytes many"],
    ),
    (
        "--bytes",
        &[
            "explain botf --bytes 497",
            "explain lhs1 --bytes 8",
            "tap --bytes 1469",
            "run --input x --bytes 8",
        ],
    ),
    (
        "--program",
        &[
            "run --program halt",
            "run --program ''",
            "run --program mpi-ping --bytes 8",
            "suci run --program halt",
        ],
    ),
    ("--input", &["run --input ''", "run --input LICENSE-MIT --program transpose"]),
    ("<PATH>", &["explain", "explain vl", "explain botf --machine hca"]),
    ("--cycles", &["lockstep --cycles 0", "lockstep --cycles many", "bench --cycles 0"]),
    ("--from", &["lockstep --cycles 10 --waves x --from 20", "lockstep --waves x --from y"]),
    ("--alone", &["lockstep --alone lockstep"]),
    ("--slices", &["bench --slices 0", "bench --slices 70000"]),
    (
        "--only",
        &["figures --only 99", "figures --only ''", "prove --only x", "synth --only x", "timing --only x"],
    ),
    ("--only", &["mutants --only x", "timing --only fifo --only fifo"]),
    ("--paper", &["figures --paper thesis"]),
    ("--calibrate", &["figures --calibrate x", "figures --leave-one-out", "figures --calibrate x --bands"]),
    ("--host", &["figures --host cray"]),
    ("--mutations", &["prove --mutations x"]),
    ("--block", &["prove --block x --machine hca", "synth --block x --machine hca"]),
    ("--sample", &["mutants --sample 0"]),
    ("--kind", &["mutants --kind x"]),
    ("--output", &["mutants --output x --only status_write_unit"]),
    ("--seeds", &["timing --seeds one", "timing --seeds 1,x"]),
    ("--instants", &["gate-level --instants 0"]),
    ("--name", &["tap --name ''", "tap --name no/name"]),
    ("--pm", &["tap --pm mpi"]),
    ("--for", &["tap --for 0"]),
    ("--loss", &["tap --loss 1000001"]),
    ("--hazard", &["check gigae_pm --hazard H99", "check cenju3 --hazard H3", "check suci --replay"]),
    ("--rules", &["check gigae_pm --rules F99"]),
    ("--replay", &["check gigae_pm --hazard H1 --waves x", "check gigae_pm --nic model"]),
    ("--mpi", &["bench --messages 5"]),
    ("--network", &["check gigae_pm --network token_ring"]),
    ("--slots", &["check gigae_pm --slots 0", "check mpi --slots 17"]),
    ("--window", &["check gigae_pm --window 5"]),
    ("--senders", &["check gigae_pm --senders 3"]),
    ("--expiries", &["check gigae_pm --expiries 0"]),
    ("--ranks", &["check mpi --ranks 4"]),
    ("--packets", &["check mpi --packets 5"]),
    ("--iterations", &["fagus --iterations 0"]),
    ("--look", &["fagus --look 0"]),
    ("--asleep", &["suci run --asleep 1000001"]),
    ("--rounds", &["suci bench --rounds 0"]),
    ("--repeat", &["suci bench --repeat 0"]),
    ("--against", &["suci bench --against sctp"]),
    ("[processes]", &["shell two", "serve two"]),
    ("processes", &["shell 0", "shell 17", "serve 0", "serve 17", "shell 2 2 0"]),
    ("--connect", &["shell --connect x --alone"]),
    ("<FOLDER>", &["coverage"]),
    ("<FILE>", &["suci replay"]),
    ("<NAME>", &["new-block", "new-block Timer", "new-block ''"]),
    ("<SHELL>", &["completions", "completions csh"]),
    ("[COMMAND]", &["man fly"]),
    ("[REPORT]", &["schema fly"]),
    ("<ARGUMENT>...", &["mpicc", "mpicxx", "mpifort"]),
    (
        "--fly",
        &["run --fly", "cluster --fly", "prove --fly", "check hca --fly", "doctor --fly", "diagrams --fly"],
    ),
];

#[test]
fn wrong_arguments_exit_with_2_before_any_output_and_are_named() {
    let mut wrong = Vec::new();
    for (named, line) in REFUSED.iter().flat_map(|(named, lines)| lines.iter().map(move |line| (named, line)))
    {
        let arguments: Vec<_> = line.split(' ').map(|word| if word == "''" { "" } else { word }).collect();
        let output = memonet(&arguments);
        let text = stderr(&output);
        let first = text.lines().take_while(|line| !line.starts_with("Usage")).collect::<Vec<_>>().join("\n");
        let is_right = output.status.code() == Some(2) && output.stdout.is_empty() && first.contains(named);
        if !is_right || text.contains("panicked") {
            wrong.push(format!("{line}: {:?}, names no {named}: {first}", output.status.code()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
