//! Page of the state machines of a device.

use std::fmt::Write;

use hdl::{ArcInfo, StateInfo};

use super::state_machines::DeviceMachine;

/// A section for each machine: its description, the published figure that it mirrors, its diagram, states and
/// registers.
pub fn page(device: &str, title: &str, machines: &[DeviceMachine]) -> String {
    let mut page = format!(
        "<!-- Generated from the tables of {device} by `make diagrams`; do not edit. -->\n# State machines of {title}\n\n\
         State machines as declared. Lockstep counts the transitions that occur, and `memonet prove` proves that\n\
         the RTL has no others. The state after reset has a thick border. An arc without a condition is always\n\
         taken; \"otherwise\" means that no other condition of the state holds. Numbers in brackets are those of\n\
         published figures.\n\n"
    );
    let mut add = |text: String| page.push_str(&text);
    for DeviceMachine { name, .. } in machines {
        add(format!("- [{name}](#{name})\n"));
    }
    for machine in machines {
        add(section(device, machine));
    }
    page
}

fn section(device: &str, DeviceMachine { name, table, source, blocks, registers }: &DeviceMachine) -> String {
    let mut text = format!("\n## {name}\n\n");
    let caption = paragraph(table.doc);
    let mut add = |line: String| writeln!(text, "{line}").expect("text has room");
    add(format!("![States and arcs of {name}]({device}_{name}.svg)\n\n*{caption}*\n"));
    let of = |block: &String| format!("`{block}`");
    let blocks: Vec<_> = blocks.iter().map(of).collect();
    let held = if blocks.is_empty() { String::new() } else { format!(" Runs as {}.", blocks.join(", ")) };
    add(format!("Declared in [{source}](../../{source}).{held}\n"));
    add("| State | | Condition | Next |\n|---|---|---|---|".to_string());
    for state in table.states {
        rows(state).into_iter().for_each(&mut add);
    }
    if !registers.is_empty() {
        add("\n| Register | Holds |\n|---|---|".to_string());
        for (name, holds) in registers {
            add(format!("| {name} | {holds} |"));
        }
    }
    text
}

/// A row for each arc of a state; the first one names the state.
fn rows(state: &StateInfo) -> Vec<String> {
    let head = |index| if index == 0 { (state.name, cell(state.doc)) } else { ("", String::new()) };
    let row = |(index, arc): (usize, &ArcInfo)| {
        let (name, doc) = head(index);
        format!("| {name} | {doc} | {} | {} |", cell(arc.condition.unwrap_or("always")), arc.to)
    };
    state.next.iter().enumerate().map(row).collect()
}

/// Joins the lines of a doc comment to a paragraph.
fn paragraph(doc: &str) -> String {
    doc.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A doc comment as the text of a table cell.
fn cell(doc: &str) -> String {
    paragraph(doc).replace('|', "\\|")
}
