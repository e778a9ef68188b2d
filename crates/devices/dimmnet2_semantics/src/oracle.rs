//! Execution of primitives: the Window Controller's part (thesis section 4.6).

use dimmnet2::address::WINDOW_BYTES;
use dimmnet2::command::SODIMM_COPY;
use dimmnet2::registers::{PrimitiveCounter, WindowStatus};
use dimmnet2::{BotfLower, Ex, FirstLine, LhsUpper, Lower, Primitive, Upper};

use crate::access::{Access, Effect, Kind, Place, Stage, Who};
use crate::node::{Node, Parked, Process};
use crate::packet::Transfer;
use crate::shape::Shape;

/// Bytes of a window.
pub(crate) const WINDOW: u64 = WINDOW_BYTES as u64;

/// A primitive as written by the host.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Command {
    /// Command Lower.
    pub lower: u64,
    /// Command Upper.
    pub upper: u64,
    /// Command Ex, if its flag is 1.
    pub ex: Option<u64>,
    /// 1: Command1, 0: Command0.
    pub to_prefetch_window: bool,
}

/// Treatment of data beyond the end of a region.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Beyond {
    /// The access ends (decision 0016).
    Cut,
    /// The data is read as 0 (decision 0019).
    Zero,
}

/// Limits of a store in addition to the end of the region.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    /// DSTOff + total is tested, as the thesis prints it for VSS.
    pub by_total: bool,
    /// Number of offsets in the list.
    pub entries: u8,
}

/// Nodes with the effects of all primitives so far.
#[derive(Clone, Debug)]
pub struct Oracle {
    /// The nodes; node n has LID n + 1.
    pub nodes: Vec<Node>,
    accesses: Vec<Access>,
    effect: Effect,
    /// A packet did not increment its receiver's counter.
    pub(crate) uncounted: bool,
    /// A packet waits for room in its ring, and blocks all later ones.
    pub(crate) waiting: bool,
    /// Packets in the longest transfer of the last primitive.
    packets: usize,
}

impl Oracle {
    /// `nodes` freshly reset nodes.
    pub fn new(nodes: usize) -> Self {
        let issuer = Who { node: 0, wid: false };
        Self {
            nodes: (0..nodes).map(|node| Node::new(node as u16 + 1)).collect(),
            accesses: vec![],
            effect: Effect { issuer, stage: Stage::Kick },
            uncounted: false,
            waiting: false,
            packets: 0,
        }
    }

    /// State of a process.
    pub fn process(&mut self, who: Who) -> &mut Process {
        &mut self.nodes[who.node].processes[usize::from(who.wid)]
    }

    /// The host writes bytes into the Write Windows of a process.
    pub fn fill(&mut self, who: Who, offset: usize, bytes: &[u8]) {
        self.process(who).write_windows[offset..offset + bytes.len()].copy_from_slice(bytes);
    }

    /// A process issues a primitive; it is executed to completion. Returns its accesses, or `None` if the
    /// outcome is undefined: received data overwrites data that later packets of the same transfer read, or a
    /// packet waits for room in a ring.
    pub fn issue(&mut self, who: Who, command: &Command) -> Option<Vec<Access>> {
        self.packets = 0;
        self.effect = Effect { issuer: who, stage: Stage::Kick };
        let (lower, upper) = (Lower::from_bits(command.lower), Upper::from_bits(command.upper));
        // Writing Lower clears the bits that a poll could mistake for a result; only the family matters.
        let family = lower.otype >> 2;
        if family == Primitive::Vs.code() >> 2 && upper.srcoff != SODIMM_COPY {
            self.process(who).windows[window(upper.srcoff)] = WindowStatus::default();
        }
        self.effect.stage = Stage::Execute;
        use Primitive::*;
        match Primitive::from_code(lower.otype) {
            Some(Botf) => self.botf(who, BotfLower::from_bits(command.lower)),
            Some(Vl | Vls | Vli) => self.vector_load(who, lower, upper),
            Some(Vs | Vss | Vsi) => self.vector_store(who, lower, upper),
            Some(Rvl | Rvls | Rvli) => self.remote_load(who, command, lower, upper),
            Some(Rvs | Rvss | Rvsi) => self.remote_store(who, command, lower, upper),
            Some(Ipush | LhsV1 | LhsV2) => self.push_out(who, command, lower, upper),
            Some(Nop) | None => {}
        }
        let accesses = std::mem::take(&mut self.accesses);
        let meet = |a: &Access| accesses.iter().any(|b| a.effect != b.effect && a.meets(b));
        let defined = !self.waiting && (self.packets < 2 || !accesses.iter().any(meet));
        defined.then_some(accesses)
    }

