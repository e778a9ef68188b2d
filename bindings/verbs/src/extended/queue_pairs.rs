//! Queue pairs to which a program describes work requests by one function after the other (`ibv_qp_ex`).
//!
//! Requests between `ibv_wr_start` and `ibv_wr_complete` are collected, and posted together at the end.
#![allow(unsafe_code)]

use std::collections::BTreeMap;
use std::mem::zeroed;
use std::ptr::null_mut;
use std::sync::{Mutex, PoisonError};

use crate::abi::extended::*;
use crate::abi::*;

/// `IBV_SEND_INLINE`.
const INLINE: c_uint = 8;

/// `ibv_wr_opcode`.
mod opcode {
    use super::c_int;

    pub const RDMA_WRITE: c_int = 0;
    pub const RDMA_WRITE_WITH_IMM: c_int = 1;
    pub const SEND: c_int = 2;
    pub const SEND_WITH_IMM: c_int = 3;
    pub const RDMA_READ: c_int = 4;
    pub const ATOMIC_COMPARE_AND_SWAP: c_int = 5;
    pub const ATOMIC_FETCH_AND_ADD: c_int = 6;
}

/// A request that is not posted yet.
struct Request {
    wr: SendWr,
    pieces: Vec<Sge>,
    /// Inline data, to which the pieces point.
    inline: Vec<Vec<u8>>,
}

/// The functions of a queue pair, and the requests of this series.
#[repr(C)]
struct Builder {
    ex: QpEx,
    own: *mut Qp,
    requests: Vec<Request>,
    /// The first error of this series, which `ibv_wr_complete` returns.
    errno: c_int,
}

/// Builders by the address of their queue pair; values are addresses too.
static BUILDERS: Mutex<BTreeMap<usize, usize>> = Mutex::new(BTreeMap::new());

fn builders() -> std::sync::MutexGuard<'static, BTreeMap<usize, usize>> {
    BUILDERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Frees the builder of a destroyed queue pair.
pub fn forget(qp: *mut Qp) {
    if let Some(builder) = builders().remove(&(qp as usize)) {
        // SAFETY: the map held the only address, and the queue pair is not used again.
        drop(unsafe { Box::from_raw(builder as *mut Builder) });
    }
}

/// The functions of a queue pair; null if it was created without `IBV_QP_INIT_ATTR_SEND_OPS_FLAGS`.
// SAFETY: the name is that of rdma-core, taken on purpose.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_qp_to_qp_ex(qp: *mut Qp) -> *mut QpEx {
    builders().get(&(qp as usize)).map_or(null_mut(), |builder| *builder as *mut QpEx)
}

/// Gives a queue pair its functions.
pub fn add(qp: *mut Qp) {
    builders().insert(qp as usize, builder(qp) as usize);
}

fn builder(qp: *mut Qp) -> *mut Builder {
    // SAFETY: numbers, null pointers and absent functions may be zero; the queue pair is valid.
    let mut ex: QpEx = unsafe { zeroed() };
    // SAFETY: the queue pair is valid, and its public part may be copied.
    ex.qp = unsafe { std::ptr::read(qp) };
    ex.wr_atomic_cmp_swp = Some(wr_atomic_cmp_swp);
    ex.wr_atomic_fetch_add = Some(wr_atomic_fetch_add);
    ex.wr_bind_mw = Some(wr_bind_mw);
    ex.wr_local_inv = Some(wr_invalidate);
    ex.wr_rdma_read = Some(wr_rdma_read);
    ex.wr_rdma_write = Some(wr_rdma_write);
    ex.wr_rdma_write_imm = Some(wr_rdma_write_imm);
    ex.wr_send = Some(wr_send);
    ex.wr_send_imm = Some(wr_send_imm);
    ex.wr_send_inv = Some(wr_invalidate);
    ex.wr_send_tso = Some(wr_send_tso);
    ex.wr_set_ud_addr = Some(wr_set_ud_addr);
    ex.wr_set_xrc_srqn = Some(wr_invalidate);
    ex.wr_set_inline_data = Some(wr_set_inline_data);
    ex.wr_set_inline_data_list = Some(wr_set_inline_data_list);
    ex.wr_set_sge = Some(wr_set_sge);
    ex.wr_set_sge_list = Some(wr_set_sge_list);
    ex.wr_start = Some(wr_start);
    ex.wr_complete = Some(wr_complete);
    ex.wr_abort = Some(wr_start);
    ex.wr_atomic_write = Some(wr_atomic_write);
    Box::into_raw(Box::new(Builder { ex, own: qp, requests: Vec::new(), errno: 0 }))
}

