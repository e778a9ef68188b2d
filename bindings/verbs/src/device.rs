//! The device `memonet0`, its context and its port.
#![allow(unsafe_code)]

use std::mem::zeroed;
use std::ptr::{null, null_mut};

use processes::verbs::{Answer, Call};

use crate::abi::*;
use crate::{events, link, requests, slot};

/// Vendor id, 24 bits: no OUI is assigned (our choice).
const VENDOR: u32 = 0x4d4e;
/// GUID of a node without the LID in its lowest 16 bits: "memone" in ASCII (our choice).
const GUID: u64 = 0x6d65_6d6f_6e65_0000;
/// `IBV_MTU_2048`.
const MTU: c_int = 4;
/// P_Key of the default partition.
const PARTITION: u16 = 0xffff;

/// Text in a zero-terminated field of the device.
fn text<const N: usize>(text: &str) -> [c_char; N] {
    let mut field = [0; N];
    for (byte, letter) in field[..N - 1].iter_mut().zip(text.bytes()) {
        *byte = letter as c_char;
    }
    field
}

/// LID of this host's port.
fn lid(function: &str) -> Result<u16, c_int> {
    match link::ask(function, Call::Open)? {
        Answer::Lid(lid) => Ok(lid),
        _ => Err(libc::EIO),
    }
}

fn guid(lid: u16) -> u64 {
    (GUID | u64::from(lid)).to_be()
}

// SAFETY of all below: the names are those of rdma-core, taken on purpose. Verbs require the caller to pass valid
// pointers, and objects that this library has made and not destroyed.

/// Lists the devices: one in a process of a run, none elsewhere.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_get_device_list(count: *mut c_int) -> *mut *mut Device {
    let mut list = Vec::new();
    if slot::get().is_some() {
        slot::keep();
        let device = Device {
            ops: [None; 2],
            node_type: 1,
            transport_type: 0,
            name: text("memonet0"),
            dev_name: text("uverbs0"),
            dev_path: text("/sys/class/infiniband_verbs/uverbs0"),
            ibdev_path: text("/sys/class/infiniband/memonet0"),
        };
        // Contexts use the device after the list has been freed.
        list.push(Box::into_raw(Box::new(device)));
    }
    if !count.is_null() {
        // SAFETY: see above.
        unsafe { *count = list.len() as c_int };
    }
    list.push(null_mut());
    Box::leak(list.into_boxed_slice()).as_mut_ptr()
}

/// Keeps the list, a few hundred bytes: contexts use its device.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_free_device_list(_list: *mut *mut Device) {}

/// Returns `memonet0`.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_get_device_name(device: *mut Device) -> *const c_char {
    // SAFETY: see above.
    if device.is_null() { null() } else { unsafe { (&raw const (*device).name).cast() } }
}

/// Returns the GUID of a device, in network byte order.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_get_device_guid(_device: *mut Device) -> u64 {
    lid("ibv_get_device_guid").map_or(0, guid)
}

/// Opens a device; its context has no file for commands.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_open_device(device: *mut Device) -> *mut Context {
    let open = || {
        if device.is_null() {
            return Err(libc::EINVAL);
        }
        lid("ibv_open_device")?;
        // SAFETY: null pointers, absent functions and numbers may be zero.
        let mut context: Context = unsafe { zeroed() };
        (context.device, context.num_comp_vectors) = (device, 1);
        (context.cmd_fd, context.async_fd) = (-1, events::descriptor());
        requests::install(&mut context.ops);
        Ok(context)
    };
    link::into_pointer(open())
}

/// Closes a context.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_close_device(context: *mut Context) -> c_int {
    if context.is_null() {
        return libc::EINVAL;
    }
    // SAFETY: see above; the caller gives the object up.
    let context = unsafe { Box::from_raw(context) };
    events::close(context.async_fd);
    0
}

