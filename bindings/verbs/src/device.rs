//! The device `memonet0`, its context and its port.
#![allow(unsafe_code)]

use std::mem::zeroed;
use std::ptr::{null, null_mut, with_exposed_provenance_mut};
use std::sync::OnceLock;

use processes::verbs::{Answer, Call, MOST_PIECES};

use crate::abi::*;
use crate::{fork_place, link, slot};

/// Name of the device.
pub const NAME: &str = "memonet0";
/// Vendor id, 24 bits: no OUI is assigned (our choice).
const VENDOR: u32 = 0x4d4e;
/// GUID of a node without the LID in its lowest 16 bits: "memone" in ASCII (our choice).
const GUID: u64 = 0x6d65_6d6f_6e65_0000;
/// `IBV_MTU_2048`.
const MTU: c_int = 4;
/// P_Key of the default partition.
pub const PARTITION: u16 = 0xffff;

/// Text in a zero-terminated field of the device.
fn text<const N: usize>(text: &str) -> [c_char; N] {
    let mut field = [0; N];
    for (byte, letter) in field[..N - 1].iter_mut().zip(text.bytes()) {
        *byte = letter as c_char;
    }
    field
}

/// LID of this host's port.
pub fn lid(function: &str) -> Result<u16, c_int> {
    match link::ask(function, Call::Open)? {
        Answer::Lid(lid) => Ok(lid),
        _ => Err(libc::EIO),
    }
}

/// GUID of the port with this LID, in network byte order.
pub fn guid(lid: u16) -> u64 {
    (GUID | u64::from(lid)).to_be()
}

/// The GID of the port with this LID: link-local, with the GUID; in network byte order.
pub fn gid_of(lid: u16) -> [u64; 2] {
    [0xfe80_0000_0000_0000_u64.to_be(), guid(lid)]
}

/// Indices of the table of GIDs.
pub const GIDS: u32 = 8;

/// The only GID of the port.
pub fn gid() -> Result<[u64; 2], c_int> {
    Ok(gid_of(lid("ibv_query_gid")?))
}

/// Attributes of port 1: 4X, active.
pub fn port(port: u8) -> Result<PortAttr, c_int> {
    if port != 1 {
        return Err(libc::EINVAL);
    }
    let lid = lid("ibv_query_port")?;
    // SAFETY: the structure has numbers alone.
    let mut attributes: OldPortAttr = unsafe { zeroed() };
    // Active, link up, InfiniBand.
    (attributes.state, attributes.phys_state, attributes.link_layer) = (4, 5, 1);
    (attributes.max_mtu, attributes.active_mtu) = (MTU, MTU);
    (attributes.gid_tbl_len, attributes.pkey_tbl_len) = (GIDS as c_int, 1);
    (attributes.max_msg_sz, attributes.lid, attributes.max_vl_num) = (1 << 30, lid, 1);
    // Four lanes of 2.5 Gbit/s.
    (attributes.active_width, attributes.active_speed) = (2, 1);
    Ok(PortAttr { old: attributes, port_cap_flags2: 0 })
}

/// A device, and zeros where libraries of drivers look for their own part of it.
#[repr(C)]
struct OwnDevice {
    device: Device,
    driver: [usize; 64],
}

// SAFETY of all below: the names are those of rdma-core, taken on purpose. Verbs require the caller to pass valid
// pointers, and objects that this library has made and not destroyed.

/// The device of this process, from the first list on. It stays where it is: programs compare devices of two lists by
/// their addresses, and contexts use the device after the list has been freed.
fn device() -> *mut Device {
    static DEVICE: OnceLock<usize> = OnceLock::new();
    let address = DEVICE.get_or_init(|| {
        let device = Device {
            ops: [None; 2],
            node_type: 1,
            transport_type: 0,
            name: text(NAME),
            dev_name: text("uverbs0"),
            dev_path: text("/sys/class/infiniband_verbs/uverbs0"),
            ibdev_path: text("/sys/class/infiniband/memonet0"),
        };
        Box::into_raw(Box::new(OwnDevice { device, driver: [0; 64] })).expose_provenance()
    });
    with_exposed_provenance_mut(*address)
}

