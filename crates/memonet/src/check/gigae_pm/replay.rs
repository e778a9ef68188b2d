//! `memonet check gigae_pm --replay`: a finding, played on cards.

use std::fmt;
use std::path::{Path, PathBuf};

use checker::core::{Played, Wrong as _};
use checker::gigae_pm::replay::{PATIENCE, TIMEOUT};
use checker::gigae_pm::{Replay, Script, Wrong};
use cluster::Machine;
use hdl::Model;
use machine_api::Subject;
use schemars::JsonSchema;
use serde::Serialize;
use waveform::View;

use super::super::replay as text;
use crate::nic::{Board, Kind, Maker};
use crate::recorded::{self, Recording};

/// A cycle of the card.
const CORE_PS: u64 = gigae_pm_machine::GigaePm::CLOCKS.domain(0).period.ps();

/// Width of the column of the checker.
const COLUMN: usize = 52;

/// A replay, or why there is none.
#[derive(JsonSchema, Serialize)]
#[serde(untagged)]
pub enum Replayed {
    /// Cards have played it.
    Played(Box<Report>),
    /// Cards cannot show it.
    NotOnCard {
        /// In place of all other keys of a replay: the reasons why cards cannot show it, a sentence each.
        not_on_card: Vec<&'static str>,
    },
}

/// A replay as cards played it.
#[derive(JsonSchema, Serialize)]
pub struct Report {
    /// The implementation of the cards; the head of the document has it too.
    #[serde(skip)]
    nic: Kind,
    /// Cards that took part.
    cards: usize,
    /// The rules of the replay.
    rules: String,
    /// The expected finding; `null` if all was to end well.
    finding: Option<&'static str>,
    /// The events, in order; the first one is the beginning.
    steps: Vec<Step>,
    /// The end, after hosts had sent and taken everything.
    ending: Ending,
    /// The cards had the checker's state after every step.
    agrees: bool,
    /// They ended as the finding says, or well.
    shows: bool,
    /// Waveforms and their layouts.
    #[serde(serialize_with = "crate::shell_words::paths")]
    waves: Vec<PathBuf>,
}

#[derive(JsonSchema, Serialize)]
struct Step {
    /// The event in words.
    happens: String,
    /// It cannot happen under these rules, and did not.
    skipped: bool,
    /// From the beginning to when the cards had come to rest.
    at_ps: u64,
    /// The checker's state after it, a line for each side and wire.
    checker: Vec<String>,
    /// The same, read from NIC memory, wires and hosts.
    card: Vec<String>,
    /// The two are the same.
    agrees: bool,
}

#[derive(JsonSchema, Serialize)]
struct Ending {
    /// The verdict, in words.
    says: String,
    /// Numbers of the messages that the receiver's host got, by sender.
    delivered: Vec<Vec<u32>>,
    /// The last message of each sender that it counts as acknowledged.
    acknowledged: Vec<u32>,
    /// Frames that were sent for it.
    frames: u64,
    /// Time from the last step to the end.
    duration_ps: u64,
}

/// Plays a script on cards of a kind; waveforms go into a folder, under a name.
pub fn play(
    script: &Script,
    nic: Kind,
    waves: Option<(&Path, &str)>,
    command: &str,
) -> anyhow::Result<Replayed> {
    let boards = Maker::<gigae_pm_machine::GigaePm>::new(nic, 1, command).boards(script.cards())?;
    let fails = |error| anyhow::anyhow!("{error}");
    let (replay, waves) = if let Some((folder, name)) = waves {
        // A rehearsal on models shows when the script begins; before that, rings are filled.
        let models = (0..script.cards())
            .map(|_| Model::new(<gigae_pm_machine::GigaePm as Machine>::Device::default()))
            .collect();
        let rehearsal = script.play(models).map_err(fails)?;
        let (from, last) = (rehearsal.ending.begins, rehearsal.steps.last().map_or(0, |step| step.time));
        let view = View { start_ps: from * CORE_PS, length_ps: last.saturating_sub(from * CORE_PS).max(1) };
        let recording = Recording::new(folder, gigae_pm_machine::GigaePm::NAME, name, from, view);
        let (waves, cards) = recorded::record(&recording, boards)?;
        let replay = script.play(cards).map_err(fails)?;
        (replay, waves.finish()?)
    } else {
        let cards = boards.into_iter().map(Board::ahead).collect();
        (script.play(cards).map_err(fails)?, Vec::new())
    };
    Ok(Replayed::Played(Box::new(Report::new(script, nic, replay, waves))))
}

