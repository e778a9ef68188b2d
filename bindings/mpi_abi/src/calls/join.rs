//! `MPI_Comm_join`: two processes with a socket between them get an intercommunicator (MPI 5.0, section 11.10.4).
//!
//! The processes tell each other their numbers through the socket. That with the lower number opens a port, sends its name
//! and accepts the other. A process that waits for bytes looks at the network, so that the other one runs meanwhile.
#![allow(unsafe_code)]

use std::io;

use processes::mpi::call::{Answer, Call, Connection};

use super::communicator::{ask, set};
use crate::arguments::Out;
use crate::fault::{Fault, Outcome};
use crate::link;
use crate::objects::{Communicator, intracommunicator};
use crate::types::*;

/// Longest name of a port in bytes.
const MOST_NAME: usize = MPI_MAX_PORT_NAME as usize;

fn fault(error: &io::Error) -> Fault {
    Fault::new(MPI_ERR_ARG, format!("the file descriptor is no socket to another process: {error}"))
}

/// Bytes that a system call has moved; 0 if it would have to wait.
fn moved(result: isize) -> Outcome<usize> {
    let Ok(bytes) = usize::try_from(result) else {
        let error = io::Error::last_os_error();
        return match error.kind() {
            io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted => Ok(0),
            _ => Err(fault(&error)),
        };
    };
    match bytes {
        0 => Err(fault(&io::ErrorKind::UnexpectedEof.into())),
        _ => Ok(bytes),
    }
}

/// Repeats a transfer until `length` bytes have moved. Other processes run between two attempts.
fn transfer(own: &Communicator, length: usize, mut attempt: impl FnMut(usize) -> isize) -> Outcome {
    let mut done = 0;
    while done < length {
        let bytes = moved(attempt(done))?;
        done += bytes;
        if bytes == 0 {
            let (source, tag) = (None, Some(0));
            link::ask(Call::Probe {
                communicator: own.number,
                source,
                tag,
                blocking: false,
                matched: false,
            })?;
        }
    }
    Ok(())
}

fn send(own: &Communicator, socket: c_int, bytes: &[u8]) -> Outcome {
    let flags = libc::MSG_DONTWAIT | libc::MSG_NOSIGNAL;
    transfer(own, bytes.len(), |done| {
        let rest = &bytes[done..];
        // SAFETY: the call reads the bytes of `rest` alone.
        unsafe { libc::send(socket, rest.as_ptr().cast(), rest.len(), flags) }
    })
}

fn receive<const LENGTH: usize>(own: &Communicator, socket: c_int) -> Outcome<[u8; LENGTH]> {
    let mut bytes = [0; LENGTH];
    transfer(own, LENGTH, |done| {
        let rest = &mut bytes[done..];
        // SAFETY: the call writes the bytes of `rest` alone.
        unsafe { libc::recv(socket, rest.as_mut_ptr().cast(), rest.len(), libc::MSG_DONTWAIT) }
    })?;
    Ok(bytes)
}

/// `MPI_Comm_join`.
pub fn comm_join(socket: c_int, new: Out<MPI_Comm>) -> Outcome {
    let own = intracommunicator(MPI_COMM_SELF)?;
    let process = own.processes[0];
    send(&own, socket, &process.to_le_bytes())?;
    let peer = u32::from_le_bytes(receive(&own, socket)?);
    let connection =
        |port: &str| Connection { communicator: own.number, root: 0, port: Some(port.to_owned()) };
    if process == peer {
        return Err(Fault::new(MPI_ERR_ARG, "the socket has both of its ends in this process"));
    }
    if process > peer {
        let name: [u8; MOST_NAME] = receive(&own, socket)?;
        let name = String::from_utf8_lossy(&name);
        return set(new, ask(MPI_COMM_SELF, Call::Connect(connection(name.trim_end_matches('\0'))))?);
    }
    let port = match link::ask(Call::OpenPort)? {
        Answer::Name(port) => port,
        answer => return Err(link::other(answer)),
    };
    let mut name = port.clone().into_bytes();
    name.resize(MOST_NAME, 0);
    send(&own, socket, &name)?;
    let made = ask(MPI_COMM_SELF, Call::Accept(connection(&port)));
    link::ask(Call::ClosePort(port))?;
    set(new, made?)
}
