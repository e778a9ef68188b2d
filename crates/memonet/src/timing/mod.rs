//! `memonet timing`: clock frequencies of the RTL on an FPGA, after place and route.

mod cache;
mod report;
mod route;
mod wrapper;

use std::path::PathBuf;

use hdl::{Clock, Device};
use machine_api::Synthesis;

pub use self::report::Report;

use self::report::{ClockTiming, ModuleTiming};
use self::route::Router;
use crate::document::Head;
use crate::interrupt::Interrupt;
use crate::machines::{Name, with_machine};
use crate::numbers;
use crate::output::{self, Outcome};
use crate::usage;
use crate::yosys::{self, Sources};

/// Place and route the RTL; report the clock frequencies.
///
/// Each module of the device and the whole device are placed and routed by Yosys and nextpnr on a Lattice
/// ECP5 (LFE5U-85F, speed 8), the FPGA with open tools. Published clocks are those of a Virtex-II Pro, so a
/// comparison shows which modules are slow, not by how much. Each module is enclosed by registers, and the
/// worst of several placements counts. Exit code 1 if the device does not reach one of its clock frequencies.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  memonet timing --only lh_buffer
  memonet timing --only window_controller --seeds 1,2,3,4,5 --json

A module takes seconds to minutes, a device about ten minutes for each placement. Placements are cached in target/timing,
so an interrupted run can be resumed. `ci/install timing` installs nextpnr.")]
pub struct Args {
    /// Machine whose RTL is placed.
    #[arg(long, value_enum, default_value_t)]
    machine: Name,
    /// Only this module of the RTL; may be given several times.
    #[arg(long, value_name = "MODULE")]
    only: Vec<String>,
    /// Seeds of the placements, separated by commas.
    #[arg(long, value_delimiter = ',', default_values_t = [1, 2, 3], value_parser = numbers::number)]
    seeds: Vec<u64>,
    /// Also write the table to this Markdown file.
    #[arg(long, value_name = "FILE", conflicts_with = "only")]
    output: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// Clocks and modules of a device.
struct Subject {
    clocks: &'static [Clock],
    synthesis: Synthesis,
}

impl Subject {
    fn of(machine: Name) -> Self {
        with_machine!(machine, M => Subject {
            clocks: <<M as cluster::Machine>::Device as Device>::CLOCKS,
            synthesis: <M as machine_api::Synthesized>::SYNTHESIS,
        })
    }

    /// Modules of the cost table without duplicates, then the device.
    fn modules(&self, device: &'static str) -> Vec<&'static str> {
        let mut modules = Vec::new();
        for (module, _) in self.synthesis.modules.iter().flat_map(|row| row.modules) {
            if !modules.contains(module) && *module != device {
                modules.push(module);
            }
        }
        modules.push(device);
        modules
    }

    /// Published MHz of a module's clocks, if it is the first one of its row.
    fn published(&self, module: &str) -> &'static [f64] {
        let row = self
            .synthesis
            .modules
            .iter()
            .find(|row| row.modules.first().is_some_and(|(name, _)| *name == module));
        row.map_or(&[], |row| row.published_mhz)
    }

    /// Required MHz of a clock.
    fn goal(&self, port: &str) -> f64 {
        let clock = self.clocks.iter().find(|clock| clock.port == port).unwrap_or(&self.clocks[0]);
        1e6 / clock.period_ps as f64
    }
}

/// Places the modules and prints the report.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    let subject = Subject::of(args.machine);
    let sources = Sources::find(args.machine)?;
    let modules: Vec<&str> = match args.only.as_slice() {
        [] => subject.modules(args.machine.folder()),
        only => only.iter().map(String::as_str).collect(),
    };
    for module in &modules {
        if !sources.modules.iter().any(|path| path.file_stem().is_some_and(|stem| stem == *module)) {
            return Err(usage::invalid("--only <MODULE>", module, "the device has no such module"));
        }
    }
    if let Some(twice) = (1..modules.len()).find(|at| modules[..*at].contains(&modules[*at])) {
        return Err(usage::invalid("--only <MODULE>", modules[twice], "the module is given twice"));
    }
    if let Some(file) = &args.output {
        output::check_folder(file)?;
    }
    let interrupt = Interrupt::listen()?;
    let (router, yosys) = (Router::find(&sources.root)?, yosys::version()?);
    let tools = format!("{yosys}; {}", router.version());
    let progress = machine_api::progress("timing", (modules.len() * (args.seeds.len() + 1)) as u64, "steps");
    let work = |module: &&str| {
        progress.set_message(format!("timing, {module}"));
        let step = || {
            progress.inc(1);
            anyhow::ensure!(!interrupt.came(), "interrupted");
            Ok(())
        };
        time(&subject, args, &sources, &router, module, &step)
    };
    let rows = machine_api::jobs::run(&modules, &|| (), work);
    progress.finish_and_clear();
    // Programs that Ctrl-C ended, such as nextpnr, did not fail.
    if interrupt.came() {
        return Ok(Outcome::Interrupted);
    }
    let rows = rows?;
    let report = Report { head: Head::on("timing", args.machine), tools, seeds: args.seeds.clone(), rows };
    if let Some(file) = &args.output {
        output::write(file, report.page(args.machine).as_bytes())?;
    }
    output::print(&report, args.json)?;
    Ok(Outcome::from(report.is_reached()))
}

/// Places a module with each seed; the worst placement counts.
fn time(
    subject: &Subject,
    args: &Args,
    sources: &Sources,
    router: &Router,
    module: &str,
    step: &dyn Fn() -> anyhow::Result<()>,
) -> anyhow::Result<ModuleTiming> {
    let ports: Vec<_> = subject.clocks.iter().map(|clock| clock.port).collect();
    let netlist = router.synthesize(module, sources, &ports)?;
    step()?;
    let goals: Vec<_> = netlist.clocks.iter().map(|port| subject.goal(port)).collect();
    let (mut area, mut placements) = (route::Area::default(), vec![Vec::new(); goals.len()]);
    for &seed in &args.seeds {
        let (used, paths) = router.route(&netlist, &goals, seed)?;
        area = used;
        placements.iter_mut().zip(paths).for_each(|(of_clock, path)| of_clock.push(path));
        step()?;
    }
    let published = subject.published(module);
    let clocks = netlist.clocks.iter().zip(goals).zip(placements).enumerate();
    let clocks = clocks
        .map(|(at, ((port, goal), paths))| ClockTiming::new(port, goal, published.get(at).copied(), paths));
    Ok(ModuleTiming {
        module: module.to_owned(),
        luts: area.luts,
        block_rams: area.block_rams,
        clocks: clocks.collect(),
    })
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;

    use super::*;

    #[test]
    fn modules_of_the_table_have_sources_and_goals() {
        for &machine in Name::value_variants() {
            let (subject, sources) = (Subject::of(machine), Sources::find(machine).unwrap());
            let modules = subject.modules(machine.folder());
            assert_eq!(modules.last(), Some(&machine.folder()));
            for module in modules {
                let file = |path: &PathBuf| path.file_stem().is_some_and(|stem| stem == module);
                assert!(sources.modules.iter().any(file), "{module}");
            }
            assert!(subject.clocks.iter().all(|clock| subject.goal(clock.port) > 1.0));
        }
    }
}
