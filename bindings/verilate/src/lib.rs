//! Builds a static library of a device or of its blocks from SystemVerilog.
//!
//! Called by build scripts: [`device`] for a whole device, [`Testbench`] for its blocks and their faults,
//! each on its own. `verilator::device!()` in the crate opens them by name.
//!
//! Assumptions about Verilator (5.006):
//!
//! * `verilator --cc --prefix V<block> --Mdir <dir>` writes `V<block>.cpp`, `V<block>.h` and further
//!   `V<block>*.cpp`; all of them can be included into one file;
//! * of these files, those with `__Slow` or `__Syms` in their names hold only code that runs once, at the start;
//! * `V<block>.h` declares each clock as a line `VL_IN8(&<port>,0,0);`;
//! * `V<block>___024root.h` declares the class behind `rootp`, whose member `__Vtrigrprev__TOP__<clock>` is
//!   the clock's value at the last evaluation (where it is missing, a slower path is compiled instead);
//! * the file-scope functions `V<block>___024root___eval_ico`, `_eval_act`, `_eval_nba` and the `_eval_triggers`
//!   of the first two are what `eval()` calls in turn (where one is missing, `eval()` is called itself);
//! * `V<block>___024root___eval_settle` evaluates all logic that depends on registers, at any time;
//! * `public_flat_rd` in a `.vlt` file enters a signal into the symbol table without `--vpi`;
//! * signals are members of one object that ends in the symbol table's scopes, so that loading 8 bytes from
//!   a narrower signal stays inside it;
//! * a packed port is a `CData` .. `QData` or a `VlWide`, bit 0 first;
//! * only rising clock edges are used by the RTL.
//!
//! The network is never used. Outside the build folder, compiled blocks are kept in the user's cache folder
//! (`MEMONET_CACHE` names another one, or `off`), by a digest of all their sources, tools and flags.

mod block;
mod cache;
mod clocks;
mod job;
mod messages;
mod phases;
mod runtime;
mod sources;
mod structure;
mod tables;
mod tools;
mod witness;

use std::path::{Path, PathBuf};
use std::sync::Mutex;

pub use block::{Block, Fault};
pub use runtime::runtime;
pub use tables::table_digests;

/// Verilates and compiles a whole device for the calling crate, which opens it by the name of the device.
///
/// The clocks of the device are the ports of its top module, `<device>.sv`, named `clk_i` or `<name>_clk_i`,
/// in their order; a block may have any of them.
///
/// The RTL of the device is in `rtl/<device>` of the folder of the crate, or of the nearest parent folder
/// that has it; modules shared by all devices are in `rtl/common` there, or in that of Memonet.
///
/// A block is verilated and compiled once for each state of its sources, tools and flags. Without Verilator
/// nothing is built, and `cfg(verilated)` is not set.
pub fn device(device: &str) {
    build(device, &[], |_| Ok(vec![Block::new(device)]));
}

/// Verilates and compiles whole devices whose inner pins are not visible, for long runs. The calling crate opens
/// each as `<device>_lean`.
pub fn lean(devices: &[&str]) {
    println!("cargo::rerun-if-changed=build.rs");
    let mut library = Library::new();
    for device in devices {
        library.add(device, |_| Ok(vec![Block::lean(device)]));
    }
    library.finish();
}

/// The blocks of a device, each on its own, for its tests.
///
/// The variable `MEMONET_BLOCKS` selects the blocks to build, separated by spaces; by default all are built.
#[derive(Clone, Debug)]
pub struct Testbench {
    device: &'static str,
    left_out: Vec<&'static str>,
    shared: Vec<&'static str>,
    faults: Vec<Block>,
    witnesses: Option<&'static str>,
}

impl Testbench {
    /// All modules of the device with packed pins, except the top module.
    pub fn new(device: &'static str) -> Self {
        Self { device, left_out: Vec::new(), shared: Vec::new(), faults: Vec::new(), witnesses: None }
    }

    /// Leaves out a module that is tested as a part of another one.
    pub fn without(mut self, module: &'static str) -> Self {
        self.left_out.push(module);
        self
    }

