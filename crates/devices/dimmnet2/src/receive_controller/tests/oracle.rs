//! Untimed result of a packet: the rules of decisions 0009, 0020 and 0021 applied to whole packets and single
//! bytes.

use std::collections::BTreeMap;

use super::PGIDS;
use crate::address::lid_to_clid;
use crate::line::{FIRST, Line};
use crate::packet::FirstLine;
use crate::request::Request;

/// The effects of all packets so far.
pub struct Oracle {
    pub capacity: u8,
    /// IPUSH Area Size of each process.
    pub area_size: [u16; 2],
    /// Entries of the AMT Address Table.
    pub amt: Vec<u16>,
    pub memory: BTreeMap<u64, u8>,
    pub windows: Vec<u8>,
    pub llcm: Vec<u8>,
    /// WID, upper, lower.
    pub statuses: Vec<(bool, u64, u64)>,
    /// WID, number, line 0, line 1, data.
    pub entries: Vec<(bool, u8, u64, u64, Vec<u8>)>,
    /// Number of entries that each process has received.
    pub heads: [u64; 2],
    pub remotes: Vec<(Request, u64)>,
    pub received: [u64; 2],
    pub overruns: [u64; 2],
    pub conditions: Vec<(bool, u8)>,
    pub flags: [u16; 2],
}

impl Oracle {
    pub fn new(capacity: u8) -> Self {
        Self {
            capacity,
            area_size: [0; 2],
            amt: vec![0; 8192],
            memory: BTreeMap::new(),
            windows: vec![0; 0x1000],
            llcm: vec![0; 0x1_0000],
            statuses: vec![],
            entries: vec![],
            heads: [0; 2],
            remotes: vec![],
            received: [0; 2],
            overruns: [0; 2],
            conditions: vec![],
            flags: [0; 2],
        }
    }

    pub fn receive(&mut self, packet: &[Line]) {
        let first = FirstLine::from_bits(packet[0].data);
        let wid = first.dwid;
        let condition = match self.judge(packet, first) {
            Verdict::Ignore => return,
            Verdict::Bad(condition) => condition,
            Verdict::Remote => {
                self.remote(packet, first);
                self.received[wid as usize] += 1;
                return;
            }
            Verdict::Write { header } => {
                let Some(broken) = self.write(packet, first, header) else { return };
                if broken { 1 } else { 0 }
            }
        };
        if condition != 0 {
            self.conditions.push((wid, condition));
        } else {
            self.received[wid as usize] += 1;
        }
    }

    fn judge(&self, packet: &[Line], first: FirstLine) -> Verdict {
        let remote = [0b10000, 0b10001, 0b10010].contains(&first.otype);
        if packet[0].id != FIRST {
            return Verdict::Bad(2);
        }
        let writes = [0b10100, 0b10101, 0b10110].contains(&first.otype);
        if first.pgid != PGIDS[first.dwid as usize] || !(remote || writes || is_ipush(first)) {
            return Verdict::Ignore;
        }
        let longest = match (first.hflag, remote) {
            (false, _) => 2,
            (true, false) => 3,
            (true, true) => 4,
        };
        for n in 1..longest {
            // Only the second line is checked for the end of the packet; after it, a packet may have any
            // length.
            match packet.get(n) {
                Some(line) if line.id == FIRST => return Verdict::Bad(1),
                _ => {}
            }
            let needs_third = remote || writes && first.otype != 0b10100;
            if n == 1 && (!first.hflag && needs_third || first.hflag && packet.len() == 2) {
                return Verdict::Bad(2);
            }
        }
        match remote {
            true if packet.len() > 4 => Verdict::Bad(3),
            true => Verdict::Remote,
            false => Verdict::Write { header: longest },
        }
    }

    fn remote(&mut self, packet: &[Line], first: FirstLine) {
        let third = packet[2].data;
        let size = if first.otype == 0b10000 { third & 0xffff_ffff } else { third >> 32 };
        let request = Request {
            lower: lower(first, size as u32),
            upper: packet[1].data,
            to_prefetch_window: first.rflag,
            wid: first.dwid,
        };
        self.remotes.push((request, packet.get(3).map_or(0, |line| line.data)));
    }