/// Reports the limits of the adapter; a limit of 0 stands for a feature that it does not have.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_query_device(_context: *mut Context, attributes: *mut DeviceAttr) -> c_int {
    let lid = match lid("ibv_query_device") {
        Ok(lid) => lid,
        Err(errno) => return errno,
    };
    // SAFETY: the structure has numbers alone.
    let mut limits: DeviceAttr = unsafe { zeroed() };
    limits.fw_ver = text(env!("CARGO_PKG_VERSION"));
    (limits.node_guid, limits.sys_image_guid) = (guid(lid), guid(lid));
    (limits.max_mr_size, limits.page_size_cap) = (256 << 20, 4096);
    (limits.vendor_id, limits.vendor_part_id) = (VENDOR, 1);
    (limits.max_qp, limits.max_qp_wr, limits.max_sge) = (14, 1 << 14, 1);
    (limits.max_cq, limits.max_cqe) = (4, (1 << 15) - 64);
    (limits.max_mr, limits.max_pd, limits.max_ah) = (16, 15, 1 << 16);
    (limits.max_pkeys, limits.phys_port_cnt) = (1, 1);
    // SAFETY: see above.
    unsafe { attributes.write(limits) };
    0
}

/// Reports port 1: 4X, active.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_query_port(_context: *mut Context, port: u8, attributes: *mut PortAttr) -> c_int {
    if port != 1 {
        return libc::EINVAL;
    }
    let lid = match lid("ibv_query_port") {
        Ok(lid) => lid,
        Err(errno) => return errno,
    };
    // SAFETY: the structure has numbers alone.
    let mut port_attributes: PortAttr = unsafe { zeroed() };
    // Active, link up, InfiniBand.
    (port_attributes.state, port_attributes.phys_state, port_attributes.link_layer) = (4, 5, 1);
    (port_attributes.max_mtu, port_attributes.active_mtu) = (MTU, MTU);
    (port_attributes.gid_tbl_len, port_attributes.pkey_tbl_len) = (1, 1);
    (port_attributes.max_msg_sz, port_attributes.lid, port_attributes.max_vl_num) = (1 << 30, lid, 1);
    // Four lanes of 2.5 Gbit/s.
    (port_attributes.active_width, port_attributes.active_speed) = (2, 1);
    // SAFETY: see above.
    unsafe { attributes.write(port_attributes) };
    0
}

/// Reports the only GID of the port: link-local, with the GUID.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_query_gid(_context: *mut Context, port: u8, index: c_int, gid: *mut [u64; 2]) -> c_int {
    match lid("ibv_query_gid") {
        Ok(lid) if port == 1 && index == 0 => {
            // SAFETY: see above. A GID has no alignment.
            unsafe { gid.write_unaligned([0xfe80_0000_0000_0000_u64.to_be(), guid(lid)]) };
            0
        }
        _ => {
            link::set_errno(libc::EINVAL);
            -1
        }
    }
}

/// Reports the type of a GID: InfiniBand.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_query_gid_type(
    _context: *mut Context,
    port: u8,
    index: c_uint,
    kind: *mut c_int,
) -> c_int {
    if port != 1 || index != 0 {
        link::set_errno(libc::EINVAL);
        return -1;
    }
    // SAFETY: see above.
    unsafe { *kind = 0 };
    0
}

/// Reports the only P_Key of the port.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_query_pkey(_context: *mut Context, port: u8, index: c_int, key: *mut u16) -> c_int {
    if port != 1 || index != 0 {
        link::set_errno(libc::EINVAL);
        return -1;
    }
    // SAFETY: see above.
    unsafe { *key = PARTITION.to_be() };
    0
}

/// Fails: the device has no files in sysfs.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_read_sysfs_file(
    _folder: *const c_char,
    _file: *const c_char,
    _buffer: *mut c_char,
    _bytes: size_t,
) -> c_int {
    link::set_errno(libc::ENOENT);
    -1
}

/// Succeeds: forks of a program cannot use verbs.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_fork_init() -> c_int {
    0
}