impl Builder {
    /// Begins a request, whose id and flags the program has set.
    fn add(&mut self, opcode: c_int, immediate: u32) -> &mut Request {
        // SAFETY: numbers and null pointers may be zero.
        let mut wr: SendWr = unsafe { zeroed() };
        (wr.wr_id, wr.opcode, wr.send_flags, wr.imm_data) =
            (self.ex.wr_id, opcode, self.ex.wr_flags, immediate);
        self.requests.push(Request { wr, pieces: Vec::new(), inline: Vec::new() });
        self.requests.last_mut().expect("one was pushed")
    }

    fn fail(&mut self, errno: c_int) {
        if self.errno == 0 {
            self.errno = errno;
        }
    }

    /// The request that the program describes; without one the series fails.
    fn last(&mut self) -> Option<&mut Request> {
        if self.requests.is_empty() {
            self.fail(libc::EINVAL);
        }
        self.requests.last_mut()
    }

    /// Posts all requests.
    fn post(&mut self) -> c_int {
        if self.errno != 0 || self.requests.is_empty() {
            return self.errno;
        }
        let mut next = null_mut();
        for request in self.requests.iter_mut().rev() {
            request.wr.sg_list = request.pieces.as_mut_ptr();
            request.wr.num_sge = request.pieces.len() as c_int;
            request.wr.next = next;
            next = &mut request.wr;
        }
        let mut bad = null_mut();
        // SAFETY: the queue pair is valid until it is destroyed, and its context has the functions of this library.
        unsafe {
            let post = (*(*self.own).context).ops.post_send.expect("contexts of this library have it");
            post(self.own, next, &mut bad)
        }
    }
}

impl Request {
    /// Sets the memory of the peer.
    fn set_remote(&mut self, key: u32, address: u64) {
        let place = (&raw mut self.wr.ud).cast::<u64>();
        // SAFETY: the union of the request begins with the address and the key of remote memory; it is longer than both.
        unsafe {
            place.write(address);
            place.add(1).cast::<u32>().write(key);
        }
    }

    /// Sets the memory of the peer and the operands of an atomic operation.
    fn set_atomic(&mut self, key: u32, address: u64, operands: [u64; 2]) {
        let place = (&raw mut self.wr.ud).cast::<[u64; 4]>();
        // SAFETY: the union of the request begins with these four words, of which the key takes half the last one.
        unsafe { place.write([address, operands[0], operands[1], key.into()]) };
    }

    fn add_inline(&mut self, bytes: Vec<u8>) {
        self.wr.send_flags |= INLINE;
        self.pieces.push(Sge { addr: bytes.as_ptr() as u64, length: bytes.len() as u32, lkey: 0 });
        self.inline.push(bytes);
    }
}

// SAFETY of all below: the header calls these functions for builders of this library, with pointers that are valid.

fn of<'a>(qp: *mut QpEx) -> &'a mut Builder {
    // SAFETY: see above.
    unsafe { &mut *qp.cast::<Builder>() }
}

unsafe extern "C" fn wr_start(qp: *mut QpEx) {
    of(qp).requests.clear();
    of(qp).errno = 0;
}

unsafe extern "C" fn wr_complete(qp: *mut QpEx) -> c_int {
    let errno = of(qp).post();
    of(qp).requests.clear();
    errno
}