    /// Stores the data; returns whether a first line ended it early, or `None` if it has no ring.
    fn write(&mut self, packet: &[Line], first: FirstLine, header: usize) -> Option<bool> {
        let (dstoff, initial) = ((packet[1].data >> 32) as u32, packet[1].data as u32);
        let wid = first.dwid as usize;
        let data = packet[header..].iter().take_while(|line| line.id != FIRST);
        let held: Vec<u8> = data.flat_map(|line| line.data.to_le_bytes()).collect();
        let announced = usize::from(first.packet_size).saturating_sub(8 * header);
        let held = &held[..held.len().min(announced)];
        let broken = packet[header..].iter().any(|line| line.id == FIRST);
        if is_ipush(first) {
            let message = if first.hflag { packet[2].data & 0xffff_ffff } else { announced as u64 };
            let whole = packet[header..].iter().map(|line| line.data).collect::<Vec<_>>();
            return match first.lflag && dstoff == initial {
                true => self.head(first, held, announced, message, &whole, broken),
                false => {
                    let sent = dstoff.wrapping_sub(initial);
                    let before = if first.lflag { sent.wrapping_sub(56) } else { sent };
                    self.push(first, (sent, before), held, announced, broken)
                }
            };
        }
        let start = u64::from(dstoff & !3);
        let third = if header == 3 { packet[2].data } else { 0 };
        let (stride, total) = ((third >> 32) as u32 & !3, third as u32);
        let element = (1u64 << first.dtype).max(4);
        let variant = first.otype & 3;
        // The packet's transfer began in another window.
        let outside = header == 3 && dstoff >> 9 != initial >> 9;

        let region = 0x1000_0000u64 << self.capacity;
        let list_room = region.min(1 << 32).saturating_sub(stride.into()) / 4;
        let entries = if variant == 2 { list_room.min(first.iteration.into()) } else { 0 };
        let base = wid as u64 * region + u64::from(stride);
        let list: Vec<u32> = (0..entries).map(|k| offset_at(&self.memory, base + 4 * k)).collect();
        let mut cut = false;
        for (n, &byte) in held.iter().enumerate() {
            let at = start + n as u64;
            if first.lflag {
                let inside = at < 0x8000;
                cut |= !inside;
                if inside {
                    self.llcm[wid * 0x8000 + at as usize] = byte;
                }
            } else if first.rflag {
                let inside = at / 512 == start / 512 && !outside;
                cut |= !inside;
                if inside {
                    self.windows[wid * 0x800 + at as usize % 0x800] = byte;
                }
            } else {
                let number = n as u64 / element;
                let inside = variant == 2 || (at < region && at < 1 << 32);
                cut |= !inside;
                let first_byte = match variant {
                    0 => Some(start),
                    1 => Some((start + number * u64::from(stride)) & 0xffff_ffff),
                    _ => list.get(number as usize).map(|offset| (dstoff.wrapping_add(*offset) & !3).into()),
                };
                let fits = |&first: &u64| variant == 0 || first + element <= region.min(1 << 32);
                let Some(first_byte) = first_byte.filter(fits) else {
                    cut = true;
                    break;
                };
                let at = if variant == 0 { at } else { first_byte + n as u64 % element };
                if inside {
                    self.memory.insert(wid as u64 * region + at, byte);
                }
            }
        }
        self.overruns[wid] += cut as u64;

        if first.rflag && !first.lflag {
            let end = if outside { start } else { start + held.len() as u64 };
            let full = |quarter: &u64| (start..end).contains(&(start / 512 * 512 + 128 * quarter + 127));
            let quarters = (0..4u64).filter(full).fold(0, |set, quarter| set | 1 << quarter);
            let received = dstoff.wrapping_sub(initial).wrapping_add(announced as u32);
            let complete = !broken && (header == 2 || received >= total);
            self.flags[wid] |= if complete { 0xf } else { quarters } << (4 * (dstoff >> 9 & 3));
        }
        if first.eflag && !broken {
            let size = dstoff.wrapping_sub(initial).wrapping_add(held.len() as u32);
            let (size, iteration) = match variant {
                0 => (size, first.iteration),
                _ => ((third >> 32) as u32, (total >> first.dtype) as u8),
            };
            let lower = lower(FirstLine { iteration, ..first }, size);
            self.statuses.push((first.dwid, u64::from(initial), lower));
        }
        Some(broken)
    }