    /// Marks a module whose name another device has too. Its C++ class gets a name of its own, so that one program can
    /// hold the blocks of both devices; the block is still opened by the name of the module.
    pub fn with_shared_name(mut self, module: &'static str) -> Self {
        self.shared.push(module);
        self
    }

    /// Adds the block `top` with a fault in one of its modules, opened as `name`: `right`, which must occur
    /// exactly once, is replaced by `wrong`.
    pub fn fault(mut self, name: &str, top: &str, module: &str, right: &str, wrong: &str) -> Self {
        self.faults.push(Block::faulty(name, top, module, right, wrong));
        self
    }

    /// Adds the faults named by the `// Witness:` lines of the proofs in a folder, each opened as
    /// `module_assertion`. The folder is below that of the crate.
    pub fn witnesses(mut self, folder: &'static str) -> Self {
        self.witnesses = Some(folder);
        self
    }

    /// Verilates and compiles the blocks, as [`device`] does.
    pub fn build(self) {
        println!("cargo::rerun-if-env-changed=MEMONET_BLOCKS");
        let shared = self.shared.clone();
        build(self.device, &shared, |sources| {
            let alone = sources.blocks(self.device).into_iter();
            let alone = alone.filter(|name| !self.left_out.contains(&name.as_str()));
            let mut blocks: Vec<_> = alone.map(|name| Block::new(&name)).chain(self.faults).collect();
            if let Some(folder) = self.witnesses {
                let folder = Path::new(&env("CARGO_MANIFEST_DIR")).join(folder);
                println!("cargo::rerun-if-changed={}", folder.display());
                blocks.extend(witness::faults(&folder)?);
            }
            if let Some(only) = std::env::var("MEMONET_BLOCKS").ok().filter(|only| !only.trim().is_empty()) {
                let known = |name: &&str| !blocks.iter().any(|block| block.name == **name);
                if let Some(name) = only.split_whitespace().find(known) {
                    return Err(format!("MEMONET_BLOCKS: {} has no block {name}", self.device));
                }
                blocks.retain(|block| only.split_whitespace().any(|name| name == block.name));
            }
            Ok(blocks)
        });
    }
}

/// Builds a library of blocks of a device, opened by the name of the calling package. The blocks `shared` have names
/// that other devices use too.
fn build(device: &str, shared: &[&str], blocks: impl FnOnce(&sources::Index) -> Result<Vec<Block>, String>) {
    println!("cargo::rustc-check-cfg=cfg(verilated)");
    println!("cargo::rerun-if-changed=build.rs");
    let mut library = Library::new();
    let mut names = Vec::new();
    let (objects, clocks) = library.add(device, |sources| {
        let mut blocks = blocks(sources)?;
        for block in &mut blocks {
            names.push(block.name.clone());
            if shared.contains(&block.name.as_str()) {
                block.name += &format!("_of_{device}");
            }
        }
        Ok(blocks)
    });
    println!("cargo::rustc-env=BLOCKS={}", names.join(" "));
    println!("cargo::rustc-env=OBJECTS={}", objects.join(" "));
    println!("cargo::rustc-env=CLOCKS={}", clocks.join(" "));
    if library.finish() {
        println!("cargo::rustc-cfg=verilated");
    }
}

/// A static library of the calling package.
struct Library {
    /// `None` without Verilator. The build script of `verilator` has looked for it; cargo reruns this script when
    /// that changes.
    runtime: Option<runtime::Runtime>,
    compiler: cc::Build,
    coverage: bool,
    out: PathBuf,
    name: String,
}

impl Library {
    fn new() -> Self {
        let runtime = runtime::Runtime::from_environment();
        let mut compiler = cc::Build::new();
        tools::flags(compiler.cpp(true), runtime.as_ref().and_then(|runtime| runtime.compiler.as_deref()));
        let coverage = std::env::var_os("CARGO_FEATURE_COVERAGE").is_some();
        if coverage {
            compiler.define("VM_COVERAGE", "1");
        }
        Self { runtime, compiler, coverage, out: PathBuf::from(env("OUT_DIR")), name: env("CARGO_PKG_NAME") }
    }

