use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use vcd::{Command, IdCode, ScopeItem, Value};
use wellen::{SignalValueRef, simple};

/// A waveform as read: the changes of each path, with values in binary or as names of states, and the last
/// time.
#[derive(Debug, Default, PartialEq)]
pub struct Wave {
    pub changes: BTreeMap<String, Vec<(u64, String)>>,
    pub end: u64,
}

impl Wave {
    /// The value at a time.
    pub fn at(&self, path: &str, time: u64) -> &str {
        let changes = self.changes.get(path).unwrap_or_else(|| panic!("no variable {path}"));
        changes.iter().rev().find(|(at, _)| *at <= time).map_or("", |(_, value)| value)
    }
}

/// Merges changes at the same time: the last one counts, unless it equals the value before.
fn settle(changes: impl Iterator<Item = (u64, String)>) -> Vec<(u64, String)> {
    let mut settled: Vec<(u64, String)> = Vec::new();
    for (time, value) in changes {
        settled.pop_if(|(at, _)| *at == time);
        if settled.last().is_none_or(|(_, last)| *last != value) {
            settled.push((time, value));
        }
    }
    settled
}

/// A vector of x of any width becomes a single x.
fn unknown(value: String) -> String {
    if value.bytes().all(|byte| byte == b'x') { "x".to_string() } else { value }
}

pub fn wellen(path: &Path) -> Wave {
    let mut wave = simple::read(path).unwrap();
    let refs: Vec<_> = wave.hierarchy().signals().collect();
    wave.load_signals(&refs);
    let hierarchy = wave.hierarchy();
    let mut changes = BTreeMap::new();
    for item in hierarchy.all_items() {
        let wellen::Item::Var(var) = item.deref(hierarchy) else { continue };
        let states: BTreeMap<_, _> =
            var.enum_type(hierarchy).map(|(_, table)| table.into_iter().collect()).unwrap_or_default();
        let signal = wave.get_signal(var.signal_ref()).unwrap();
        let values = signal.iter_changes().map(|(index, value)| {
            let value = match value {
                SignalValueRef::String(text) => text.to_string(),
                value => value.to_bit_string().unwrap(),
            };
            let value = states.get(value.as_str()).map_or(value.clone(), |name| name.to_string());
            (wave.time_table()[index as usize], unknown(value))
        });
        let before = changes.insert(var.full_name(hierarchy), settle(values));
        assert_eq!(before, None, "a path is declared once");
    }
    Wave { changes, end: *wave.time_table().last().unwrap() }
}

pub fn vcd(path: &Path) -> Wave {
    let mut parser = vcd::Parser::new(BufReader::new(File::open(path).unwrap()));
    let header = parser.parse_header().unwrap();
    let mut names = BTreeMap::new();
    declare("", &header.items, &mut names);
    let mut wave = Wave::default();
    for command in parser {
        let (code, value) = match command.unwrap() {
            Command::Timestamp(time) => {
                wave.end = time;
                continue;
            }
            Command::ChangeScalar(code, value) => (code, value.to_string()),
            Command::ChangeVector(code, value) => {
                (code, value.iter().map(|v: Value| v.to_string()).collect())
            }
            Command::ChangeString(code, value) => (code, value),
            other => panic!("unexpected {other:?}"),
        };
        let (path, width) = &names[&code];
        let value = unknown(value);
        let value = if value == "x" { value } else { format!("{value:0>width$}") };
        wave.changes.entry(path.clone()).or_default().push((wave.end, value));
    }
    for changes in wave.changes.values_mut() {
        *changes = settle(std::mem::take(changes).into_iter());
    }
    wave
}

fn declare(prefix: &str, items: &[ScopeItem], names: &mut BTreeMap<IdCode, (String, usize)>) {
    for item in items {
        match item {
            ScopeItem::Scope(scope) => {
                declare(&format!("{prefix}{}.", scope.identifier), &scope.items, names);
            }
            ScopeItem::Var(var) => {
                names.insert(var.code, (format!("{prefix}{}", var.reference), var.size as usize));
            }
            _ => {}
        }
    }
}

/// The names under which GTKWave lists the variables.
pub fn gtkwave_names(path: &Path) -> std::collections::BTreeSet<String> {
    let wave = simple::read(path).unwrap();
    let hierarchy = wave.hierarchy();
    let names = hierarchy.all_items().filter_map(|item| match item.deref(hierarchy) {
        wellen::Item::Var(var) => {
            let range = var.index().map(|index| format!("[{}:{}]", index.msb(), index.lsb()));
            Some(var.full_name(hierarchy) + &range.unwrap_or_default())
        }
        _ => None,
    });
    names.collect()
}
