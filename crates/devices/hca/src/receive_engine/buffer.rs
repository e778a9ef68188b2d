//! The buffer in host memory: where the data of the packet go, where an RDMA READ reads, or on what an atomic
//! operation works.

use super::{In, ReceiveEngine, State};
use crate::host_dma::Transfer;
use crate::key_check;
use crate::layout::{
    ATOMIC_BYTES, GRH_BYTES, MAX_MESSAGE, RECEIVE_WQE_BYTES, SEND_WQE_BYTES, SEND_WQE_USED, mtu_bytes,
    mtu_log,
};
use crate::send_engine::WQE_WORD;

impl ReceiveEngine {
    /// Whether the packet names local memory itself: an RDMA WRITE, READ or atomic operation of the peer.
    #[inline]
    pub(super) fn is_remote(&self) -> bool {
        self.says.write || self.says.read || self.says.atomic
    }

    /// Whether an atomic operation writes: a compare-and-swap does if the values are equal.
    #[inline]
    pub(super) fn changes(&self) -> bool {
        !self.says.compares || self.word == self.compare
    }

    /// Whether the key allows the access to host memory.
    #[inline]
    pub(super) fn allowed(&self, pins: &In) -> bool {
        let q = self;
        key_check::check(&key_check::In {
            row: pins.key,
            key: q.l_key,
            domain: pins.attributes.domain,
            address: q.address,
            length: q.length,
            reach: q.reach,
            local_write: !q.is_remote(),
            remote_write: q.says.write,
            remote_read: q.says.read,
            remote_atomic: q.says.atomic,
        })
        .allowed
    }

    /// Whether the packet has as many bytes as its kind may have. All packets of a message but the last one
    /// are full; the last one of an RDMA WRITE brings exactly what is left. The address of an atomic operation is a
    /// multiple of 8.
    #[inline]
    pub(super) fn is_sized(&self, pins: &In) -> bool {
        let q = self;
        let mtu = mtu_bytes(pins.attributes.mtu);
        let (whole, less) = (q.length == q.bytes.into(), q.length > q.bytes.into());
        if q.says.atomic {
            q.address.is_multiple_of(ATOMIC_BYTES)
        } else if q.says.read {
            q.length <= MAX_MESSAGE && mtu != 0
        } else if q.says.ends {
            q.bytes <= mtu && (q.says.begins || q.bytes != 0) && (!q.says.write || whole)
        } else {
            q.bytes == mtu && q.bytes != 0 && (!q.says.write || less)
        }
    }

    /// Whether data of the outstanding request have the kind and the length that are due; for the last packet only
    /// the low 12 bits are compared.
    #[inline]
    pub(super) fn is_due(&self, pins: &In) -> bool {
        let q = self;
        let offset = Self::WIDTHS.rest.wrap(q.next_offset(pins));
        let sized = if q.all == 0 { q.rest == offset } else { q.bytes == mtu_bytes(pins.attributes.mtu) };
        q.suits && sized
    }

    /// Bytes of the outstanding RDMA READ before the packet that is due.
    #[inline]
    fn next_offset(&self, pins: &In) -> u32 {
        self.begun << mtu_log(pins.attributes.mtu)
    }

    /// Bytes of the buffer before the data: those of earlier packets of the message, or the place of a GRH.
    #[inline]
    fn ahead(&self) -> u32 {
        match (self.connected, self.says.begins) {
            (true, true) => 0,
            (true, false) => self.responder.received,
            (false, _) => GRH_BYTES,
        }
    }

    /// Whether the data do not fit: the buffer is too short, the outstanding RDMA READ asked for another
    /// length, or the peer's address has more than 32 bits.
    #[inline]
    fn is_misfit(&self) -> bool {
        let q = self;
        if q.is_remote() {
            q.says.remote && q.q_key != 0
        } else if q.answer {
            q.length != q.requester.length
        } else {
            q.total > q.length
        }
    }

