//! Reception of packets: the Receive Controller's part (decisions 0009, 0018, 0020 and 0021).

use dimmnet2::address::lid_to_clid;
use dimmnet2::registers::ReceiveCondition;
use dimmnet2::{Ex, FirstLine, Lower, Primitive, SecondLine, StatusLower, StatusUpper, ThirdLine, Upper};

use crate::access::{Kind, Who};
use crate::node::{ENTRIES, ENTRY, Sender};
use crate::oracle::{Limits, Oracle, WINDOW, window};
use crate::shape::Shape;

/// Bytes of a message in its entry of the LH Buffer: the envelope and 48 bytes of data.
const HEAD: usize = 56;

/// Valid Flag and Complete Flag in byte 5 of an entry.
const FLAGS: u8 = 0xc0;

/// A packet with data to store.
struct Data<'a> {
    first: FirstLine,
    second: SecondLine,
    third: ThirdLine,
    /// Lines after the header.
    lines: &'a [u64],
    /// Bytes of the transfer in these lines.
    bytes: &'a [u8],
}

/// A ring that has room for a packet.
struct Ring {
    /// Offset of its AMT entry in LLCM.
    entry: usize,
    tail: u64,
    size: u64,
}

impl Ring {
    /// Location of byte `n` of the packet, an offset in the region.
    fn place(&self, n: u64) -> u64 {
        self.tail / self.size * self.size + (self.tail + n) % self.size
    }
}

impl Oracle {
    /// The host has read a head.
    pub fn read_head(&mut self, who: Who) {
        let process = self.process(who);
        process.lh_head = (u64::from(process.lh_head) + ENTRY) as u16 % (ENTRIES * ENTRY) as u16;
    }

    /// A packet arrives from a node outside the oracle.
    pub(crate) fn arrive(&mut self, node: usize, from: u16, lines: &[u64]) {
        self.receive(node, from, lines);
        self.forget();
    }

    /// A node receives a packet from the node with LID `from`.
    pub(crate) fn receive(&mut self, node: usize, from: u16, lines: &[u64]) {
        let first = FirstLine { dlid: from, ..FirstLine::from_bits(lines[0]) };
        let who = Who { node, wid: first.dwid };
        let family = first.otype >> 2;
        let remote = family == Primitive::Rvl.code() >> 2 && first.otype & 3 != 3;
        let store = family == Primitive::Rvs.code() >> 2 && first.otype & 3 != 3;
        let push = family == Primitive::Ipush.code() >> 2 && first.otype & 3 != 3;
        let needs_third = remote || store && first.otype != Primitive::Rvs.code();
        // A packet of one line ends within its header.
        if lines.len() == 1 {
            return self.condition(who, ReceiveCondition::ReceiveHeaderMismatch);
        }
        if first.pgid != self.process(who).pgid || !(remote || store || push) {
            self.uncounted = true;
            return;
        }
        if if first.hflag { lines.len() == 2 } else { needs_third } {
            return self.condition(who, ReceiveCondition::ReceiveHeaderMismatch);
        }
        let third = ThirdLine::from_bits(if first.hflag { lines[2] } else { 0 });
        let second = SecondLine::from_bits(lines[1]);
        if remote {
            if lines.len() > 4 {
                return self.condition(who, ReceiveCondition::ReceiveMalformedRvl);
            }
            self.process(who).packets += 1;
            return self.requested(who, first, second, third, lines.get(3).copied().unwrap_or(0));
        }
        let header = if first.hflag { 3 } else { 2 };
        let bytes: Vec<u8> = lines[header..].iter().flat_map(|line| line.to_le_bytes()).collect();
        let announced = usize::from(first.packet_size).saturating_sub(8 * header);
        let lines = &lines[header..];
        let data = Data { first, second, third, lines, bytes: &bytes[..bytes.len().min(announced)] };
        match (push, first.lflag, first.rflag) {
            (true, true, _) if second.dstoff == second.initial_dstoff() => {
                return self.message(who, &data, announced);
            }
            (true, ..) => return self.push(who, &data, announced as u64),
            (false, true, _) => self.store_llcm(who, &data),
            (false, false, true) => self.store_window(who, &data, announced),
            (false, false, false) => self.store_sodimm(who, &data),
        }
        self.process(who).packets += 1;
        self.status(who, &data, second.initial_dstoff());
    }

