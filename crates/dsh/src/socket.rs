//! The socket of a server in the file system: for its owner alone, with one server, removed with the server.

use std::fs::{self, File, Permissions, TryLockError};
use std::io::{Error, ErrorKind};
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::os::unix::net::{SocketAddr, UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::time::Duration;

use thiserror::Error;

/// Period and number of checks whether another server has finished its start.
const LOOK: Duration = Duration::from_millis(20);
const LOOKS: usize = 100;

/// Why a server cannot listen.
#[derive(Debug, Error)]
pub enum BindError {
    /// Another server listens there.
    #[error("{0} is served already; stop that server, or choose another --socket")]
    Served(PathBuf),
    /// There is a file of another kind.
    #[error("{0} is there and is no socket; choose another --socket")]
    NoSocket(PathBuf),
    /// The path is too long for a socket.
    #[error("{0} is too long for the name of a socket; choose a shorter --socket")]
    TooLong(PathBuf),
    /// The system refuses.
    #[error("{path}: {error}")]
    System {
        /// Path of the socket.
        path: PathBuf,
        /// Error of the system.
        error: Error,
    },
}

/// The path of a listening socket.
#[derive(Debug)]
pub(crate) struct Name {
    path: PathBuf,
    /// Device and inode of the socket, which identify it.
    socket: (u64, u64),
}

impl Name {
    /// Listens under this path. A socket that a killed server left behind is replaced.
    ///
    /// The socket is created in a folder that only its owner can enter, and moved when its mode is right, so that no
    /// other user can connect to it at any moment, whatever the umask is.
    pub fn bind(path: &Path) -> Result<(Self, UnixListener), BindError> {
        let system = |error| BindError::System { path: path.to_path_buf(), error };
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        // If several servers start at once, the others wait until the first one's socket is there.
        let _alone = locked(parent).map_err(system)?;
        is_free(path)?;
        let mut private = tempfile::Builder::new();
        let private = private.prefix(".").permissions(Permissions::from_mode(0o700)).tempdir_in(parent);
        let private = private.map_err(system)?;
        let made = private.path().join("s");
        // Both paths: that of the creation, and that for shells.
        if [made.as_path(), path].into_iter().any(|name| SocketAddr::from_pathname(name).is_err()) {
            return Err(BindError::TooLong(path.to_path_buf()));
        }
        let listener = UnixListener::bind(&made).map_err(system)?;
        fs::set_permissions(&made, Permissions::from_mode(0o600)).map_err(system)?;
        let socket = identity(&made).map_err(system)?;
        fs::rename(&made, path).map_err(system)?;
        Ok((Name { path: path.to_path_buf(), socket }, listener))
    }

    /// Removes the socket, unless another one has its path by now.
    pub fn remove(&self) {
        if identity(&self.path).is_ok_and(|found| found == self.socket) {
            // Another process may remove it at the same moment.
            let _ = fs::remove_file(&self.path);
        }
    }
}

impl Drop for Name {
    fn drop(&mut self) {
        self.remove();
    }
}

fn identity(path: &Path) -> Result<(u64, u64), Error> {
    fs::symlink_metadata(path).map(|file| (file.dev(), file.ino()))
}

/// The folder, locked for as long as the file lives.
fn locked(folder: &Path) -> Result<File, Error> {
    let file = File::open(folder)?;
    for _ in 0..LOOKS {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) => std::thread::sleep(LOOK),
            Err(TryLockError::Error(error)) => return Err(error),
        }
    }
    Err(Error::other("its folder is locked by another process"))
}

/// Whether the path is free, or a killed server has left it.
fn is_free(path: &Path) -> Result<(), BindError> {
    match fs::symlink_metadata(path) {
        Err(_) => return Ok(()),
        Ok(found) if !found.file_type().is_socket() => return Err(BindError::NoSocket(path.to_path_buf())),
        Ok(_) => {}
    }
    match UnixStream::connect(path) {
        Ok(_) => Err(BindError::Served(path.to_path_buf())),
        Err(error) if [ErrorKind::ConnectionRefused, ErrorKind::NotFound].contains(&error.kind()) => Ok(()),
        Err(error) => Err(BindError::System { path: path.to_path_buf(), error }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn socket_is_for_its_owner_alone_and_goes_with_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("boards");
        let (name, _listener) = Name::bind(&path).unwrap();
        assert_eq!(fs::symlink_metadata(&path).unwrap().mode() & 0o777, 0o600);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left");
        drop(name);
        assert!(!path.exists());
    }

    #[test]
    fn name_that_is_too_long_is_refused_and_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let deep = folder.path().join("y".repeat(100));
        fs::create_dir(&deep).unwrap();
        for path in [folder.path().join("x".repeat(150)), deep.join("s")] {
            let error = Name::bind(&path).unwrap_err();
            assert!(matches!(error, BindError::TooLong(_)), "{error}");
        }
        assert_eq!(fs::read_dir(&deep).unwrap().count(), 0);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn name_that_another_server_has_taken_stays_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("boards");
        let (first, _listener) = Name::bind(&path).unwrap();
        fs::remove_file(&path).unwrap();
        let (_second, _other) = Name::bind(&path).unwrap();
        drop(first);
        assert!(UnixStream::connect(&path).is_ok());
    }

    #[test]
    fn one_of_several_servers_takes_over_an_abandoned_socket() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("boards");
        for _ in 0..20 {
            drop(UnixListener::bind(&path).unwrap());
            let servers: Vec<_> = (0..4).map(|_| path.clone()).collect();
            let servers: Vec<_> =
                servers.into_iter().map(|path| std::thread::spawn(move || Name::bind(&path))).collect();
            // All are kept until the last one has tried.
            let bound: Vec<_> = servers.into_iter().map(|server| server.join().unwrap()).collect();
            assert_eq!(bound.iter().filter(|bound| bound.is_ok()).count(), 1);
            drop(bound);
        }
    }
}