impl Replayed {
    /// Cards took part.
    pub fn was_played(&self) -> bool {
        matches!(self, Self::Played(_))
    }

    /// Nothing is other than expected.
    pub fn is_good(&self) -> bool {
        match self {
            Self::Played(report) => report.shows,
            Self::NotOnCard { .. } => true,
        }
    }
}

impl Report {
    fn new(script: &Script, nic: Kind, replay: Replay, waves: Vec<PathBuf>) -> Self {
        let (world, begins) = (&script.world, replay.ending.begins * CORE_PS);
        let (agrees, shows) = (replay.agrees(), replay.shows(script.finding));
        let step = |Played { happens, skipped, time, checker, machine, agrees }| Step {
            happens,
            skipped,
            at_ps: u64::saturating_sub(time, begins),
            checker,
            card: machine,
            agrees,
        };
        let ending = &replay.ending;
        Self {
            nic,
            cards: script.cards(),
            rules: world.rules.to_string(),
            finding: script.finding.map(Wrong::name),
            steps: replay.steps.into_iter().map(step).collect(),
            ending: Ending {
                says: says(&replay.ending),
                delivered: ending.delivered.clone(),
                acknowledged: ending.acknowledged.clone(),
                frames: ending.frames,
                duration_ps: ending.took,
            },
            agrees,
            shows,
            waves,
        }
    }
}

/// An ending as a sentence.
fn says(ending: &checker::gigae_pm::replay::Ending) -> String {
    let mut parts: Vec<_> = ending.violations.iter().map(|violation| violation.name().to_string()).collect();
    if let Some(trap) = ending.trap {
        let timeouts = PATIENCE / u64::from(TIMEOUT);
        parts.push(format!(
            "{}: not all is delivered and acknowledged after {timeouts} timeouts",
            trap.name()
        ));
    }
    if ending.reported_dead {
        parts.push("the card reports a dead peer to its host".into());
    }
    if parts.is_empty() {
        parts.push("good: every message is delivered once, in order, and acknowledged".into());
    }
    parts.join("; ")
}

impl fmt::Display for Replayed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Played(report) => report.fmt(f),
            Self::NotOnCard { not_on_card } if not_on_card.is_empty() => {
                write!(
                    f,
                    "replay     a card cannot show it: nothing goes wrong in steps as large as those of its firmware"
                )
            }
            Self::NotOnCard { not_on_card } => {
                write!(f, "replay     a card cannot show it: {}", not_on_card.join("; "))
            }
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { cards, rules, .. } = self;
        let nic = self.nic.name();
        writeln!(f, "\nReplay on {cards} cards, nic {nic}, rules {rules}, in steps of the firmware:\n")?;
        writeln!(f, "   us      {:COLUMN$} | card", "checker")?;
        for (number, step) in self.steps.iter().enumerate() {
            writeln!(f, "{number:5}  {}{}", text::skipped(step.skipped), step.happens)?;
            let time = format!("{:9.1}", step.at_ps as f64 / 1e6);
            text::columns(f, &time, COLUMN, [&step.checker, &step.card], "")?;
            if !step.agrees {
                writeln!(f, "{:11}the card is not where the checker is", "")?;
            }
        }
        let Ending { says, delivered, acknowledged, frames, duration_ps } = &self.ending;
        writeln!(f, "\nAnd then hosts send and take all there is, wires lose nothing, and timers run.\n")?;
        writeln!(f, "ending     {says}")?;
        for (sender, (numbers, acked)) in delivered.iter().zip(acknowledged).enumerate() {
            let numbers: Vec<_> = numbers.iter().map(u32::to_string).collect();
            let numbers = if numbers.is_empty() { "nothing".into() } else { numbers.join(", ") };
            let of = if delivered.len() == 1 { "" } else { [" of sender a", " of sender b"][sender] };
            writeln!(f, "           delivered{of}: {numbers}; acknowledged: up to {acked}")?;
        }
        writeln!(f, "           {frames} frames in {:.1} us", *duration_ps as f64 / 1e6)?;
        for path in &self.waves {
            writeln!(f, "wrote      {}", path.display())?;
        }
        text::conclusion(f, "the cards", (self.agrees, self.shows), self.finding)
    }
}
