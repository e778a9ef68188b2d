//! Structure of a machine for pages.

use std::collections::BTreeMap;

use hdl::{BlockType, Kind, MemoryPlace, Observed, Signal, SignalRole, StateMachineTable};
use machine_api::Subject;

use crate::arrangement::{Layout, Wire};
use crate::history::RECORDED;
use crate::layout;
use crate::protocol::{Arc, Block, Field, Hello, Register, Role, State, Table, VERSION};

/// Blocks, state machines and lanes of a device.
pub struct Structure {
    pub tables: Vec<Table>,
    pub blocks: Vec<Block>,
    pub layout: Layout,
    /// State registers of `blocks` in order, then wires to and from ports: those that the time view shows.
    pub lanes: Vec<Lane>,
    /// Memories of the device, each with the index of its block.
    pub memories: Vec<(usize, MemoryPlace)>,
    types: BTreeMap<String, &'static str>,
    machines: BTreeMap<String, Vec<(&'static str, &'static StateMachineTable)>>,
}

/// Subject of a lane.
#[derive(Clone, Debug)]
pub enum Lane {
    /// The state register in this word of a sample.
    State(usize),
    /// Whether a wire carries something.
    Wire(Wire),
}

impl Lane {
    /// The present code, by the words of a node.
    pub fn code(&self, words: &[u64]) -> u64 {
        match self {
            Lane::State(word) => words[*word],
            Lane::Wire(wire) => wire.carries(words).into(),
        }
    }
}

impl Structure {
    /// The structure of the device of a machine.
    pub fn of<M: Subject>() -> Self {
        let device = <M as cluster::Machine>::Device::default();
        let (signals, types) = (Observed::signals(&device), Observed::block_types(&device));
        let mut tables = Tables { device: M::NAME, known: Vec::new(), tables: Vec::new() };
        let mut lanes = Vec::new();
        let mut machines = BTreeMap::<_, Vec<_>>::new();
        let mut blocks = Vec::new();
        for BlockType { block, path } in &types {
            let of_block = signals.iter().filter(|signal| signal.block == *block);
            let mut registers = Vec::new();
            for signal in of_block {
                registers.push(register(signal, &mut tables));
                if let SignalRole::Register(Kind::StateMachine(table)) = signal.role {
                    lanes.push(Lane::State(signal.word));
                    machines.entry(block.clone()).or_default().push((signal.name, table));
                }
            }
            blocks.push(Block { path: block.clone(), rust_type: path.to_string(), registers, memory: None });
        }
        let mut memories = Vec::new();
        for place in Observed::memory_map(&device) {
            let Some(index) = blocks.iter().position(|block| block.path == place.block) else { continue };
            *blocks[index].memory.get_or_insert(0) += place.depth;
            memories.push((index, place));
        }
        let types = types.into_iter().map(|BlockType { block, path }| (block, path)).collect();
        // A test reads the diagram of each machine.
        let layout = layout::of_machine(M::NAME, &blocks).unwrap_or_default();
        let external = layout.wires.iter().filter(|wire| wire.is_external());
        lanes.extend(external.cloned().map(Lane::Wire));
        Structure { tables: tables.tables, blocks, layout, lanes, memories, types, machines }
    }

    /// Entries that are not 0, of each block with a memory. `words` has the contents of all memories of a node.
    pub fn fills(&self, words: &[u64]) -> BTreeMap<usize, usize> {
        let mut fills = BTreeMap::new();
        for (block, place) in &self.memories {
            let range = place.words();
            let words_of_entry = range.len() / place.depth.max(1);
            let entries = words[range].chunks(words_of_entry.max(1));
            *fills.entry(*block).or_default() +=
                entries.filter(|entry| entry.iter().any(|word| *word != 0)).count();
        }
        fills
    }

    /// Structure of a cluster of `nodes` nodes whose first prompt is at `first_ps`.
    pub fn hello<M: Subject>(&self, nodes: usize, first_ps: u64) -> Hello {
        Hello {
            version: VERSION,
            machine: M::NAME.to_string(),
            title: <M as cluster::Machine>::TITLE.to_string(),
            nodes,
            recorded: nodes.min(RECORDED),
            kinds: Vec::new(),
            cycle_ps: M::CLOCKS.domain(0).period.ps(),
            first_ps,
            tables: self.tables.clone(),
            blocks: self.blocks.clone(),
            layout: self.layout.clone(),
            examples: Vec::new(),
            tours: Vec::new(),
        }
    }

    /// Rust type and state registers of a block.
    pub fn sources(
        &self,
        block: &str,
    ) -> Option<(&'static str, &[(&'static str, &'static StateMachineTable)])> {
        let machines = self.machines.get(block).map_or(&[][..], Vec::as_slice);
        Some((self.types.get(block)?, machines))
    }
}

/// State machines by the order in which they are found.
struct Tables {
    device: &'static str,
    known: Vec<&'static StateMachineTable>,
    tables: Vec<Table>,
}

impl Tables {
    fn index(&mut self, kind: Kind) -> Option<usize> {
        let Kind::StateMachine(table) = kind else { return None };
        if let Some(index) = self.known.iter().position(|known| std::ptr::eq(*known, table)) {
            return Some(index);
        }
        self.known.push(table);
        // Drawings of docs/diagrams have these names.
        let name = table.drawing();
        let arc =
            |arc: &hdl::ArcInfo| Arc { to: arc.to.into(), condition: arc.condition.map(str::to_string) };
        let state = |state: &hdl::StateInfo| State {
            name: state.name.into(),
            doc: paragraph(state.doc),
            arcs: state.next.iter().map(arc).collect(),
        };
        self.tables.push(Table {
            figure: format!("{}_{name}.svg", self.device),
            name,
            doc: paragraph(table.doc),
            states: table.states.iter().map(state).collect(),
        });
        Some(self.tables.len() - 1)
    }
}

fn register(signal: &Signal, tables: &mut Tables) -> Register {
    let (role, kind) = match signal.role {
        SignalRole::Register(kind) => (Role::Register, kind),
        SignalRole::Pins(hdl::Role::Inputs, table) => (Role::Inputs, Kind::Bundle(table)),
        SignalRole::Pins(hdl::Role::Outputs, table) => (Role::Outputs, Kind::Bundle(table)),
    };
    let mut fields = Vec::new();
    if let Kind::Bundle(table) = kind {
        collect(table, "", 0, tables, &mut fields);
    }
    let (name, width, word) = (signal.name.to_string(), signal.width, signal.word);
    Register { name, role, width, word, table: tables.index(kind), fields }
}

fn collect(table: &hdl::BundleTable, prefix: &str, base: u32, tables: &mut Tables, fields: &mut Vec<Field>) {
    for field in table.fields {
        let (name, offset) = (format!("{prefix}{}", field.name), base + field.offset);
        match field.kind {
            Kind::Bundle(inner) => collect(inner, &format!("{name}."), offset, tables, fields),
            kind => fields.push(Field {
                name,
                doc: paragraph(field.doc),
                offset,
                width: field.width,
                table: tables.index(kind),
            }),
        }
    }
}

/// Joins the lines of a doc comment.
fn paragraph(doc: &str) -> String {
    doc.split_whitespace().collect::<Vec<_>>().join(" ")
}
