//! The device `memonet0`, its context and its port.
#![allow(unsafe_code)]

use std::mem::zeroed;
use std::ptr::{null, null_mut};

use processes::verbs::{Answer, Call};

use crate::abi::*;
use crate::{events, link, requests};

/// Vendor of the device: none; ours.
const VENDOR: u32 = 0x4d4e;
/// First half of the GUIDs of nodes: "memone"; the LID follows.
const GUID: u64 = 0x6d65_6d6f_6e65_0000;
/// `IBV_MTU_2048`.
const MTU: c_int = 4;
/// The default partition, as on the wire.
const PARTITION: u16 = 0xffff;

/// Text in a field of the device.
fn text<const N: usize>(text: &str) -> [c_char; N] {
    let mut field = [0; N];
    for (place, letter) in field[..N - 1].iter_mut().zip(text.bytes()) {
        *place = letter as c_char;
    }
    field
}

/// The LID of this host.
fn lid(function: &str) -> Result<u16, c_int> {
    match link::ask(function, Call::Open)? {
        Answer::Opened(lid) => Ok(lid),
        _ => Err(libc::EIO),
    }
}

fn guid(lid: u16) -> u64 {
    (GUID | u64::from(lid)).to_be()
}

// SAFETY of all below: the names are those of rdma-core, taken on purpose. Pointers are those of the caller, who by the documentation of verbs gives
// places that are there and objects that this library has made and not ended.
/// The devices: one in guests, none elsewhere.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_get_device_list(count: *mut c_int) -> *mut *mut Device {
    let mut list = Vec::new();
    if link::slot().is_some() {
        link::keep();
        let device = Device {
            ops: [None; 2],
            node_type: 1,
            transport_type: 0,
            name: text("memonet0"),
            dev_name: text("uverbs0"),
            dev_path: text("/sys/class/infiniband_verbs/uverbs0"),
            ibdev_path: text("/sys/class/infiniband/memonet0"),
        };
        // A context has its device even after the list is gone.
        list.push(Box::into_raw(Box::new(device)));
    }
    if !count.is_null() {
        // SAFETY: see above.
        unsafe { *count = list.len() as c_int };
    }
    list.push(null_mut());
    Box::leak(list.into_boxed_slice()).as_mut_ptr()
}

/// The list is not used any more. It is left where it is, a few hundred bytes: contexts have its device.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_free_device_list(_list: *mut *mut Device) {}

/// The name of a device.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_get_device_name(device: *mut Device) -> *const c_char {
    // SAFETY: see above.
    if device.is_null() { null() } else { unsafe { (&raw const (*device).name).cast() } }
}

/// The GUID of a device, in the order of the network.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_get_device_guid(_device: *mut Device) -> u64 {
    lid("ibv_get_device_guid").map_or(0, guid)
}

/// Opens a device.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_open_device(device: *mut Device) -> *mut Context {
    let open = || {
        if device.is_null() {
            return Err(libc::EINVAL);
        }
        lid("ibv_open_device")?;
        // SAFETY: zeros are a context: null pointers, no functions, numbers.
        let mut context: Context = unsafe { zeroed() };
        (context.device, context.num_comp_vectors) = (device, 1);
        (context.cmd_fd, context.async_fd) = (-1, events::descriptor());
        requests::install(&mut context.ops);
        Ok(context)
    };
    link::made(open())
}

/// Closes it.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_close_device(context: *mut Context) -> c_int {
    if context.is_null() {
        return libc::EINVAL;
    }
    // SAFETY: see above; it is used no more.
    let context = unsafe { Box::from_raw(context) };
    events::close(context.async_fd);
    0
}

/// What the adapter has. What is not named is 0: it has none.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_query_device(_context: *mut Context, attributes: *mut DeviceAttr) -> c_int {
    let lid = match lid("ibv_query_device") {
        Ok(lid) => lid,
        Err(errno) => return errno,
    };
    // SAFETY: zeros are attributes.
    let mut of: DeviceAttr = unsafe { zeroed() };
    of.fw_ver = text(env!("CARGO_PKG_VERSION"));
    (of.node_guid, of.sys_image_guid) = (guid(lid), guid(lid));
    (of.max_mr_size, of.page_size_cap) = (256 << 20, 4096);
    (of.vendor_id, of.vendor_part_id) = (VENDOR, 1);
    (of.max_qp, of.max_qp_wr, of.max_sge) = (14, 1 << 14, 1);
    (of.max_cq, of.max_cqe) = (4, (1 << 15) - 64);
    (of.max_mr, of.max_pd, of.max_ah) = (16, 15, 1 << 16);
    (of.max_pkeys, of.phys_port_cnt) = (1, 1);
    // SAFETY: see above.
    unsafe { attributes.write(of) };
    0
}

/// The port: 4X, active.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_query_port(_context: *mut Context, port: u8, attributes: *mut PortAttr) -> c_int {
    if port != 1 {
        return libc::EINVAL;
    }
    let lid = match lid("ibv_query_port") {
        Ok(lid) => lid,
        Err(errno) => return errno,
    };
    // SAFETY: zeros are attributes.
    let mut of: PortAttr = unsafe { zeroed() };
    // Active; its link is up; InfiniBand.
    (of.state, of.phys_state, of.link_layer) = (4, 5, 1);
    (of.max_mtu, of.active_mtu) = (MTU, MTU);
    (of.gid_tbl_len, of.pkey_tbl_len) = (1, 1);
    (of.max_msg_sz, of.lid, of.max_vl_num) = (1 << 30, lid, 1);
    // 4X, 2.5 Gbit/s each.
    (of.active_width, of.active_speed) = (2, 1);
    // SAFETY: see above.
    unsafe { attributes.write(of) };
    0
}

/// The one GID of a port: link-local, with the GUID.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_query_gid(_context: *mut Context, port: u8, index: c_int, gid: *mut [u64; 2]) -> c_int {
    match lid("ibv_query_gid") {
        Ok(lid) if port == 1 && index == 0 => {
            // SAFETY: see above. The place may lie at any byte.
            unsafe { gid.write_unaligned([0xfe80_0000_0000_0000_u64.to_be(), guid(lid)]) };
            0
        }
        _ => {
            link::fail(libc::EINVAL);
            -1
        }
    }
}

/// The kind of a GID: that of InfiniBand.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_query_gid_type(
    _context: *mut Context,
    port: u8,
    index: c_uint,
    kind: *mut c_int,
) -> c_int {
    if port != 1 || index != 0 {
        link::fail(libc::EINVAL);
        return -1;
    }
    // SAFETY: see above.
    unsafe { *kind = 0 };
    0
}

/// The one partition of a port.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_query_pkey(_context: *mut Context, port: u8, index: c_int, key: *mut u16) -> c_int {
    if port != 1 || index != 0 {
        link::fail(libc::EINVAL);
        return -1;
    }
    // SAFETY: see above.
    unsafe { *key = PARTITION.to_be() };
    0
}

/// A file of the operating system about the device: there is none.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_read_sysfs_file(
    _folder: *const c_char,
    _file: *const c_char,
    _buffer: *mut c_char,
    _bytes: size_t,
) -> c_int {
    link::fail(libc::ENOENT);
    -1
}

/// Children of a guest use no verbs, so nothing is to be done.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_fork_init() -> c_int {
    0
}
