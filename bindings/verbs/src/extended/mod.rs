//! The extended context, through which the header calls all functions that came after version 1.1.
//!
//! Each function is there: one that the adapter has nothing for returns `EOPNOTSUPP`. Libraries of drivers, such as
//! libefa, call some of them without a look whether they are null.
#![allow(unsafe_code)]

pub mod completions;
mod objects;
pub mod queue_pairs;

use std::mem::{size_of, zeroed};
use std::ptr::null_mut;

use libc::timespec;

use crate::abi::extended::*;
use crate::abi::*;
use crate::{device, domains, events, link, requests, shared_queues, virtual_time};

unsafe extern "C" fn refuse() -> c_int {
    link::set_errno(libc::EOPNOTSUPP);
    libc::EOPNOTSUPP
}

unsafe extern "C" fn refuse_object() -> *mut c_void {
    link::set_errno(libc::EOPNOTSUPP);
    null_mut()
}

/// A context of this device, with all of its functions.
fn allocate(device: *mut Device, async_fd: c_int) -> *mut Context {
    // SAFETY: null pointers, absent functions, numbers and an unlocked mutex may be zero.
    let mut context: Context = unsafe { zeroed() };
    (context.device, context.num_comp_vectors) = (device, 1);
    // Programs duplicate the descriptor for commands; nothing reads what they would write to it.
    (context.cmd_fd, context.async_fd) = (events::descriptor(), async_fd);
    context.abi_compat = EXTENDED as *mut c_void;
    requests::install(&mut context.ops);
    let own = VerbsContext {
        query_port: Some(query_port),
        advise_mr: Some(refuse),
        alloc_null_mr: Some(refuse_object),
        read_counters: Some(refuse),
        attach_counters_point_flow: Some(refuse),
        create_counters: Some(refuse_object),
        destroy_counters: Some(refuse),
        reg_dm_mr: Some(refuse_object),
        alloc_dm: Some(refuse_object),
        free_dm: Some(refuse),
        modify_flow_action_esp: Some(refuse),
        destroy_flow_action: Some(refuse),
        create_flow_action_esp: Some(refuse_object),
        modify_qp_rate_limit: Some(refuse),
        alloc_parent_domain: Some(domains::alloc_parent_domain),
        dealloc_td: Some(domains::dealloc_td),
        alloc_td: Some(domains::alloc_td),
        modify_cq: Some(refuse),
        post_srq_ops: Some(refuse),
        destroy_rwq_ind_table: Some(refuse),
        create_rwq_ind_table: Some(refuse_object),
        destroy_wq: Some(refuse),
        modify_wq: Some(refuse),
        create_wq: Some(refuse_object),
        query_rt_values: Some(query_rt_values),
        create_cq_ex: Some(objects::create_cq_ex),
        priv_: null_mut(),
        query_device_ex: Some(query_device_ex),
        destroy_flow: Some(refuse),
        placeholder_2: None,
        create_flow: Some(refuse_object),
        placeholder_1: None,
        open_qp: Some(refuse_object),
        create_qp_ex: Some(objects::create_qp_ex),
        get_srq_num: Some(shared_queues::get_srq_num),
        create_srq_ex: Some(shared_queues::create_srq_ex),
        open_xrcd: Some(refuse_object),
        close_xrcd: Some(refuse),
        placeholder_3: 0,
        sz: size_of::<VerbsContext>(),
        context,
    };
    // SAFETY: the allocation is valid.
    unsafe { &raw mut (*Box::into_raw(Box::new(own))).context }
}

/// Frees a context that [`allocate`] has made.
///
/// # Safety
/// The context is valid and not used again.
unsafe fn free(context: *mut Context) {
    // SAFETY: the context is the field of an allocation of `allocate`.
    drop(unsafe {
        Box::from_raw(context.byte_sub(std::mem::offset_of!(VerbsContext, context)).cast::<VerbsContext>())
    });
}

