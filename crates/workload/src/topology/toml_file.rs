//! Topologies in TOML.

use serde::Deserialize;
use toml::Spanned;

use super::layout::Layout;
use super::problem::LocatedProblem;
use super::{GraphError, Topology};
use crate::lines::Lines;
use crate::quote::plain;
use crate::values::NodesValue;

/// Contents of a topology file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TopologyFile {
    #[serde(default)]
    switch: Vec<Spanned<SwitchEntry>>,
    #[serde(default)]
    cable: Vec<Spanned<CableEntry>>,
}

/// A `[[switch]]` table: one switch, or `count` switches.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SwitchEntry {
    name: String,
    count: Option<u64>,
    ports: u64,
    nodes: Option<NodesValue>,
}

/// A `[[cable]]` table: one cable, or `count` between each two switches.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CableEntry {
    ends: Vec<String>,
    count: Option<u64>,
}

impl Topology {
    /// Parses a TOML topology for `nodes` nodes; errors name the line of the entry.
    pub(crate) fn from_toml(text: &str, nodes: usize) -> Result<Topology, LocatedProblem> {
        let lines = Lines::of(text);
        let file: TopologyFile = toml::from_str(text).map_err(|error| LocatedProblem {
            line: error.span().map(|span| lines.line(span.start)),
            problem: GraphError::Syntax(plain(error.message().chars())),
        })?;
        let mut layout = Layout::new(nodes).map_err(LocatedProblem::whole)?;
        for entry in &file.switch {
            let line = lines.line(entry.span().start);
            let SwitchEntry { name, count, ports, nodes } = entry.get_ref();
            let nodes = nodes.as_ref().map(|NodesValue(nodes)| nodes.as_str());
            layout
                .switch(name, *count, *ports, nodes)
                .map_err(|problem| LocatedProblem::at(line, problem))?;
        }
        // Number of the first cable of each entry, and the entry's line.
        let mut begins = Vec::new();
        for entry in &file.cable {
            let line = lines.line(entry.span().start);
            begins.push((layout.cables(), line));
            cable(&mut layout, entry.get_ref()).map_err(|problem| LocatedProblem::at(line, problem))?;
        }
        let graph = layout.finish().map_err(|(cable, problem)| {
            let entry = |cable| begins[begins.partition_point(|(first, _)| *first <= cable) - 1];
            LocatedProblem { line: cable.map(|cable| entry(cable).1), problem }
        })?;
        Topology::routed(graph).map_err(LocatedProblem::whole)
    }
}

fn cable(layout: &mut Layout, entry: &CableEntry) -> Result<(), GraphError> {
    let [a, b] = entry.ends.as_slice() else { return Err(GraphError::Ends(entry.ends.len())) };
    let ends = [layout.end(a)?, layout.end(b)?];
    layout.cable(ends, entry.count.unwrap_or(1))
}
