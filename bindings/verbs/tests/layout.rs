//! Layout of structures, compared with the installed `infiniband/verbs.h`; without the header the test prints NOT TESTED.

use std::mem::{offset_of, size_of};
use std::path::Path;
use std::process::Command;

use verbs::abi::connections::*;
use verbs::abi::extended::*;
use verbs::abi::*;

/// Expressions of C and their values in the library.
fn expected() -> Vec<(String, usize)> {
    let size = |name: &str, bytes: usize| (format!("sizeof(struct {name})"), bytes);
    let at = |name: &str, field: &str, bytes: usize| (format!("offsetof(struct {name}, {field})"), bytes);
    vec![
        size("ibv_device", size_of::<Device>()),
        at("ibv_device", "name", offset_of!(Device, name)),
        at("ibv_device", "ibdev_path", offset_of!(Device, ibdev_path)),
        size("ibv_context_ops", size_of::<ContextOps>()),
        at("ibv_context_ops", "alloc_mw", offset_of!(ContextOps, alloc_mw)),
        at("ibv_context_ops", "poll_cq", offset_of!(ContextOps, poll_cq)),
        at("ibv_context_ops", "req_notify_cq", offset_of!(ContextOps, req_notify_cq)),
        at("ibv_context_ops", "post_srq_recv", offset_of!(ContextOps, post_srq_recv)),
        at("ibv_context_ops", "post_send", offset_of!(ContextOps, post_send)),
        at("ibv_context_ops", "post_recv", offset_of!(ContextOps, post_recv)),
        size("ibv_context", size_of::<Context>()),
        at("ibv_context", "cmd_fd", offset_of!(Context, cmd_fd)),
        at("ibv_context", "abi_compat", offset_of!(Context, abi_compat)),
        size("ibv_device_attr", size_of::<DeviceAttr>()),
        at("ibv_device_attr", "max_qp", offset_of!(DeviceAttr, max_qp)),
        at("ibv_device_attr", "max_pd", offset_of!(DeviceAttr, max_pd)),
        at("ibv_device_attr", "atomic_cap", offset_of!(DeviceAttr, atomic_cap)),
        at("ibv_device_attr", "max_ah", offset_of!(DeviceAttr, max_ah)),
        at("ibv_device_attr", "max_srq", offset_of!(DeviceAttr, max_srq)),
        at("ibv_device_attr", "phys_port_cnt", offset_of!(DeviceAttr, phys_port_cnt)),
        at("ibv_port_attr", "lid", offset_of!(OldPortAttr, lid)),
        at("ibv_port_attr", "link_layer", offset_of!(OldPortAttr, link_layer)),
        at("ibv_port_attr", "flags", offset_of!(OldPortAttr, flags)),
        at("ibv_port_attr", "port_cap_flags2", offset_of!(PortAttr, port_cap_flags2)),
        size("ibv_port_attr", size_of::<PortAttr>()),
        size("ibv_pd", size_of::<Pd>()),
        size("ibv_mr", size_of::<Mr>()),
        at("ibv_mr", "lkey", offset_of!(Mr, lkey)),
        size("ibv_comp_channel", size_of::<CompChannel>()),
        size("ibv_cq", size_of::<Cq>()),
        at("ibv_cq", "cqe", offset_of!(Cq, cqe)),
        at("ibv_cq", "comp_events_completed", offset_of!(Cq, comp_events_completed)),
        size("ibv_qp_init_attr", size_of::<QpInitAttr>()),
        at("ibv_qp_init_attr", "srq", offset_of!(QpInitAttr, srq)),
        at("ibv_qp_init_attr", "sq_sig_all", offset_of!(QpInitAttr, sq_sig_all)),
        size("ibv_qp", size_of::<Qp>()),
        at("ibv_qp", "srq", offset_of!(Qp, srq)),
        at("ibv_qp", "qp_num", offset_of!(Qp, qp_num)),
        at("ibv_qp", "events_completed", offset_of!(Qp, events_completed)),
        size("ibv_ah_attr", size_of::<AhAttr>()),
        at("ibv_ah_attr", "dlid", offset_of!(AhAttr, dlid)),
        at("ibv_ah_attr", "port_num", offset_of!(AhAttr, port_num)),
        size("ibv_qp_attr", size_of::<QpAttr>()),
        at("ibv_qp_attr", "ah_attr", offset_of!(QpAttr, ah_attr)),
        at("ibv_qp_attr", "pkey_index", offset_of!(QpAttr, pkey_index)),
        at("ibv_qp_attr", "rnr_retry", offset_of!(QpAttr, rnr_retry)),
        at("ibv_qp_attr", "rate_limit", offset_of!(QpAttr, rate_limit)),
        size("ibv_ah", size_of::<Ah>()),
        size("ibv_sge", size_of::<Sge>()),
        size("ibv_send_wr", size_of::<SendWr>()),
        at("ibv_send_wr", "imm_data", offset_of!(SendWr, imm_data)),
        at("ibv_send_wr", "wr.ud.ah", offset_of!(SendWr, ud.ah)),
        at("ibv_send_wr", "wr.ud.remote_qkey", offset_of!(SendWr, ud.remote_qkey)),
        at("ibv_send_wr", "qp_type", offset_of!(SendWr, xrc_remote_srqn)),
        size("ibv_recv_wr", size_of::<RecvWr>()),
        size("ibv_mw", size_of::<Mw>()),
        at("ibv_mw", "rkey", offset_of!(Mw, rkey)),
        at("ibv_mw", "type", offset_of!(Mw, kind)),
        size("ibv_mw_bind", size_of::<MwBind>()),
        at("ibv_mw_bind", "bind_info", offset_of!(MwBind, bind_info)),
        size("ibv_mw_bind_info", size_of::<MwBindInfo>()),
        at("ibv_mw_bind_info", "mw_access_flags", offset_of!(MwBindInfo, mw_access_flags)),
        size("ibv_srq", size_of::<Srq>()),
        at("ibv_srq", "handle", offset_of!(Srq, handle)),
        at("ibv_srq", "mutex", offset_of!(Srq, mutex)),
        at("ibv_srq", "cond", offset_of!(Srq, cond)),
        at("ibv_srq", "events_completed", offset_of!(Srq, events_completed)),
        size("ibv_srq_attr", size_of::<SrqAttr>()),
        at("ibv_srq_attr", "max_sge", offset_of!(SrqAttr, max_sge)),
        at("ibv_srq_attr", "srq_limit", offset_of!(SrqAttr, srq_limit)),
        size("ibv_srq_init_attr", size_of::<SrqInitAttr>()),
        at("ibv_srq_init_attr", "attr", offset_of!(SrqInitAttr, attr)),
        size("ibv_wc", size_of::<Wc>()),
        at("ibv_wc", "imm_data", offset_of!(Wc, imm_data)),
        at("ibv_wc", "slid", offset_of!(Wc, slid)),
        size("verbs_context", size_of::<VerbsContext>()),
        at("verbs_context", "context", offset_of!(VerbsContext, context)),
        at("verbs_context", "sz", offset_of!(VerbsContext, sz)),
        at("verbs_context", "query_device_ex", offset_of!(VerbsContext, query_device_ex)),
        at("verbs_context", "create_cq_ex", offset_of!(VerbsContext, create_cq_ex)),
        at("verbs_context", "create_qp_ex", offset_of!(VerbsContext, create_qp_ex)),
        at("verbs_context", "query_rt_values", offset_of!(VerbsContext, query_rt_values)),
        size("ibv_device_attr_ex", size_of::<DeviceAttrEx>()),
        at("ibv_device_attr_ex", "hca_core_clock", offset_of!(DeviceAttrEx, hca_core_clock)),
        at("ibv_device_attr_ex", "rss_caps", offset_of!(DeviceAttrEx, rss_caps)),
        at("ibv_device_attr_ex", "max_dm_size", offset_of!(DeviceAttrEx, max_dm_size)),
        at("ibv_device_attr_ex", "phys_port_cnt_ex", offset_of!(DeviceAttrEx, phys_port_cnt_ex)),
        size("ibv_gid_entry", size_of::<GidEntry>()),
        size("ibv_values_ex", size_of::<Values>()),
        size("ibv_cq_init_attr_ex", size_of::<CqInitAttrEx>()),
        at("ibv_cq_init_attr_ex", "wc_flags", offset_of!(CqInitAttrEx, wc_flags)),
        size("ibv_cq_ex", size_of::<CqEx>()),
        at("ibv_cq_ex", "status", offset_of!(CqEx, status)),
        at("ibv_cq_ex", "read_wc_flags", offset_of!(CqEx, read_wc_flags)),
        at("verbs_context", "get_srq_num", offset_of!(VerbsContext, get_srq_num)),
        at("verbs_context", "create_srq_ex", offset_of!(VerbsContext, create_srq_ex)),
        size("ibv_srq_init_attr_ex", size_of::<SrqInitAttrEx>()),
        at("ibv_srq_init_attr_ex", "srq_type", offset_of!(SrqInitAttrEx, srq_type)),
        at("ibv_srq_init_attr_ex", "pd", offset_of!(SrqInitAttrEx, pd)),
        at("ibv_srq_init_attr_ex", "tm_cap", offset_of!(SrqInitAttrEx, tm_cap)),
        size("ibv_qp_init_attr_ex", size_of::<QpInitAttrEx>()),
        at("ibv_qp_init_attr_ex", "pd", offset_of!(QpInitAttrEx, pd)),
        at("ibv_qp_init_attr_ex", "send_ops_flags", offset_of!(QpInitAttrEx, send_ops_flags)),
        size("ibv_qp_ex", size_of::<QpEx>()),
        at("ibv_qp_ex", "wr_send", offset_of!(QpEx, wr_send)),
        at("ibv_qp_ex", "wr_complete", offset_of!(QpEx, wr_complete)),
        size("rdma_ucm_create_id", size_of::<CreateId>()),
        size("rdma_ucm_destroy_id", size_of::<DestroyId>()),
        size("rdma_ucm_bind_ip", size_of::<BindIp>()),
        at("rdma_ucm_bind_ip", "id", offset_of!(BindIp, id)),
        size("rdma_ucm_join_ip_mcast", size_of::<JoinIp>()),
        at("rdma_ucm_join_ip_mcast", "id", offset_of!(JoinIp, id)),
        size("rdma_ucm_join_mcast", size_of::<Join>()),
        at("rdma_ucm_join_mcast", "join_flags", offset_of!(Join, flags)),
        at("rdma_ucm_join_mcast", "addr", offset_of!(Join, address)),
        size("rdma_ucm_resolve_ip", size_of::<ResolveIp>()),
        at("rdma_ucm_resolve_ip", "id", offset_of!(ResolveIp, id)),
        size("rdma_ucm_listen", size_of::<IdAndValue>()),
        size("rdma_ucm_query", size_of::<Query>()),
        size("rdma_ucm_migrate_id", size_of::<Query>()),
        size("ib_user_path_rec", size_of::<PathRecord>()),
        at("ib_user_path_rec", "pkey", offset_of!(PathRecord, pkey)),
        size("rdma_ucm_query_route_resp", size_of::<RouteAnswer>()),
        at("rdma_ucm_query_route_resp", "num_paths", offset_of!(RouteAnswer, num_paths)),
        at("rdma_ucm_query_route_resp", "ibdev_index", offset_of!(RouteAnswer, device_index)),
        size("rdma_ucm_connect", size_of::<Connect>()),
        size("rdma_ucm_accept", size_of::<Accept>()),
        at("rdma_ucm_accept", "id", offset_of!(Accept, id)),
        size("rdma_ucm_reject", size_of::<Reject>()),
        at("rdma_ucm_reject", "private_data", offset_of!(Reject, data)),
        size("rdma_ucm_set_option", size_of::<SetOption>()),
        size("rdma_ucm_event_resp", size_of::<EventAnswer>()),
        at("rdma_ucm_event_resp", "param", offset_of!(EventAnswer, param)),
        at("rdma_ucm_event_resp", "reserved", offset_of!(EventAnswer, reserved)),
        size("rdma_ucm_ud_param", size_of::<UdParam>()),
        size("ib_uverbs_qp_attr", size_of::<KernelQpAttr>()),
        at("ib_uverbs_qp_attr", "pkey_index", offset_of!(KernelQpAttr, pkey_index)),
        at("ib_uverbs_qp_attr", "alt_timeout", offset_of!(KernelQpAttr, alt_timeout)),
        size("ibv_sa_path_rec", size_of::<UserPath>()),
        at("ibv_sa_path_rec", "pkey", offset_of!(UserPath, pkey)),
        at("ibv_sa_path_rec", "preference", offset_of!(UserPath, preference)),
    ]
}