unsafe extern "C" fn wr_send(qp: *mut QpEx) {
    of(qp).add(opcode::SEND, 0);
}

unsafe extern "C" fn wr_send_imm(qp: *mut QpEx, immediate: u32) {
    of(qp).add(opcode::SEND_WITH_IMM, immediate);
}

unsafe extern "C" fn wr_rdma_write(qp: *mut QpEx, key: u32, address: u64) {
    of(qp).add(opcode::RDMA_WRITE, 0).set_remote(key, address);
}

unsafe extern "C" fn wr_rdma_write_imm(qp: *mut QpEx, key: u32, address: u64, immediate: u32) {
    of(qp).add(opcode::RDMA_WRITE_WITH_IMM, immediate).set_remote(key, address);
}

unsafe extern "C" fn wr_rdma_read(qp: *mut QpEx, key: u32, address: u64) {
    of(qp).add(opcode::RDMA_READ, 0).set_remote(key, address);
}

unsafe extern "C" fn wr_set_ud_addr(qp: *mut QpEx, ah: *mut Ah, pair: u32, q_key: u32) {
    if let Some(request) = of(qp).last() {
        request.wr.ud = ToDatagram { ah, remote_qpn: pair, remote_qkey: q_key, rest: [0; 2] };
    }
}

unsafe extern "C" fn wr_set_sge(qp: *mut QpEx, lkey: u32, addr: u64, length: u32) {
    if let Some(request) = of(qp).last() {
        request.pieces.push(Sge { addr, length, lkey });
    }
}

unsafe extern "C" fn wr_set_sge_list(qp: *mut QpEx, count: size_t, list: *const Sge) {
    if let Some(request) = of(qp).last().filter(|_| count > 0) {
        // SAFETY: see above.
        request.pieces.extend_from_slice(unsafe { std::slice::from_raw_parts(list, count) });
    }
}

unsafe extern "C" fn wr_set_inline_data(qp: *mut QpEx, addr: *mut c_void, length: size_t) {
    // SAFETY: see above.
    unsafe { wr_set_inline_data_list(qp, 1, &DataBuf { addr, length }) };
}

unsafe extern "C" fn wr_set_inline_data_list(qp: *mut QpEx, count: size_t, list: *const DataBuf) {
    let Some(request) = of(qp).last().filter(|_| count > 0) else { return };
    // SAFETY: see above.
    for buffer in unsafe { std::slice::from_raw_parts(list, count) } {
        let bytes = match buffer.length {
            0 => Vec::new(),
            // SAFETY: see above.
            length => unsafe { std::slice::from_raw_parts(buffer.addr.cast::<u8>(), length) }.to_vec(),
        };
        request.add_inline(bytes);
    }
}

unsafe extern "C" fn wr_atomic_cmp_swp(qp: *mut QpEx, key: u32, address: u64, compare: u64, swap: u64) {
    of(qp).add(opcode::ATOMIC_COMPARE_AND_SWAP, 0).set_atomic(key, address, [compare, swap]);
}

unsafe extern "C" fn wr_atomic_fetch_add(qp: *mut QpEx, key: u32, address: u64, add: u64) {
    of(qp).add(opcode::ATOMIC_FETCH_AND_ADD, 0).set_atomic(key, address, [add, 0]);
}

unsafe extern "C" fn wr_bind_mw(qp: *mut QpEx, _: *mut c_void, _: u32, _: *const c_void) {
    of(qp).fail(libc::EOPNOTSUPP);
}

unsafe extern "C" fn wr_invalidate(qp: *mut QpEx, _: u32) {
    of(qp).fail(libc::EOPNOTSUPP);
}

unsafe extern "C" fn wr_send_tso(qp: *mut QpEx, _: *mut c_void, _: u16, _: u16) {
    of(qp).fail(libc::EOPNOTSUPP);
}

unsafe extern "C" fn wr_atomic_write(qp: *mut QpEx, _: u32, _: u64, _: *const c_void) {
    of(qp).fail(libc::EOPNOTSUPP);
}
