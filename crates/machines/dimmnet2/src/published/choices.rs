//! Practices that the thesis leaves open for its measuring programs and the board, and how they were chosen.

use dimmnet2::registers::ReadOptions;
use machine_api::{Choice, Chosen, Fitted, FittedKind, Practice};

use crate::programs::Habits;

const COUNTER_KEPT: usize = 0;
const STATUS_BEFORE_ISSUE: usize = 1;
const WHOLE_STATUS: usize = 2;
const DATA_AWAITED: usize = 3;
const READ_TOGETHER: usize = 4;

/// Practices of programs and of the board that are open.
pub const CHOICES: &[Choice] = &[
    Choice {
        name: "counter",
        of: Chosen::Program,
        ours: "the Primitive Counter is read before each Write Window",
        other: "counter kept",
        text: "section 6.2.1: the host confirms that the window is free; the first program kept the counter, and was changed when \
               posted writes came (decision 0029)",
        chosen_by: &["B-01", "B-02", "B-03", "B-26", "B-27"],
    },
    Choice {
        name: "status",
        of: Chosen::Program,
        ours: "Controller Status is not read before a command",
        other: "status read before issue",
        text: "section 5.2.2: a process polls Controller Status to see whether it may issue; tried and dropped for B-06 (decision 0029)",
        chosen_by: &["B-06"],
    },
    Choice {
        name: "arrival",
        of: Chosen::Program,
        ours: "half of a receive status is read",
        other: "whole status read",
        text: "a status has 128 bits; the program knows where data is, so the half that tells who sent how much is enough \
               (decision 0030)",
        chosen_by: &["B-21", "M-05"],
    },
    Choice {
        name: "data of a packet",
        of: Chosen::Device,
        ours: "RVS sends data as it comes",
        other: "data awaited per packet",
        text: "decision 0034, against the letter of section 5.3.7: Rvs2 and Rvs3 wait for the data of a packet",
        chosen_by: &["D-03", "C-12"],
    },
    Choice {
        name: "SO-DIMM reads",
        of: Chosen::Device,
        ours: "the SO-DIMMs are read in turn, 8 bytes in a cycle",
        other: "SO-DIMMs read together",
        text: "section 4.5.6: both modules are read at once, in bursts of two (decision 0041)",
        chosen_by: &[],
    },
];

/// The habits of a program under a practice.
pub fn habits(practice: Practice) -> Habits {
    Habits {
        counter_kept: practice.is_other(COUNTER_KEPT),
        status_before_issue: practice.is_other(STATUS_BEFORE_ISSUE),
        whole_status: practice.is_other(WHOLE_STATUS),
    }
}

/// How boards read data for packets under a practice.
pub fn read_options(practice: Practice) -> ReadOptions {
    ReadOptions { awaited: practice.is_other(DATA_AWAITED), together: practice.is_other(READ_TOGETHER) }
}

/// Choices besides costs and practices.
pub fn fitted() -> Vec<Fitted> {
    let choice = |name, to: &[&'static str], source| Fitted {
        kind: FittedKind::Choice,
        name,
        duration_ps: None,
        to: to.to_vec(),
        source,
    };
    vec![
        choice(
            "reads never pass posted writes",
            &["B-06", "B-08", "B-10"],
            "decision 0029: with it the sum of section 6.2 comes out",
        ),
        choice(
            "one way, BOTF is measured at one phase of the poll loop; exchanges are averaged over phases",
            &["B-01", "B-06"],
            "decision 0030",
        ),
    ]
}