    /// Transfer for host DMA: a WQE or an operand into the transmitter's slot 0, or data out of the receiver's slot.
    #[inline(always)]
    pub(super) fn transfer(&self) -> Transfer {
        let q = self;
        let (fetch, operand) = (q.state == State::Fetch, q.state == State::Operand);
        Transfer {
            // Words of a WQE are not shifted, whatever base of its ring the host has set.
            address: if fetch { q.wqe & !7 } else { q.address },
            offset: if fetch || operand {
                WQE_WORD << 3
            } else {
                u16::from(q.slot) << 12 | u16::from(q.says.units) << 2
            },
            bytes: match (fetch, q.answer) {
                (true, true) => SEND_WQE_USED,
                (true, false) => RECEIVE_WQE_BYTES,
                (false, _) if q.says.atomic => ATOMIC_BYTES as u16,
                (false, _) => q.bytes,
            },
            to_host: !fetch && !operand,
        }
    }

    /// Address, length and key of the buffer.
    #[inline(always)]
    pub(super) fn next_buffer(&mut self, q: &Self, pins: &In) {
        use State::*;
        let d = self;
        match q.state {
            Head => d.take_remote(q.index, Self::header(pins)),
            // Look: later packets of an RDMA WRITE continue behind the one before; those of a SEND have its buffer.
            Look if !q.says.begins && !q.says.answers() => {
                d.address = pins.responder.address;
                d.length = pins.responder.length;
                d.l_key = pins.responder.key;
            }
            Look if q.says.atomic => d.length = ATOMIC_BYTES,
            Admit => {
                d.total = q.ahead().wrapping_add(q.bytes.into());
                let attributes = &pins.attributes;
                d.wqe = if q.answer {
                    attributes.send_base.wrapping_add(SEND_WQE_BYTES * u32::from(q.place))
                } else {
                    let base = if q.borrows { q.pool.base } else { attributes.receive_base };
                    base.wrapping_add(u32::from(RECEIVE_WQE_BYTES) * u32::from(q.place))
                };
            }
            Fetch if pins.word_valid => {
                d.take_word(q, pins);
            }
            Key => {
                let after = Self::WIDTHS.more.wrap(q.length.wrapping_sub(1) >> mtu_log(pins.attributes.mtu));
                d.reach = u64::from(q.address) + u64::from(q.length);
                d.more = if q.length == 0 { 0 } else { after };
                d.offset = match (q.answer, q.is_remote()) {
                    (true, _) => q.next_offset(pins),
                    (false, true) => 0,
                    (false, false) => q.ahead(),
                };
                d.misfits = q.is_misfit();
            }
            Operand if pins.word_valid => d.word = pins.word,
            Take => {
                if q.says.atomic {
                    d.word = if q.says.compares { q.swap } else { q.word.wrapping_add(q.swap) };
                }
                if q.answer {
                    d.total = q.requester.length;
                }
                d.address = q.address.wrapping_add(q.offset);
            }
            _ => {}
        }
    }

    /// Head: a RETH holds address, r_key and length, an AtomicETH address, r_key and two values. The word after an AETH
    /// is the original value of an atomic operation.
    #[inline]
    fn take_remote(&mut self, index: u8, word: u64) {
        let d = self;
        let (first, second) = ((word >> 32) as u32, word as u32);
        match index {
            4 => (d.address, d.l_key, d.word) = (first, second, word),
            5 => (d.length, d.swap) = (first, word),
            6 => d.compare = word,
            _ => (),
        }
    }

    /// Takes a word of the WQE; `layout` has the fields of send and receive WQEs.
    #[inline]
    fn take_word(&mut self, q: &Self, pins: &In) {
        let d = self;
        let (low, high) = (pins.word as u32, (pins.word >> 32) as u32);
        match (pins.place, q.answer) {
            (0, false) | (2, true) => d.l_key = low,
            (1, _) => (d.address, d.length) = (low, high),
            _ => (),
        }
    }
}
