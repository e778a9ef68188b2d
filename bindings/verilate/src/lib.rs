//! SystemVerilog blocks in, one static library per device out.
//!
//! Called by the build scripts of the crates in `bindings/`. What it assumes of Verilator (5.006):
//!
//! * `verilator --cc --prefix V<block> --Mdir <dir>` writes `V<block>.cpp`, `V<block>.h` and further
//!   `V<block>*.cpp`; all of them can be included into one file;
//! * `V<block>.h` declares each clock as a line `VL_IN8(&<port>,0,0);`;
//! * `V<block>___024root.h` declares the class behind `rootp`, whose member `__Vtrigrprev__TOP__<clock>` is
//!   the clock's value at the last evaluation (where it is missing, a slower path is compiled instead);
//! * the file-scope functions `V<block>___024root___eval_ico`, `_eval_act`, `_eval_nba` and the `_eval_triggers`
//!   of the first two are what `eval()` calls in turn (where one is missing, `eval()` is called itself);
//! * `V<block>___024root___eval_settle` evaluates all that follows from registers, at any time;
//! * `public_flat_rd` in a `.vlt` file enters a signal into the symbol table without `--vpi`;
//! * signals are members of one object that ends in the symbol table's scopes, so that loading 8 bytes from
//!   a narrower signal stays inside it;
//! * a packed port is a `CData` .. `QData` or a `VlWide`, bit 0 first;
//! * only rising clock edges are used by the RTL.
//!
//! The network is never used, and nothing is written outside the build directory.

mod clocks;
mod sources;

use std::ffi::OsStr;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

/// Signals that are in the symbol table: registers, pins of every block, memories.
const OBSERVE: &str = "\
`verilator_config
public_flat_rd -module \"*\" -var \"*_q\"
public_flat_rd -module \"*\" -var \"pins_o\"
public_flat_rd -module \"*\" -var \"mem\"
";

const VERILATOR_FLAGS: &[&str] = &[
    "--cc",
    "-Wall",
    "-O3",
    "--assert",
    // Values that the RTL leaves open are 0; registers start from values drawn at run time.
    "--x-assign",
    "0",
    "--x-initial",
    "unique",
];

/// A block to verilate on its own.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    /// Name by which it is opened.
    pub name: &'static str,
    /// Path of the top module below the device's RTL directory, without `.sv`.
    pub path: &'static str,
    /// Further arguments, for instance `-GDepth=4`.
    pub arguments: &'static [&'static str],
    /// A deliberate fault.
    pub fault: Option<Fault>,
    /// Its class in C++, behind a `V`; as it is opened, if none is named.
    pub class: Option<&'static str>,
}

/// A change to the text of one module of a block, made in the build directory: `rtl/` knows nothing of it.
#[derive(Clone, Copy, Debug)]
pub struct Fault {
    /// Module with the fault: the block itself or one below it.
    pub module: &'static str,
    /// Text that is replaced; it occurs exactly once.
    pub right: &'static str,
    /// What stands there instead.
    pub wrong: &'static str,
}

/// The block at `path`, opened under the name of its module.
pub const fn block(name: &'static str, path: &'static str) -> Block {
    Block { name, path, arguments: &[], fault: None, class: None }
}

impl Block {
    /// The same block with a class of another name: a program has all devices in it, and no two of their blocks may have one name in C++.
    pub const fn with_class(self, class: &'static str) -> Self {
        Self { class: Some(class), ..self }
    }

    fn class(&self) -> &'static str {
        self.class.unwrap_or(self.name)
    }

    /// The same block with a fault.
    pub const fn with_fault(self, module: &'static str, right: &'static str, wrong: &'static str) -> Self {
        Self { fault: Some(Fault { module, right, wrong }), ..self }
    }
}

