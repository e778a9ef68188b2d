//! Errors of the host's file system as error classes (MPI 5.0, table 14.5).

use std::io;

use crate::fault::Fault;
use crate::types::*;

/// Fault of an operation on a file.
pub(super) fn fault(does: &str, name: &str, error: &io::Error) -> Fault {
    Fault::new(class(error), format!("cannot {does} `{name}`: {error}"))
}

/// Class of an error by its `errno`; `MPI_ERR_IO` for errors without one of their own.
fn class(error: &io::Error) -> c_int {
    match error.raw_os_error().unwrap_or_default() {
        libc::ENOENT => MPI_ERR_NO_SUCH_FILE,
        libc::EACCES | libc::EPERM => MPI_ERR_ACCESS,
        libc::EROFS => MPI_ERR_READ_ONLY,
        libc::EEXIST => MPI_ERR_FILE_EXISTS,
        libc::ENOSPC => MPI_ERR_NO_SPACE,
        libc::EDQUOT => MPI_ERR_QUOTA,
        libc::ETXTBSY | libc::EBUSY => MPI_ERR_FILE_IN_USE,
        libc::ENAMETOOLONG | libc::ENOTDIR | libc::EISDIR | libc::ELOOP | libc::ENXIO | libc::ESPIPE => {
            MPI_ERR_BAD_FILE
        }
        libc::ENOMEM => MPI_ERR_NO_MEM,
        _ => match error.kind() {
            // A name with a zero byte.
            io::ErrorKind::InvalidInput => MPI_ERR_BAD_FILE,
            _ => MPI_ERR_IO,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_the_host_have_classes_of_the_standard() {
        for (number, expected) in [
            (libc::ENOENT, MPI_ERR_NO_SUCH_FILE),
            (libc::EACCES, MPI_ERR_ACCESS),
            (libc::EPERM, MPI_ERR_ACCESS),
            (libc::EROFS, MPI_ERR_READ_ONLY),
            (libc::EEXIST, MPI_ERR_FILE_EXISTS),
            (libc::ENOSPC, MPI_ERR_NO_SPACE),
            (libc::EDQUOT, MPI_ERR_QUOTA),
            (libc::ETXTBSY, MPI_ERR_FILE_IN_USE),
            (libc::EBUSY, MPI_ERR_FILE_IN_USE),
            (libc::ENAMETOOLONG, MPI_ERR_BAD_FILE),
            (libc::EISDIR, MPI_ERR_BAD_FILE),
            (libc::ENOMEM, MPI_ERR_NO_MEM),
            (libc::EIO, MPI_ERR_IO),
        ] {
            let error = io::Error::from_raw_os_error(number);
            assert_eq!(class(&error), expected, "{error}");
        }
        assert_eq!(class(&io::ErrorKind::InvalidInput.into()), MPI_ERR_BAD_FILE);
        let fault = fault("open", "x", &io::Error::from_raw_os_error(libc::EEXIST));
        assert_eq!(fault.class, MPI_ERR_FILE_EXISTS);
        assert!(fault.why.starts_with("cannot open `x`: "), "{}", fault.why);
    }
}