    fn condition(&mut self, who: Who, condition: ReceiveCondition) {
        self.touch(who, Kind::Condition, 0, 1, true);
        self.uncounted = true;
        let process = self.process(who);
        if process.condition == 0 {
            process.condition = condition.code();
        }
    }

    /// A request of the RVL family: a command executed by this node on behalf of the owner.
    fn requested(&mut self, owner: Who, first: FirstLine, second: SecondLine, third: ThirdLine, fourth: u64) {
        let contiguous = first.otype == Primitive::Rvl.code();
        let size_list_stride = if contiguous { third.total_transfer_size } else { third.stride_list };
        let lower = Lower {
            otype: first.otype,
            dtype: first.dtype,
            iteration: first.iteration,
            dwid: first.swid,
            dclid: lid_to_clid(first.dlid),
            eflag: first.eflag,
            size_list_stride,
        };
        let upper = Upper { srcoff: second.srcoff, dstoff: second.dstoff };
        self.answer(owner, lower, upper, Ex::from_bits(fourth), first.rflag);
    }

    fn store_llcm(&mut self, who: Who, data: &Data) {
        let start = u64::from(data.second.dstoff & !3);
        let room = (self.process(who).llcm.len() as u64).saturating_sub(start);
        let fits = room.min(data.bytes.len() as u64) as usize;
        self.touch(who, Kind::Llcm, start, fits as u64, true);
        let process = self.process(who);
        if fits > 0 {
            process.llcm[start as usize..][..fits].copy_from_slice(&data.bytes[..fits]);
        }
        process.overrun |= fits < data.bytes.len();
    }

    fn store_window(&mut self, who: Who, data: &Data, announced: usize) {
        let SecondLine { dstoff, srcoff: initial } = data.second;
        let start = u64::from(dstoff) & 0x7fc;
        // A later packet of a transfer that began in another window.
        let outside = data.first.hflag && dstoff >> 9 != initial >> 9;
        let room = if outside { 0 } else { WINDOW - start % WINDOW };
        let fits = room.min(data.bytes.len() as u64);
        self.write_window(who, start, &data.bytes[..fits as usize]);
        self.process(who).overrun |= fits < data.bytes.len() as u64;
        // A quarter is reported when its last byte is stored, all quarters at the end of the transfer.
        let first = start % WINDOW;
        let full = |quarter: &u64| (first..first + fits).contains(&(128 * quarter + 127));
        let quarters = (0..4).filter(full).fold(0, |set, quarter| set | 1 << quarter);
        let received = dstoff.wrapping_sub(initial).wrapping_add(announced as u32);
        let complete = !data.first.hflag || received >= data.third.total_transfer_size;
        self.flag(who, window(dstoff), if complete { 0xf } else { quarters });
    }

    fn store_sodimm(&mut self, who: Who, data: &Data) {
        let shape = Shape::new(data.first.otype, data.first.dtype, data.third.stride_list);
        let by_total = !matches!(shape, Shape::Listed { .. });
        let limits = Limits { by_total, entries: data.first.iteration };
        let cut = self.store(who, shape, data.second.dstoff, 0, data.bytes, limits);
        self.process(who).overrun |= cut;
    }

    /// IPUSH, except the first packet of an LHS message: into the sender's ring, if there is one.
    fn push(&mut self, who: Who, data: &Data, announced: u64) {
        let Some(ring) = self.ring(who, data, announced) else { return };
        self.append(who, &ring, data.bytes);
        self.process(who).packets += 1;
        // The head of a message is not in the ring.
        let sent = data.second.dstoff.wrapping_sub(data.second.initial_dstoff());
        let before = if data.first.lflag { sent.wrapping_sub(HEAD as u32) } else { sent };
        self.status(who, data, ring.place(ring.size - u64::from(before) % ring.size) as u32);
    }

    /// The first packet of an LHS message: head into the LH Buffer, rest into the sender's ring (decision
    /// 0021).
    fn message(&mut self, who: Who, data: &Data, announced: usize) {
        self.touch(who, Kind::LhTail, 0, 1, true);
        let mut ring = None;
        if announced > HEAD {
            ring = self.ring(who, data, (announced - HEAD) as u64);
            if ring.is_none() {
                return;
            }
        }
        let process = self.process(who);
        if process.unread() == ENTRIES - 1 {
            self.waiting = true;
            return;
        }
        let pointer = ring.as_ref().map_or(0, |ring| ring.place(0)) as u32;
        let (head, rest) = data.bytes.split_at(data.bytes.len().min(HEAD));
        let message = if data.first.hflag { data.third.total_transfer_size } else { announced as u32 };
        self.head(
            who,
            data.lines,
            head.len(),
            u64::from(pointer) << 32 | u64::from(message.saturating_sub(8)),
        );
        if let Some(ring) = ring {
            self.append(who, &ring, rest);
        }
        self.process(who).packets += 1;
        self.status(who, data, pointer);
    }

