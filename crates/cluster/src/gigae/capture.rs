//! What a protocol analyser on every wire would see.

use crate::Time;

use super::wire::{Fate, Sent, Wire};

/// One direction of a cable, by the node at its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Line {
    /// From the node to the switch or, on one cable, to the other node.
    From(usize),
    /// From the switch to the node.
    To(usize),
}

/// A frame as it was sent into a wire. What befalls it there shows behind the switch, where it is missing, damaged, late or there
/// twice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Captured {
    /// Where.
    pub line: Line,
    /// When its last byte had left.
    pub time: Time,
    /// What befalls it on this wire.
    pub fate: Fate,
    /// From the destination address to the check sequence.
    pub bytes: Vec<u8>,
}

/// Takes what the wires have kept, in the order of time and then of wires.
pub(super) fn take(ups: &mut [Wire], downs: &mut [Wire]) -> Vec<Captured> {
    let ups = ups.iter_mut().enumerate().map(|(node, wire)| (Line::From(node), wire));
    let downs = downs.iter_mut().enumerate().map(|(node, wire)| (Line::To(node), wire));
    let captured = |line, Sent { time, fate, bytes }| Captured { line, time, fate, bytes };
    let mut all: Vec<_> = ups
        .chain(downs)
        .flat_map(|(line, wire)| wire.take_sent().into_iter().map(move |sent| captured(line, sent)))
        .collect();
    all.sort_by_key(|captured| (captured.time, captured.line));
    all
}
