//! TAP devices of Linux: network interfaces whose frames a program sends and receives.

use std::io::{self, ErrorKind};
use std::os::fd::AsFd;
use std::path::Path;
use std::time::Duration;

use anyhow::Context;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use tun_rs::{DeviceBuilder, Layer, SyncDevice};

use super::bridge::Outside;
use crate::usage;

/// Device file for TAP devices.
const TUN: &str = "/dev/net/tun";
/// Maximum length of an interface name in bytes.
const NAME_BYTES: usize = 15;

/// An open TAP device.
pub struct Tap {
    name: String,
    device: SyncDevice,
}

impl Tap {
    /// Creates the device, or opens an existing free one, and sets its MAC address.
    pub fn open(name: &str, mac: [u8; 6]) -> anyhow::Result<Self> {
        if name.is_empty() || name.len() > NAME_BYTES || name.contains(['/', ' ', '%']) {
            let reason = format!("an interface name has 1 to {NAME_BYTES} bytes without blank, `/` and `%`");
            return Err(usage::invalid("--name <NAME>", name, reason));
        }
        anyhow::ensure!(
            Path::new(TUN).exists(),
            "there is no {TUN}; type `modprobe tun`, or give a container `--device {TUN} --cap-add NET_ADMIN`"
        );
        let opened = DeviceBuilder::new().name(name).layer(Layer::L2).inherit_enable_state().build_sync();
        let device = opened.map_err(|error| explain(&error, name, mac))?;
        let about = || format!("setting up {name}");
        if device.mac_address().with_context(about)? != mac {
            let set = device.set_mac_address(mac);
            set.map_err(|error| {
                anyhow::anyhow!(
                    "the MAC address of {name} differs from its card and cannot be set: {error}; type\n{}",
                    address_line(name, mac)
                )
            })?;
        }
        device.set_nonblocking(true).with_context(about)?;
        Ok(Tap { name: name.to_owned(), device })
    }

    /// A permanent error, for example after the device was removed.
    fn permanent_error(&self, error: &io::Error) -> io::Error {
        io::Error::new(error.kind(), format!("{} is gone: {error}", self.name))
    }
}

/// Explains why a device does not open and how to correct it.
fn explain(error: &io::Error, name: &str, mac: [u8; 6]) -> anyhow::Error {
    match error.kind() {
        ErrorKind::PermissionDenied => anyhow::anyhow!(
            "creating {name} needs root; use `sudo`, or let root create the device of each node for you:\n  \
             sudo ip tuntap add dev {name} mode tap user $USER\n{}",
            address_line(name, mac)
        ),
        ErrorKind::ResourceBusy => {
            anyhow::anyhow!("{name} is in use by another program; choose another name with --name")
        }
        ErrorKind::InvalidInput => {
            anyhow::anyhow!("{name} exists and is no TAP device; choose another name with --name")
        }
        _ => anyhow::anyhow!("creating {name}: {error}"),
    }
}

fn address_line(name: &str, mac: [u8; 6]) -> String {
    format!("  sudo ip link set dev {name} address {}", show(mac))
}

/// Formats a MAC address with colons.
pub fn show(mac: [u8; 6]) -> String {
    mac.map(|byte| format!("{byte:02x}")).join(":")
}

impl Outside for Tap {
    fn receive(&mut self, buffer: &mut [u8]) -> io::Result<Option<usize>> {
        match self.device.recv(buffer) {
            Ok(length) => Ok(Some(length)),
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => Ok(None),
            Err(error) => Err(self.permanent_error(&error)),
        }
    }

    fn send(&mut self, frame: &[u8]) -> io::Result<bool> {
        match self.device.send(frame) {
            Ok(_) => Ok(true),
            // A device that is down refuses frames (EIO), and the kernel's queue may be full.
            Err(error) if error.raw_os_error() == Some(Errno::IO.raw_os_error()) => Ok(false),
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::OutOfMemory) => Ok(false),
            Err(error) => Err(self.permanent_error(&error)),
        }
    }
}

/// Sleeps until a frame arrives at a device, a signal arrives or `most` has passed; true if there is a frame.
pub fn sleep<'a>(taps: impl Iterator<Item = &'a Tap>, most: Duration) -> io::Result<bool> {
    let mut fds: Vec<_> =
        taps.map(|tap| PollFd::from_borrowed_fd(tap.device.as_fd(), PollFlags::IN)).collect();
    let timeout = Timespec { tv_sec: most.as_secs() as i64, tv_nsec: most.subsec_nanos().into() };
    match poll(&mut fds, Some(&timeout)) {
        Ok(ready) => Ok(ready > 0),
        Err(Errno::INTR) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAC: [u8; 6] = [2, 0, 0x47, 0x50, 0, 1];

    #[test]
    fn errors_of_opening_a_device_are_explained() {
        for (kind, says) in [
            (ErrorKind::PermissionDenied, "sudo ip link set dev memonet1 address 02:00:47:50:00:01"),
            (ErrorKind::ResourceBusy, "in use"),
            (ErrorKind::InvalidInput, "no TAP device"),
            (ErrorKind::Other, "creating memonet1"),
        ] {
            let text = explain(&kind.into(), "memonet1", MAC).to_string();
            assert!(text.contains(says), "{text}");
        }
    }

    #[test]
    fn invalid_interface_names_are_refused() {
        for name in ["", "a b", "a/b", "tap%d", "a_name_of_16_byt"] {
            let error = Tap::open(name, MAC).err().unwrap().to_string();
            assert!(error.contains("an interface name has"), "{error}");
        }
    }
}
