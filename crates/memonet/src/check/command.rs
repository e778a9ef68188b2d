//! The command, for any protocol: its worlds are walked, a finding is replayed, a report is printed.

use std::fmt::Display;

use anyhow::Context;
use checker::core::{Clean, Elsewhere, Hazard, NoScript, Protocol, Verdict};
use serde::Serialize;

use crate::output::{self, Outcome};

/// The context of an error where a world has too many states.
pub const TOO_LARGE: &str = "the world is too large; make it smaller, or --limit higher";

/// Arguments that all protocols have.
#[derive(clap::Args)]
pub struct Common {
    /// Give up beyond this many states of a world.
    #[arg(long, value_name = "STATES", default_value_t = 1_000_000)]
    pub limit: usize,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// A world to walk.
pub struct Plan<P: Protocol> {
    /// Name of the hazard, or of the world in which nothing may go wrong.
    pub name: &'static str,
    /// The hazard or the load, as a sentence.
    pub description: &'static str,
    /// The repair of the hazard.
    pub repair: Option<&'static str>,
    /// Nodes, rules and faults.
    pub world: P::World,
    /// The finding that the world is there to show; `None` where nothing may go wrong.
    pub shows: Option<P::Wrong>,
}

impl<P: Protocol> Plan<P> {
    pub fn of(hazard: &Hazard<P>, world: P::World, shows: Option<P::Wrong>) -> Self {
        Plan { name: hazard.name, description: hazard.description, repair: Some(hazard.repair), world, shows }
    }

    /// A world in which nothing may go wrong.
    pub fn clean(Clean { name, description, world }: Clean<P::World>) -> Self {
        Plan { name, description, repair: None, world, shows: None }
    }
}

/// Worlds of one hazard, or of all and those in which nothing may go wrong: with the hazard, repaired, or both.
pub fn plans<P: Protocol>(
    hazard: Option<&Hazard<P>>,
    (printed, repaired): (bool, bool),
    clean: impl FnOnce() -> Vec<Clean<P::World>>,
) -> Vec<Plan<P>> {
    let all = if hazard.is_some() { Vec::new() } else { Hazard::all() };
    let mut plans = Vec::new();
    for hazard in hazard.into_iter().chain(&all) {
        plans.extend(printed.then(|| Plan::of(hazard, hazard.world().clone(), Some(hazard.wrong))));
        let world = hazard.repaired().filter(|_| repaired);
        plans.extend(world.map(|world| Plan::of(hazard, world, None)));
    }
    if hazard.is_none() && repaired {
        plans.extend(clean().into_iter().map(Plan::clean));
    }
    plans
}

/// A protocol as a subcommand of `memonet check`.
pub trait Command: Protocol {
    /// Its arguments.
    type Args;
    /// The report on a replay.
    type Replay;
    /// The report that is printed.
    type Report: Serialize + Display;

    /// Its common arguments.
    fn common(args: &Self::Args) -> &Common;

    /// The worlds to walk.
    fn plans(args: &Self::Args) -> anyhow::Result<Vec<Plan<Self>>>;

    /// Plays a finding on the machine, if that is asked for.
    fn replay(_: &Self::Args) -> anyhow::Result<Option<Self::Replay>> {
        Ok(None)
    }

    /// The report, and whether all is as it should be.
    fn report(
        args: &Self::Args,
        worlds: Vec<(Plan<Self>, Verdict<Self::Wrong>)>,
        replay: Option<Self::Replay>,
    ) -> (Self::Report, bool);
}

/// Walks, replays and prints. Fails with exit code 1 if something is not as it should be.
pub fn run<P: Command>(args: &P::Args) -> anyhow::Result<Outcome> {
    let states = machine_api::counter("check", "states");
    let limit = P::common(args).limit;
    let mut worlds = Vec::new();
    for plan in P::plans(args)? {
        let verdict = P::walk(&plan.world, limit, &mut || states.inc(1)).context(TOO_LARGE)?;
        worlds.push((plan, verdict));
    }
    states.set_message("check, replay");
    let replay = P::replay(args)?;
    states.finish_and_clear();
    let (report, good) = P::report(args, worlds, replay);
    output::print(&report, P::common(args).json)?;
    Ok(Outcome::from(good))
}

/// The hazard of a name, for clap.
pub fn hazard<P: Protocol>(name: &str) -> Result<Hazard<P>, String> {
    let known = |elsewhere: &&Elsewhere| elsewhere.name.eq_ignore_ascii_case(name);
    if let Some(elsewhere) = P::ELSEWHERE.iter().find(known) {
        return Err(format!("no walk of states shows it: {}", elsewhere.why));
    }
    one_of(Hazard::find(name), Hazard::<P>::all().iter().map(|hazard| hazard.name))
}

/// The item of a name, or an error with all names.
pub fn one_of<T>(found: Option<T>, names: impl Iterator<Item = &'static str>) -> Result<T, String> {
    found.ok_or_else(|| format!("one of {}", names.collect::<Vec<_>>().join(", ")))
}

/// A script; or, as the inner error, the reasons why the machine cannot show the finding.
pub fn playable<S>(found: Result<S, NoScript>) -> anyhow::Result<Result<S, Vec<&'static str>>> {
    match found {
        Ok(script) => Ok(Ok(script)),
        Err(NoScript::NotOnMachine(reasons)) => Ok(Err(reasons)),
        Err(NoScript::TooManyStates(error)) => Err(anyhow::Error::new(error).context(TOO_LARGE)),
        Err(NoScript::NothingFound) => {
            anyhow::bail!("nothing goes wrong in this world, so there is nothing to replay")
        }
    }
}
