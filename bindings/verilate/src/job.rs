//! Builds the object file of one block from its sources.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::block::Block;
use crate::cache::{self, Cache};
use crate::runtime::{self, Runtime};
use crate::{clocks, phases, sources, tools};

/// Signals in the symbol table: registers, memories, and pins of every block or of the top module alone. Pins of
/// inner blocks that are not public can be optimised away.
fn observed(block: &Block) -> String {
    let pins_of = if block.lean { &block.module } else { "*" };
    format!(
        "\
`verilator_config
public_flat_rd -module \"*\" -var \"*_q\"
public_flat_rd -module \"{pins_of}\" -var \"pins_o\"
public_flat_rd -module \"*\" -var \"mem\"
"
    )
}

const VERILATOR_FLAGS: &[&str] = &[
    "--cc",
    "-Wall",
    "-O3",
    "--assert",
    // Values that the RTL leaves undefined are 0; registers start from values drawn at run time.
    "--x-assign",
    "0",
    "--x-initial",
    "unique",
];

/// Sources of this crate that affect the contents of an object.
const GENERATOR: [&str; 6] = [
    include_str!("block.rs"),
    include_str!("clocks.rs"),
    include_str!("job.rs"),
    include_str!("phases.rs"),
    include_str!("sources.rs"),
    include_str!("tools.rs"),
];

/// Settings shared by all blocks of a library.
pub struct Job<'a> {
    /// Folder to which paths in messages are relative.
    pub root: &'a Path,
    /// Output folder, with a subfolder for each block.
    pub out: &'a Path,
    /// Name by which the library's blocks are opened.
    pub library: &'a str,
    pub sources: &'a sources::Index,
    /// Ports of the device's clocks.
    pub clocks: &'a [String],
    pub runtime: &'a Runtime,
    pub compiler: &'a cc::Tool,
    /// Output of the compiler's `--version`.
    pub compiler_version: &'a [u8],
    pub cache: &'a Cache,
    /// Count the lines that are reached.
    pub coverage: bool,
}

