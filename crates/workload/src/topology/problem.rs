//! Errors in topologies.

use std::path::{Path, PathBuf};

use super::layout::{MOST_CABLES, MOST_PORTS, MOST_SWITCHES};
use crate::nodes::NodesError;
use crate::quote::quote;
use files::FileError;

/// Reason why a topology is invalid. Each message ends with a remedy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GraphError {
    /// The file has a syntax error or an invalid key or value.
    #[error("{0}")]
    Syntax(String),
    /// A node does not exist.
    #[error(transparent)]
    Nodes(#[from] NodesError),
    /// Back-to-back needs two nodes.
    #[error("back-to-back is for 2 nodes, not {0}; leave it out, or name a file")]
    NotTwo(usize),
    /// The file has no switch.
    #[error("there is no switch in it; write one, or name one-switch or back-to-back")]
    NoSwitches,
    /// More than the largest number of switches.
    #[error("there are more than {MOST_SWITCHES} switches; take larger ones")]
    TooManySwitches,
    /// More than the largest number of cables.
    #[error("there are more than {MOST_CABLES} cables; use fewer")]
    TooManyCables,
    /// The name of a switch is invalid.
    #[error("{} is no name of a switch; write 1 to 64 letters, digits, `-`, `_` or `.`", quote(.0))]
    BadName(String),
    /// Two switches have the same name.
    #[error("the name {} is taken; choose another", quote(.0))]
    DuplicateName(String),
    /// The number of ports is out of range.
    #[error("a switch has 1 to {MOST_PORTS} ports, not {0}; change `ports`")]
    Ports(u64),
    /// `count` is 0.
    #[error("`count` is 0; leave the entry out, or count from 1")]
    NoTimes,
    /// A cable does not have two ends.
    #[error("a cable has two ends, not {0}; name two switches in `ends`")]
    Ends(usize),
    /// An end names an unknown switch.
    #[error("there is no switch {}; name one, and behind a colon its port if it matters", quote(.0))]
    NoSuchSwitch(String),
    /// Both ends are on the same switch.
    #[error("the cable joins {} to itself; name another end", quote(.0))]
    Itself(String),
    /// A port exceeds the last one.
    #[error("{} has no port {port}; its {ports} ports have the numbers 0 to {}", quote(switch), ports - 1)]
    NoSuchPort {
        /// Name of the switch.
        switch: String,
        /// Requested port.
        port: u64,
        /// Number of its ports.
        ports: usize,
    },
    /// Two ends use the same port.
    #[error("port {port} of {} is used twice, the first time by {by}; take another", quote(switch))]
    PortTwice {
        /// Name of the switch.
        switch: String,
        /// Number of the port.
        port: usize,
        /// First user of the port.
        by: String,
    },
    /// A switch has no free port.
    #[error("all {ports} ports of {} are in use, and {what} needs one; give it more", quote(switch))]
    NoPortFree {
        /// Name of the switch.
        switch: String,
        /// Number of its ports.
        ports: usize,
        /// Node or cable that needs a port.
        what: String,
    },
    /// A node is on two switches.
    #[error("node {node} hangs on {} already; name it once", quote(switch))]
    NodeTwice {
        /// Number of the node.
        node: u32,
        /// Name of its first switch.
        switch: String,
    },
    /// A node is on no switch.
    #[error("node {node} of {nodes} hangs on no switch; name it in `nodes` of one")]
    NodeMissing {
        /// First such node.
        node: u32,
        /// Number of nodes.
        nodes: usize,
    },
    /// A node is unreachable from a switch.
    #[error(
        "no cables lead from {} to node {node}, which hangs on {}; join them",
        quote(from),
        quote(switch)
    )]
    Unreachable {
        /// Name of a switch without a path to the node.
        from: String,
        /// Number of the node.
        node: u32,
        /// Name of the node's switch.
        switch: String,
    },
    /// The routes could deadlock.
    #[error(
        "frames could wait for each other for ever, each in a buffer that another needs, on the way {}; \
         leave one of these cables out, or join switches as a tree or a fat tree",
        way(.0)
    )]
    Circle(Vec<String>),
}

/// First hops of a path.
fn way(hops: &[String]) -> String {
    let shown: Vec<_> = hops.iter().take(8).map(String::as_str).collect();
    let more = if hops.len() > 8 { ", ..." } else { "" };
    shown.join(", ") + more
}

/// Reason why a topology is refused.
#[derive(Debug, thiserror::Error)]
pub enum TopologyError {
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// An error at a line.
    #[error("{}, line {line}: {problem}", path.display())]
    Line {
        /// Path of the file.
        path: PathBuf,
        /// Line number, from 1; for a switch or cable that of its begin.
        line: usize,
        /// Error at that place, with a remedy.
        problem: GraphError,
    },
    /// An error without a line.
    #[error("{}: {problem}", path.display())]
    Whole {
        /// Path of the file.
        path: PathBuf,
        /// Error at that place, with a remedy.
        problem: GraphError,
    },
    /// A named topology does not fit the cluster.
    #[error(transparent)]
    Named(#[from] GraphError),
}

/// A problem with its line, if it has one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LocatedProblem {
    pub line: Option<usize>,
    pub problem: GraphError,
}

impl LocatedProblem {
    /// A problem without a line.
    pub fn whole(problem: impl Into<GraphError>) -> Self {
        LocatedProblem { line: None, problem: problem.into() }
    }

    /// A problem at a line, counted from 1.
    pub fn at(line: usize, problem: impl Into<GraphError>) -> Self {
        LocatedProblem { line: Some(line), problem: problem.into() }
    }

    /// Converts the problem to an error with the path of the file.
    pub fn in_file(self, path: &Path) -> TopologyError {
        let (path, problem) = (path.to_owned(), self.problem);
        match self.line {
            Some(line) => TopologyError::Line { path, line, problem },
            None => TopologyError::Whole { path, problem },
        }
    }
}
