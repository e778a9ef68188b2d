//! Topologies as TOML.

use serde::Deserialize;
use toml::Spanned;

use super::layout::Layout;
use super::problem::Found;
use super::{GraphError, Topology};
use crate::lines::Lines;
use crate::quote::plain;
use crate::values::NodesValue;

/// A file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TopologyFile {
    #[serde(default)]
    switch: Vec<Spanned<SwitchEntry>>,
    #[serde(default)]
    cable: Vec<Spanned<CableEntry>>,
}

/// A `[[switch]]` of it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SwitchEntry {
    name: String,
    count: Option<u64>,
    ports: u64,
    nodes: Option<NodesValue>,
}

/// A `[[cable]]` of it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CableEntry {
    ends: Vec<String>,
    count: Option<u64>,
}

impl Topology {
    /// The topology that a TOML text describes, for so many nodes.
    pub(crate) fn from_toml(text: &str, nodes: usize) -> Result<Topology, Found> {
        let lines = Lines::of(text);
        let file: TopologyFile = toml::from_str(text).map_err(|error| Found {
            line: error.span().map(|span| lines.line(span.start)),
            problem: GraphError::Syntax(plain(error.message().chars())),
        })?;
        let mut layout = Layout::new(nodes).map_err(Found::whole)?;
        for entry in &file.switch {
            let line = lines.line(entry.span().start);
            let SwitchEntry { name, count, ports, nodes } = entry.get_ref();
            let nodes = nodes.as_ref().map(|NodesValue(nodes)| nodes.as_str());
            layout.switch(name, *count, *ports, nodes).map_err(|problem| Found::at(line, problem))?;
        }
        // The number of the first cable of each entry, and its line.
        let mut begins = Vec::new();
        for entry in &file.cable {
            let line = lines.line(entry.span().start);
            begins.push((layout.cables(), line));
            cable(&mut layout, entry.get_ref()).map_err(|problem| Found::at(line, problem))?;
        }
        let graph = layout.finish().map_err(|(cable, problem)| {
            let entry = |cable| begins[begins.partition_point(|(first, _)| *first <= cable) - 1];
            Found { line: cable.map(|cable| entry(cable).1), problem }
        })?;
        Topology::routed(graph).map_err(Found::whole)
    }
}

fn cable(layout: &mut Layout, entry: &CableEntry) -> Result<(), GraphError> {
    let [a, b] = entry.ends.as_slice() else { return Err(GraphError::Ends(entry.ends.len())) };
    let ends = [layout.end(a)?, layout.end(b)?];
    layout.cable(ends, entry.count.unwrap_or(1))
}