    fn count(&mut self, who: Who, field: impl FnOnce(&mut PrimitiveCounter) -> &mut u16) {
        let counter = field(&mut self.process(who).counter);
        *counter = (*counter + 1) & 0x3ff;
    }

    /// BOTF: sends the image in a Write Window with PGID and Packet Size replaced (section 4.6.2).
    fn botf(&mut self, who: Who, command: BotfLower) {
        let size = u64::from(command.size).min(WINDOW);
        if size == 0 {
            return;
        }
        let process = self.process(who);
        let image = &process.write_windows[usize::from(command.window) * WINDOW as usize..];
        let word = |line: usize| u64::from_le_bytes(image[8 * line..][..8].try_into().expect("8 bytes"));
        let mut lines: Vec<u64> = (0..size.div_ceil(8) as usize).map(word).collect();
        // Only these two fields are replaced: bits without a field are sent as the host wrote them.
        let fields =
            FirstLine { packet_size: size as u16, pgid: process.pgid, ..FirstLine::from_bits(lines[0]) };
        lines[0] = lines[0] & !FirstLine::TABLE.mask() | fields.bits();
        self.count(who, |counter| &mut counter.botf);
        self.send(who.node, &lines, Stage::Receive);
    }

    /// VL, VLS, VLI: own SO-DIMM to own Prefetch Window (section 4.6.3, decision 0016).
    fn vector_load(&mut self, who: Who, lower: Lower, upper: Upper) {
        let shape = Shape::new(lower.otype, lower.dtype, lower.size_list_stride);
        let total = shape.total(lower.size_list_stride, lower.iteration);
        self.count(who, |counter| &mut counter.vl);
        if upper.dstoff == SODIMM_COPY {
            // The first half of a copy; a list is not accepted (decision 0022).
            if !matches!(shape, Shape::Listed { .. }) {
                self.process(who).parked = Some(Parked { shape, srcoff: upper.srcoff, total });
            }
            return;
        }
        let start = u64::from(upper.dstoff) & 0x7fc;
        let data = self.load(who, shape, upper.srcoff, 0..total.min(WINDOW - start % WINDOW), Beyond::Cut);
        self.write_window(who, start, &data);
        self.flag(who, window(upper.dstoff), 0xf);
    }

    /// VS, VSS, VSI: own Write Window to own SO-DIMM (section 4.6.4, decision 0017).
    fn vector_store(&mut self, who: Who, lower: Lower, upper: Upper) {
        let shape = Shape::new(lower.otype, lower.dtype, lower.size_list_stride);
        let total = shape.total(lower.size_list_stride, lower.iteration);
        self.count(who, |counter| &mut counter.vs);
        if upper.srcoff == SODIMM_COPY {
            let parked = self.process(who).parked.take();
            if let (Some(parked), false) = (parked, matches!(shape, Shape::Listed { .. })) {
                self.copy(who, parked, shape, upper.dstoff, total);
            }
            return;
        }
        let start = u64::from(upper.srcoff) & 0x7fc;
        let room = WINDOW - start % WINDOW;
        let fits = match shape {
            Shape::Contiguous => total.min(room),
            Shape::Strided { dtype, .. } | Shape::Listed { dtype, .. } => total.min(room >> dtype << dtype),
        };
        let data = self.process(who).write_windows[start as usize..(start + fits) as usize].to_vec();
        // VSS is tested with DSTOff + total, as published; listed elements are tested one by one.
        let by_total = !matches!(shape, Shape::Listed { .. });
        let cut =
            self.store(who, shape, upper.dstoff, 0, &data, Limits { by_total, entries: lower.iteration });
        self.process(who).windows[window(upper.srcoff)] =
            WindowStatus { complete: true, source_clamped: fits < total, destination_clamped: cut };
    }

    /// A copy passes through a buffer of 512 bytes: a chunk reads data that earlier chunks have written.
    fn copy(&mut self, who: Who, from: Parked, to: Shape, dstoff: u32, total: u64) {
        let total = total.min(from.total);
        for first in (0..total).step_by(WINDOW as usize) {
            let end = total.min(first + WINDOW);
            let data = self.load(who, from.shape, from.srcoff, first..end, Beyond::Cut);
            let short = (data.len() as u64) < end - first;
            let limits = Limits { by_total: false, entries: 0 };
            if self.store(who, to, dstoff, first, &data, limits) || short {
                return;
            }
        }
    }

