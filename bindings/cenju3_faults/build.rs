//! Verilates blocks of the NIF, each with one line changed: one for each named assertion, by the name of its module and its own.
//!
//! Assertions of a block have their faults beside their proofs, as the witnesses of testbench/formal/cenju3; those of the whole NIF and of the
//! block without a clock have none, and theirs are here.

use std::fs;
use std::path::Path;

use verilate::{Block, block};

fn main() {
    let harnesses = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testbench/formal/cenju3");
    println!("cargo::rerun-if-changed={}", harnesses.display());
    let mut files: Vec<_> = fs::read_dir(&harnesses)
        .unwrap_or_else(|error| panic!("{}: {error}", harnesses.display()))
        .map(|file| file.expect("a file").path())
        .collect();
    files.sort();
    let mut faults = others();
    for file in files {
        let module = leak(file.file_stem().expect("a name").to_string_lossy().into_owned());
        let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let witnesses = text.lines().filter_map(|line| line.strip_prefix("// Witness: "));
        faults.extend(witnesses.map(|line| witness(module, line)));
    }
    verilate::device("cenju3", &faults);
}

/// What the assertions without a proof find.
fn others() -> Vec<Block> {
    vec![
        // A packet begins while the one before it is being stored.
        faulty(
            "cenju3_one_ring_at_a_time",
            "cenju3",
            "link_receive",
            "if (pins_i.rings_idle && (held_d == 3'd0)) begin",
            "if ((pins_i.rings_idle || (pins_i.full == 3'd0)) && (held_d == 3'd0)) begin",
        ),
        // The send DMA does not see how full the FIFO is.
        faulty(
            "cenju3_transmit_fifo_never_overflows",
            "cenju3",
            "cenju3",
            "assign dma_in.fifo_count = transmit_count;",
            "assign dma_in.fifo_count = transmit_count >> 1;",
        ),
        // Memory answers whoever has it, whether he asks or not.
        faulty(
            "memory_port_answers_who_asks",
            "memory_port",
            "memory_port",
            "(pins_i.grant & request) : 6'd0",
            "pins_i.grant : 6'd0",
        ),
        // The mask takes the next entry while the one before it is being sent.
        faulty(
            "cenju3_one_entry_at_a_time",
            "cenju3",
            "mask",
            "if (pins_i.sent) begin",
            "if (!pins_i.sent) begin",
        ),
    ]
}

/// The fault of a line `NAME | FILE | FROM | TO`, in which `\|` is a bar.
fn witness(module: &'static str, line: &str) -> Block {
    let line = line.replace("\\|", "\0");
    let parts: Vec<_> = line.split(" | ").map(|part| part.replace('\0', "|").trim().to_string()).collect();
    let [assertion, _, right, wrong] = <[String; 4]>::try_from(parts)
        .unwrap_or_else(|parts| panic!("{module}: a witness is NAME | FILE | FROM | TO: {parts:?}"));
    faulty(leak(format!("{module}_{}", words(&assertion))), module, module, leak(right), leak(wrong))
}

/// A block with a fault; its class has the device's name in front, as other devices have blocks and faults of the same names.
fn faulty(
    name: &'static str,
    path: &'static str,
    module: &'static str,
    right: &'static str,
    wrong: &'static str,
) -> Block {
    block(name, path).with_class(leak(format!("cenju3_faults_{name}"))).with_fault(module, right, wrong)
}

/// A name in capitals as words with `_`.
fn words(name: &str) -> String {
    let mut words = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !words.is_empty() {
            words.push('_');
        }
        words.extend(letter.to_lowercase());
    }
    words
}

/// A list of blocks lives as long as the script that makes it.
fn leak(text: String) -> &'static str {
    Box::leak(text.into_boxed_str())
}
