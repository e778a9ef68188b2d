//! Untimed result of a VL-family primitive, byte by byte (thesis section 4.6.3, decision 0016).

use super::bench::Bench;
use crate::command::SODIMM_COPY;
use crate::prefetch_unit::pins::VectorLoad;

/// Bytes of the region that a 32-bit offset can reach.
pub fn region(capacity: u8) -> u64 {
    ((256u64 << 20) << capacity).min(1 << 32)
}

/// The bytes delivered, in order.
pub fn data(bench: &Bench, load: &VectorLoad) -> Vec<u8> {
    if load.dstoff == SODIMM_COPY {
        return vec![];
    }
    let (base, end) = (bench.base(load.wid), region(bench.capacity));
    let read = |offset: u64| bench.byte(base + offset);
    let room = 512 - (load.dstoff & !3) as usize % 512;
    let aligned = |offset: u32| u64::from(offset & !3);
    let mut bytes = vec![];
    if load.variant == 0 {
        let source = aligned(load.srcoff)..end;
        bytes.extend(source.take(room.min(load.size_list_stride as usize)).map(read));
        return bytes;
    }
    let element = 1u64 << load.dtype.max(2);
    let total = (usize::from(load.iteration) << load.dtype).min(room);
    for k in 0..u32::from(load.iteration) {
        if bytes.len() >= total {
            break;
        }
        let offset = if load.variant == 1 {
            load.srcoff.wrapping_add(load.size_list_stride.wrapping_mul(k))
        } else {
            let at = aligned(load.size_list_stride) + u64::from(4 * k);
            if at >= end {
                break;
            }
            let listed = u32::from_le_bytes([0, 1, 2, 3].map(|i| read(at + i)));
            load.srcoff.wrapping_add(listed)
        };
        let first = aligned(offset);
        if first + element > end {
            break;
        }
        bytes.extend((first..first + element).map(read));
    }
    bytes.truncate(total);
    bytes
}

/// The bytes of a request for packets, in order; bytes beyond the region are 0 (decision 0019).
pub fn packet_data(bench: &Bench, load: &VectorLoad) -> Vec<u8> {
    let (base, end) = (bench.base(load.wid), region(bench.capacity));
    let read = |offset: u64| if offset < end { bench.byte(base + offset) } else { 0 };
    let total = load.total as usize;
    let aligned = |offset: u32| u64::from(offset & !3);
    if load.variant == 0 {
        return (aligned(load.srcoff)..).take(total).map(read).collect();
    }
    let element = 1u64 << load.dtype.max(2);
    let mut bytes = vec![];
    for k in 0.. {
        if bytes.len() >= total {
            break;
        }
        let offset = if load.variant == 1 {
            load.srcoff.wrapping_add(load.size_list_stride.wrapping_mul(k))
        } else {
            let at = aligned(load.size_list_stride) + u64::from(4 * k);
            load.srcoff.wrapping_add(u32::from_le_bytes([0, 1, 2, 3].map(|i| read(at + i))))
        };
        bytes.extend((aligned(offset)..aligned(offset) + element).map(read));
    }
    bytes.truncate(total);
    bytes
}
