//! What can be wrong with a topology.

use std::path::{Path, PathBuf};

use super::layout::{MOST_CABLES, MOST_PORTS, MOST_SWITCHES};
use crate::nodes::NodesError;
use crate::quote::quote;
use files::FileError;

/// Why nodes are not joined like that. Each sentence ends with what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GraphError {
    /// The file is not TOML, or has keys and values that are none.
    #[error("{0}")]
    Syntax(String),
    /// A node is not there.
    #[error(transparent)]
    Nodes(#[from] NodesError),
    /// One cable has two ends.
    #[error("back-to-back is for 2 nodes, not {0}; leave it out, or name a file")]
    NotTwo(usize),
    /// A file without switches.
    #[error("there is no switch in it; write one, or name one-switch or back-to-back")]
    NoSwitches,
    /// Too many switches.
    #[error("there are more than {MOST_SWITCHES} switches; take larger ones")]
    TooManySwitches,
    /// Too many cables.
    #[error("there are more than {MOST_CABLES} cables; use fewer")]
    TooManyCables,
    /// A name that is none.
    #[error("{} is no name of a switch; write 1 to 64 letters, digits, `-`, `_` or `.`", quote(.0))]
    BadName(String),
    /// Two switches have a name.
    #[error("the name {} is taken; choose another", quote(.0))]
    DuplicateName(String),
    /// A switch without ports, or with too many.
    #[error("a switch has 1 to {MOST_PORTS} ports, not {0}; change `ports`")]
    Ports(u64),
    /// A count of nothing.
    #[error("`count` is 0; leave the entry out, or count from 1")]
    NoTimes,
    /// A cable without two ends.
    #[error("a cable has two ends, not {0}; name two switches in `ends`")]
    Ends(usize),
    /// An end that names no switch.
    #[error("there is no switch {}; name one, and behind a colon its port if it matters", quote(.0))]
    NoSuchSwitch(String),
    /// Both ends are on one switch.
    #[error("the cable joins {} to itself; name another end", quote(.0))]
    Itself(String),
    /// A port is beyond the last.
    #[error("{} has no port {port}; its {ports} ports have the numbers 0 to {}", quote(switch), ports - 1)]
    NoSuchPort {
        /// The switch.
        switch: String,
        /// The port.
        port: u64,
        /// Ports that it has.
        ports: usize,
    },
    /// Two ends are in one port.
    #[error("port {port} of {} is used twice, the first time by {by}; take another", quote(switch))]
    PortTwice {
        /// The switch.
        switch: String,
        /// The port.
        port: usize,
        /// What is in it.
        by: String,
    },
    /// A switch is full.
    #[error("all {ports} ports of {} are in use, and {what} needs one; give it more", quote(switch))]
    NoPortFree {
        /// The switch.
        switch: String,
        /// Its ports.
        ports: usize,
        /// A node or a cable.
        what: String,
    },
    /// A node hangs on two switches.
    #[error("node {node} hangs on {} already; name it once", quote(switch))]
    NodeTwice {
        /// The node.
        node: u32,
        /// Where it hangs.
        switch: String,
    },
    /// A node hangs nowhere.
    #[error("node {node} of {nodes} hangs on no switch; name it in `nodes` of one")]
    NodeMissing {
        /// The first that does.
        node: u32,
        /// Nodes that there are.
        nodes: usize,
    },
    /// There is no way to a node.
    #[error(
        "no cables lead from {} to node {node}, which hangs on {}; join them",
        quote(from),
        quote(switch)
    )]
    Unreachable {
        /// A switch from which there is none.
        from: String,
        /// The node.
        node: u32,
        /// Its switch.
        switch: String,
    },
    /// Frames could wait for each other for ever.
    #[error(
        "frames could wait for each other for ever, each in a buffer that another needs, on the way {}; \
         leave one of these cables out, or join switches as a tree or a fat tree",
        way(.0)
    )]
    Circle(Vec<String>),
}

/// The first few hops of a way.
fn way(hops: &[String]) -> String {
    let shown: Vec<_> = hops.iter().take(8).map(String::as_str).collect();
    let more = if hops.len() > 8 { ", ..." } else { "" };
    shown.join(", ") + more
}

/// Why there is no topology.
#[derive(Debug, thiserror::Error)]
pub enum TopologyError {
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// Something is wrong at a line.
    #[error("{}, line {line}: {problem}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1; of a switch or a cable, the one where it begins.
        line: usize,
        /// What is wrong.
        problem: GraphError,
    },
    /// Something is wrong with all of the file.
    #[error("{}: {problem}", path.display())]
    Whole {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: GraphError,
    },
    /// A topology that has a name does not suit.
    #[error(transparent)]
    Named(#[from] GraphError),
}

/// A problem and the line where it was found, if it is of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub line: Option<usize>,
    pub problem: GraphError,
}

impl Found {
    /// A problem of the whole.
    pub fn whole(problem: impl Into<GraphError>) -> Self {
        Found { line: None, problem: problem.into() }
    }

    /// A problem of a line.
    pub fn at(line: usize, problem: impl Into<GraphError>) -> Self {
        Found { line: Some(line), problem: problem.into() }
    }

    /// As an error that names the file.
    pub fn in_file(self, path: &Path) -> TopologyError {
        let (path, problem) = (path.to_owned(), self.problem);
        match self.line {
            Some(line) => TopologyError::Line { path, line, problem },
            None => TopologyError::Whole { path, problem },
        }
    }
}
