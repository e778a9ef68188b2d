use dimmnet2_semantics::{Difference, Oracle, Plan, Program, RunError, run};

use crate::programs::model;

/// Runs a program against a falsified oracle; returns the difference found.
fn difference(lie: impl FnOnce(&mut Oracle)) -> String {
    let mut plan = Plan::new(&Program::random(1, 12));
    lie(&mut plan.after);
    match run(&plan, [model(), model()]) {
        Err(RunError::Different(Difference { node: 1, what, .. })) => what,
        other => panic!("{other:?}"),
    }
}

#[test]
fn difference_in_any_memory_or_register_is_found() {
    let found = [
        difference(|oracle| oracle.nodes[1].processes[1].counter.ipush ^= 1),
        difference(|oracle| oracle.nodes[1].processes[1].packets += 1),
        difference(|oracle| oracle.nodes[1].processes[1].condition ^= 1),
        difference(|oracle| oracle.nodes[1].processes[1].windows[3].complete ^= true),
        difference(|oracle| oracle.nodes[1].processes[0].flag ^= 0x1000),
        difference(|oracle| oracle.nodes[1].processes[0].llcm[0x7fff] ^= 1),
        difference(|oracle| oracle.nodes[1].processes[1].prefetch_windows[0x7ff] = Some(0xee)),
        difference(|oracle| oracle.nodes[1].sodimm.set(0x0fff_fc00, 0xee)),
        // A location where both have no data.
        difference(|oracle| oracle.nodes[1].sodimm.set(0x0800_0000, 1)),
    ];
    let expected = [
        "Primitive Counter",
        "Packet Counter",
        "Controller Status",
        "Controller Status",
        "Prefetch Window Flag",
        "LLCM 0x7fff",
        "Prefetch Window 0x7ff",
        "SO-DIMM 0x0ffffc00",
        "SO-DIMM 0x08000000",
    ];
    assert_eq!(found, expected);
}

#[test]
fn status_out_of_order_is_found() {
    // A program after which a process has two different statuses of one sender.
    let (mut plan, node, wid) = (0..)
        .find_map(|seed| {
            let plan = Plan::new(&Program::random(seed, 24));
            let place = (0..4).find(|n| {
                let statuses = &plan.after.nodes[n / 2].processes[n % 2].statuses;
                statuses.len() > 1 && statuses[0].0 == statuses[1].0 && statuses[0] != statuses[1]
            });
            place.map(|n| (plan, n / 2, n % 2))
        })
        .expect("there is one");
    run(&plan, [model(), model()]).expect("boards do what the oracle says");
    plan.after.nodes[node].processes[wid].statuses.swap(0, 1);
    let error = run(&plan, [model(), model()]).unwrap_err();
    assert!(error.to_string().contains("the ring of receive statuses"), "{error}");
}
