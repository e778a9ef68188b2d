use std::collections::BTreeSet;

use dimmnet2::{Lower, Primitive};
use dimmnet2_semantics::{Plan, Program};

/// Number of programs examined.
const PROGRAMS: u64 = 300;

/// The special cases that occur in a plan.
fn corners(plan: &Plan) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut see = |corner: &str, seen: bool| seen.then(|| found.insert(corner.to_string()));
    for round in &plan.rounds {
        let mut processes: Vec<_> = round.issues.iter().map(|issue| issue.who).collect();
        see(
            "three primitives of one process at once",
            processes.windows(3).any(|three| three[0] == three[2]),
        );
        processes.sort();
        processes.dedup();
        see("four processes at once", processes.len() == 4);
        see("packets without a trace", round.uncounted);
        see("a wait for a window", round.issues.iter().any(|issue| issue.wait.is_some()));
        for issue in &round.issues {
            let remote = Lower::from_bits(issue.action.command.lower).otype >> 4 == 1;
            see("Command Ex", remote && issue.action.command.ex.is_some());
            see("Command1 of a remote primitive", remote && issue.action.command.to_prefetch_window);
            let lower = Lower::from_bits(issue.action.command.lower);
            if let Some(primitive) = Primitive::from_code(lower.otype) {
                see(primitive.mnemonic(), true);
            }
        }
    }
    see("several rounds", plan.rounds.len() > 1);
    for (before, after) in plan.before.nodes.iter().zip(&plan.after.nodes) {
        for (old, new) in before.processes.iter().zip(&after.processes) {
            see("source clamped", new.windows.iter().any(|window| window.source_clamped));
            see("destination clamped", new.windows.iter().any(|window| window.destination_clamped));
            see("overrun", new.overrun);
            see("condition 10", new.condition == 2);
            see("condition 11", new.condition == 3);
            see("several statuses", new.statuses.len() > 1);
            see("statuses of several senders", new.statuses.iter().any(|s| s.0 != new.statuses[0].0));
            see("Prefetch Window", old.prefetch_windows != new.prefetch_windows);
            let entry = 0x5000..0x5020;
            see("a ring", old.llcm[entry.clone()] != new.llcm[entry.clone()]);
            see("a head", new.heads > 0);
            see("a second head", new.heads > 1);
            let pointer = |entry: &[u8]| entry[12..16] != [0; 4];
            see("a rest", new.lh_buffer.chunks(64).any(pointer));
            see("LLCM", old.llcm[..0x5000] != new.llcm[..0x5000]);
            let tail =
                |llcm: &[u8], n: usize| u32::from_le_bytes(llcm[0x5000 + 8 * n..][..4].try_into().unwrap());
            see("round the end of a ring", (0..4).any(|n| tail(&new.llcm, n) < tail(&old.llcm, n)));
        }
    }
    found
}

#[test]
fn random_programs_reach_every_special_case() {
    let mut found = BTreeSet::new();
    for seed in 0..PROGRAMS {
        found.extend(corners(&Plan::new(&Program::random(seed, 24))));
    }
    let primitives = [
        "NOP", "BOTF", "VL", "VLS", "VLI", "VS", "VSS", "VSI", "RVL", "RVLS", "RVLI", "RVS", "RVSS", "RVSI",
        "IPUSH", "LHSv1", "LHSv2",
    ];
    let others = [
        "three primitives of one process at once",
        "four processes at once",
        "packets without a trace",
        "a wait for a window",
        "Command Ex",
        "Command1 of a remote primitive",
        "several rounds",
        "source clamped",
        "destination clamped",
        "overrun",
        "condition 10",
        "condition 11",
        "several statuses",
        "statuses of several senders",
        "Prefetch Window",
        "a ring",
        "a head",
        "a second head",
        "a rest",
        "LLCM",
        "round the end of a ring",
    ];
    let missing: Vec<_> =
        primitives.into_iter().chain(others).filter(|corner| !found.contains(*corner)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
