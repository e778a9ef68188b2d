//! Files of the device, which the operating system does not have: those of sysfs, as `ibv_read_sysfs_file` reads them, and
//! the one for commands, which programs look for.
#![allow(unsafe_code)]

use std::ffi::CStr;

use crate::abi::*;
use crate::device::{self, NAME};
use crate::{link, slot};

/// The file for commands. Programs look whether it is there, and leave opening it to the library.
const COMMANDS: &CStr = c"/dev/infiniband/uverbs0";
/// Device number of that file: major 231, as for all verbs devices of Linux, and minor 192.
const NUMBER: libc::dev_t = libc::makedev(231, 192);
/// The folder at which sysfs is mounted.
const ROOT: &CStr = c"/sys";

/// A GID or GUID in groups of four digits.
fn groups(words: &[u64]) -> String {
    let digits: String = words.iter().map(|word| format!("{:016x}", u64::from_be(*word))).collect();
    digits.as_bytes().chunks(4).map(String::from_utf8_lossy).collect::<Vec<_>>().join(":")
}

/// Content of a file of the device, without the line feed.
fn content(path: &str) -> Option<String> {
    let below = |folder: &str| path.split_once(folder).map(|(_, file)| file.trim_matches('/').to_owned());
    if let Some(file) = below("infiniband_verbs/uverbs0/") {
        return match file.as_str() {
            "ibdev" => Some(NAME.to_owned()),
            "abi_version" => Some("1".to_owned()),
            "dev" => Some("231:192".to_owned()),
            _ => None,
        };
    }
    let file = below(&format!("infiniband/{NAME}/"))?;
    let [subnet, guid] = device::gid().ok()?;
    let port = device::port(1).ok()?.old;
    Some(match file.as_str() {
        "node_type" => "1: CA".to_owned(),
        "node_guid" | "sys_image_guid" => groups(&[guid]),
        "fw_ver" => env!("CARGO_PKG_VERSION").to_owned(),
        "node_desc" | "board_id" | "hca_type" => NAME.to_owned(),
        "ports/1/lid" | "ports/1/sm_lid" => {
            format!("{:#x}", if file.ends_with("sm_lid") { 0 } else { port.lid })
        }
        "ports/1/lid_mask_count" => "0".to_owned(),
        "ports/1/state" => "4: ACTIVE".to_owned(),
        "ports/1/phys_state" => "5: LinkUp".to_owned(),
        "ports/1/rate" => "10 Gb/sec (4X SDR)".to_owned(),
        "ports/1/link_layer" => "InfiniBand".to_owned(),
        "ports/1/gids/0" => groups(&[subnet, guid]),
        "ports/1/gid_attrs/types/0" => "IB/RoCE v1".to_owned(),
        "ports/1/pkeys/0" => format!("{:#x}", device::PARTITION),
        _ => return None,
    })
}

// SAFETY of all below: the names are those of rdma-core, taken on purpose. The caller passes valid pointers.

/// The folder at which sysfs is mounted.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_get_sysfs_path() -> *const c_char {
    ROOT.as_ptr()
}

/// Whether a path is that of the file for commands.
///
/// # Safety
/// The path is null, or ends with a zero.
unsafe fn is_commands(path: *const c_char) -> bool {
    // SAFETY: the contract of this function.
    !path.is_null() && unsafe { CStr::from_ptr(path) } == COMMANDS && slot::get().is_some()
}

/// `access` of POSIX: the file for commands may be read and written.
#[unsafe(no_mangle)]
pub extern "C" fn access(path: *const c_char, mode: c_int) -> c_int {
    // SAFETY: see above.
    if unsafe { is_commands(path) } {
        return 0;
    }
    // SAFETY: the operating system checks the arguments.
    unsafe { libc::syscall(libc::SYS_access, path, mode) as c_int }
}

/// `stat` of POSIX: the file for commands is a character device.
#[unsafe(no_mangle)]
pub extern "C" fn stat(path: *const c_char, status: *mut libc::stat) -> c_int {
    // SAFETY: see above.
    if unsafe { is_commands(path) } {
        // SAFETY: numbers may be zero.
        let mut own: libc::stat = unsafe { std::mem::zeroed() };
        (own.st_mode, own.st_nlink, own.st_rdev) = (libc::S_IFCHR | 0o666, 1, NUMBER);
        // SAFETY: see above.
        unsafe { status.write(own) };
        return 0;
    }
    // SAFETY: the operating system checks the arguments.
    unsafe { libc::fstatat(libc::AT_FDCWD, path, status, 0) }
}

/// Reads a file of a folder without its last line feed; the number of bytes, or -1.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_read_sysfs_file(
    folder: *const c_char,
    file: *const c_char,
    buffer: *mut c_char,
    bytes: size_t,
) -> c_int {
    // SAFETY: see above.
    let [folder, file] =
        [folder, file].map(|text| unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned());
    let path = format!("{folder}/{file}");
    let text = content(&path).or_else(|| std::fs::read_to_string(&path).ok());
    let Some(text) = text.filter(|_| bytes > 0) else {
        link::set_errno(libc::ENOENT);
        return -1;
    };
    let text = text.strip_suffix('\n').unwrap_or(&text).as_bytes();
    let length = text.len().min(bytes - 1);
    // SAFETY: see above; there is room for the bytes and for a zero.
    unsafe {
        std::ptr::copy_nonoverlapping(text.as_ptr().cast(), buffer, length);
        *buffer.add(length) = 0;
    }
    length as c_int
}
