//! `memonet check gigae_pm`: the protocol of a firmware, walked state by state, and findings played on cards.

mod replay;
mod report;

use std::path::PathBuf;

use checker::core::{NoScript, Protocol, Verdict};
use checker::gigae_pm::{GigaePm, Hazard, Network, Rules, Script, Timers, World, Wrong};
use clap::ValueEnum;

use super::catalogue::{Catalogue, HazardEntry, Repair};
use super::command::{self, Command, Common, Plan};
use crate::machines::Built;
use crate::nic::Kind;
use crate::numbers;
use crate::output::{self, Outcome};
use replay::Replayed;
pub use report::Report;

/// Go-back-N with STOP and GO, in the firmware of a Gigabit Ethernet NIC.
///
/// Sender and receiver are the functions that the NIC runs; network, timers and host do whatever the options allow, in
/// every order. The report has the states visited, the violations, and the shortest trace to each, with the knowledge of each side
/// after each step. Without options the repaired rules are checked; --hazard starts from a small world in which the
/// printed rules fail. With --replay NIC cards play the trace: hosts, wires, timers and receive slots do what it says, and
/// the control structures in NIC memory are compared with the states of the checker. Exit code 1 if something is violated
/// although `repaired` rules are asked for, or if the cards do not show what was found; hazards and any other rules may
/// fail.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  memonet check gigae_pm                                 the repaired rules, with loss and impatient timers
  memonet check gigae_pm --hazard H3                     a message is lost although the network loses nothing
  memonet check gigae_pm --hazard H3 --rules repaired    the same world, with all repairs
  memonet check gigae_pm --rules repaired,-F9 --timers premature --network loss,duplication
  memonet check gigae_pm --hazard H3 --replay            the same on two cards, model and RTL in lockstep
  memonet check gigae_pm --hazard H3 --rules repaired --replay --nic model --waves waveforms/out
  memonet check gigae_pm --hazard H20 --expiries 3       a dead peer is reported
  memonet check gigae_pm --list                          hazards and repairs")]
pub struct Args {
    /// Rules: printed, repaired, or a list such as F1,F2,F7 or repaired,-F9.
    #[arg(long, value_name = "LIST")]
    rules: Option<Rules>,
    /// Start from the small world that shows this hazard; other options change it.
    #[arg(long, value_name = "NAME", value_parser = command::hazard::<GigaePm>)]
    hazard: Option<Hazard>,
    /// N: messages without an ACK.
    #[arg(long, value_name = "N", value_parser = numbers::within::<u16>(1..=4, "the number of messages without an ACK"))]
    window: Option<u16>,
    /// Messages of each sender.
    #[arg(long, value_name = "M", value_parser = numbers::within::<u32>(1..=8, "the number of messages"))]
    messages: Option<u32>,
    /// Messages that the receive buffer holds, or `any` if it is never full.
    #[arg(long, value_name = "B", value_parser = places)]
    slots: Option<Places>,
    /// Senders that share the receive buffer.
    #[arg(long, value_name = "COUNT", value_parser = numbers::within::<u8>(1..=2, "the number of senders"))]
    senders: Option<u8>,
    /// Faults of the network: fifo for none, or a list of loss, duplication, reordering.
    #[arg(long, value_name = "LIST")]
    network: Option<Network>,
    /// When timers expire: late, only when no frame is in flight; premature, at any time.
    #[arg(long, value_name = "WHEN")]
    timers: Option<When>,
    /// m: expiries in a row after which a peer is reported dead.
    #[arg(long, value_name = "M", value_parser = numbers::within::<u8>(1..=4, "the number of expiries"))]
    expiries: Option<u8>,
    /// Play the trace of the first finding on cards, step by step; with a hazard and other rules, play the hazard's trace under these.
    #[arg(long)]
    replay: bool,
    /// The implementation of the cards.
    #[arg(long, value_enum, default_value_t, requires = "replay")]
    nic: Kind,
    /// Folder for waveforms of the replay (VCD and FST).
    #[arg(long, value_name = "FOLDER", requires = "replay")]
    waves: Option<PathBuf>,
    /// List hazards and repairs, and check nothing.
    #[arg(long)]
    list: bool,
    #[command(flatten)]
    pub common: Common,
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
        world.limit = self.expiries.unwrap_or(world.limit);
        world.seeks = world.seeks.or(self.expiries.map(|_| Wrong::Report));
        world
    }

    /// A hazard is there to be seen, unless other rules are asked for.
    fn may_fail(&self, world: &World) -> bool {
        world.rules != Rules::REPAIRED || self.hazard.is_some() && self.rules.is_none()
    }

    /// The trace to play: of the world, or of the world with the hazard's own rules, which other rules are asked to bear.
    fn script(&self, world: &World) -> Result<Script, NoScript> {
        let found = GigaePm::script(world, None, self.common.limit);
        match (found, &self.hazard) {
            (Err(NoScript::NothingFound), Some(hazard)) => {
                let printed = World { rules: hazard.world().rules, ..world.clone() };
                GigaePm::script(&printed, None, self.common.limit).map(|script| script.under(world.rules))
            }
            (found, _) => found,
        }
    }
}

