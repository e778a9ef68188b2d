//! Size, group, access mode and hints of files (MPI 5.0, sections 14.2.4 to 14.2.8).

use super::collective::{in_first, let_others_run};
use super::{change, host, on_file};
use crate::arguments::{Out, OutNumber};
use crate::calls::info;
use crate::fault::{Fault, Outcome};
use crate::objects::{OpenFile, within};
use crate::types::*;

/// Hints of the standard for files. Those that a program gives are returned; `file_perm` has an effect.
const HINTS: [&str; 15] = [
    "access_style",
    "collective_buffering",
    "cb_block_size",
    "cb_buffer_size",
    "cb_nodes",
    "chunked",
    "chunked_item",
    "chunked_size",
    "file_perm",
    "filename",
    "io_node_list",
    "nb_proc",
    "num_io_nodes",
    "striping_factor",
    "striping_unit",
];

/// Hints of an info object that files have.
pub(super) fn hints(info: MPI_Info) -> Outcome<Vec<(String, String)>> {
    Ok(info::entries(info)?.into_iter().filter(|(key, _)| HINTS.contains(&key.as_str())).collect())
}

/// Size of a file in bytes.
pub(super) fn size(file: &OpenFile) -> Outcome<u64> {
    let found = file.host.metadata();
    found.map(|found| found.len()).map_err(|error| host::fault("find the size of", &file.name, &error))
}

/// Checks a size that a file is to have.
fn check_size(file: &OpenFile, size: MPI_Offset) -> Outcome {
    if size < 0 {
        return Err(Fault::new(MPI_ERR_ARG, format!("a size of {size} bytes is below zero")));
    }
    file.check_random_access()?;
    file.check_writable()
}

/// `MPI_File_set_size`.
pub fn file_set_size(fh: MPI_File, size: MPI_Offset) -> Outcome {
    on_file(fh, |file| {
        in_first(&file, check_size(&file, size), &[size], || {
            let set = file.host.set_len(size as u64);
            set.map_err(|error| host::fault("set the size of", &file.name, &error))
        })
    })
}

/// `MPI_File_preallocate`.
pub fn file_preallocate(fh: MPI_File, size: MPI_Offset) -> Outcome {
    on_file(fh, |file| {
        in_first(&file, check_size(&file, size), &[size], || {
            if size == 0 {
                return Ok(());
            }
            let allocated =
                rustix::fs::fallocate(&*file.host, rustix::fs::FallocateFlags::empty(), 0, size as u64);
            let allocated = match allocated {
                // The file system cannot reserve space, but it can enlarge the file.
                Err(rustix::io::Errno::OPNOTSUPP) if self::size(&file)? < size as u64 => {
                    file.host.set_len(size as u64)
                }
                Err(rustix::io::Errno::OPNOTSUPP) => Ok(()),
                allocated => allocated.map_err(Into::into),
            };
            allocated.map_err(|error| host::fault("reserve space for", &file.name, &error))
        })
    })
}

/// `MPI_File_get_size`.
pub fn file_get_size(fh: MPI_File, to: OutNumber) -> Outcome {
    on_file(fh, |file| {
        let_others_run(&file)?;
        to.set(size(&file)? as i64)
    })
}

/// `MPI_File_get_group`.
pub fn file_get_group(fh: MPI_File, group: Out<MPI_Group>) -> Outcome {
    on_file(fh, |file| group.set(within(|objects| Ok(objects.groups.add(file.processes.to_vec())))?))
}

/// `MPI_File_get_amode`.
pub fn file_get_amode(fh: MPI_File, mode: Out<c_int>) -> Outcome {
    on_file(fh, |file| mode.set(file.mode))
}

/// `MPI_File_set_info`.
pub fn file_set_info(fh: MPI_File, info: MPI_Info) -> Outcome {
    on_file(fh, |file| {
        let new = hints(info);
        let own = new.as_ref().map(|_| ()).map_err(Fault::clone);
        in_first(&file, own, &[], || Ok(()))?;
        merge(fh, new?)
    })
}

/// Adds hints to those of a file.
pub(super) fn merge(fh: MPI_File, new: Vec<(String, String)>) -> Outcome {
    change(fh, |file| info::merge(&mut file.hints, new))
}

/// `MPI_File_get_info`.
pub fn file_get_info(fh: MPI_File, info: Out<MPI_Info>) -> Outcome {
    on_file(fh, |file| {
        let mut entries = vec![("filename".to_owned(), file.name.to_string())];
        entries.extend(file.hints.into_iter().filter(|(key, _)| key != "filename"));
        info::info_of(info, entries)
    })
}
