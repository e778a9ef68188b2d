//! Arc coverage: the arcs that each state machine took in a run.

use std::fmt;

use hdl::{Kind, Signal, SignalRole, StateMachineTable};

/// An arc as a pair of state codes.
pub type Arc = (u64, u64);

/// Coverage of one state machine.
#[derive(Clone, Debug)]
pub struct MachineCoverage {
    /// Path of the state register.
    pub path: String,
    /// States and declared arcs of the state machine.
    pub table: &'static StateMachineTable,
    word: usize,
    /// State after the last edge.
    state: u64,
    /// Whether each arc is declared, at the index of `walks`.
    declared: Vec<bool>,
    /// Number of times each arc was taken, at `from << width | to`; includes codes without a state.
    walks: Vec<u64>,
}

impl MachineCoverage {
    /// Number of times an arc was taken.
    pub fn walks(&self, (from, to): Arc) -> u64 {
        self.walks[(from << self.table.width() | to) as usize]
    }

    /// Declared arcs that were not taken.
    pub fn missing(&self) -> Vec<Arc> {
        self.table.arcs().filter(|&arc| self.walks(arc) == 0).collect()
    }

    /// Arcs taken that are not declared.
    pub fn illegal(&self) -> Vec<Arc> {
        let width = self.table.width();
        let walked = (0..self.walks.len() as u64).filter(|&index| self.walks[index as usize] > 0);
        let arcs = walked.map(|index| (index >> width, index & ((1 << width) - 1)));
        arcs.filter(|&arc| !self.table.arcs().any(|declared| declared == arc)).collect()
    }

    /// An arc as text, `path: From -> To`.
    pub fn show(&self, (from, to): Arc) -> String {
        format!("{}: {} -> {}", self.path, self.show_state(from), self.show_state(to))
    }

    fn show_state(&self, code: u64) -> String {
        self.table.state(code).map_or_else(|| format!("{code}"), str::to_string)
    }
}

/// Whether each pair of codes is a declared arc, at `from << width | to`.
fn declared(table: &'static StateMachineTable) -> Vec<bool> {
    let mut declared = vec![false; 1 << (2 * table.width())];
    table.arcs().for_each(|(from, to)| declared[(from << table.width() | to) as usize] = true);
    declared
}

/// Arcs were taken that no table declares. Each has its path and states in the first line, followed by the
/// report of its first occurrence.
#[derive(Clone, Debug, thiserror::Error)]
#[error("undeclared arcs were walked:\n  {}", .0.join("\n  "))]
pub struct IllegalArcs(pub Vec<String>);

/// Arc coverage of all state machines of a device, computed from its samples.
///
/// The samples must be of one implementation: a model, RTL, or the two in lockstep.
#[derive(Clone, Debug)]
pub struct Coverage {
    machines: Vec<MachineCoverage>,
    /// Words of registers that are not 0 while the device resets its state machines.
    resets: Vec<usize>,
    /// One of these registers was not 0 after the last edge.
    in_reset: bool,
    /// Undeclared arcs as text, each with the report of its first occurrence.
    reports: Vec<(String, String)>,
}

impl Coverage {
    /// Empty coverage that starts from the states in `sample`.
    pub fn new(signals: &[Signal], sample: &[u64]) -> Self {
        let machine = |signal: &Signal| match signal.role {
            SignalRole::Register(Kind::StateMachine(table)) => Some(MachineCoverage {
                path: [signal.block.as_str(), signal.name]
                    .into_iter()
                    .filter(|p| !p.is_empty())
                    .collect::<Vec<_>>()
                    .join("."),
                table,
                word: signal.word,
                state: sample[signal.word],
                walks: vec![0; 1 << (2 * table.width())],
                declared: declared(table),
            }),
            _ => None,
        };
        Self {
            machines: signals.iter().filter_map(machine).collect(),
            resets: Vec::new(),
            in_reset: false,
            reports: Vec::new(),
        }
    }

