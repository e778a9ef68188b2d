//! Names of values, in the words of rdma-core.

use crate::abi::{c_char, c_int};

const STATUSES: [&std::ffi::CStr; 22] = [
    c"success",
    c"local length error",
    c"local QP operation error",
    c"local EE context operation error",
    c"local protection error",
    c"Work Request Flushed Error",
    c"memory management operation error",
    c"bad response error",
    c"local access error",
    c"remote invalid request error",
    c"remote access error",
    c"remote operation error",
    c"transport retry counter exceeded",
    c"RNR retry counter exceeded",
    c"local RDD violation error",
    c"remote invalid RD request",
    c"aborted error",
    c"invalid EE context number",
    c"invalid EE context state",
    c"fatal error",
    c"response timeout error",
    c"general error",
];

const STATES: [&std::ffi::CStr; 6] =
    [c"no state change (NOP)", c"down", c"init", c"armed", c"active", c"active defer"];

const EVENTS: [&std::ffi::CStr; 20] = [
    c"CQ error",
    c"local work queue catastrophic error",
    c"invalid request local work queue error",
    c"local access violation work queue error",
    c"communication established",
    c"send queue drained",
    c"path migrated",
    c"path migration request error",
    c"local catastrophic error",
    c"port active",
    c"port error",
    c"LID change",
    c"P_Key change",
    c"SM change",
    c"SRQ catastrophic error",
    c"SRQ limit reached",
    c"last WQE reached",
    c"client reregistration",
    c"GID table change",
    c"WQ fatal",
];

fn name(of: &[&'static std::ffi::CStr], value: c_int) -> *const c_char {
    let found = usize::try_from(value).ok().and_then(|value| of.get(value));
    found.map_or(c"unknown", |name| *name).as_ptr()
}

/// Text of an `ibv_wc_status`.
#[allow(unsafe_code)]
// SAFETY: the name is that of rdma-core, taken on purpose.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_wc_status_str(status: c_int) -> *const c_char {
    name(&STATUSES, status)
}

/// Text of an `ibv_port_state`.
#[allow(unsafe_code)]
// SAFETY: as above.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_port_state_str(state: c_int) -> *const c_char {
    name(&STATES, state)
}

/// Text of an `ibv_node_type`.
#[allow(unsafe_code)]
// SAFETY: as above.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_node_type_str(node_type: c_int) -> *const c_char {
    name(&[c"unknown", c"InfiniBand channel adapter"], node_type)
}

/// Text of an `ibv_event_type`.
#[allow(unsafe_code)]
// SAFETY: as above.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_event_type_str(event: c_int) -> *const c_char {
    name(&EVENTS, event)
}
