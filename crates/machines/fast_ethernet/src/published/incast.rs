//! Forty nodes send to one at once: the purpose of permits.

use cluster::Duration;
use machine_api::Table;
use suci::Rules;

use super::{Bench, hosts};
use crate::programs::over_suci::{Setup, run};
use crate::programs::{Outcome, Program};

/// Nodes, one of which receives.
const NODES: usize = 41;
/// Bytes of each message.
const BYTES: usize = 64 << 10;

/// Our rules with and without permits, and the repaired rules.
pub fn table(bench: &Bench<'_>) -> anyhow::Result<Table> {
    let runs = [
        ("our own, permits", Rules::MODERN, true),
        ("our own, no permits", Rules::MODERN, false),
        ("repaired", Rules::REPAIRED, true),
    ];
    let mut lines = Vec::new();
    for (name, rules, permits) in runs {
        let setup = Setup { rules, permits, seed: 1, asleep: Duration::ZERO };
        let outcome = run(&mut hosts(bench, NODES)?, Program::Gather, BYTES, 1, setup)?;
        let Outcome { elapsed, counters, .. } = &outcome;
        lines.push(vec![
            name.to_string(),
            format!("{:.1}", elapsed.ps() as f64 / 1e9),
            format!("{:.1} %", outcome.percent_of_link()),
            counters.dropped_by_kernels.to_string(),
            counters.dropped_by_switch.to_string(),
            counters.again.to_string(),
        ]);
    }
    Ok(Table {
        title: "Forty nodes send 64 KB to one at once",
        text: "Of the wire the receiver's blocks alone count, without headers and gaps, which leave 93 to 94 %.",
        heads: vec!["Rules", "ms", "Of the wire", "Dropped by kernels", "By the switch", "Sent again"],
        lines,
    })
}