impl Job<'_> {
    /// Path of a block's object file.
    pub fn object(&self, block: &Block) -> PathBuf {
        self.out.join(&block.name).join(format!("{}.o", block.name))
    }

    /// Brings the object of a block up to date.
    pub fn run(&self, block: &Block) -> Result<(), String> {
        let dir = self.out.join(&block.name);
        let sources = self.sources.of(&block.module);
        let sources = sources.ok_or_else(|| format!("rtl has no file {}.sv", block.module))?;
        let mut arguments: Vec<_> = VERILATOR_FLAGS.iter().map(|flag| flag.to_string()).collect();
        if self.coverage {
            arguments.push("--coverage-line".into());
        }
        let prefix = format!("V{}", block.name);
        arguments.extend(["--top-module".into(), block.module.clone(), "--prefix".into(), prefix]);

        let key = self.key(block, &arguments, &sources);
        let (object, stamp) = (self.object(block), dir.join("stamp"));
        if object.is_file() && fs::read_to_string(&stamp).is_ok_and(|old| old == key) {
            return Ok(());
        }
        // Files of an earlier run would be compiled again.
        let _ = fs::remove_dir_all(&dir);
        fs::create_dir_all(&dir).map_err(|error| format!("{}: {error}", dir.display()))?;
        if !self.cache.fetch(&block.name, &key, &object) {
            self.verilate(block, arguments, sources, &dir)?;
            self.compile(block, &dir, &object)?;
            self.cache.store(&block.name, &key, &object);
        }
        fs::write(stamp, key).map_err(|error| error.to_string())
    }

    /// Digest of everything the object depends on: texts, tools and flags.
    fn key(&self, block: &Block, arguments: &[String], sources: &[PathBuf]) -> String {
        let flags = self.compiler.args().iter().map(|flag| flag.as_encoded_bytes().to_vec());
        let named = [format!("{block:?}"), self.library.into(), self.clocks.join(" "), observed(block)];
        let texts = sources.iter().flat_map(|path| {
            // Messages contain the file name.
            [path.as_os_str().as_encoded_bytes().to_vec(), fs::read(self.root.join(path)).unwrap_or_default()]
        });
        let mut parts: Vec<Vec<u8>> = vec![self.runtime.verilator.clone().into_bytes()];
        parts.push(self.compiler_version.to_vec());
        parts.extend(flags);
        parts.extend(named.into_iter().chain(arguments.iter().cloned()).map(String::into_bytes));
        parts.extend(GENERATOR.iter().map(|text| text.as_bytes().to_vec()));
        parts.extend(runtime::headers());
        parts.extend(texts);
        cache::key(parts)
    }

    /// Writes the C++ code of a block into `dir`.
    fn verilate(
        &self,
        block: &Block,
        arguments: Vec<String>,
        mut sources: Vec<PathBuf>,
        dir: &Path,
    ) -> Result<(), String> {
        let observe = dir.join("observe.vlt");
        fs::write(&observe, observed(block)).map_err(|error| error.to_string())?;
        if let Some(fault) = &block.fault {
            let named = |path: &&mut PathBuf| path.file_stem().is_some_and(|name| *name == *fault.module);
            let path = sources.iter_mut().find(named);
            let path = path.ok_or_else(|| format!("{} has no module {}", block.module, fault.module))?;
            let text = fs::read_to_string(self.root.join(&*path)).map_err(|error| error.to_string())?;
            let text = fault.put_into(&text, &path.to_string_lossy())?;
            *path = dir.join(format!("{}.sv", fault.module));
            fs::write(path, text).map_err(|error| error.to_string())?;
        }
        let mut verilator = Command::new("verilator");
        // Paths in messages are relative to the root.
        verilator.current_dir(self.root).args(arguments).arg("--Mdir").arg(dir).arg(&observe).args(&sources);
        run(verilator, "Verilator is not installed; `ci/install` installs it")
    }

    /// Compiles the C++ code in `dir`.
    fn compile(&self, block: &Block, dir: &Path, object: &Path) -> Result<(), String> {
        let unity = format!("{}.cc", block.name);
        fs::write(dir.join(&unity), self.unity(block, dir)?).map_err(|error| error.to_string())?;
        let mut command = self.compile_command();
        if let Some(folder) = &self.runtime.precompiled {
            command.args(tools::precompiled(self.compiler, folder));
        }
        for folder in &self.runtime.include {
            command.arg("-I").arg(folder);
        }
        command.current_dir(dir).arg("-c").arg(&unity).arg("-o").arg(object);
        run(command, "no C++ compiler is installed; `ci/install` installs it")
    }

    /// One file per block, because headers cost more than code. Code that runs only at the start is not
    /// optimized.
    fn unity(&self, block: &Block, dir: &Path) -> Result<String, String> {
        let entries = fs::read_dir(dir).map_err(|error| error.to_string())?;
        let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
        let mut parts: Vec<_> = names.filter(|name| name.ends_with(".cpp")).collect();
        parts.sort();
        let [begin, end] = if tools::is_clang(self.compiler) {
            ["#pragma clang optimize off\n", "#pragma clang optimize on\n"]
        } else {
            ["#pragma GCC push_options\n#pragma GCC optimize (\"O0\")\n", "#pragma GCC pop_options\n"]
        };
        let mut text = String::new();
        let mut generated = String::new();
        for part in parts {
            let starts_only = part.contains("__Slow") || part.contains("__Syms");
            let [begin, end] = if starts_only { [begin, end] } else { [""; 2] };
            write!(text, "{begin}#include \"{part}\"\n{end}").unwrap();
            generated += &fs::read_to_string(dir.join(part)).map_err(|error| error.to_string())?;
        }
        let (library, name, top) = (self.library, &block.name, &block.module);
        let header = fs::read_to_string(dir.join(format!("V{name}.h"))).map_err(|error| error.to_string())?;
        let own = clocks::of_block(&header, self.clocks).map_err(|error| format!("{top}: {error}"))?;
        write!(text, "#include \"V{name}___024root.h\"\n#include \"verilator/src/device.h\"\n").unwrap();
        text += &clocks::emit(name, self.clocks, own, &generated);
        text += phases::emit(name, &generated).as_deref().unwrap_or("using Phases = void;\n");
        write!(
            text,
            "static const verilator::Entry entry(\"{library}\", \"{name}\", [] {{
  return std::unique_ptr<verilator::Device>(new verilator::DeviceOf<V{name}, Clocks, Phases>(\"{top}\"));
}});
"
        )
        .unwrap();
        Ok(text)
    }

    /// The compiler, run by ccache if it is installed.
    fn compile_command(&self) -> Command {
        if Command::new("ccache").arg("--version").output().is_err() {
            return self.compiler.to_command();
        }
        let mut command = Command::new("ccache");
        // Build folders of other profiles and work trees share the cache.
        command.env("CCACHE_BASEDIR", self.out.ancestors().nth(3).unwrap_or(self.out));
        command.env("CCACHE_NOHASHDIR", "1");
        command.env("CCACHE_SLOPPINESS", "pch_defines,time_macros");
        command.arg(self.compiler.path()).args(self.compiler.args());
        command
    }
}

fn run(mut command: Command, missing: &str) -> Result<(), String> {
    let output = command.output().map_err(|_| missing.to_string())?;
    if output.status.success() {
        return Ok(());
    }
    Err(String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout))
}
