//! The report of `memonet check gigae_pm`.

use std::fmt;

use checker::core::{self, Verdict, Wrong as _};
use checker::gigae_pm::{Before, Hazard, Misreading, Timers, World, Wrong};
use schemars::JsonSchema;
use serde::Serialize;

use super::super::catalogue::HazardEntry;
use super::replay::Replayed;
use crate::document::Head;
use crate::machines::Built;
use crate::nic::Kind;

/// The report on a world.
#[derive(JsonSchema, Serialize)]
pub struct Report {
    #[serde(flatten)]
    head: Head,
    /// The rules: printed, repaired, or a list.
    rules: String,
    /// The hazard that the world is there to show.
    hazard: Option<HazardEntry>,
    /// N: messages without an ACK.
    window: u16,
    /// Messages of each sender.
    messages: u32,
    /// Messages that the receive buffer holds; `null` if it is never full.
    slots: Option<u8>,
    /// Senders that share the receive buffer.
    senders: usize,
    /// Faults of the network, or fifo.
    network: String,
    /// When timers expire: late or premature.
    timers: &'static str,
    /// Other peculiarities of this world, a sentence each.
    also: Vec<String>,
    /// States that were visited.
    states: usize,
    /// Nothing is lost, repeated or out of order, and all can always still be delivered.
    holds: bool,
    /// Findings: violations, the nearest first, then the trap, then the kind of step that was looked for.
    findings: Vec<Finding>,
    /// The replay of the first finding on cards, if it was asked for.
    replay: Option<Replayed>,
}

#[derive(JsonSchema, Serialize)]
struct Finding {
    /// One or two words for it.
    kind: &'static str,
    /// The fact, as half a sentence.
    says: &'static str,
    /// Events of the shortest trace.
    events: usize,
    /// Steps of this kind in all states, if it is a kind of step that was looked for.
    times: Option<usize>,
    /// The knowledge of every side at the beginning.
    start: Vec<String>,
    /// The shortest trace.
    steps: Vec<Step>,
}

#[derive(JsonSchema, Serialize)]
struct Step {
    /// The event in words.
    happens: String,
    /// The knowledge of every side after it.
    knowledge: Vec<String>,
}

impl From<core::Finding<Wrong>> for Finding {
    fn from(core::Finding { wrong, events, start, steps, times, .. }: core::Finding<Wrong>) -> Self {
        let step = |core::Step { happens, knowledge }| Step { happens, knowledge };
        let steps = steps.into_iter().map(step).collect();
        Self { kind: wrong.name(), says: wrong.description(), events, times, start, steps }
    }
}

impl Report {
    /// The verdict on a world, and what cards of a kind made of the first finding.
    pub fn new(
        world: &World,
        hazard: Option<&Hazard>,
        mut verdict: Verdict<Wrong>,
        replay: Option<(Kind, Replayed)>,
    ) -> Self {
        let head = match &replay {
            Some((nic, replay)) if replay.was_played() => {
                Head::of_run::<gigae_pm_machine::GigaePm>("check", *nic)
            }
            _ => Head::on("check", gigae_pm_machine::GigaePm::WHICH),
        };
        let holds = verdict.holds();
        verdict.findings.sort_by_key(|finding| (finding.times.is_some(), finding.wrong.is_trap()));
        Self {
            head,
            rules: world.rules.to_string(),
            hazard: hazard.map(HazardEntry::from),
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
            holds,
            findings: verdict.findings.into_iter().map(Finding::from).collect(),
            replay: replay.map(|(_, replay)| replay),
        }
    }
}

/// Peculiarities of hazards, which no option sets.
fn unusual(world: &World) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(modulus) = world.modulus {
        lines.push(format!("numbers on the wire are modulo {modulus}, which no rule can repair"));
    }
    if world.transfer {
        lines.push("the transfer to the host is a step of its own".into());
    }
    if world.deaf {
        lines.push("the receiver is dead".into());
    }
    if world.limit != 0 {
        lines.push(format!("after {} expiries without an answer the peer is reported dead", world.limit));
    }
    lines.extend(world.misreading.map(|misreading| {
        let taken = match misreading {
            Misreading::FreesEverything => "\"free all SBuf(r, i)\" is taken for every buffer of the peer",
            Misreading::StopsChannel => "\"stop sending\" is taken for all frames of the channel",
        };
        format!("{taken}, which no rule can repair")
    }));
    if world.mutual {
        lines.push("the two senders are two nodes that send to each other".into());
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
        Before::Forged(number) => lines.push(format!("a stranger's ACK({number}) is on its way")),
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
            write!(
                f,
                "verdict    holds: nothing is lost, repeated or out of order, and all can always still be delivered"
            )?;
        }
        for (number, finding) in self.findings.iter().enumerate() {
            let line = if number == 0 && !self.holds { "" } else { "\n" };
            write!(f, "{line}{finding}")?;
        }
        if let Some(replay) = &self.replay {
            return write!(f, "\n{replay}");
        }
        let Some(first) = self.findings.first() else { return Ok(()) };
        write!(f, "\n\nThe shortest way to the first:\n\n    0  at the beginning")?;
        knowledge(f, &first.start)?;
        for (number, step) in first.steps.iter().enumerate() {
            write!(f, "\n{:5}  {}", number + 1, step.happens)?;
            knowledge(f, &step.knowledge)?;
        }
        Ok(())
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, events, says, .. } = self;
        match self.times {
            None => write!(f, "verdict    {kind} after {events} events: {says}"),
            Some(times) => {
                write!(f, "seen       {kind} after {events} events, and {times} times in all: {says}")
            }
        }
    }
}

fn knowledge(f: &mut fmt::Formatter<'_>, lines: &[String]) -> fmt::Result {
    lines.iter().try_for_each(|line| write!(f, "\n           {line}"))
}
