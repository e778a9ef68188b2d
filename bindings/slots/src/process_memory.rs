//! Memory of another process, at addresses of that process.
#![allow(unsafe_code)]

use std::io;

use libc::{c_void, iovec, pid_t};

/// Memory of another process, which waits in its slot meanwhile. The kernel checks every access: of processes of this
/// user, and of addresses that are mapped there.
#[derive(Clone, Copy, Debug)]
pub struct ProcessMemory(pid_t);

impl ProcessMemory {
    /// The memory of the process with this number; `None` for that of this process.
    pub fn new(process: u32) -> Option<Self> {
        let number = pid_t::try_from(process).ok().filter(|number| *number > 0);
        number.filter(|_| process != std::process::id()).map(ProcessMemory)
    }

    /// Fills `into` with the bytes at `address`.
    pub fn read(&self, address: u64, into: &mut [u8]) -> io::Result<()> {
        let (mut done, length) = (0, into.len());
        while done < length {
            let rest = &mut into[done..];
            let here = iovec { iov_base: rest.as_mut_ptr().cast(), iov_len: rest.len() };
            let there = place(address, done, rest.len())?;
            // SAFETY: the call writes the bytes of `rest` alone; the other process is not this one.
            done += moved(unsafe { libc::process_vm_readv(self.0, &here, 1, &there, 1, 0) })?;
        }
        Ok(())
    }

    /// The `length` bytes at `address`. Their memory is not cleared before.
    pub fn read_all(&self, address: u64, length: usize) -> io::Result<Vec<u8>> {
        let mut bytes: Vec<u8> = Vec::new();
        bytes.try_reserve_exact(length)?;
        while bytes.len() < length {
            let (done, left) = (bytes.len(), length - bytes.len());
            let rest = &mut bytes.spare_capacity_mut()[..left];
            let here = iovec { iov_base: rest.as_mut_ptr().cast(), iov_len: left };
            let there = place(address, done, left)?;
            // SAFETY: the call writes the bytes of `rest` alone; the other process is not this one.
            let read = moved(unsafe { libc::process_vm_readv(self.0, &here, 1, &there, 1, 0) })?;
            // SAFETY: the call has written this many bytes behind those that were there.
            unsafe { bytes.set_len(done + read) };
        }
        Ok(bytes)
    }

    /// Stores bytes at `address`.
    pub fn write(&self, address: u64, bytes: &[u8]) -> io::Result<()> {
        let mut done = 0;
        while done < bytes.len() {
            let rest = &bytes[done..];
            let here = iovec { iov_base: rest.as_ptr().cast_mut().cast(), iov_len: rest.len() };
            let there = place(address, done, rest.len())?;
            // SAFETY: the call reads the bytes of `rest` alone; it writes to a process that is not this one.
            done += moved(unsafe { libc::process_vm_writev(self.0, &here, 1, &there, 1, 0) })?;
        }
        Ok(())
    }
}

/// Memory of the other process, `done` bytes behind `address`.
fn place(address: u64, done: usize, length: usize) -> io::Result<iovec> {
    let address = usize::try_from(address).ok().and_then(|address| address.checked_add(done));
    let address = address.ok_or(io::ErrorKind::InvalidInput)?;
    Ok(iovec { iov_base: address as *mut c_void, iov_len: length })
}

/// Bytes that a system call has moved.
fn moved(result: isize) -> io::Result<usize> {
    match result {
        0 => Err(io::ErrorKind::UnexpectedEof.into()),
        // Negative results are errors.
        result => usize::try_from(result).map_err(|_| io::Error::last_os_error()),
    }
}

#[cfg(test)]
mod tests {
    use std::process::{Child, Command, Stdio};

    use super::*;

    /// A process that waits for input, and the first writable mapping of it.
    fn waiting() -> (Child, u64) {
        let mut child =
            Command::new("cat").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("there is cat");
        // Its answer shows that it runs.
        io::Write::write_all(child.stdin.as_mut().unwrap(), b"x").unwrap();
        io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut [0]).unwrap();
        let maps = std::fs::read_to_string(format!("/proc/{}/maps", child.id())).unwrap();
        let writable = maps.lines().find(|line| line.contains(" rw-p ")).unwrap();
        let begin = u64::from_str_radix(writable.split('-').next().unwrap(), 16).unwrap();
        (child, begin)
    }

    #[test]
    fn bytes_of_another_process_are_read_and_written() {
        let (mut child, begin) = waiting();
        let memory = ProcessMemory::new(child.id()).unwrap();
        let mut before = [0; 8];
        memory.read(begin, &mut before).unwrap();
        assert_eq!(memory.read_all(begin, 8).unwrap(), before);
        let new = before.map(|byte| !byte);
        memory.write(begin, &new).unwrap();
        let mut after = [0; 8];
        memory.read(begin, &mut after).unwrap();
        assert_eq!(after, new);
        memory.write(begin, &before).unwrap();
        for address in [0, u64::MAX - 3] {
            assert!(memory.read(address, &mut before).is_err(), "{address:#x}");
            assert!(memory.read_all(address, 1 << 40).is_err(), "{address:#x}");
            assert!(memory.write(address, &new).is_err(), "{address:#x}");
        }
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(memory.read(begin, &mut after).is_err());
    }

    #[test]
    fn own_memory_and_impossible_numbers_are_refused() {
        assert!(
            [0, u32::MAX, std::process::id()].into_iter().all(|number| ProcessMemory::new(number).is_none())
        );
    }
}
