//! Conversions between structures of the kernel and of verbs, for `librdmacm`.
#![allow(unsafe_code)]

use crate::abi::connections::{KernelAh, KernelQpAttr, PathRecord, UserPath};
use crate::abi::{AhAttr, GlobalRoute, QpAttr, QpCap};

fn address(of: &KernelAh) -> AhAttr {
    let halves = of.grh.dgid.as_chunks::<8>().0;
    AhAttr {
        grh: GlobalRoute {
            dgid: [u64::from_ne_bytes(halves[0]), u64::from_ne_bytes(halves[1])],
            flow_label: of.grh.flow_label,
            sgid_index: of.grh.sgid_index,
            hop_limit: of.grh.hop_limit,
            traffic_class: of.grh.traffic_class,
        },
        dlid: of.dlid,
        sl: of.sl,
        src_path_bits: of.src_path_bits,
        static_rate: of.static_rate,
        is_global: of.is_global,
        port_num: of.port_num,
    }
}

// SAFETY of all below: the names are those of rdma-core, taken on purpose. The caller passes valid pointers.

/// Copies an address from the layout of the kernel.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_copy_ah_attr_from_kern(to: *mut AhAttr, from: *const KernelAh) {
    // SAFETY: see above; the structure of the kernel may lie at a multiple of 4.
    unsafe { to.write(address(&from.read_unaligned())) };
}

/// Copies attributes of a queue pair from the layout of the kernel. The state stays as it is.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_copy_qp_attr_from_kern(to: *mut QpAttr, from: *const KernelQpAttr) {
    // SAFETY: see above.
    let (all, of) = unsafe { (&mut *to, from.read_unaligned()) };
    (all.cur_qp_state, all.path_mtu, all.path_mig_state) =
        (of.cur_state as i32, of.path_mtu as i32, of.path_mig_state as i32);
    (all.qkey, all.rq_psn, all.sq_psn, all.dest_qp_num) = (of.qkey, of.rq_psn, of.sq_psn, of.dest_qp_num);
    (all.qp_access_flags, all.ah_attr, all.alt_ah_attr) = (of.access, address(&of.ah), address(&of.alt_ah));
    all.cap = QpCap {
        max_send_wr: of.max_send_wr,
        max_recv_wr: of.max_recv_wr,
        max_send_sge: of.max_send_sge,
        max_recv_sge: of.max_recv_sge,
        max_inline_data: of.max_inline_data,
    };
    (all.pkey_index, all.alt_pkey_index) = (of.pkey_index, of.alt_pkey_index);
    (all.en_sqd_async_notify, all.sq_draining) = (of.en_sqd_async_notify, of.sq_draining);
    (all.max_rd_atomic, all.max_dest_rd_atomic) = (of.max_rd_atomic, of.max_dest_rd_atomic);
    (all.min_rnr_timer, all.port_num, all.timeout) = (of.min_rnr_timer, of.port_num, of.timeout);
    (all.retry_cnt, all.rnr_retry) = (of.retry_cnt, of.rnr_retry);
    (all.alt_port_num, all.alt_timeout) = (of.alt_port_num, of.alt_timeout);
}

/// Fields of the same name in both path records.
macro_rules! path {
    ($to:ident, $from:ident, $mtu:ty) => {
        $to {
            dgid: $from.dgid,
            sgid: $from.sgid,
            dlid: $from.dlid,
            slid: $from.slid,
            raw_traffic: $from.raw_traffic,
            flow_label: $from.flow_label,
            hop_limit: $from.hop_limit,
            traffic_class: $from.traffic_class,
            reversible: $from.reversible,
            numb_path: $from.numb_path,
            pkey: $from.pkey,
            sl: $from.sl,
            mtu_selector: $from.mtu_selector,
            mtu: $from.mtu as $mtu,
            rate_selector: $from.rate_selector,
            rate: $from.rate,
            life_selector: $from.life_selector,
            life: $from.life,
            preference: $from.preference,
        }
    };
}

/// Copies a path record from the layout of the kernel.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_copy_path_rec_from_kern(to: *mut UserPath, from: *const PathRecord) {
    // SAFETY: see above.
    unsafe {
        let from = from.read_unaligned();
        to.write(path!(UserPath, from, u8));
    }
}

/// Copies a path record into the layout of the kernel.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_copy_path_rec_to_kern(to: *mut PathRecord, from: *const UserPath) {
    // SAFETY: see above.
    unsafe {
        let from = from.read();
        to.write_unaligned(path!(PathRecord, from, u32));
    }
}