#[test]
fn layout_is_that_of_the_installed_header() {
    if !Path::new("/usr/include/infiniband/verbs.h").exists() {
        eprintln!("NOT TESTED: there is no infiniband/verbs.h (Debian package libibverbs-dev)");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (source, program) = (folder.path().join("layout.c"), folder.path().join("layout"));
    let lines: String =
        expected().iter().map(|(expression, _)| format!("printf(\"%zu\\n\", {expression});\n")).collect();
    let text = format!(
        "#include <infiniband/sa.h>\n#include <infiniband/verbs.h>\n#include <rdma/rdma_user_cm.h>\n#include <stddef.h>\n#include <stdio.h>\nint main(void) {{\n{lines}return 0;\n}}\n"
    );
    std::fs::write(&source, text).unwrap();
    let compiled = Command::new("cc").arg(&source).arg("-o").arg(&program).status().unwrap();
    assert!(compiled.success());
    let output = String::from_utf8(Command::new(&program).output().unwrap().stdout).unwrap();
    let actual: Vec<usize> = output.lines().map(|line| line.parse().unwrap()).collect();
    assert_eq!(actual.len(), expected().len());
    for ((expression, expected), actual) in expected().iter().zip(actual) {
        assert_eq!(*expected, actual, "{expression}");
    }
}
