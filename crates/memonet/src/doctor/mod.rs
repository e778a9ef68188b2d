//! `memonet doctor`: which tools are installed, and how to install the others.

mod version;

use std::fmt;
use std::process::{Command, Stdio};

use clap::CommandFactory;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;

use crate::document::Head;
use crate::nic;
use crate::output::{self, Outcome};
use crate::{Cli, left_out};

/// List installed and missing tools, and how to install them.
///
/// Exit code 1 if a tool is missing that `make run` or `make test` needs.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  memonet doctor\n  memonet doctor --json")]
pub struct Args {
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

struct Tool {
    command: &'static str,
    version: &'static [&'static str],
    needed: bool,
    for_what: &'static str,
    package: &'static str,
}

impl Tool {
    /// The call that asks for the version, as a user types it.
    fn typed(&self) -> String {
        format!("{} {}", self.command, self.version.join(" "))
    }

    /// Version as the tool prints it; `None` if the tool cannot be started.
    fn version(&self) -> Option<String> {
        let output = Command::new(self.command).args(self.version).stdin(Stdio::null()).output().ok()?;
        Some(version::of(&self.typed(), &output))
    }
}

const TOOLS: &[Tool] = &[
    Tool {
        command: "cargo",
        version: &["--version"],
        needed: true,
        for_what: "building everything",
        package: "",
    },
    Tool {
        command: "g++",
        version: &["--version"],
        needed: true,
        for_what: "compiling the Verilated RTL",
        package: "g++",
    },
    Tool {
        command: "verilator",
        version: &["--version"],
        needed: true,
        for_what: "the RTL: --nic rtl and lockstep",
        package: "verilator",
    },
    Tool {
        command: "make",
        version: &["--version"],
        needed: true,
        for_what: "make run, make test",
        package: "make",
    },
    Tool {
        command: "yosys",
        version: &["-V"],
        needed: false,
        for_what: "make lint, make prove, make synth",
        package: "yosys",
    },
    Tool {
        command: "yices-smt2",
        version: &["--version"],
        needed: false,
        for_what: "make prove, which finds one by itself (or z3)",
        package: "",
    },
    Tool {
        command: "gtkwave",
        version: &["--version"],
        needed: false,
        for_what: "looking at waveforms",
        package: "gtkwave",
    },
    Tool {
        command: "ip",
        version: &["-V"],
        needed: false,
        for_what: "memonet tap, make tap-demo",
        package: "iproute2",
    },
    Tool {
        command: "tshark",
        version: &["--version"],
        needed: false,
        for_what: "looking at frames (--pcapng), make tap-demo",
        package: "tshark",
    },
    Tool {
        command: "ping",
        version: &["-V"],
        needed: false,
        for_what: "make tap-demo",
        package: "iputils-ping",
    },
    Tool {
        command: "iperf3",
        version: &["--version"],
        needed: false,
        for_what: "make tap-demo",
        package: "iperf3",
    },
    Tool {
        command: "nft",
        version: &["--version"],
        needed: false,
        for_what: "make tap-demo",
        package: "nftables",
    },
    Tool {
        command: "gfortran",
        version: &["--version"],
        needed: false,
        for_what: "programs of MPI in Fortran: memonet mpifort",
        package: "gfortran",
    },
    Tool {
        command: "mpirun",
        version: &["--version"],
        needed: false,
        for_what: "make distributed",
        package: "openmpi-bin",
    },
    Tool {
        command: "ccache",
        version: &["--version"],
        needed: false,
        for_what: "faster builds after an edit of the RTL",
        package: "ccache",
    },
];

/// Report of `memonet doctor`.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Report {
    #[serde(flatten)]
    head: Head,
    /// This binary contains the RTL.
    rtl_built_in: bool,
    /// Machines and commands that this build lacks.
    left_out: Vec<&'static str>,
    /// All tools that `make run` and `make test` need are installed.
    ready: bool,
    /// Programs that Memonet calls.
    tools: Vec<Finding>,
    /// Command that installs the missing tools.
    install: Option<String>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
struct Finding {
    /// Name of the program.
    tool: &'static str,
    /// `make run` and `make test` need it.
    needed: bool,
    /// Version as the tool prints it, or why there is none; `null` if it is not installed.
    found: Option<String>,
    /// Purpose of the tool.
    for_what: &'static str,
}

/// Looks for the tools and prints the report.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    let tools: Vec<_> = TOOLS
        .iter()
        .map(|tool| Finding {
            tool: tool.command,
            needed: tool.needed,
            found: tool.version(),
            for_what: tool.for_what,
        })
        .collect();
    let missing = TOOLS
        .iter()
        .zip(&tools)
        .filter(|(tool, finding)| finding.found.is_none() && !tool.package.is_empty());
    let packages: Vec<_> = missing.map(|(tool, _)| tool.package).collect();
    let report = Report {
        head: Head::new("doctor"),
        rtl_built_in: nic::has_rtl(),
        left_out: left_out::all(&Cli::command()),
        ready: tools.iter().all(|finding| finding.found.is_some() || !finding.needed),
        install: (!packages.is_empty()).then(|| format!("sudo apt-get install {}", packages.join(" "))),
        tools,
    };
    output::print(&report, args.json)?;
    Ok(Outcome::from(report.ready))
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Finding { tool, needed, found, for_what } in &self.tools {
            let state = match (found, needed) {
                (Some(version), _) => version.clone(),
                (None, true) => format!("MISSING, needed for {for_what}"),
                (None, false) => format!("not installed; for {for_what}"),
            };
            writeln!(f, "{tool:10} {state}")?;
        }
        if !self.rtl_built_in {
            writeln!(f, "memonet    built without RTL: --nic model only, until it is built again")?;
        }
        if !self.left_out.is_empty() {
            let (names, builds) = (self.left_out.join(", "), left_out::BUILDS_ALL);
            writeln!(f, "memonet    built without {names}; `{builds}` builds everything")?;
        }
        if let Some(install) = &self.install {
            writeln!(f, "To get what is missing: {install}")?;
        }
        write!(f, "{}", if self.ready { "ready for make run and make test" } else { "not ready" })
    }
}
