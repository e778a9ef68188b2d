//! Assigns ports to nodes and cables.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use super::{Graph, GraphError, Port, SwitchInfo};
use crate::nodes::{self, MOST_NODES};

/// Largest number of switches.
pub(super) const MOST_SWITCHES: usize = 1024;
/// Largest number of ports of a switch.
pub(super) const MOST_PORTS: usize = MOST_NODES;
/// Largest number of cables.
pub(super) const MOST_CABLES: usize = 100_000;
/// Longest name in bytes.
const MOST_NAME_BYTES: usize = 64;

/// Use of a port.
#[derive(Clone, Copy, Debug)]
enum Plug {
    Node(u32),
    Cable,
}

/// End of a cable in a file: switches, and optionally a port on each.
#[derive(Clone, Debug)]
pub(super) struct End {
    switches: Range<usize>,
    port: Option<usize>,
}

/// A graph under construction: first all switches with their nodes, then cables with named ports, then the
/// others.
#[derive(Debug)]
pub(super) struct Layout {
    switches: Vec<SwitchInfo>,
    /// Port of each node, as far as it is known.
    nodes: Vec<Option<Port>>,
    /// Switches by name; the name of an entry with a count stands for all its switches.
    names: HashMap<String, Range<usize>>,
    used: BTreeMap<Port, Plug>,
    /// For each switch, all ports below this one are in use.
    free_from: Vec<usize>,
    /// Ends of cables in the order of the file.
    cables: Vec<[(usize, Option<usize>); 2]>,
}

impl Layout {
    /// A layout without switches.
    pub fn new(nodes: usize) -> Result<Self, GraphError> {
        nodes::check(nodes)?;
        Ok(Layout {
            switches: Vec::new(),
            nodes: vec![None; nodes],
            names: HashMap::new(),
            used: BTreeMap::new(),
            free_from: Vec::new(),
            cables: Vec::new(),
        })
    }

    /// Adds a switch, or `count` switches with numbers appended to their name. Their nodes are divided
    /// equally, in order.
    pub fn switch(
        &mut self,
        name: &str,
        count: Option<u64>,
        ports: u64,
        nodes: Option<&str>,
    ) -> Result<(), GraphError> {
        let good = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        if name.is_empty() || name.len() > MOST_NAME_BYTES || !name.chars().all(good) {
            return Err(GraphError::BadName(name.to_owned()));
        }
        if ports == 0 || ports > MOST_PORTS as u64 {
            return Err(GraphError::Ports(ports));
        }
        let number = count.unwrap_or(1);
        if number == 0 {
            return Err(GraphError::NoTimes);
        }
        let first = self.switches.len();
        if number > (MOST_SWITCHES - first) as u64 {
            return Err(GraphError::TooManySwitches);
        }
        let range = first..first + number as usize;
        self.name(name.to_owned(), range.clone())?;
        for (place, switch) in range.clone().enumerate() {
            let name = if count.is_some() { format!("{name}{place}") } else { name.to_owned() };
            if count.is_some() {
                self.name(name.clone(), switch..switch + 1)?;
            }
            self.switches.push(SwitchInfo { name, ports: ports as usize });
            self.free_from.push(0);
        }
        if let Some(nodes) = nodes {
            let nodes = nodes::select(nodes, self.nodes.len())?;
            for (place, switch) in range.clone().enumerate() {
                let share = |place: usize| nodes.len() * place / range.len();
                for &node in &nodes[share(place)..share(place + 1)] {
                    self.hang(node, switch)?;
                }
            }
        }
        Ok(())
    }

    fn name(&mut self, name: String, switches: Range<usize>) -> Result<(), GraphError> {
        match self.names.insert(name.clone(), switches) {
            None => Ok(()),
            Some(_) => Err(GraphError::DuplicateName(name)),
        }
    }

    /// Connects a node to the lowest free port of a switch.
    fn hang(&mut self, node: u32, switch: usize) -> Result<(), GraphError> {
        if let Some((switch, _)) = self.nodes[node as usize] {
            return Err(GraphError::NodeTwice { node, switch: self.switches[switch].name.clone() });
        }
        let port = self.free(switch, || format!("node {node}"))?;
        self.used.insert((switch, port), Plug::Node(node));
        self.nodes[node as usize] = Some((switch, port));
        Ok(())
    }