    /// RVL, RVLS, RVLI: request to the node that owns the data (section 5.3, decision 0018).
    fn remote_load(&mut self, who: Who, command: &Command, lower: Lower, upper: Upper) {
        let shape = Shape::new(lower.otype, lower.dtype, lower.size_list_stride);
        let total = shape.total(lower.size_list_stride, lower.iteration);
        if command.to_prefetch_window {
            // The flag is cleared when Lower is written; when the request is sent, the quarters that the data
            // will not touch are set.
            let window = window(upper.dstoff);
            self.effect.stage = Stage::Kick;
            self.touch(who, Kind::Flag, window as u64, 1, true);
            self.process(who).flag &= !(0xf << (4 * window));
            self.effect.stage = Stage::Execute;
            let start = u64::from(upper.dstoff) & 0x1fc;
            let end = start + total.min(WINDOW - start);
            let touched = |quarter: &u64| start.max(128 * quarter) < end.min(128 * quarter + 128);
            let untouched =
                (0..4).filter(|quarter| !touched(quarter)).fold(0, |set, quarter| set | 1 << quarter);
            self.flag(who, window, untouched);
        }
        let first = self.first_line(who, command, lower, lower.otype);
        let first = FirstLine {
            packet_size: 32,
            hflag: true,
            iteration: lower.iteration,
            dtype: lower.dtype,
            ..first
        };
        let stride_list = if shape == Shape::Contiguous { 0 } else { lower.size_list_stride };
        let ex = command.ex.unwrap_or(0) & Ex::TABLE.mask();
        let second = u64::from(upper.dstoff) << 32 | u64::from(upper.srcoff);
        let lines = [first.bits(), second, u64::from(stride_list) << 32 | total & 0xffff_ffff, ex];
        self.count(who, |counter| &mut counter.rvl);
        self.send(who.node, &lines, Stage::Receive);
    }

    /// RVS, RVSS, RVSI: own SO-DIMM to a remote memory (section 5.3, decision 0019).
    fn remote_store(&mut self, who: Who, command: &Command, lower: Lower, upper: Upper) {
        let ex = Ex::from_bits(command.ex.unwrap_or(0));
        let target = Shape::new(lower.otype, lower.dtype, lower.size_list_stride);
        let source = Shape::new(ex.otype, ex.dtype, ex.size_list_stride);
        let mut total = target.total(lower.size_list_stride, lower.iteration);
        if source != Shape::Contiguous {
            total = total.min(source.total(0, ex.iteration));
        }
        self.count(who, |counter| &mut counter.rvs);
        let otype = Primitive::Rvs.code() | variant(lower.otype);
        let first = self.first_line(who, command, lower, otype);
        let data = self.load(who, source, upper.srcoff, 0..total, Beyond::Zero);
        self.transfer(who.node, Transfer { first, target, dstoff: upper.dstoff, data }, Stage::Receive);
    }

    /// IPUSH, LHSv1, LHSv2: own SO-DIMM, for LHSv2 preceded by lines of own Write Windows, to a destination
    /// that the receiver chooses (section 5.3, decision 0023).
    fn push_out(&mut self, who: Who, command: &Command, lower: Lower, upper: Upper) {
        let ex = Ex::from_bits(command.ex.unwrap_or(0));
        let source = Shape::new(ex.otype, ex.dtype, ex.size_list_stride);
        let size = u64::from(lower.size_list_stride);
        let (start, bytes) = window_part(command).unwrap_or((0, 0));
        let mut rest = size - bytes;
        if source != Shape::Contiguous {
            rest = rest.min(source.total(0, ex.iteration));
        }
        self.count(who, |counter| &mut counter.ipush);
        let windows = &self.process(who).write_windows;
        let mut data: Vec<u8> =
            (start..start + bytes).map(|at| windows[at as usize % windows.len()]).collect();
        data.extend(self.load(who, source, upper.srcoff, 0..rest, Beyond::Zero));
        let first = self.first_line(who, command, lower, Primitive::Ipush.code());
        let first = FirstLine { rflag: false, lflag: lower.otype != Primitive::Ipush.code(), ..first };
        let transfer = Transfer { first, target: Shape::Contiguous, dstoff: 0, data };
        self.transfer(who.node, transfer, Stage::Receive);
    }

