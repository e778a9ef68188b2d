//! Structures that came after version 1.1: the extended context, and completion queues and queue pairs with functions.

use libc::timespec;

use super::{Ah, CompChannel, Context, Cq, DeviceAttr, Nothing, Pd, PortAttr, Qp, QpCap, Sge, Srq, SrqAttr};
use super::{c_int, c_uint, c_void, size_t};

/// Value of [`Context::abi_compat`] in a context that is the end of a [`VerbsContext`] (`__VERBS_ABI_IS_EXTENDED`).
pub const EXTENDED: usize = usize::MAX;

/// Any function of the extended context that returns an `errno`.
pub type Refused = Option<unsafe extern "C" fn() -> c_int>;
/// Any function of the extended context that returns a pointer.
pub type RefusedObject = Option<unsafe extern "C" fn() -> *mut c_void>;

/// Functions that the header calls through the context; `ibv_context` is its last field, and grows to the front.
#[repr(C)]
pub struct VerbsContext {
    pub query_port: Option<unsafe extern "C" fn(*mut Context, u8, *mut PortAttr, size_t) -> c_int>,
    pub advise_mr: Refused,
    pub alloc_null_mr: RefusedObject,
    pub read_counters: Refused,
    pub attach_counters_point_flow: Refused,
    pub create_counters: RefusedObject,
    pub destroy_counters: Refused,
    pub reg_dm_mr: RefusedObject,
    pub alloc_dm: RefusedObject,
    pub free_dm: Refused,
    pub modify_flow_action_esp: Refused,
    pub destroy_flow_action: Refused,
    pub create_flow_action_esp: RefusedObject,
    pub modify_qp_rate_limit: Refused,
    pub alloc_parent_domain: Option<unsafe extern "C" fn(*mut Context, *mut ParentDomainInitAttr) -> *mut Pd>,
    pub dealloc_td: Option<unsafe extern "C" fn(*mut Td) -> c_int>,
    pub alloc_td: Option<unsafe extern "C" fn(*mut Context, *mut TdInitAttr) -> *mut Td>,
    pub modify_cq: Refused,
    pub post_srq_ops: Refused,
    pub destroy_rwq_ind_table: Refused,
    pub create_rwq_ind_table: RefusedObject,
    pub destroy_wq: Refused,
    pub modify_wq: Refused,
    pub create_wq: RefusedObject,
    pub query_rt_values: Option<unsafe extern "C" fn(*mut Context, *mut Values) -> c_int>,
    pub create_cq_ex: Option<unsafe extern "C" fn(*mut Context, *mut CqInitAttrEx) -> *mut CqEx>,
    pub priv_: *mut c_void,
    pub query_device_ex:
        Option<unsafe extern "C" fn(*mut Context, *const c_void, *mut DeviceAttrEx, size_t) -> c_int>,
    pub destroy_flow: Refused,
    pub placeholder_2: Nothing,
    pub create_flow: RefusedObject,
    pub placeholder_1: Nothing,
    pub open_qp: RefusedObject,
    pub create_qp_ex: Option<unsafe extern "C" fn(*mut Context, *mut QpInitAttrEx) -> *mut Qp>,
    pub get_srq_num: Option<unsafe extern "C" fn(*mut Srq, *mut u32) -> c_int>,
    pub create_srq_ex: Option<unsafe extern "C" fn(*mut Context, *mut SrqInitAttrEx) -> *mut Srq>,
    pub open_xrcd: RefusedObject,
    pub close_xrcd: Refused,
    pub placeholder_3: u64,
    /// Bytes of this structure.
    pub sz: size_t,
    pub context: Context,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Values {
    pub comp_mask: u32,
    pub raw_clock: timespec,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct OdpCaps {
    pub general_caps: u64,
    pub transports: [u32; 3],
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct RssCaps {
    pub supported_qpts: u32,
    pub max_tables: u32,
    pub max_table_size: u32,
    pub fields: u64,
    pub function: u8,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct DeviceAttrEx {
    pub orig_attr: DeviceAttr,
    pub comp_mask: u32,
    pub odp_caps: OdpCaps,
    pub completion_timestamp_mask: u64,
    pub hca_core_clock: u64,
    pub device_cap_flags_ex: u64,
    pub tso_caps: [u32; 2],
    pub rss_caps: RssCaps,
    pub max_wq_type_rq: u32,
    pub packet_pacing_caps: [u32; 3],
    pub raw_packet_caps: u32,
    pub tm_caps: [u32; 5],
    pub cq_mod_caps: [u16; 2],
    pub max_dm_size: u64,
    pub pci_atomic_caps: [u16; 3],
    pub xrc_odp_caps: u32,
    pub phys_port_cnt_ex: u32,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct GidEntry {
    pub gid: [u64; 2],
    pub gid_index: u32,
    pub port_num: u32,
    pub gid_type: u32,
    pub ndev_ifindex: u32,
}

/// A thread domain: a promise that one thread uses its objects.
#[repr(C)]
pub struct Td {
    pub context: *mut Context,
}

#[repr(C)]
pub struct TdInitAttr {
    pub comp_mask: u32,
}

#[repr(C)]
pub struct ParentDomainInitAttr {
    pub pd: *mut Pd,
    pub td: *mut Td,
    pub comp_mask: u32,
    pub alloc: Nothing,
    pub free: Nothing,
    pub pd_context: *mut c_void,
}

#[repr(C)]
pub struct CqInitAttrEx {
    pub cqe: u32,
    pub cq_context: *mut c_void,
    pub channel: *mut CompChannel,
    pub comp_vector: u32,
    pub wc_flags: u64,
    pub comp_mask: u32,
    pub flags: u32,
    pub parent_domain: *mut Pd,
}

/// A completion queue with functions that read one completion; it begins as `ibv_cq` does.
#[repr(C)]
pub struct CqEx {
    pub cq: Cq,
    pub comp_mask: u32,
    pub status: c_int,
    pub wr_id: u64,
    pub start_poll: Option<unsafe extern "C" fn(*mut CqEx, *mut PollCqAttr) -> c_int>,
    pub next_poll: Option<unsafe extern "C" fn(*mut CqEx) -> c_int>,
    pub end_poll: Option<unsafe extern "C" fn(*mut CqEx)>,
    pub read_opcode: Option<unsafe extern "C" fn(*mut CqEx) -> c_int>,
    pub read_vendor_err: Option<unsafe extern "C" fn(*mut CqEx) -> u32>,
    pub read_byte_len: Option<unsafe extern "C" fn(*mut CqEx) -> u32>,
    pub read_imm_data: Option<unsafe extern "C" fn(*mut CqEx) -> u32>,
    pub read_qp_num: Option<unsafe extern "C" fn(*mut CqEx) -> u32>,
    pub read_src_qp: Option<unsafe extern "C" fn(*mut CqEx) -> u32>,
    pub read_wc_flags: Option<unsafe extern "C" fn(*mut CqEx) -> c_uint>,
    pub read_slid: Option<unsafe extern "C" fn(*mut CqEx) -> u32>,
    pub read_sl: Option<unsafe extern "C" fn(*mut CqEx) -> u8>,
    pub read_dlid_path_bits: Option<unsafe extern "C" fn(*mut CqEx) -> u8>,
    pub read_completion_ts: Option<unsafe extern "C" fn(*mut CqEx) -> u64>,
    pub read_cvlan: Option<unsafe extern "C" fn(*mut CqEx) -> u16>,
    pub read_flow_tag: Option<unsafe extern "C" fn(*mut CqEx) -> u32>,
    pub read_tm_info: Option<unsafe extern "C" fn(*mut CqEx, *mut c_void)>,
    pub read_completion_wallclock_ns: Option<unsafe extern "C" fn(*mut CqEx) -> u64>,
}

#[repr(C)]
pub struct PollCqAttr {
    pub comp_mask: u32,
}

/// Attributes of a new queue pair; they begin as `ibv_qp_init_attr` does.
#[repr(C)]
pub struct QpInitAttrEx {
    pub qp_context: *mut c_void,
    pub send_cq: *mut Cq,
    pub recv_cq: *mut Cq,
    pub srq: *mut Srq,
    pub cap: QpCap,
    pub qp_type: c_int,
    pub sq_sig_all: c_int,
    pub comp_mask: u32,
    pub pd: *mut Pd,
    pub xrcd: *mut c_void,
    pub create_flags: u32,
    pub max_tso_header: u16,
    pub rwq_ind_tbl: *mut c_void,
    pub rx_hash_conf: [u64; 3],
    pub source_qpn: u32,
    pub send_ops_flags: u64,
}

/// Attributes of a new shared receive queue; they begin as `ibv_srq_init_attr` does.
#[repr(C)]
pub struct SrqInitAttrEx {
    pub srq_context: *mut c_void,
    pub attr: SrqAttr,
    pub comp_mask: u32,
    pub srq_type: c_int,
    pub pd: *mut Pd,
    pub xrcd: *mut c_void,
    pub cq: *mut Cq,
    pub tm_cap: [u32; 2],
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct DataBuf {
    pub addr: *mut c_void,
    pub length: size_t,
}

/// A queue pair with functions that build work requests; it begins as `ibv_qp` does.
#[repr(C)]
pub struct QpEx {
    pub qp: Qp,
    pub comp_mask: u64,
    pub wr_id: u64,
    pub wr_flags: c_uint,
    pub wr_atomic_cmp_swp: Option<unsafe extern "C" fn(*mut QpEx, u32, u64, u64, u64)>,
    pub wr_atomic_fetch_add: Option<unsafe extern "C" fn(*mut QpEx, u32, u64, u64)>,
    pub wr_bind_mw: Option<unsafe extern "C" fn(*mut QpEx, *mut c_void, u32, *const c_void)>,
    pub wr_local_inv: Option<unsafe extern "C" fn(*mut QpEx, u32)>,
    pub wr_rdma_read: Option<unsafe extern "C" fn(*mut QpEx, u32, u64)>,
    pub wr_rdma_write: Option<unsafe extern "C" fn(*mut QpEx, u32, u64)>,
    pub wr_rdma_write_imm: Option<unsafe extern "C" fn(*mut QpEx, u32, u64, u32)>,
    pub wr_send: Option<unsafe extern "C" fn(*mut QpEx)>,
    pub wr_send_imm: Option<unsafe extern "C" fn(*mut QpEx, u32)>,
    pub wr_send_inv: Option<unsafe extern "C" fn(*mut QpEx, u32)>,
    pub wr_send_tso: Option<unsafe extern "C" fn(*mut QpEx, *mut c_void, u16, u16)>,
    pub wr_set_ud_addr: Option<unsafe extern "C" fn(*mut QpEx, *mut Ah, u32, u32)>,
    pub wr_set_xrc_srqn: Option<unsafe extern "C" fn(*mut QpEx, u32)>,
    pub wr_set_inline_data: Option<unsafe extern "C" fn(*mut QpEx, *mut c_void, size_t)>,
    pub wr_set_inline_data_list: Option<unsafe extern "C" fn(*mut QpEx, size_t, *const DataBuf)>,
    pub wr_set_sge: Option<unsafe extern "C" fn(*mut QpEx, u32, u64, u32)>,
    pub wr_set_sge_list: Option<unsafe extern "C" fn(*mut QpEx, size_t, *const Sge)>,
    pub wr_start: Option<unsafe extern "C" fn(*mut QpEx)>,
    pub wr_complete: Option<unsafe extern "C" fn(*mut QpEx) -> c_int>,
    pub wr_abort: Option<unsafe extern "C" fn(*mut QpEx)>,
    pub wr_atomic_write: Option<unsafe extern "C" fn(*mut QpEx, u32, u64, *const c_void)>,
}
