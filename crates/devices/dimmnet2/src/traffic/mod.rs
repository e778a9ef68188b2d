//! Traffic for one board: pins for every instant, from a seed or from a fixed programme.

mod back_to_back;
mod looped;
mod mixed;
mod random;

use crate::address::Area;
use crate::packet::{FirstLine, SecondLine};
use crate::pins::HostIn;
use crate::registers::{SystemRegister, UserRegister};

pub use back_to_back::BackToBack;
pub use mixed::Mixed;
pub use random::Traffic;

/// LID of the board.
pub const LID: u16 = 3;
/// Process groups of its two processes.
pub const PGID: [u8; 2] = [0xa5, 0x5a];

/// One host access to a 64-bit word in the Even bank.
fn beat(write: bool, address: u32, word: u64) -> HostIn {
    HostIn { wdata: word as u128, byte_enable: 0x00ff, address, enable: true, write }
}

fn user(wid: bool, register: UserRegister) -> u32 {
    Area::UserRegister.part(wid) + register.info().offset as u32
}

fn system(register: SystemRegister) -> u32 {
    Area::SystemRegister.base() + register.info().offset as u32
}

/// The first writes of a host: SO-DIMM access, own LID, process groups.
fn configuration() -> Vec<HostIn> {
    let values = [
        (SystemRegister::SdimmInit, 1),
        (SystemRegister::Lid, LID as u64),
        (SystemRegister::Pgid0, PGID[0] as u64),
        (SystemRegister::Pgid1, PGID[1] as u64),
    ];
    values.map(|(register, value)| beat(true, system(register), value)).to_vec()
}

/// The beats that write a 512-byte packet, addressed to the board itself, into a Write Window of WID 0.
fn packet(window: u8, first: FirstLine, offset: u32) -> impl Iterator<Item = HostIn> {
    let word = move |n: u64| match n {
        0 => FirstLine { dlid: LID, ..first }.bits(),
        1 => SecondLine::writing(offset, offset).bits(),
        // Arbitrary data in which all bits change.
        n => n.wrapping_mul(0x9e37_79b9_7f4a_7c15),
    };
    (0..32).map(move |row| HostIn {
        wdata: word(2 * row) as u128 | (word(2 * row + 1) as u128) << 64,
        byte_enable: 0xffff,
        address: Area::WriteWindow.window(false, window) + 16 * row as u32,
        enable: true,
        write: true,
    })
}