/// Copies the first bytes of a value: programs of other versions have room for more or for less of it.
///
/// # Safety
/// `to` has room for `bytes` bytes.
unsafe fn copy_prefix<T: Copy>(value: &T, to: *mut T, bytes: size_t) {
    // SAFETY: the contract of this function; the value has the bytes that are copied.
    unsafe {
        std::ptr::write_bytes(to.cast::<u8>(), 0, bytes);
        std::ptr::copy_nonoverlapping(
            (&raw const *value).cast::<u8>(),
            to.cast::<u8>(),
            bytes.min(size_of::<T>()),
        );
    }
}

/// Reports port 1, as [`device::ibv_query_port`], with all attributes that the program has room for.
///
/// # Safety
/// The requirement of verbs: there is room for `bytes` bytes.
unsafe extern "C" fn query_port(
    _context: *mut Context,
    port: u8,
    attributes: *mut PortAttr,
    bytes: size_t,
) -> c_int {
    match device::port(port) {
        Ok(value) => {
            // SAFETY: the contract of this function.
            unsafe { copy_prefix(&value, attributes, bytes) };
            0
        }
        Err(errno) => errno,
    }
}

/// Clock that `ibv_query_rt_values_ex` reads, in kHz: it counts nanoseconds.
const CORE_CLOCK: u64 = 1_000_000;

/// Reports the limits of the adapter; the later ones are 0, for features that it does not have.
///
/// # Safety
/// The requirement of verbs: there is room for `bytes` bytes.
unsafe extern "C" fn query_device_ex(
    context: *mut Context,
    _input: *const c_void,
    attributes: *mut DeviceAttrEx,
    bytes: size_t,
) -> c_int {
    // SAFETY: the structure has numbers alone.
    let mut limits: DeviceAttrEx = unsafe { zeroed() };
    let errno = device::ibv_query_device(context, &mut limits.orig_attr);
    if errno != 0 {
        return errno;
    }
    (limits.hca_core_clock, limits.completion_timestamp_mask) = (CORE_CLOCK, u64::MAX);
    limits.device_cap_flags_ex = limits.orig_attr.device_cap_flags.into();
    limits.phys_port_cnt_ex = limits.orig_attr.phys_port_cnt.into();
    // SAFETY: the contract of this function.
    unsafe { copy_prefix(&limits, attributes, bytes) };
    0
}

/// Reads the clock of the adapter, which counts nanoseconds of virtual time.
///
/// # Safety
/// The requirement of verbs: the values are valid.
unsafe extern "C" fn query_rt_values(_context: *mut Context, values: *mut Values) -> c_int {
    /// `IBV_VALUES_MASK_RAW_CLOCK`.
    const RAW_CLOCK: u32 = 1;
    // SAFETY: the contract of this function.
    let values = unsafe { &mut *values };
    if values.comp_mask & !RAW_CLOCK != 0 {
        return libc::EOPNOTSUPP;
    }
    let now = virtual_time::read().unwrap_or_default();
    values.raw_clock = timespec { tv_sec: now.as_secs() as i64, tv_nsec: now.subsec_nanos().into() };
    0
}

// SAFETY of all below: the names are those of rdma-core, taken on purpose. Verbs require the caller to pass valid
// pointers, and contexts that this library has made and not closed.

/// Opens a device.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_open_device(device: *mut Device) -> *mut Context {
    let open = || {
        if device.is_null() {
            return Err(libc::EINVAL);
        }
        device::lid("ibv_open_device")?;
        Ok(allocate(device, events::descriptor()))
    };
    open().unwrap_or_else(|errno| {
        link::set_errno(errno);
        null_mut()
    })
}

/// Closes a context.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_close_device(context: *mut Context) -> c_int {
    if context.is_null() {
        return libc::EINVAL;
    }
    // SAFETY: see above; the caller gives the object up.
    unsafe {
        events::close((*context).async_fd);
        events::close((*context).cmd_fd);
        free(context);
    }
    0
}
