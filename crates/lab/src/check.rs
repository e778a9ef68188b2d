//! `memonet check`: a protocol, walked state by state.

use std::fmt;

use anyhow::Context;
use checker::{Before, Hazard, Network, Timers, Trace, Verdict, World, hazard};
use clap::ValueEnum;
use gigae_pm::protocol::Rules;
use serde::Serialize;

use crate::output::{self, Outcome};

/// Walk every state that a protocol can reach over a faulty network.
///
/// Sender and receiver are the functions that the NIC runs; network, timers and host do whatever the options allow, in
/// every order. Reported are states visited, what is violated, and the shortest way there, with what each side knows
/// after each step. Without options the repaired rules are checked; --hazard starts from a small world in which the
/// printed rules fail. Exit code 1 if something is violated although the rules are `repaired`; any other rules may fail,
/// that is what they are checked for.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  memonet check gigae_pm                                 the repaired rules, with loss and impatient timers
  memonet check gigae_pm --hazard H3                     a message is lost although the network loses nothing
  memonet check gigae_pm --hazard H3 --rules repaired    the same world, with all repairs
  memonet check gigae_pm --rules repaired,-F9 --timers premature --network loss,duplication
  memonet check gigae_pm --list                          hazards and repairs")]
pub struct Args {
    /// Protocol.
    protocol: Protocol,
    /// Rules: printed, repaired, or a list such as F1,F2,F7 or repaired,-F9.
    #[arg(long, value_name = "LIST")]
    rules: Option<Rules>,
    /// Start from the small world that shows this hazard; other options change it.
    #[arg(long, value_name = "NAME", value_parser = named)]
    hazard: Option<Hazard>,
    /// N: messages without an ACK.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4))]
    window: Option<u16>,
    /// Messages of each sender.
    #[arg(long, value_name = "M", value_parser = clap::value_parser!(u32).range(1..=8))]
    messages: Option<u32>,
    /// Messages that the receive buffer holds, or `any` if it is never full.
    #[arg(long, value_name = "B", value_parser = places)]
    slots: Option<Places>,
    /// Senders that share the receive buffer.
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u8).range(1..=2))]
    senders: Option<u8>,
    /// What the network does: fifo, or a list of loss, duplication, reordering.
    #[arg(long, value_name = "LIST")]
    network: Option<Network>,
    /// When timers expire: late, only when nothing is on its way; premature, at any time.
    #[arg(long, value_name = "WHEN")]
    timers: Option<When>,
    /// Give up beyond this many states; a million take half a gigabyte.
    #[arg(long, value_name = "STATES", default_value_t = 1_000_000)]
    limit: usize,
    /// List hazards and repairs, and check nothing.
    #[arg(long)]
    list: bool,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Protocol {
    /// Go-back-N with STOP and GO, in the firmware of a Gigabit Ethernet NIC.
    #[value(name = "gigae_pm")]
    GigaePm,
}

#[derive(Clone, Copy, ValueEnum)]
enum When {
    Late,
    Premature,
}

/// Places in a receive buffer; without a number it is never full.
#[derive(Clone, Copy)]
struct Places(Option<u8>);

fn places(text: &str) -> Result<Places, String> {
    match text.parse() {
        _ if text == "any" => Ok(Places(None)),
        Ok(count @ 1..=8) => Ok(Places(Some(count))),
        _ => Err("1 to 8, or any".into()),
    }
}

fn named(name: &str) -> Result<Hazard, String> {
    hazard::find(name).ok_or_else(|| {
        let names: Vec<_> = hazard::all().iter().map(|hazard| hazard.name).collect();
        format!("one of {}", names.join(", "))
    })
}

impl Args {
    fn world(&self) -> World {
        let general = World { network: Network::LOSS, timers: Timers::Premature, ..World::default() };
        let mut world = self.hazard.as_ref().map_or(general, |hazard| hazard.worlds[0].clone());
        world.rules = self.rules.unwrap_or(world.rules);
        world.window = self.window.unwrap_or(world.window);
        world.messages = self.messages.unwrap_or(world.messages);
        world.slots = self.slots.map_or(world.slots, |places| places.0);
        world.senders = self.senders.map_or(world.senders, usize::from);
        world.network = self.network.unwrap_or(world.network);
        world.timers = match self.timers {
            None => world.timers,
            Some(When::Late) => Timers::Late,
            Some(When::Premature) => Timers::Premature,
        };
        world
    }
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    let Protocol::GigaePm = args.protocol;
    if args.list {
        output::print(&Catalogue::new(), args.json)?;
        return Ok(Outcome::Success);
    }
    let world = args.world();
    let verdict =
        world.check(args.limit).context("the world is too large; make it smaller, or --limit higher")?;
    let report = Report::new(&world, args.hazard.as_ref(), &verdict);
    output::print(&report, args.json)?;
    Ok(Outcome::from(verdict.holds() || world.rules != Rules::REPAIRED))
}

#[derive(Serialize)]
struct Report {
    rules: String,
    hazard: Option<Known>,
    window: u16,
    messages: u32,
    /// `null` if the buffer is never full.
    slots: Option<u8>,
    senders: usize,
    network: String,
    timers: &'static str,
    /// What else is unusual in this world.
    also: Vec<String>,
    states: usize,
    holds: bool,
    /// What went wrong, the nearest violation first, then the nearest trap.
    findings: Vec<Finding>,
}