    /// Sender, receiver and flags in the first header line of a host's primitive.
    fn first_line(&mut self, who: Who, command: &Command, lower: Lower, otype: u8) -> FirstLine {
        FirstLine {
            otype,
            pgid: self.process(who).pgid,
            dwid: lower.dwid,
            swid: who.wid,
            dlid: dimmnet2::address::clid_to_lid(lower.dclid),
            rflag: command.to_prefetch_window,
            eflag: lower.eflag,
            ..FirstLine::default()
        }
    }

    /// A node executes a received request of the RVL family (decision 0018).
    pub(crate) fn answer(&mut self, owner: Who, lower: Lower, upper: Upper, ex: Ex, rflag: bool) {
        let source = Shape::new(lower.otype, lower.dtype, lower.size_list_stride);
        let target = Shape::new(ex.otype, ex.dtype, ex.size_list_stride);
        let mut total = source.total(lower.size_list_stride, lower.iteration);
        if target != Shape::Contiguous {
            total = total.min(target.total(0, ex.iteration));
        }
        let command = Command { to_prefetch_window: rflag, ..Command::default() };
        let first = self.first_line(owner, &command, lower, Primitive::Rvs.code() | variant(ex.otype));
        self.effect.stage = Stage::Gather(owner.node);
        let data = self.load(owner, source, upper.srcoff, 0..total, Beyond::Zero);
        self.transfer(owner.node, Transfer { first, target, dstoff: upper.dstoff, data }, Stage::Reply);
    }

    fn transfer(&mut self, from: usize, transfer: Transfer, stage: fn(usize) -> Stage) {
        let packets = transfer.packets(self.nodes[from].mtu);
        self.packets = packets.len();
        for lines in packets {
            self.send(from, &lines, stage);
        }
    }

    /// Sends a packet through the network; a packet to an unassigned LID is lost.
    fn send(&mut self, from: usize, lines: &[u64], stage: fn(usize) -> Stage) {
        let lid = FirstLine::from_bits(lines[0]).dlid;
        if let Some(node) = self.nodes.iter().position(|node| node.lid == lid) {
            let before = self.effect.stage;
            // Packets to a node are identified by their destination, replies by their source.
            let is_reply = stage(0) == Stage::Reply(0);
            self.effect.stage = stage(if is_reply { from } else { node });
            self.receive(node, self.nodes[from].lid, lines);
            self.effect.stage = before;
        }
    }

    /// Discards the recorded accesses.
    pub(crate) fn forget(&mut self) {
        self.accesses.clear();
    }

    pub(crate) fn effect(&self) -> Effect {
        self.effect
    }

    /// Records an access, merged with an earlier one that it continues.
    pub(crate) fn touch(&mut self, who: Who, kind: Kind, first: u64, bytes: u64, write: bool) {
        let (effect, place) = (self.effect, Place { who, kind });
        if bytes == 0 {
            return;
        }
        if let Some(last) = self.accesses.iter_mut().rev().take(2).find(|last| {
            (last.effect, last.place, last.write) == (effect, place, write)
                && last.first + last.bytes == first
        }) {
            last.bytes += bytes;
            return;
        }
        self.accesses.push(Access { effect, place, first, bytes, write });
    }

    /// Sets bits of a window in Prefetch Window Flag; recorded as a read, because setting bits commutes.
    pub(crate) fn flag(&mut self, who: Who, window: usize, quarters: u16) {
        self.touch(who, Kind::Flag, window as u64, 1, false);
        self.process(who).flag |= quarters << (4 * window);
    }

    /// Writes data into the Prefetch Windows.
    pub(crate) fn write_window(&mut self, who: Who, start: u64, data: &[u8]) {
        let units = data.len().next_multiple_of(4);
        self.touch(who, Kind::PrefetchWindow, start, units as u64, true);
        let bytes = data.iter().copied().map(Some).chain(std::iter::repeat(None));
        let window = &mut self.process(who).prefetch_windows[start as usize..];
        window[..units].iter_mut().zip(bytes).for_each(|(place, byte)| *place = byte);
    }

    fn get(&mut self, who: Who, offset: u64) -> u8 {
        self.touch(who, Kind::SoDimm, offset, 1, false);
        let node = &self.nodes[who.node];
        node.sodimm.get(node.address(who.wid, offset))
    }

    pub(crate) fn set(&mut self, who: Who, offset: u64, byte: u8) {
        self.touch(who, Kind::SoDimm, offset, 1, true);
        let node = &mut self.nodes[who.node];
        node.sodimm.set(node.address(who.wid, offset), byte);
    }