    /// Sets the registers, by block and name, that are not 0 while the device resets its state machines. A
    /// return to the reset state during a reset is not an arc.
    pub fn resets(&mut self, signals: &[Signal], registers: &[(&str, &str)]) {
        self.resets = registers
            .iter()
            .map(|&(block, name)| {
                let found = signals.iter().find(|signal| signal.block == block && signal.name == name);
                found.unwrap_or_else(|| panic!("the device has no register {block}.{name}")).word
            })
            .collect();
    }

    /// Records one edge, given the sample after it. Returns whether an undeclared arc was taken for the first
    /// time.
    #[inline]
    pub fn record(&mut self, sample: &[u64]) -> bool {
        let mut news = false;
        for machine in &mut self.machines {
            let (from, to) = (machine.state, sample[machine.word]);
            if from != to {
                machine.state = to;
                let reset = to == 0 && self.in_reset;
                let arc = (from << machine.table.width() | to) as usize;
                machine.walks[arc] += !reset as u64;
                news |= !machine.declared[arc] && !reset && machine.walks[arc] == 1;
            }
        }
        self.in_reset = self.resets.iter().any(|&word| sample[word] != 0);
        news
    }

    /// The undeclared arcs that were taken and have no report yet.
    pub(crate) fn unreported(&self) -> Vec<(&MachineCoverage, Arc)> {
        let of = |machine| MachineCoverage::illegal(machine).into_iter().map(move |arc| (machine, arc));
        let arcs = self.machines.iter().flat_map(of);
        arcs.filter(|(machine, arc)| !self.reports.iter().any(|(known, _)| *known == machine.show(*arc)))
            .collect()
    }

    /// Adds the report of an arc's first occurrence.
    pub(crate) fn report(&mut self, arc: String, report: String) {
        self.reports.push((arc, report));
    }

    /// Continues from the states in `sample`, without an arc to them.
    pub(crate) fn restart(&mut self, sample: &[u64]) {
        self.machines.iter_mut().for_each(|machine| machine.state = sample[machine.word]);
        self.in_reset = false;
    }

    /// Adds the coverage of another run of the same device.
    pub fn merge(&mut self, other: &Coverage) {
        assert_eq!(self.machines.len(), other.machines.len(), "coverage of two different devices");
        for (machine, other) in self.machines.iter_mut().zip(&other.machines) {
            machine.walks.iter_mut().zip(&other.walks).for_each(|(sum, walks)| *sum += walks);
        }
        self.reports.extend(other.reports.iter().cloned());
    }

    /// Coverage of every state machine.
    pub fn machines(&self) -> &[MachineCoverage] {
        &self.machines
    }

    /// Declared arcs that were not taken, as text.
    pub fn missing(&self) -> Vec<String> {
        self.machines.iter().flat_map(|m| m.missing().into_iter().map(|arc| m.show(arc))).collect()
    }

    /// Fails if an undeclared arc was taken.
    pub fn check(&self) -> Result<(), IllegalArcs> {
        let report =
            |arc: &str| self.reports.iter().find(|(known, _)| known == arc).map(|(_, report)| report);
        let show = |m: &MachineCoverage, arc| match (m.show(arc), report(&m.show(arc))) {
            (arc, Some(report)) => format!("{arc}, {report}"),
            (arc, None) => arc,
        };
        let arcs =
            |m| MachineCoverage::illegal(m).into_iter().map(move |arc| show(m, arc)).collect::<Vec<_>>();
        let illegal: Vec<_> = self.machines.iter().flat_map(arcs).collect();
        if illegal.is_empty() { Ok(()) } else { Err(IllegalArcs(illegal)) }
    }
}

impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for machine in &self.machines {
            let declared = machine.table.arcs().count();
            let missing = machine.missing();
            writeln!(f, "{}: {} of {declared} arcs", machine.path, declared - missing.len())?;
            for arc in missing {
                writeln!(f, "  not walked: {}", machine.show(arc))?;
            }
            for arc in machine.illegal() {
                writeln!(f, "  not declared: {}", machine.show(arc))?;
            }
        }
        Ok(())
    }
}
