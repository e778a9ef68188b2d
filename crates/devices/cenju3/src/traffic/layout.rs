//! Where a processor element of the traffic has its queues, rings and data.

use crate::registers::Register;

/// Bytes of memory that are there; above them reads give what nobody wrote, and writes leave no trace.
pub const BYTES: u32 = 1 << 20;
/// Send queues of kernel and user.
pub const QUEUES: [u32; 2] = [0x1000, 0x2000];
/// Header parts of the rings.
pub const HEADERS: [u32; 3] = [0x3000, 0x4000, 0x5000];
/// Data parts of the message rings.
pub const DATA: [u32; 2] = [0x6000, 0x8000];
/// What is sent.
pub const SOURCE: u32 = 0x1_0000;
/// The window that the user's DMA writes to: 256 KB.
pub const WINDOW: u32 = 0x4_0000;

/// What sets a NIF up: registers and their values, in order.
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

/// Registers with the positions of the rings: what the NIF writes next, and what the host reads next.
pub const RINGS: [(Register, Register); 3] = [
    (Register::RingWrite0, Register::RingRead0),
    (Register::RingWrite1, Register::RingRead1),
    (Register::RingWrite2, Register::RingRead2),
];
/// Registers with the positions of the queues: what the host writes next, and what the NIF reads next.
pub const POSITIONS: [(Register, Register); 2] =
    [(Register::QueueWrite0, Register::QueueRead0), (Register::QueueWrite1, Register::QueueRead1)];