    fn limit(&self, who: Who) -> u64 {
        self.nodes[who.node].limit()
    }

    /// Offset k of a list; `None` beyond the region.
    fn listed(&mut self, who: Who, list: u32, k: u64) -> Option<u32> {
        let at = u64::from(list & !3) + 4 * k;
        (at < self.limit(who)).then(|| u32::from_le_bytes([0, 1, 2, 3].map(|i| self.get(who, at + i))))
    }

    /// Bytes `range` of an access to SO-DIMM.
    pub(crate) fn load(
        &mut self,
        who: Who,
        shape: Shape,
        srcoff: u32,
        range: std::ops::Range<u64>,
        beyond: Beyond,
    ) -> Vec<u8> {
        let (limit, mut data) = (self.limit(who), vec![]);
        // Index and start of the element that contains the byte.
        let mut present = None;
        for n in range {
            let (k, within) = shape.split(n);
            let first = match (present, shape) {
                (Some((of, first)), _) if of == k => first,
                (_, Shape::Contiguous) => Some(srcoff),
                (_, Shape::Strided { stride, .. }) => {
                    Some(srcoff.wrapping_add(stride.wrapping_mul(k as u32)))
                }
                (_, Shape::Listed { list, .. }) => {
                    self.listed(who, list, k).map(|at| srcoff.wrapping_add(at))
                }
            };
            present = Some((k, first));
            let at = match (first, beyond) {
                (None, Beyond::Cut) => break,
                (first, _) => u64::from(first.unwrap_or(srcoff) & !3),
            };
            if beyond == Beyond::Cut && at + shape.element().unwrap_or(within + 1) > limit {
                break;
            }
            data.push(if at + within < limit { self.get(who, at + within) } else { 0 });
        }
        data
    }

    /// Stores data that begins at byte `start` of an access; returns whether some of it lies beyond the
    /// region. Contiguous data is cut there; an element that is not entirely within the region, or has no
    /// offset, ends the store.
    pub(crate) fn store(
        &mut self,
        who: Who,
        shape: Shape,
        dstoff: u32,
        start: u64,
        data: &[u8],
        limits: Limits,
    ) -> bool {
        let limit = self.limit(who);
        // A list is read before the first element is stored (decision 0022).
        let offsets: Vec<Option<u32>> = match (shape, shape.element()) {
            (Shape::Listed { list, .. }, Some(element)) => {
                let elements = (data.len() as u64).div_ceil(element);
                let entries = u64::from(limits.entries);
                (0..elements).map(|k| if k < entries { self.listed(who, list, k) } else { None }).collect()
            }
            _ => vec![],
        };
        for (n, byte) in (start..).zip(data.iter().copied()) {
            let (k, within) = shape.split(n);
            let first = match shape {
                Shape::Contiguous => Some(dstoff & !3),
                Shape::Strided { stride, .. } => {
                    Some((dstoff & !3).wrapping_add((stride & !3).wrapping_mul(k as u32)))
                }
                Shape::Listed { .. } => offsets[k as usize].map(|at| dstoff.wrapping_add(at) & !3),
            };
            let Some(first) = first.map(u64::from) else { return true };
            let total_beyond = limits.by_total && u64::from(dstoff & !3) + n >= limit;
            if first + shape.element().unwrap_or(within + 1) > limit || total_beyond {
                return true;
            }
            self.set(who, first + within, byte);
        }
        false
    }
}

/// Bytes that an LHSv2 takes from the Write Windows: first byte and count, whole lines (figure 7.8, decision
/// 0023).
pub(crate) fn window_part(command: &Command) -> Option<(u64, u64)> {
    let lower = Lower::from_bits(command.lower);
    let upper = LhsUpper::from_bits(command.upper);
    let bytes = u64::from(upper.window_size).min(WINDOW).min(lower.size_list_stride.into()) & !7;
    let start = u64::from(upper.window_srcoff & 0x7f8);
    (lower.otype == Primitive::LhsV2.code()).then_some((start, bytes))
}

/// Window in which an offset lies, 0 to 3.
pub(crate) fn window(offset: u32) -> usize {
    (offset >> 9 & 3) as usize
}

/// Variant in the code of a primitive; 3 in Command Ex means contiguous (decision 0019).
fn variant(otype: u8) -> u8 {
    if otype & 3 == 3 { 0 } else { otype & 3 }
}