/// Verilates and compiles the blocks of a device for the calling crate; the bridge in its `src/bridge.rs` opens
/// them by name. Its namespace in C++ is the name of the crate.
///
/// The clocks of the device are those ports of its top module, `<device>.sv`, that are called `clk_i` or `<name>_clk_i`, in
/// their order; a block has any of them.
///
/// The RTL of the device is in `rtl/<device>` of the folder of the crate, or of the nearest one above that has it; what all
/// devices share is in `rtl/common` there, or in that of Memonet.
///
/// A block whose sources and flags did not change is neither verilated nor compiled again. Where Verilator is not
/// installed nothing is built, and `cfg(verilated)` is not set.
pub fn device(device: &str, blocks: &[Block]) {
    let names: Vec<_> = blocks.iter().map(|block| block.name).collect();
    println!("cargo::rustc-env=BLOCKS={}", names.join(" "));
    println!("cargo::rustc-check-cfg=cfg(verilated)");
    // The runtime has looked for Verilator, and cargo runs this script again when it has found it.
    if std::env::var_os("DEP_VERILATOR_INSTALLED").is_none() {
        println!("cargo::rustc-env=CLOCKS=");
        println!("cargo::rerun-if-changed=build.rs");
        return;
    }
    println!("cargo::rustc-cfg=verilated");

    let manifest = PathBuf::from(env("CARGO_MANIFEST_DIR"));
    let folder = Path::new("rtl").join(device);
    let root = manifest.ancestors().find(|above| above.join(&folder).is_dir());
    let root =
        root.unwrap_or_else(|| fail(&[format!("no {} here or above", folder.display())])).to_path_buf();
    // Modules that all devices share, of this root or else of Memonet.
    let common = [root.as_path(), &memonet()].map(|root| root.join("rtl/common"));
    let common = common.iter().find(|folder| folder.is_dir()).expect("Memonet has them").clone();
    let out = PathBuf::from(env("OUT_DIR"));
    for path in [common.clone(), root.join(&folder), manifest.join("src/bridge.rs")] {
        println!("cargo::rerun-if-changed={}", path.display());
    }
    println!("cargo::rerun-if-changed={}", manifest.join("build.rs").display());
    println!("cargo::rerun-if-env-changed=CXX");

    let namespace = env("CARGO_PKG_NAME");
    let include = out.join("include");
    write_if_changed(&include.join(&namespace).join("open.h"), &open_header(&namespace, &names));

    let sources = sources::Index::new(&root, &[common.strip_prefix(&root).unwrap_or(&common), &folder]);
    let clocks = sources.text(device).and_then(|text| clocks::of_device(&text));
    let clocks = clocks.unwrap_or_else(|error| fail(&[format!("{device}: {error}")]));
    println!("cargo::rustc-env=CLOCKS={}", clocks.join(" "));
    let mut compiler = cxx_build::bridges(std::iter::empty::<&str>());
    flags(&mut compiler).include(&include).opt_level(2);
    let coverage = std::env::var_os("CARGO_FEATURE_COVERAGE").is_some();
    if coverage {
        compiler.define("VM_COVERAGE", "1");
    }
    let job = Job {
        root: &root,
        out: &out,
        namespace: &namespace,
        sources: &sources,
        clocks: &clocks,
        compiler: &compiler,
        coverage,
    };

    let queue = Mutex::new(blocks.iter());
    let failures = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..env("NUM_JOBS").parse().unwrap_or(1) {
            scope.spawn(|| {
                loop {
                    let Some(block) = queue.lock().expect("no job panics").next() else { break };
                    if let Err(failure) = job.run(block) {
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

    let mut bridge =
        cxx_build::bridge(manifest.join("src/bridge.rs").strip_prefix(&manifest).expect("a prefix"));
    flags(&mut bridge).include(&include).opt_level(1);
    for name in names {
        bridge.object(out.join(name).join(format!("{name}.o")));
    }
    bridge.compile(&namespace);
}

/// Puts an object where other profiles look for it, whole or not at all. Who cannot write there builds its own.
fn share(object: &Path, shared: &Path) {
    let part = shared.with_extension(format!("{}.part", std::process::id()));
    let made = shared.parent().is_some_and(|folder| fs::create_dir_all(folder).is_ok());
    if !made || fs::copy(object, &part).and_then(|_| fs::rename(&part, shared)).is_err() {
        let _ = fs::remove_file(&part);
    }
}

/// The workspace of Memonet.
fn memonet() -> PathBuf {
    let above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2);
    above.expect("this crate is in bindings/ of the workspace").to_path_buf()
}

fn env(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| panic!("cargo sets {name} for build scripts"))
}

/// Ends the build.
fn fail(failures: &[String]) -> ! {
    for line in failures.iter().flat_map(|failure| failure.lines()) {
        println!("cargo::error={line}");
    }
    std::process::exit(1);
}

fn flags(build: &mut cc::Build) -> &mut cc::Build {
    // Generated code is not ours to lint.
    build.std("c++20").debug(false).warnings(false)
}

/// Declares `open`, which finds a block by name.
fn open_header(namespace: &str, names: &[&str]) -> String {
    let mut text = String::from("#pragma once\n#include <stdexcept>\n#include <string>\n");
    writeln!(text, "#include \"verilator/src/device.h\"\n\nnamespace {namespace} {{").unwrap();
    for name in names {
        writeln!(text, "std::unique_ptr<verilator::Device> open_{name}();").unwrap();
    }
    writeln!(text, "\ninline std::unique_ptr<verilator::Device> open(rust::Str name) {{").unwrap();
    for name in names {
        writeln!(text, "  if (name == rust::Str(\"{name}\")) return open_{name}();").unwrap();
    }
    writeln!(text, "  throw std::invalid_argument(\"no block \" + std::string(name) + \" is verilated\");")
        .unwrap();
    writeln!(text, "}}\n}}").unwrap();
    text
}

fn write_if_changed(path: &Path, text: &str) {
    if fs::read_to_string(path).is_ok_and(|old| old == text) {
        return;
    }
    fs::create_dir_all(path.parent().expect("a file is in a directory")).expect("OUT_DIR is writable");
    fs::write(path, text).expect("OUT_DIR is writable");
}

/// What all blocks of a device share.
struct Job<'a> {
    root: &'a Path,
    out: &'a Path,
    namespace: &'a str,
    sources: &'a sources::Index,
    /// Ports of the device's clocks.
    clocks: &'a [String],
    compiler: &'a cc::Build,
    /// Count which lines are reached: the calling crate has a feature of that name, and it is on.
    coverage: bool,
}

impl Job<'_> {
    /// Brings the object file of a block up to date.
    fn run(&self, block: &Block) -> Result<(), String> {
        let dir = self.out.join(block.name);
        let top = block.path.rsplit('/').next().expect("a split has at least one part");
        let mut sources = self.sources.of(top).ok_or_else(|| format!("rtl has no file {}.sv", block.path))?;

        let mut arguments: Vec<String> = VERILATOR_FLAGS.iter().map(|flag| flag.to_string()).collect();
        if self.coverage {
            arguments.push("--coverage-line".into());
        }
        arguments.extend([
            "--top-module".into(),
            top.into(),
            "--prefix".into(),
            format!("V{}", block.class()),
        ]);
        arguments.extend(block.arguments.iter().map(|argument| argument.to_string()));

        let compiler = self.compiler.get_compiler();
        let flags = compiler.args().iter().filter(|argument| !self.is_of_build(argument));
        let stamp = sources::hash(
            arguments
                .iter()
                .map(|argument| argument.as_bytes().to_vec())
                .chain([OBSERVE.into(), env!("CARGO_PKG_VERSION").into(), self.clocks.join(" ").into()])
                .chain(flags.map(|argument| argument.as_encoded_bytes().to_vec()))
                .chain(HEADERS.iter().map(|header| fs::read(runtime().join(header)).unwrap_or_default()))
                .chain(block.fault.map(|fault| format!("{fault:?}").into_bytes()))
                .chain(sources.iter().map(|path| fs::read(self.root.join(path)).unwrap_or_default())),
        );
        let stamp_file = dir.join("stamp");
        let object = dir.join(format!("{}.o", block.name));
        if object.is_file() && fs::read_to_string(&stamp_file).is_ok_and(|old| old == stamp) {
            return Ok(());
        }

        // Another profile may have made the same object: it does not depend on how Rust is compiled.
        let shared = self.out.ancestors().nth(4).unwrap_or(self.out).join("verilated");
        let shared = shared.join(format!("{}-{stamp}.o", block.name));
        if shared.is_file() {
            fs::create_dir_all(&dir).map_err(|error| error.to_string())?;
            fs::copy(&shared, &object).map_err(|error| error.to_string())?;
            return fs::write(stamp_file, stamp).map_err(|error| error.to_string());
        }

        // Files of an earlier run would be compiled again.
        let _ = fs::remove_dir_all(&dir);
        fs::create_dir_all(&dir).map_err(|error| error.to_string())?;
        let observe = dir.join("observe.vlt");
        fs::write(&observe, OBSERVE).map_err(|error| error.to_string())?;
        if let Some(fault) = block.fault {
            self.put_in(fault, &mut sources, &dir)?;
        }
        let mut verilator = Command::new("verilator");
        // From the root of the workspace, so that messages name files as the reader knows them.
        verilator.current_dir(self.root).args(arguments).arg("--Mdir").arg(&dir).arg(&observe).args(&sources);
        run(verilator, "Verilator is not installed; `ci/install` installs it")?;

        let unity = dir.join(format!("{}.cc", block.name));
        fs::write(&unity, self.unity(block, top, &dir)?).map_err(|error| error.to_string())?;
        let mut command = self.compile_command(&compiler);
        command.current_dir(&dir).arg("-c").arg(unity.file_name().expect("a file")).arg("-o").arg(&object);
        run(command, "no C++ compiler is installed; `ci/install` installs it")?;
        share(&object, &shared);
        fs::write(stamp_file, stamp).map_err(|error| error.to_string())
    }

    /// Whether an argument names a build directory, of which cargo has one for each profile: a place to look for headers.
    fn is_of_build(&self, argument: &OsStr) -> bool {
        let build = self.out.ancestors().nth(2).unwrap_or(self.out);
        argument.to_string_lossy().contains(&*build.to_string_lossy())
    }

    /// Replaces the file of the faulty module by a changed copy in `dir`.
    fn put_in(&self, fault: Fault, sources: &mut [PathBuf], dir: &Path) -> Result<(), String> {
        let Fault { module, right, wrong } = fault;
        let path = sources
            .iter_mut()
            .find(|path| path.file_stem().is_some_and(|name| name == module))
            .ok_or_else(|| format!("the block has no module {module}"))?;
        let text = fs::read_to_string(self.root.join(&*path)).map_err(|error| error.to_string())?;
        if text.matches(right).count() != 1 {
            return Err(format!("{}: `{right}` does not occur exactly once", path.display()));
        }
        *path = dir.join(format!("{module}.sv"));
        fs::write(path, text.replace(right, wrong)).map_err(|error| error.to_string())
    }

    /// One file per block: the headers cost more than the code.
    fn unity(&self, block: &Block, top: &str, dir: &Path) -> Result<String, String> {
        let mut parts: Vec<_> = fs::read_dir(dir)
            .expect("the directory was just made")
            .flatten()
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .filter(|name| name.ends_with(".cpp"))
            .collect();
        parts.sort();
        let mut text = String::new();
        let mut generated = String::new();
        for part in parts {
            writeln!(text, "#include \"{part}\"").unwrap();
            generated += &fs::read_to_string(dir.join(part)).expect("Verilator just wrote it");
        }
        let (name, namespace) = (block.class(), self.namespace);
        writeln!(text, "#include \"V{name}___024root.h\"\n#include \"{namespace}/open.h\"").unwrap();
        let header = fs::read_to_string(dir.join(format!("V{name}.h"))).expect("Verilator just wrote it");
        let own = clocks::of_block(&header, self.clocks).map_err(|error| format!("{top}: {error}"))?;
        text += &clocks::emit(name, self.clocks, own, &generated);
        let phases = phases(name, &generated);
        text += phases.as_deref().unwrap_or("using Phases = void;\n");
        writeln!(text, "std::unique_ptr<verilator::Device> {namespace}::open_{}() {{", block.name).unwrap();
        writeln!(
            text,
            "  return std::make_unique<verilator::DeviceOf<V{name}, Clocks, Phases>>(\"{top}\");\n}}"
        )
        .unwrap();
        Ok(text)
    }

    /// The compiler, behind ccache where it is installed.
    fn compile_command(&self, tool: &cc::Tool) -> Command {
        let plain = Command::new("ccache").arg("--version").output().is_err();
        let mut command = if plain {
            Command::new(tool.path())
        } else {
            let mut command = Command::new("ccache");
            // Build directories of other profiles and work trees share the cache.
            command.env("CCACHE_BASEDIR", self.out.ancestors().nth(3).unwrap_or(self.out));
            command.env("CCACHE_NOHASHDIR", "1");
            command.arg(tool.path());
            command
        };
        command.args(tool.args());
        command
    }
}

/// The parts of a block's `eval()`: what follows inputs, which clocks rise, what follows them.
fn phases(name: &str, generated: &str) -> Option<String> {
    let root = format!("V{name}___024root");
    let has = |function: &str| generated.contains(&format!("\nvoid {root}___{function}({root}* vlSelf) {{"));
    if !["eval_triggers__act", "eval_act", "eval_nba"].into_iter().all(has) {
        return None;
    }
    let inputs = if has("eval_ico") && has("eval_triggers__ico") {
        format!(
            "root->__VicoIterCount = 0;\n    {root}___eval_triggers__ico(root);\n    {root}___eval_ico(root);"
        )
    } else {
        String::from("(void)root;")
    };
    let cold = format!("\nVL_ATTR_COLD void {root}___eval_settle({root}* vlSelf) {{");
    let settle = if generated.contains(&cold) {
        format!("{root}___eval_settle(root);")
    } else {
        String::from("(void)root;")
    };
    Some(format!(
        "namespace {{
struct Phases {{
  static void inputs({root}* root) {{
    {inputs}
  }}
  static void settle({root}* root) {{
    {settle}
  }}
  static bool triggered({root}* root) {{
    {root}___eval_triggers__act(root);
    return root->__VactTriggered.any();
  }}
  static void edges({root}* root) {{
    root->__VnbaTriggered = root->__VactTriggered;
    {root}___eval_act(root);
    {root}___eval_nba(root);
  }}
}};
}}  // namespace
"
    ))
}

fn run(mut command: Command, missing: &str) -> Result<(), String> {
    let output = command.output().map_err(|_| missing.to_string())?;
    if output.status.success() {
        return Ok(());
    }
    Err(String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout))
}

/// What every block is compiled with.
const HEADERS: [&str; 3] = ["device.h", "image.h", "coverage.h"];

/// Where the runtime's sources are.
fn runtime() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("verilator").join("src")
}