/// Lists the devices: one in a process of a run, none elsewhere. The list is in the heap of the program: `qperf` frees
/// it by `free`.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_get_device_list(count: *mut c_int) -> *mut *mut Device {
    fork_place::join();
    let mut first = null_mut();
    if slot::get().is_some() {
        slot::keep();
        first = device();
    }
    // SAFETY: see above; the list has room for a device and the null pointer at its end.
    unsafe {
        let list: *mut [*mut Device; 2] = libc::malloc(size_of::<[*mut Device; 2]>()).cast();
        if !list.is_null() {
            list.write([first, null_mut()]);
        }
        if !count.is_null() {
            *count = c_int::from(!list.is_null() && !first.is_null());
        }
        list.cast()
    }
}

/// Queue pairs of a program: those of the adapter without 0 and 1, which belong to management (IBA volume 1, section
/// 3.9.1).
const PAIRS: c_int = 254;
/// `IBV_ATOMIC_HCA`: operations of adapters are atomic among each other, not with those of a processor.
const ATOMIC_BY_ADAPTERS: c_int = 1;
/// `IBV_DEVICE_MEM_WINDOW`: those of type 1.
const MEMORY_WINDOWS: c_uint = 1 << 17;

/// Frees the list; its device stays.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_free_device_list(list: *mut *mut Device) {
    // SAFETY: see above.
    unsafe { libc::free(list.cast()) };
}

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
    (limits.max_mr_size, limits.page_size_cap) = (1 << 31, 4096);
    (limits.vendor_id, limits.vendor_part_id) = (VENDOR, 1);
    (limits.max_qp, limits.max_qp_wr) = (PAIRS, 1 << 14);
    (limits.max_sge, limits.max_sge_rd) = (MOST_PIECES as c_int, MOST_PIECES as c_int);
    // READs of each queue pair, and as many of its peer: of one, of all, of the requester.
    limits.max_rd_atomics = [16, 0, PAIRS * 16, 16, 0];
    limits.atomic_cap = ATOMIC_BY_ADAPTERS;
    (limits.max_cq, limits.max_cqe) = (256, (1 << 15) - 64);
    (limits.max_srq, limits.max_srq_wr, limits.max_srq_sge) = (4, 1 << 14, MOST_PIECES as c_int);
    // Of 4,096 keys, each of 16 protection domains may have one for the driver's buffers; regions and memory windows share
    // the others.
    (limits.max_mr, limits.max_mw, limits.max_pd, limits.max_ah) = (4_080, 4_080, 15, 1 << 16);
    limits.device_cap_flags = MEMORY_WINDOWS;
    // Multicast groups, queue pairs of one, and of all of them.
    limits.max_mcast = [16, PAIRS, 16 * PAIRS];
    (limits.max_pkeys, limits.phys_port_cnt) = (1, 1);
    // SAFETY: see above.
    unsafe { attributes.write(limits) };
    0
}

/// Reports port 1 to a program of an older header, which has no room for the last attribute.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_query_port(_context: *mut Context, number: u8, attributes: *mut OldPortAttr) -> c_int {
    match port(number) {
        Ok(value) => {
            // SAFETY: see above; the old attributes are the first ones.
            unsafe { attributes.write(value.old) };
            0
        }
        Err(errno) => errno,
    }
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

/// Returns 0, the number of the only device.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_get_device_index(_device: *mut Device) -> c_int {
    0
}

/// Succeeds: a fork that uses verbs shares no object of its program (decision 0104).
#[unsafe(no_mangle)]
pub extern "C" fn ibv_fork_init() -> c_int {
    0
}

/// Returns `IBV_FORK_UNNEEDED`: the adapter reads and writes no page of a process.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_is_fork_initialized() -> c_int {
    2
}

/// Succeeds: memory of the program may be copied to forks.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_dontfork_range(_base: *mut c_void, _bytes: size_t) -> c_int {
    0
}

/// Succeeds, as [`ibv_dontfork_range`].
#[unsafe(no_mangle)]
pub extern "C" fn ibv_dofork_range(_base: *mut c_void, _bytes: size_t) -> c_int {
    0
}