    /// Builds blocks of a device; returns their names and the clocks of the device.
    fn add(
        &mut self,
        device: &str,
        blocks: impl FnOnce(&sources::Index) -> Result<Vec<Block>, String>,
    ) -> (Vec<String>, Vec<String>) {
        let manifest = PathBuf::from(env("CARGO_MANIFEST_DIR"));
        let folder = Path::new("rtl").join(device);
        let root = manifest.ancestors().find(|above| above.join(&folder).is_dir());
        let root =
            root.unwrap_or_else(|| fail(&[format!("no {} here or above", folder.display())])).to_path_buf();
        // Modules shared by all devices, of this root or of Memonet.
        let common = [root.as_path(), &memonet()].map(|root| root.join("rtl/common"));
        let common = common.iter().find(|folder| folder.is_dir()).expect("Memonet has them").clone();
        for path in [&common, &root.join(&folder)] {
            println!("cargo::rerun-if-changed={}", path.display());
        }
        let sources = sources::Index::new(&root, &[common.strip_prefix(&root).unwrap_or(&common), &folder]);
        let blocks = blocks(&sources).unwrap_or_else(|error| fail(&[error]));
        let clocks = sources.text(device).and_then(|text| clocks::of_device(&text));
        let clocks = clocks.unwrap_or_else(|error| fail(&[format!("{device}: {error}")]));
        if let Some(runtime) = &self.runtime {
            let tool = self.compiler.get_compiler();
            let job = job::Job {
                root: &root,
                out: &self.out,
                library: &self.name,
                sources: &sources,
                clocks: &clocks,
                runtime,
                compiler: &tool,
                compiler_version: &tools::compiler_version(&tool),
                cache: &cache::Cache::of_user(),
                coverage: self.coverage,
            };
            run_all(&job, &blocks);
            // Objects register themselves in the list of blocks; nothing else refers to them.
            let objects: Vec<_> = blocks.iter().map(|block| job.object(block)).collect();
            self.compiler.objects(objects);
        }
        (blocks.into_iter().map(|block| block.name).collect(), clocks)
    }

    /// Archives the blocks. Returns false without Verilator.
    fn finish(self) -> bool {
        if self.runtime.is_some() {
            self.compiler.clone().link_lib_modifier("+whole-archive").compile(&self.name);
        }
        self.runtime.is_some()
    }
}

/// Runs the jobs on as many threads as cargo allows, and ends the build if one fails.
fn run_all(job: &job::Job<'_>, blocks: &[Block]) {
    let queue = Mutex::new(blocks.iter());
    let failures = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..env("NUM_JOBS").parse().unwrap_or(1) {
            scope.spawn(|| {
                loop {
                    let Some(block) = queue.lock().expect("no job panics").next() else { break };
                    if let Err(failure) = job.run(block) {
                        let failure = messages::compact(&failure, job.sources);
                        failures.lock().expect("no job panics").push(failure);
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().expect("no job panics");
    if !failures.is_empty() {
        fail(&failures);
    }
}

/// Root of Memonet's workspace.
fn memonet() -> PathBuf {
    let above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2);
    above.expect("this crate is in bindings/ of the workspace").to_path_buf()
}

fn env(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| panic!("cargo sets {name} for build scripts"))
}

/// Ends the build with these messages.
///
/// An error message alone fails the build. With an exit code other than 0, cargo would add the whole output of
/// this script, whose dozens of `rerun-if-changed` lines hide the messages.
fn fail(failures: &[String]) -> ! {
    let mut lines: Vec<_> = failures.iter().flat_map(|failure| failure.lines()).collect();
    // Blocks share modules, so their messages repeat.
    let mut known = std::collections::BTreeSet::new();
    lines.retain(|line| known.insert(*line));
    for line in lines {
        println!("cargo::error={line}");
    }
    std::process::exit(0);
}
