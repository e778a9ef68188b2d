//! Determines which primitives of a program may run concurrently (decision 0026).

use hdl::Stimulus;

use crate::access::{Access, Who};
use crate::oracle::Oracle;
use crate::program::{Action, Configuration, LISTS, LISTS_END, NODES, Program};

/// A primitive with the condition for its issue.
#[derive(Clone, Debug)]
pub struct Issue {
    /// Issuing process.
    pub who: Who,
    /// The primitive and the data written before it.
    pub action: Action,
    /// Value of Primitive Counter to wait for first, because the Write Window may still be read.
    pub wait: Option<u64>,
}

/// Primitives that run without waiting for those of other processes.
#[derive(Clone, Debug, Default)]
pub struct Round {
    /// The primitives; those of one process are in the order of issue.
    pub issues: Vec<Issue>,
    /// Final Primitive Counter and Packet Counter of every process.
    pub counters: [[(u64, u64); 2]; NODES],
    /// Some packets of this round are not visible in a counter.
    pub uncounted: bool,
}

/// A program and its expected effect.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Configuration of the nodes.
    pub configuration: Configuration,
    /// State of the nodes before the first round.
    pub before: Oracle,
    /// Rounds; each begins when the one before is complete.
    pub rounds: Vec<Round>,
    /// State of the nodes after the last round.
    pub after: Oracle,
}

impl Plan {
    /// Executes a program on the oracle and leaves out primitives with undefined outcome.
    pub fn new(program: &Program) -> Self {
        let before = configured(&program.configuration);
        let mut plan = Self {
            configuration: program.configuration.clone(),
            after: before.clone(),
            before,
            rounds: vec![],
        };
        let mut builder = Builder::default();
        for step in &program.steps {
            let who = step.who;
            let mut after = plan.after.clone();
            if let Some(fill) = &step.action.fill {
                after.fill(who, fill.offset as usize, &fill.bytes);
            }
            after.uncounted = false;
            let Some(accesses) = after.issue(who, &step.action.command) else { continue };
            let mut wait = builder.wait(&mut plan.after, who, &step.action);
            if builder.must_wait(&accesses) {
                builder.end(&mut plan.rounds, counters(&mut plan.after));
                // All primitives of the earlier rounds are complete then.
                wait = None;
                builder.reads(who, &step.action);
            }
            plan.after = after;
            builder.accesses.extend(accesses);
            builder.round.uncounted |= plan.after.uncounted;
            builder.round.issues.push(Issue { who, action: step.action.clone(), wait });
        }
        builder.end(&mut plan.rounds, counters(&mut plan.after));
        plan
    }
}

/// The round under construction.
#[derive(Default)]
struct Builder {
    round: Round,
    accesses: Vec<Access>,
    /// By process and Write Window: a primitive may still be reading it.
    read: [[[bool; 4]; 2]; NODES],
}

impl Builder {
    /// Counter value to wait for before the host may write the window, or before the bits of Controller
    /// Status may be cleared.
    fn wait(&mut self, oracle: &mut Oracle, who: Who, action: &Action) -> Option<u64> {
        let windows = &mut self.read[who.node][usize::from(who.wid)];
        let filled = action.fill.as_ref().map(|fill| (fill.offset / 512) as usize);
        let wait = action.windows().into_iter().chain(filled).any(|window| windows[window]);
        if wait {
            *windows = [false; 4];
        }
        self.reads(who, action);
        wait.then(|| oracle.process(who).counter.bits())
    }

    fn reads(&mut self, who: Who, action: &Action) {
        for window in action.windows() {
            self.read[who.node][usize::from(who.wid)][window] = true;
        }
    }

    /// Whether a primitive could conflict with one of this round.
    fn must_wait(&self, accesses: &[Access]) -> bool {
        let unordered =
            |earlier: &Access, later: &Access| earlier.meets(later) && !earlier.effect.precedes(later.effect);
        accesses.iter().any(|later| self.accesses.iter().any(|earlier| unordered(earlier, later)))
    }

    fn end(&mut self, rounds: &mut Vec<Round>, counters: [[(u64, u64); 2]; NODES]) {
        let round = std::mem::take(self).round;
        rounds.push(Round { counters, ..round });
    }
}

fn counters(oracle: &mut Oracle) -> [[(u64, u64); 2]; NODES] {
    std::array::from_fn(|node| {
        [false, true].map(|wid| {
            let process = oracle.process(Who { node, wid });
            (process.counter.bits(), process.packets)
        })
    })
}

/// Configured nodes with data in SO-DIMM.
fn configured(configuration: &Configuration) -> Oracle {
    let mut oracle = Oracle::new(NODES);
    let mut random = Stimulus::new(configuration.seed);
    let senders = || (0..NODES).flat_map(|node| [false, true].map(|wid| Who { node, wid }));
    for (n, node) in oracle.nodes.iter_mut().enumerate() {
        node.region = configuration.region();
        node.mtu = dimmnet2::registers::code::mtu_bytes(configuration.mtu[n]).into();
        for sender in senders() {
            node.amt[2 * (sender.node + 1) + usize::from(sender.wid)] = Configuration::amt_entry(sender);
        }
        for wid in [false, true] {
            let limit = node.limit();
            let lists = u64::from(LISTS)..u64::from(LISTS_END);
            for at in (0..0x2000).chain(lists.clone()).chain(limit - 0x400..limit).step_by(4) {
                let word = random.word() as u32;
                let word = match () {
                    // Mostly a small offset, sometimes one beyond the region.
                    _ if !lists.contains(&at) => word,
                    _ if random.one_in(40) => limit as u32 - 4 * random.below(64) as u32,
                    _ => word & 0xffc | u32::from(random.one_in(60)),
                };
                for (i, byte) in (0..).zip(word.to_le_bytes()) {
                    let address = node.address(wid, at + i);
                    node.sodimm.set(address, byte);
                }
            }
            let process = &mut node.processes[usize::from(wid)];
            process.pgid = configuration.pgids[n][usize::from(wid)];
            process.ipush_area = configuration.ipush_area[n];
            for sender in senders() {
                let entry = 8 * usize::from(Configuration::amt_entry(sender));
                process.llcm[entry..entry + 8].copy_from_slice(&configuration.ring(sender).to_le_bytes());
            }
        }
    }
    oracle
}
