//! Addresses of queues, rings and data in a processor element.

use crate::registers::Register;

/// Bytes of memory; reads above return an address pattern, and writes above are ignored.
pub const BYTES: u32 = 1 << 20;
/// Send queues of kernel and user.
pub const QUEUES: [u32; 2] = [0x1000, 0x2000];
/// Header parts of the rings.
pub const HEADERS: [u32; 3] = [0x3000, 0x4000, 0x5000];
/// Data parts of the message rings.
pub const DATA: [u32; 2] = [0x6000, 0x8000];
/// Address of the data to send.
pub const SOURCE: u32 = 0x1_0000;
/// Window of the user's DMA writes: 256 KB.
pub const WINDOW: u32 = 0x4_0000;

/// Registers and values that set up a NIF, in order.
pub fn setup(pe: u8) -> [(Register, u32); 13] {
    use Register::*;
    [
        (Pe, pe.into()),
        (QueueBase0, QUEUES[0]),
        (QueueBase1, QUEUES[1]),
        (HeaderBase0, HEADERS[0]),
        (HeaderBase1, HEADERS[1]),
        (HeaderBase2, HEADERS[2]),
        (DataBase0, DATA[0]),
        (DataBase1, DATA[1]),
        (AddressBase, WINDOW),
        (PeBase, 0),
        (PeMask, 1),
        (InterruptEnable, 0xf),
        (Control, 1),
    ]
}

/// Registers with the positions of the rings: the header that the NIF writes next, and that which the host
/// reads next.
pub const RINGS: [(Register, Register); 3] = [
    (Register::RingWrite0, Register::RingRead0),
    (Register::RingWrite1, Register::RingRead1),
    (Register::RingWrite2, Register::RingRead2),
];
/// Registers with the positions of the queues: the entry that the host writes next, and that which the NIF
/// reads next.
pub const POSITIONS: [(Register, Register); 2] =
    [(Register::QueueWrite0, Register::QueueRead0), (Register::QueueWrite1, Register::QueueRead1)];
