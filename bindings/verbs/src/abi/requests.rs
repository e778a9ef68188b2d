//! Work requests and completions.

use super::{Ah, c_int, c_uint};

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Sge {
    pub addr: u64,
    pub length: u32,
    pub lkey: u32,
}

/// The part of a send request for datagrams, the longest member of its union.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ToDatagram {
    pub ah: *mut Ah,
    pub remote_qpn: u32,
    pub remote_qkey: u32,
    pub rest: [u64; 2],
}

#[repr(C)]
pub struct SendWr {
    pub wr_id: u64,
    pub next: *mut SendWr,
    pub sg_list: *mut Sge,
    pub num_sge: c_int,
    pub opcode: c_int,
    pub send_flags: c_uint,
    pub imm_data: u32,
    pub ud: ToDatagram,
    pub xrc_remote_srqn: u32,
    pub rest: [u64; 6],
}

#[repr(C)]
pub struct RecvWr {
    pub wr_id: u64,
    pub next: *mut RecvWr,
    pub sg_list: *mut Sge,
    pub num_sge: c_int,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Wc {
    pub wr_id: u64,
    pub status: c_int,
    pub opcode: c_int,
    pub vendor_err: u32,
    pub byte_len: u32,
    pub imm_data: u32,
    pub qp_num: u32,
    pub src_qp: u32,
    pub wc_flags: c_uint,
    pub pkey_index: u16,
    pub slid: u16,
    pub sl: u8,
    pub dlid_path_bits: u8,
}

/// Bits of `ibv_send_flags`. A fence has no effect: the adapter carries out one request at a time.
pub mod send_flags {
    use super::c_uint;

    pub const FENCE: c_uint = 1;
    pub const SIGNALLED: c_uint = 2;
    pub const SOLICITED: c_uint = 4;
    pub const INLINE: c_uint = 8;
}
