//! The Unix socket in the data folder: how a server is found, and how only its owner can talk to it.
//!
//! A server holds a lock on `serve.lock` for as long as it lives; the system takes the lock away however the server
//! ends. Who holds it may remove a socket that an earlier server left behind, without asking whether anybody still
//! answers there. The socket itself may be used by its owner alone, which is why whoever can open it is the operator.
//!
//! A socket's path may have only about a hundred bytes, and data folders can lie deeper. Then the socket is reached
//! through a symbolic link to the folder, made for the moment of binding or connecting.

use std::fs::{DirBuilder, File, Permissions, TryLockError};
use std::io;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use memory::ports::Clock;
use store::SystemClock;
use tokio::net::{UnixListener, UnixStream};

use crate::limits;
use crate::problem::{Code, Problem};

pub const SOCKET: &str = "recollect.sock";
const LOCK: &str = "serve.lock";

/// The right to serve a data folder; gives it up, and takes the socket away, when dropped.
pub struct ServeLock {
    folder: PathBuf,
    /// Held, not read: the lock ends with the file.
    _lock: File,
}

impl ServeLock {
    /// Takes the right to serve a folder, which must exist.
    pub fn take(folder: &Path) -> Result<ServeLock, Problem> {
        let lock = File::create(folder.join(LOCK)).map_err(Problem::ours)?;
        match lock.try_lock() {
            Ok(()) => Ok(ServeLock { folder: folder.to_owned(), _lock: lock }),
            Err(TryLockError::WouldBlock) => {
                let message = format!("a server is already running on {}", folder.display());
                Err(Problem::new(Code::AlreadyRunning, message).hint(
                    "commands use it by themselves; stop it first, or choose another folder with --data",
                ))
            }
            Err(TryLockError::Error(error)) => Err(Problem::ours(error)),
        }
    }

    pub fn bind(&self) -> io::Result<UnixListener> {
        match std::fs::remove_file(self.folder.join(SOCKET)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let way = SocketPath::to(&self.folder)?;
        let listener = UnixListener::bind(way.path())?;
        // Between the two lines the folder, which is open to its owner alone, guards the socket.
        std::fs::set_permissions(self.folder.join(SOCKET), Permissions::from_mode(0o600))?;
        Ok(listener)
    }
}

impl Drop for ServeLock {
    fn drop(&mut self) {
        // A socket that stays behind is no harm: nobody answers there, and the next server removes it.
        let _ = std::fs::remove_file(self.folder.join(SOCKET));
    }
}

/// Connects to the server of a folder; `None` when none runs there.
pub async fn connect(folder: &Path) -> io::Result<Option<UnixStream>> {
    if !folder.join(SOCKET).exists() {
        return Ok(None);
    }
    let way = SocketPath::to(folder)?;
    match UnixStream::connect(way.path()).await {
        Ok(stream) => Ok(Some(stream)),
        Err(error) if matches!(error.kind(), io::ErrorKind::ConnectionRefused | io::ErrorKind::NotFound) => {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// The path to a folder's socket, short enough to use.
struct SocketPath {
    path: PathBuf,
    /// The folder that holds the link, to be taken away again.
    alias: Option<PathBuf>,
}

impl SocketPath {
    fn to(folder: &Path) -> io::Result<SocketPath> {
        let path = folder.join(SOCKET);
        if path.as_os_str().len() <= limits::SOCKET_PATH_BYTES {
            return Ok(SocketPath { path, alias: None });
        }
        let id = SystemClock.uuid().simple().to_string();
        let temporary = std::env::temp_dir();
        // A long temporary folder would not help.
        let temporary = if temporary.as_os_str().len() <= limits::SOCKET_PATH_BYTES / 2 {
            temporary
        } else {
            "/tmp".into()
        };
        let alias = temporary.join(format!("rc-{}", &id[16..]));
        // Made new and for ourselves alone, so that nobody else can put a link of their own there.
        DirBuilder::new().mode(0o700).create(&alias)?;
        let way = SocketPath { path: alias.join("d").join(SOCKET), alias: Some(alias) };
        symlink(std::path::absolute(folder)?, way.alias.as_deref().unwrap_or(folder).join("d"))?;
        Ok(way)
    }

    fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for SocketPath {
    fn drop(&mut self) {
        if let Some(alias) = &self.alias {
            let _ = std::fs::remove_file(alias.join("d"));
            let _ = std::fs::remove_dir(alias);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_deep_folder_is_served_too() {
        let base = tempfile::tempdir().expect("a temporary folder");
        let folder = base.path().join("d".repeat(120)).join("e".repeat(120));
        std::fs::create_dir_all(&folder).expect("made");
        let seat = ServeLock::take(&folder).expect("free");
        let listener = seat.bind().expect("bound");
        let mode = std::fs::metadata(folder.join(SOCKET)).expect("in its folder").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        assert!(connect(&folder).await.expect("reachable").is_some());
        drop(listener);
        assert!(connect(&folder).await.expect("a dead socket is no error").is_none());
    }

    #[tokio::test]
    async fn one_server_a_folder_and_a_dead_ones_socket_is_replaced() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        assert!(connect(folder.path()).await.expect("nothing there").is_none());
        let seat = ServeLock::take(folder.path()).expect("free");
        let refused = ServeLock::take(folder.path()).err().expect("taken");
        assert_eq!(refused.code, Code::AlreadyRunning);
        std::mem::forget(seat.bind().expect("bound"));
        drop(seat);
        std::fs::write(folder.path().join(SOCKET), "left behind").expect("written");
        let next = ServeLock::take(folder.path()).expect("free again");
        let _listener = next.bind().expect("bound over what was left behind");
        assert!(connect(folder.path()).await.expect("reachable").is_some());
    }
}
