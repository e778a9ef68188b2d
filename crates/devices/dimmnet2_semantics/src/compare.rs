//! Comparison of a board with a node of the oracle.

use std::fmt::Debug;

use dimmnet2::address::cell;
use dimmnet2::registers::code::status_area_bytes;
use dimmnet2::registers::{ControllerStatus, PrimitiveCounter, UserRegister};
use dimmnet2_machine::SoDimm;
use thiserror::Error;

use crate::contents::Contents;
use crate::node::{Node, Process, Sender};

/// Code of Status Area Size: 1024 bytes, 63 statuses.
pub(crate) const STATUS_AREA: u8 = 0b001_0000;

/// Start of the ring of statuses in LLCM. Programs store elsewhere.
pub(crate) const STATUS_INITIAL: u16 = 0x4000;

/// A difference between a board and the oracle.
#[derive(Debug, Error)]
#[error("node {node} WID {}: {what} is {board}, the oracle says {oracle}", u8::from(*.wid))]
pub struct Difference {
    /// Node number, from 0.
    pub node: usize,
    /// WID of the process; for SO-DIMM, of the owner of the region.
    pub wid: bool,
    /// Register or memory with the offset that differs.
    pub what: String,
    /// Value on the board, in hexadecimal.
    pub board: String,
    /// Value in the oracle, in hexadecimal.
    pub oracle: String,
}

/// Final register values of a process.
#[derive(Clone, Copy)]
pub(crate) struct Registers {
    pub status: ControllerStatus,
    pub counter: PrimitiveCounter,
    pub packets: u64,
    pub flag: u64,
    pub next_write_address: u64,
    pub lh_tail: u64,
    pub module_state: u64,
}

/// Final state of a board, as far as it is compared.
pub(crate) struct Seen<'a> {
    /// By WID.
    pub registers: [Registers; 2],
    pub contents: Contents,
    pub sodimms: &'a [SoDimm; 2],
}

impl Seen<'_> {
    /// Compares the board with a node of the oracle; `n` is the node's number in the report.
    pub fn compare(&self, n: usize, node: &Node) -> Result<(), Difference> {
        for wid in [false, true] {
            let process = &node.processes[usize::from(wid)];
            let at = |what: &str| (n, wid, what.to_string());
            let llcm = self.contents.bytes("llcm", wid);
            let windows = self.contents.bytes("prefetch_window", wid);
            // The order decides which difference is reported: registers explain most.
            compare_registers(self.registers[usize::from(wid)], process, &at)?;
            compare_statuses(&llcm, process, &at)?;
            let ring = STATUS_INITIAL..STATUS_INITIAL + status_area_bytes(STATUS_AREA);
            for (offset, (board, oracle)) in (0u16..).zip(llcm.iter().zip(&process.llcm)) {
                if !ring.contains(&offset) {
                    same(at(&format!("LLCM {offset:#06x}")), *board, *oracle)?;
                }
            }
            let heads = self.contents.bytes("lh_buffer", wid);
            for (offset, board) in heads.iter().enumerate() {
                let known = process.lh_known[offset];
                let oracle = process.lh_buffer[offset] & known;
                same(at(&format!("LH Buffer {offset:#05x}")), *board & known, oracle)?;
            }
            for (offset, board) in windows.iter().enumerate() {
                if let Some(oracle) = process.prefetch_windows[offset] {
                    same(at(&format!("Prefetch Window {offset:#05x}")), *board, oracle)?;
                }
            }
        }
        compare_sodimm(self.sodimms, n, node)
    }
}

fn compare_registers(
    registers: Registers,
    process: &Process,
    at: &impl Fn(&str) -> (usize, bool, String),
) -> Result<(), Difference> {
    let windows = process.windows.iter().enumerate().fold(0, |bits, (n, window)| {
        let status = window.complete as u64 | (window.source_clamped as u64) << 1;
        bits | (status | (window.destination_clamped as u64) << 2) << (5 + 3 * n)
    });
    let status = ControllerStatus {
        sdimm_initialized: true,
        status_area_empty: process.statuses.is_empty(),
        receive_overrun: process.overrun,
        receive_condition: process.condition,
        ..ControllerStatus::from_bits(windows)
    };
    let ring = u64::from(STATUS_INITIAL) + 16 * process.statuses.len() as u64;
    same(at("Primitive Counter"), registers.counter, process.counter)?;
    same(at("Packet Counter"), registers.packets, process.packets)?;
    same(at("Controller Status"), registers.status, status)?;
    same(at("Prefetch Window Flag"), registers.flag, process.flag.into())?;
    same(at("Status Next Write Address"), registers.next_write_address, ring)?;
    same(at("LH Buffer Next Write Address"), registers.lh_tail, process.lh_tail().into())?;
    same(at("Module State"), registers.module_state, UserRegister::ModuleState.info().reset)
}

/// Statuses of different senders may arrive in any order.
fn compare_statuses(
    llcm: &[u8],
    process: &Process,
    at: &impl Fn(&str) -> (usize, bool, String),
) -> Result<(), Difference> {
    let word = |address: usize| u64::from_le_bytes(llcm[address..][..8].try_into().expect("8 bytes"));
    let address = |n: usize| usize::from(STATUS_INITIAL) + 16 * n;
    let written: Vec<_> =
        (0..process.statuses.len()).map(|n| (word(address(n)), word(address(n) + 8))).collect();
    if interleaved(&written, &process.statuses, &mut vec![false; written.len()]) {
        return Ok(());
    }
    let expected: Vec<_> = process.statuses.iter().map(|(_, lower, upper)| (*lower, *upper)).collect();
    same(at("the ring of receive statuses"), written, expected)
}

/// Whether `written` is an interleaving of the untaken statuses that keeps each sender's order.
fn interleaved(written: &[(u64, u64)], statuses: &[(Sender, u64, u64)], taken: &mut [bool]) -> bool {
    let Some((first, rest)) = written.split_first() else { return true };
    let mut passed: Vec<Sender> = vec![];
    for n in 0..statuses.len() {
        let (sender, lower, upper) = statuses[n];
        if taken[n] || passed.contains(&sender) {
            continue;
        }
        passed.push(sender);
        if *first == (lower, upper) {
            taken[n] = true;
            if interleaved(rest, statuses, taken) {
                return true;
            }
            taken[n] = false;
        }
    }
    false
}

fn compare_sodimm(modules: &[SoDimm; 2], n: usize, node: &Node) -> Result<(), Difference> {
    let what = |address: u64| {
        let wid = address >= node.region;
        (n, wid, format!("SO-DIMM {:#010x}", address - if wid { node.region } else { 0 }))
    };
    for (address, oracle) in node.sodimm.iter() {
        let cell = cell(address);
        same(what(address), modules[usize::from(cell.module)].peek(cell.address), oracle)?;
    }
    // Bytes that the oracle never wrote are 0.
    for (module, memory) in (0u64..).zip(modules) {
        for (page, bytes) in memory.pages() {
            for (at, byte) in (page..).zip(bytes).filter(|(_, byte)| **byte != 0) {
                let address = at >> 3 << 4 | module << 3 | at & 7;
                same(what(address), *byte, node.sodimm.get(address))?;
            }
        }
    }
    Ok(())
}

fn same<T: PartialEq + Debug>(
    (node, wid, what): (usize, bool, String),
    board: T,
    oracle: T,
) -> Result<(), Difference> {
    let text = |value: &T| format!("{value:x?}");
    if board == oracle {
        return Ok(());
    }
    Err(Difference { node, wid, what, board: text(&board), oracle: text(&oracle) })
}
