//! Structures of `rdma/rdma_user_cm.h` and `rdma/ib_user_sa.h`, the interface of Linux's connection manager, version 4. A
//! test compares their layout with the header, where it is installed.
#![allow(missing_docs)]

use libc::{sockaddr_in6, sockaddr_storage};

/// Codes of commands (`RDMA_USER_CM_CMD_*`).
pub mod command {
    pub const CREATE_ID: u32 = 0;
    pub const DESTROY_ID: u32 = 1;
    pub const BIND_IP: u32 = 2;
    pub const RESOLVE_IP: u32 = 3;
    pub const RESOLVE_ROUTE: u32 = 4;
    pub const QUERY_ROUTE: u32 = 5;
    pub const CONNECT: u32 = 6;
    pub const LISTEN: u32 = 7;
    pub const ACCEPT: u32 = 8;
    pub const REJECT: u32 = 9;
    pub const DISCONNECT: u32 = 10;
    pub const INIT_QP_ATTR: u32 = 11;
    pub const GET_EVENT: u32 = 12;
    pub const SET_OPTION: u32 = 14;
    pub const NOTIFY: u32 = 15;
    pub const JOIN_IP_MCAST: u32 = 16;
    pub const LEAVE_MCAST: u32 = 17;
    pub const MIGRATE_ID: u32 = 18;
    pub const JOIN_MCAST: u32 = 22;
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Header {
    pub command: u32,
    pub input: u16,
    pub output: u16,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct CreateId {
    pub uid: u64,
    pub response: u64,
    pub space: u16,
    pub qp_type: u8,
    pub reserved: [u8; 5],
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct DestroyId {
    pub response: u64,
    pub id: u32,
    pub reserved: u32,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct BindIp {
    pub response: u64,
    pub address: sockaddr_in6,
    pub id: u32,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct JoinIp {
    pub response: u64,
    pub uid: u64,
    pub address: sockaddr_in6,
    pub id: u32,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Join {
    pub response: u64,
    pub uid: u64,
    pub id: u32,
    pub length: u16,
    pub flags: u16,
    pub address: sockaddr_storage,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct ResolveIp {
    pub source: sockaddr_in6,
    pub destination: sockaddr_in6,
    pub id: u32,
    pub timeout_ms: u32,
}

/// `rdma_ucm_resolve_route`, `rdma_ucm_listen` and `rdma_ucm_notify`, and `rdma_ucm_disconnect` without the value.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct IdAndValue {
    pub id: u32,
    pub value: u32,
}

/// `rdma_ucm_query` and `rdma_ucm_init_qp_attr`, and `rdma_ucm_migrate_id` with a descriptor as the value.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Query {
    pub response: u64,
    pub id: u32,
    pub value: u32,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct PathRecord {
    pub dgid: [u64; 2],
    pub sgid: [u64; 2],
    pub dlid: u16,
    pub slid: u16,
    pub raw_traffic: u32,
    pub flow_label: u32,
    pub reversible: u32,
    pub mtu: u32,
    pub pkey: u16,
    pub hop_limit: u8,
    pub traffic_class: u8,
    pub numb_path: u8,
    pub sl: u8,
    pub mtu_selector: u8,
    pub rate_selector: u8,
    pub rate: u8,
    pub life_selector: u8,
    pub life: u8,
    pub preference: u8,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct RouteAnswer {
    pub node_guid: u64,
    pub paths: [PathRecord; 2],
    pub source: sockaddr_in6,
    pub destination: sockaddr_in6,
    pub num_paths: u32,
    pub port: u8,
    pub reserved: [u8; 3],
    pub device_index: u32,
    pub reserved1: u32,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct ConnParam {
    pub qp_num: u32,
    pub qkey: u32,
    pub data: [u8; 256],
    pub data_len: u8,
    pub srq: u8,
    pub responder_resources: u8,
    pub initiator_depth: u8,
    pub flow_control: u8,
    pub retry_count: u8,
    pub rnr_retry_count: u8,
    pub valid: u8,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct KernelRoute {
    pub dgid: [u8; 16],
    pub flow_label: u32,
    pub sgid_index: u8,
    pub hop_limit: u8,
    pub traffic_class: u8,
    pub reserved: u8,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct KernelAh {
    pub grh: KernelRoute,
    pub dlid: u16,
    pub sl: u8,
    pub src_path_bits: u8,
    pub static_rate: u8,
    pub is_global: u8,
    pub port_num: u8,
    pub reserved: u8,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct UdParam {
    pub qp_num: u32,
    pub qkey: u32,
    pub ah: KernelAh,
    pub data: [u8; 256],
    pub data_len: u8,
    pub reserved: [u8; 7],
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Connect {
    pub param: ConnParam,
    pub id: u32,
    pub reserved: u32,
    pub ece: [u32; 2],
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Accept {
    pub uid: u64,
    pub param: ConnParam,
    pub id: u32,
    pub reserved: u32,
    pub ece: [u32; 2],
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Reject {
    pub id: u32,
    pub data_len: u8,
    pub reason: u8,
    pub reserved: [u8; 2],
    pub data: [u8; 256],
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct SetOption {
    pub value: u64,
    pub id: u32,
    pub level: u32,
    pub name: u32,
    pub length: u32,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct EventAnswer {
    pub uid: u64,
    pub id: u32,
    pub event: u32,
    pub status: u32,
    pub param: EventParam,
    pub reserved: u32,
    pub ece: [u32; 2],
}

#[repr(C)]
#[derive(Clone, Copy)]
pub union EventParam {
    pub connection: ConnParam,
    pub datagram: UdParam,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct KernelQpAttr {
    pub mask: u32,
    pub state: u32,
    pub cur_state: u32,
    pub path_mtu: u32,
    pub path_mig_state: u32,
    pub qkey: u32,
    pub rq_psn: u32,
    pub sq_psn: u32,
    pub dest_qp_num: u32,
    pub access: u32,
    pub ah: KernelAh,
    pub alt_ah: KernelAh,
    pub max_send_wr: u32,
    pub max_recv_wr: u32,
    pub max_send_sge: u32,
    pub max_recv_sge: u32,
    pub max_inline_data: u32,
    pub pkey_index: u16,
    pub alt_pkey_index: u16,
    pub en_sqd_async_notify: u8,
    pub sq_draining: u8,
    pub max_rd_atomic: u8,
    pub max_dest_rd_atomic: u8,
    pub min_rnr_timer: u8,
    pub port_num: u8,
    pub timeout: u8,
    pub retry_cnt: u8,
    pub rnr_retry: u8,
    pub alt_port_num: u8,
    pub alt_timeout: u8,
    pub reserved: [u8; 5],
}

/// `ibv_sa_path_rec` of `infiniband/sa.h`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct UserPath {
    pub dgid: [u64; 2],
    pub sgid: [u64; 2],
    pub dlid: u16,
    pub slid: u16,
    pub raw_traffic: u32,
    pub flow_label: u32,
    pub hop_limit: u8,
    pub traffic_class: u8,
    pub reversible: u32,
    pub numb_path: u8,
    pub pkey: u16,
    pub sl: u8,
    pub mtu_selector: u8,
    pub mtu: u8,
    pub rate_selector: u8,
    pub rate: u8,
    pub life_selector: u8,
    pub life: u8,
    pub preference: u8,
}