    /// Puts the head of a message into the LH Buffer and its rest into the sender's ring.
    fn head(
        &mut self,
        first: FirstLine,
        held: &[u8],
        announced: usize,
        message: u64,
        lines: &[u64],
        broken: bool,
    ) -> Option<bool> {
        let wid = first.dwid as usize;
        let head = &held[..held.len().min(56)];
        // A malformed head leaves nothing, not even a rest. The head writer reads a packet without a rest to
        // its end, so a first line beyond the announced bytes makes it malformed too.
        let broken_head = broken && (announced <= 56 || held.len() < 56);
        let pointer = if announced > 56 {
            let (statuses, counts) = (self.statuses.len(), (self.overruns, self.conditions.len()));
            let rest = held.get(56..).unwrap_or(&[]);
            let tail = self.tail(first);
            let saved = self.memory.clone();
            let stored = self.push(first, (0, 0), rest, announced - 56, broken);
            self.statuses.truncate(statuses);
            stored?;
            if broken_head {
                self.memory = saved;
                assert_eq!(counts, (self.overruns, self.conditions.len()));
            }
            tail
        } else {
            0
        };
        if !broken_head && !head.is_empty() {
            let number = self.heads[wid];
            self.heads[wid] += 1;
            let flags = if (number / 64).is_multiple_of(2) { 0b11 << 46 } else { 0 };
            let line0 = lines[0] & !(0b11 << 46) | flags;
            let line1 = u64::from(pointer) << 32 | message.saturating_sub(8);
            let data = head.get(8..).unwrap_or(&[]).to_vec();
            self.entries.push((first.dwid, (number % 64) as u8, line0, line1, data));
        }
        if first.eflag && !broken {
            self.statuses.push((first.dwid, pointer.into(), lower(first, held.len() as u32)));
        }
        Some(broken)
    }

    /// Location of the sender's next packet.
    fn tail(&self, first: FirstLine) -> u32 {
        let sender = usize::from(lid_to_clid(first.dlid)) * 2 + first.swid as usize;
        let entry = (first.dwid as usize) * 0x8000 + usize::from(self.amt[sender]) * 8;
        u32::from_le_bytes(self.llcm[entry..entry + 4].try_into().expect("four bytes")) & !7
    }

    /// Stores data in the sender's ring.
    fn push(
        &mut self,
        first: FirstLine,
        (sent, before): (u32, u32),
        held: &[u8],
        announced: usize,
        broken: bool,
    ) -> Option<bool> {
        let wid = first.dwid as usize;
        let sender = usize::from(lid_to_clid(first.dlid)) * 2 + first.swid as usize;
        let entry = wid * 0x8000 + usize::from(self.amt[sender]) * 8;
        let tail = u32::from_le_bytes(self.llcm[entry..entry + 4].try_into().expect("four bytes"));
        let tail = u64::from(tail & !7);
        let size =
            (0..16).rev().find(|bit| self.area_size[wid] >> bit & 1 == 1).map_or(0, |bit| 0x1_0000u64 << bit);
        let region = 0x1000_0000u64 << self.capacity;
        if size == 0 || announced as u64 >= size || tail / size * size + size > region.min(1 << 32) {
            self.overruns[wid] += 1;
            // A refused packet is neither counted nor reported unless it is also malformed.
            if broken {
                self.conditions.push((first.dwid, 1));
            }
            return None;
        }
        let start = tail / size * size;
        let place = |bytes: u64| start + (tail + bytes) % size;
        for (n, &byte) in held.iter().enumerate() {
            self.memory.insert(wid as u64 * region + place(n as u64), byte);
        }
        if !broken {
            let next = place((held.len() as u64).next_multiple_of(8)) as u32;
            self.llcm[entry..entry + 4].copy_from_slice(&next.to_le_bytes());
            if first.eflag {
                let message = start + (tail + size - u64::from(before) % size) % size;
                let size = sent.wrapping_add(held.len() as u32);
                self.statuses.push((first.dwid, message, lower(first, size)));
            }
        }
        Some(broken)
    }
}

/// Whether TYPE is 110xx and assigned.
fn is_ipush(first: FirstLine) -> bool {
    (0b11000..0b11011).contains(&first.otype)
}

enum Verdict {
    Ignore,
    Bad(u8),
    Remote,
    Write { header: usize },
}

/// The lower word of figure 4.13, by its printed bit positions.
fn lower(first: FirstLine, size: u32) -> u64 {
    u64::from(first.otype)
        | u64::from(first.dtype) << 5
        | u64::from(first.iteration) << 8
        | u64::from(first.swid) << 16
        | u64::from(lid_to_clid(first.dlid)) << 18
        | u64::from(first.eflag) << 30
        | u64::from(size) << 32
}

/// The 4 bytes at an SO-DIMM address as an offset. Unwritten bytes mostly give small offsets.
pub fn offset_at(memory: &BTreeMap<u64, u8>, address: u64) -> u32 {
    let chance = (address ^ 0x5bd1_e995).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let unwritten = if chance >> 60 == 0 { chance >> 20 } else { chance >> 20 & 0x7ff } as u32;
    let bytes = unwritten.to_le_bytes();
    let byte = |n: u64| memory.get(&(address + n)).copied().unwrap_or(bytes[n as usize]);
    u32::from_le_bytes([byte(0), byte(1), byte(2), byte(3)])
}