#[derive(Serialize)]
struct Finding {
    kind: &'static str,
    says: &'static str,
    events: usize,
    start: Vec<String>,
    steps: Vec<Step>,
}

#[derive(Serialize)]
struct Step {
    happens: String,
    knowledge: Vec<String>,
}

impl Finding {
    fn new(world: &World, kind: &'static str, says: &'static str, trace: &Trace) -> Self {
        let mut before = trace.start;
        let steps = trace.steps.iter().map(|(action, after)| {
            let step = world.tell(&before, *action, after);
            before = *after;
            Step { happens: step.happens, knowledge: step.knowledge }
        });
        let start = world.knowledge(&trace.start);
        Self { kind, says, events: trace.steps.len(), start, steps: steps.collect() }
    }
}

impl Report {
    fn new(world: &World, hazard: Option<&Hazard>, verdict: &Verdict) -> Self {
        let mut findings: Vec<_> = verdict
            .violations
            .iter()
            .map(|(violation, trace)| Finding::new(world, violation.name(), violation.says(), trace))
            .collect();
        findings.sort_by_key(|finding| finding.events);
        let trap = verdict.trap.as_ref();
        findings.extend(trap.map(|(trap, trace)| Finding::new(world, trap.name(), trap.says(), trace)));
        Self {
            rules: world.rules.to_string(),
            hazard: hazard.map(Known::from),
            window: world.window,
            messages: world.messages,
            slots: world.slots,
            senders: world.senders,
            network: world.network.to_string(),
            timers: match world.timers {
                Timers::Late => "late",
                Timers::Premature => "premature",
            },
            also: unusual(world),
            states: verdict.states,
            holds: verdict.holds(),
            findings,
        }
    }
}

/// What no option asks for, only a hazard.
fn unusual(world: &World) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(modulus) = world.modulus {
        lines.push(format!("numbers on the wire are modulo {modulus}, which no rule can repair"));
    }
    if world.transfer {
        lines.push("the transfer to the host is a step of its own".into());
    }
    match world.before {
        Before::Nothing => {}
        Before::Receiver(number) => {
            lines.push(format!("the sender alone began anew; the receiver is at {number}"))
        }
        Before::Sender(number) => {
            lines.push(format!("the receiver alone began anew; the sender is at {number}"))
        }
        Before::Ack(number) => lines.push(format!("ACK({number}) of an earlier session is on its way")),
    }
    lines
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(hazard) = &self.hazard {
            writeln!(f, "{hazard}")?;
        }
        let slots = self.slots.map_or("never full".into(), |slots| format!("for {slots}"));
        writeln!(f, "rules      {}", self.rules)?;
        writeln!(f, "senders    {}, {} messages each, window {}", self.senders, self.messages, self.window)?;
        writeln!(f, "buffer     {slots}")?;
        writeln!(f, "network    {}, timers {}", self.network, self.timers)?;
        for line in &self.also {
            writeln!(f, "also       {line}")?;
        }
        writeln!(f, "states     {}", self.states)?;
        if self.holds {
            return write!(
                f,
                "verdict    holds: nothing is lost, repeated or out of order, and all can always still be delivered"
            );
        }
        for finding in &self.findings {
            writeln!(f, "verdict    {} after {} events: {}", finding.kind, finding.events, finding.says)?;
        }
        let first = &self.findings[0];
        write!(f, "\nThe shortest way to the first:\n\n    0  at the beginning")?;
        knowledge(f, &first.start)?;
        for (number, step) in first.steps.iter().enumerate() {
            write!(f, "\n{:5}  {}", number + 1, step.happens)?;
            knowledge(f, &step.knowledge)?;
        }
        Ok(())
    }
}

fn knowledge(f: &mut fmt::Formatter<'_>, lines: &[String]) -> fmt::Result {
    lines.iter().try_for_each(|line| write!(f, "\n           {line}"))
}

/// What can be asked for.
#[derive(Serialize)]
struct Catalogue {
    hazards: Vec<Known>,
    repairs: Vec<Repair>,
}

#[derive(Serialize)]
struct Known {
    name: &'static str,
    says: &'static str,
    repaired_by: &'static str,
}

#[derive(Serialize)]
struct Repair {
    name: String,
    says: &'static str,
}

impl From<&Hazard> for Known {
    fn from(hazard: &Hazard) -> Self {
        Self { name: hazard.name, says: hazard.says, repaired_by: hazard.repair }
    }
}

impl Catalogue {
    fn new() -> Self {
        let repair = |number| Repair { name: format!("F{number}"), says: Rules::says(number) };
        Self {
            hazards: hazard::all().iter().map(Known::from).collect(),
            repairs: (1..=Rules::COUNT).map(repair).collect(),
        }
    }
}

impl fmt::Display for Known {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:10} {}\n{:10} Repaired by {}.", self.name, self.says, "", self.repaired_by)
    }
}

impl fmt::Display for Catalogue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for hazard in &self.hazards {
            writeln!(f, "{hazard}")?;
        }
        for repair in &self.repairs {
            write!(f, "\n{:10} {}", repair.name, repair.says)?;
        }
        Ok(())
    }
}