impl Command for GigaePm {
    type Args = Args;
    type Replay = Replayed;
    type Report = Report;

    fn common(args: &Args) -> &Common {
        &args.common
    }

    fn plans(args: &Args) -> anyhow::Result<Vec<Plan<Self>>> {
        let world = args.world();
        let (name, description) =
            args.hazard.as_ref().map_or(("", ""), |hazard| (hazard.name, hazard.description));
        let shows =
            args.may_fail(&world).then_some(args.hazard.as_ref()).flatten().map(|hazard| hazard.wrong);
        Ok(vec![Plan { name, description, repair: None, world, shows }])
    }

    fn replay(args: &Args) -> anyhow::Result<Option<Replayed>> {
        if !args.replay {
            return Ok(None);
        }
        let world = args.world();
        let hazard =
            args.hazard.as_ref().map_or(String::new(), |hazard| format!(" --hazard {}", hazard.name));
        let command =
            format!("memonet check gigae_pm{hazard} --rules {} --replay --waves waveforms/out", world.rules);
        match command::playable(args.script(&world))? {
            Ok(script) => {
                let name =
                    args.hazard.as_ref().map_or("replay".into(), |hazard| format!("replay_{}", hazard.name));
                let waves = args.waves.as_deref().map(|folder| (folder, name.as_str()));
                replay::play(&script, args.nic, waves, &command).map(Some)
            }
            Err(not_on_card) => Ok(Some(Replayed::NotOnCard { not_on_card })),
        }
    }

    fn report(
        args: &Args,
        worlds: Vec<(Plan<Self>, Verdict<Wrong>)>,
        replay: Option<Replayed>,
    ) -> (Report, bool) {
        let (plan, verdict) = worlds.into_iter().next().expect("the plan is one world");
        let good = verdict.holds() || args.may_fail(&plan.world);
        let good = good && replay.as_ref().is_none_or(Replayed::is_good);
        (
            Report::new(&plan.world, args.hazard.as_ref(), verdict, replay.map(|replay| (args.nic, replay))),
            good,
        )
    }
}

/// Lists hazards and repairs, or walks a world.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    if args.list {
        output::print(&catalogue(), args.common.json)?;
        return Ok(Outcome::Success);
    }
    command::run::<GigaePm>(args)
}

fn catalogue() -> Catalogue {
    let repair = |number| Repair { name: format!("F{number}"), says: Rules::says(number) };
    let hazards = GigaePm::hazards().iter().map(HazardEntry::from).collect();
    let repairs = (1..=Rules::COUNT).map(repair).collect();
    Catalogue::new(gigae_pm_machine::GigaePm::WHICH, hazards, repairs, "Repaired by ")
}