    /// Lowest free port of a switch.
    fn free(&mut self, switch: usize, what: impl FnOnce() -> String) -> Result<usize, GraphError> {
        let SwitchInfo { name, ports } = &self.switches[switch];
        let from = &mut self.free_from[switch];
        while *from < *ports && self.used.contains_key(&(switch, *from)) {
            *from += 1;
        }
        if *from == *ports {
            return Err(GraphError::NoPortFree { switch: name.clone(), ports: *ports, what: what() });
        }
        Ok(*from)
    }

    /// Parses an end of a cable: a switch or all switches of an entry, and optionally a port.
    pub fn end(&self, text: &str) -> Result<End, GraphError> {
        let no_switch = || GraphError::NoSuchSwitch(text.to_owned());
        let (name, port) = match text.split_once(':') {
            Some((name, port)) => (name, Some(port.trim())),
            None => (text, None),
        };
        let switches = self.names.get(name.trim()).ok_or_else(no_switch)?.clone();
        let port = match port {
            None => None,
            Some(digits) if !digits.is_empty() && digits.bytes().all(|c| c.is_ascii_digit()) => {
                Some(self.numbered(&switches, digits.parse().unwrap_or(u64::MAX))?)
            }
            Some(_) => return Err(no_switch()),
        };
        Ok(End { switches, port })
    }

    /// Port with this number, which all switches have because they are of one entry.
    fn numbered(&self, switches: &Range<usize>, port: u64) -> Result<usize, GraphError> {
        let SwitchInfo { name, ports } = &self.switches[switches.start];
        if port < *ports as u64 {
            return Ok(port as usize);
        }
        Err(GraphError::NoSuchPort { switch: name.clone(), port, ports: *ports })
    }

    /// Adds `count` cables from each switch of one end to each of the other. Named ports are reserved at
    /// once.
    pub fn cable(&mut self, ends: [End; 2], count: u64) -> Result<(), GraphError> {
        if count == 0 {
            return Err(GraphError::NoTimes);
        }
        let [a, b] = ends;
        if a.switches == b.switches && a.switches.len() == 1 {
            return Err(GraphError::Itself(self.switches[a.switches.start].name.clone()));
        }
        // Switches of one entry are joined pairwise, each pair once.
        let same = a.switches == b.switches;
        for left in a.switches.clone() {
            for right in b.switches.clone().filter(|right| !same || *right > left) {
                if left == right {
                    return Err(GraphError::Itself(self.switches[left].name.clone()));
                }
                for _ in 0..count {
                    if self.cables.len() == MOST_CABLES {
                        return Err(GraphError::TooManyCables);
                    }
                    for (switch, port) in [(left, a.port), (right, b.port)] {
                        if let Some(port) = port {
                            self.take(switch, port)?;
                        }
                    }
                    self.cables.push([(left, a.port), (right, b.port)]);
                }
            }
        }
        Ok(())
    }

    /// Reserves a named port for a cable.
    fn take(&mut self, switch: usize, port: usize) -> Result<(), GraphError> {
        match self.used.insert((switch, port), Plug::Cable) {
            None => Ok(()),
            Some(by) => {
                let by = match by {
                    Plug::Node(node) => format!("node {node}"),
                    Plug::Cable => "a cable".into(),
                };
                Err(GraphError::PortTwice { switch: self.switches[switch].name.clone(), port, by })
            }
        }
    }

    /// Port of a cable's end; the lowest free one if none was named.
    fn plug(&mut self, (switch, port): (usize, Option<usize>)) -> Result<Port, GraphError> {
        if let Some(port) = port {
            return Ok((switch, port));
        }
        let port = self.free(switch, || "a cable".into())?;
        self.used.insert((switch, port), Plug::Cable);
        Ok((switch, port))
    }

    /// Number of cables so far.
    pub fn cables(&self) -> usize {
        self.cables.len()
    }

    /// Completes the graph by assigning the missing ports. An error of a cable has its number.
    pub fn finish(mut self) -> Result<Graph, (Option<usize>, GraphError)> {
        if self.switches.is_empty() {
            return Err((None, GraphError::NoSwitches));
        }
        let nodes = self.nodes.len();
        let mut hung = Vec::with_capacity(nodes);
        for (node, port) in self.nodes.iter().enumerate() {
            hung.push(port.ok_or((None, GraphError::NodeMissing { node: node as u32, nodes }))?);
        }
        let mut cables = Vec::with_capacity(self.cables.len());
        for (number, [a, b]) in std::mem::take(&mut self.cables).into_iter().enumerate() {
            let mut plug = |end| self.plug(end).map_err(|error| (Some(number), error));
            cables.push((plug(a)?, plug(b)?));
        }
        Ok(Graph { switches: self.switches, nodes: hung, cables })
    }
}
