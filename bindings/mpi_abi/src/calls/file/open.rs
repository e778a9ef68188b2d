//! Opening, closing and deletion of files (MPI 5.0, section 14.2).

use std::fs::{self, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::sync::Arc;

use processes::mpi::call::Call;

use super::collective::{class_word, exchange, joint, same, synchronize};
use super::{host, manage, on_file, view};
use crate::arguments::{Out, Text};
use crate::calls::{communicator, error};
use crate::fault::{Fault, Outcome};
use crate::link;
use crate::objects::{OpenFile, SharedPointer, SharedPointerName, intracommunicator, within};
use crate::types::*;

/// The ways to access a file, of which a mode has one.
const WAYS: [c_int; 3] = [MPI_MODE_RDONLY, MPI_MODE_WRONLY, MPI_MODE_RDWR];
/// All bits of an access mode.
const BITS: c_int = MPI_MODE_RDONLY
    | MPI_MODE_WRONLY
    | MPI_MODE_RDWR
    | MPI_MODE_CREATE
    | MPI_MODE_EXCL
    | MPI_MODE_DELETE_ON_CLOSE
    | MPI_MODE_UNIQUE_OPEN
    | MPI_MODE_SEQUENTIAL
    | MPI_MODE_APPEND;

/// `MPI_File_open`.
pub fn file_open(on: MPI_Comm, name: Text, mode: c_int, info: MPI_Info, fh: Out<MPI_File>) -> Outcome {
    let opened = open(on, name, mode, info);
    // A fault of opening belongs to no file, whatever communicator is in use.
    let file = opened.map_err(|fault| Fault { on: None, ..fault }.on(MPI_FILE_NULL))?;
    fh.set(within(|objects| Ok(objects.files.add(file)))?)
}

fn open(on: MPI_Comm, name: Text, mode: c_int, info: MPI_Info) -> Outcome<OpenFile> {
    let old = intracommunicator(on)?;
    let own = communicator::ask(on, Call::Duplicate(old.number))?;
    let own = own.ok_or_else(|| Fault::new(MPI_ERR_INTERN, "there is no duplicate of the communicator"))?;
    let opened = open_on(own.number, own.rank, own.processes, name, mode, info);
    if opened.is_err() {
        link::ask(Call::FreeCommunicator(own.number))?;
    }
    opened
}

/// Opens a file in all ranks of a communicator that only this file uses. If one rank fails, all fail.
fn open_on(
    communicator: u32,
    rank: usize,
    processes: Vec<u32>,
    name: Text,
    mode: c_int,
    info: MPI_Info,
) -> Outcome<OpenFile> {
    let arguments = || {
        check(mode)?;
        Ok((name.get()?, manage::hints(info)?))
    };
    let arguments = arguments();
    let all = exchange(communicator, &[class_word(&arguments), mode.into()])?;
    let (name, hints) = joint(arguments, &all)?;
    same(rank, all.iter().map(|words| &words[1..]))?;
    // Rank 0 creates the file and its shared pointer, then the others open them.
    let pointer_name = SharedPointerName::of_communicator(processes[0], communicator);
    let first = (rank == 0).then(|| {
        let (file, position) = open_host(&name, mode, &hints)?;
        let shared = SharedPointer::create(&pointer_name, position, &file);
        Ok((file, position, shared.map_err(|error| no_pointer(&name, &error))))
    });
    let first = first.transpose();
    let all = exchange(communicator, &[class_word(&first)])?;
    let opened = joint(first, &all)
        .and_then(|first| first.map_or_else(|| open_as_first(&name, mode, &hints, &pointer_name), Ok));
    let all = exchange(communicator, &[class_word(&opened)]);
    if rank == 0 {
        pointer_name.remove();
    }
    let (host, position, shared) = joint(opened, &all?)?;
    Ok(OpenFile {
        communicator,
        processes: processes.into(),
        rank,
        name: name.into(),
        host: Arc::new(host),
        mode,
        view: Arc::new(view::of_bytes()),
        position,
        shared: shared.map(Arc::new),
        atomic: false,
        split: None,
        hints,
        handler: error::of_files(),
    })
}

/// A file of the host, the place where file pointers begin, and the shared one.
type Opened = (fs::File, MPI_Offset, Outcome<SharedPointer>);

/// Opens the file that rank 0 has opened.
fn open_as_first(
    name: &str,
    mode: c_int,
    hints: &[(String, String)],
    pointer_name: &SharedPointerName,
) -> Outcome<Opened> {
    let (file, position) = open_host(name, mode & !(MPI_MODE_CREATE | MPI_MODE_EXCL), hints)?;
    let shared = SharedPointer::open(pointer_name).map_err(|error| no_pointer(name, &error));
    match shared.as_ref().map(|shared| shared.is_of(&file)) {
        Ok(Ok(false)) => {
            Err(Fault::new(MPI_ERR_NOT_SAME, format!("`{name}` is not the file that rank 0 has opened")))
        }
        _ => Ok((file, position, shared)),
    }
}

fn no_pointer(name: &str, error: &io::Error) -> Fault {
    host::fault("share the pointer of", name, error)
}

/// Checks an access mode (MPI 5.0, section 14.2.1).
fn check(mode: c_int) -> Outcome {
    let wrong = |why: &str| Err(Fault::new(MPI_ERR_AMODE, format!("an access mode of {mode} {why}")));
    let has = |bit: c_int| mode & bit != 0;
    if mode & !BITS != 0 {
        return wrong("has bits that no mode has");
    }
    if WAYS.into_iter().filter(|way| has(*way)).count() != 1 {
        return wrong("has not exactly one of MPI_MODE_RDONLY, MPI_MODE_WRONLY and MPI_MODE_RDWR");
    }
    if has(MPI_MODE_RDONLY) && has(MPI_MODE_CREATE | MPI_MODE_EXCL) {
        return wrong("creates a file that can only be read");
    }
    if has(MPI_MODE_RDWR) && has(MPI_MODE_SEQUENTIAL) {
        return wrong("has MPI_MODE_RDWR and MPI_MODE_SEQUENTIAL");
    }
    Ok(())
}

/// Opens a file of the host. Returns it with the place where file pointers begin.
fn open_host(name: &str, mode: c_int, hints: &[(String, String)]) -> Outcome<(fs::File, MPI_Offset)> {
    let has = |bit: c_int| mode & bit != 0;
    let mut options = OpenOptions::new();
    options.read(has(MPI_MODE_RDONLY | MPI_MODE_RDWR)).write(has(MPI_MODE_WRONLY | MPI_MODE_RDWR));
    options.create(has(MPI_MODE_CREATE)).create_new(has(MPI_MODE_CREATE) && has(MPI_MODE_EXCL));
    // A pipe without a reader does not block the rank.
    options.custom_flags(libc::O_NONBLOCK);
    let permissions = hints.iter().find(|(key, _)| key == "file_perm");
    if let Some(permissions) = permissions.and_then(|(_, value)| u32::from_str_radix(value, 8).ok()) {
        options.mode(permissions);
    }
    let file = options.open(name).map_err(|error| host::fault("open", name, &error))?;
    match file.metadata() {
        Ok(found) if found.is_dir() => {
            Err(Fault::new(MPI_ERR_BAD_FILE, format!("cannot open `{name}`: it is a directory")))
        }
        Ok(found) => Ok((file, if has(MPI_MODE_APPEND) { found.len() as MPI_Offset } else { 0 })),
        Err(error) => Err(host::fault("open", name, &error)),
    }
}

/// `MPI_File_close`.
pub fn file_close(fh: Out<MPI_File>) -> Outcome {
    let handle = fh.get()?;
    on_file(handle, |file| {
        let own = file.check_no_split();
        let all = exchange(file.communicator, &[class_word(&own)])?;
        joint(own, &all)?;
        let deletes = file.has(MPI_MODE_DELETE_ON_CLOSE) && file.rank == 0;
        let deleted = if deletes { delete(&file.name) } else { Ok(()) };
        // Afterwards no rank finds the file.
        let synchronized = synchronize(&file);
        within(|objects| objects.files.free(handle))?;
        link::ask(Call::FreeCommunicator(file.communicator))?;
        fh.set(MPI_FILE_NULL)?;
        // The file and its error handler are gone.
        synchronized.and(deleted).map_err(|fault| fault.on(MPI_FILE_NULL))
    })
}

/// `MPI_File_delete`.
pub fn file_delete(name: Text, _info: MPI_Info) -> Outcome {
    within(|_| Ok(())).and_then(|()| delete(&name.get()?)).map_err(|fault| fault.on(MPI_FILE_NULL))
}

fn delete(name: &str) -> Outcome {
    match fs::metadata(name) {
        Ok(found) if found.is_dir() => {
            Err(Fault::new(MPI_ERR_BAD_FILE, format!("cannot delete `{name}`: it is a directory")))
        }
        _ => fs::remove_file(name).map_err(|error| host::fault("delete", name, &error)),
    }
}