    /// Writes an entry in whole lines; bytes of a line after the end of the message are undefined.
    fn head(&mut self, who: Who, lines: &[u64], bytes: usize, sizes: u64) {
        let process = self.process(who);
        let entry = usize::from(process.lh_tail());
        let known = &mut process.lh_known[entry..entry + ENTRY as usize];
        if bytes == 0 {
            // Without a message there is no entry, and only the flags of the next one are defined.
            known[..16].fill(0);
            known[5] = FLAGS;
            return;
        }
        let flags = if (process.heads / ENTRIES).is_multiple_of(2) { FLAGS } else { 0 };
        for (n, line) in lines.iter().take(bytes.div_ceil(8)).enumerate() {
            // The envelope is line 0, the data begins with line 2.
            let at = if n == 0 { 0 } else { 8 * n + 8 };
            process.lh_buffer[entry + at..][..8].copy_from_slice(&line.to_le_bytes());
            let held = (bytes - 8 * n).min(8);
            known[at..at + held].fill(0xff);
            known[at + held..at + 8].fill(0);
        }
        process.lh_buffer[entry + 5] = process.lh_buffer[entry + 5] & !FLAGS | flags;
        known[5] |= FLAGS;
        process.lh_buffer[entry + 8..][..8].copy_from_slice(&sizes.to_le_bytes());
        known[8..16].fill(0xff);
        process.heads += 1;
    }

    /// The ring of a packet's sender, if it has one with room for `announced` bytes.
    fn ring(&mut self, who: Who, data: &Data, announced: u64) -> Option<Ring> {
        let limit = self.nodes[who.node].limit();
        let sender = 2 * usize::from(lid_to_clid(data.first.dlid)) + usize::from(data.first.swid);
        let entry = 8 * usize::from(self.nodes[who.node].amt[sender]);
        self.touch(who, Kind::Llcm, entry as u64, 8, true);
        let process = self.process(who);
        let word = |at: usize| {
            u64::from(u32::from_le_bytes(process.llcm[at..at + 4].try_into().expect("4 bytes")) & !7)
        };
        let (tail, head) = (word(entry), word(entry + 4));
        let area = process.ipush_area;
        let size = if area == 0 { 0 } else { 0x1_0000u64 << area.ilog2() };
        if size == 0 || announced >= size || tail / size * size + size > limit {
            process.overrun = true;
            self.uncounted = true;
            return None;
        }
        let used = tail.wrapping_sub(head) % size;
        if announced.next_multiple_of(8) >= size - used {
            self.waiting = true;
            return None;
        }
        Some(Ring { entry, tail, size })
    }

    /// Stores data in a ring in whole lines and advances its Tail.
    fn append(&mut self, who: Who, ring: &Ring, bytes: &[u8]) {
        for (n, byte) in (0..).zip(bytes) {
            self.set(who, ring.place(n), *byte);
        }
        let next = ring.place((bytes.len() as u64).next_multiple_of(8)) as u32;
        self.process(who).llcm[ring.entry..ring.entry + 4].copy_from_slice(&next.to_le_bytes());
    }

    fn status(&mut self, who: Who, data: &Data, first_address: u32) {
        if !data.first.eflag {
            return;
        }
        let SecondLine { dstoff, srcoff: initial } = data.second;
        let elements = data.first.otype >> 2 == Primitive::Rvs.code() >> 2 && data.first.otype & 3 != 0;
        let (size_list_stride, iteration) = match elements {
            false => {
                (dstoff.wrapping_sub(initial).wrapping_add(data.bytes.len() as u32), data.first.iteration)
            }
            true => (data.third.stride_list, (data.third.total_transfer_size >> data.first.dtype) as u8),
        };
        let lower = StatusLower {
            otype: data.first.otype,
            dtype: data.first.dtype,
            iteration,
            swid: data.first.swid,
            sclid: lid_to_clid(data.first.dlid),
            eflag: true,
            size_list_stride,
        };
        let status = (Sender(self.effect()), lower.bits(), StatusUpper { first_address }.bits());
        self.process(who).statuses.push(status);
    }
}
