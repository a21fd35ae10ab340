//! The control RPC's Unix socket: one JSON value per line, either way (BRG-RPC-08, BRG-RPC-10).

use super::connection_limit::ConnectionLimit;
use super::engine::Event;
use super::error::ShellError;
use super::listener::ListenerContext;
use super::outbox::{OutboxReceiver, PATIENCE, outbox};
use super::pid_file::pid_of;
use super::state_dir::{StateDir, set_mode};
use crate::core::io::{ConnectionId, Input};
use crate::rules::Rules;
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;

/// A bound control socket that does not accept yet.
#[derive(Debug)]
pub struct Control {
    listener: UnixListener,
    path: PathBuf,
}

impl Control {
    /// Binds the folder's control socket. One that a dead daemon left is replaced.
    ///
    /// # Errors
    /// [`ShellError::AlreadyRunning`] when somebody answers on it, [`ShellError::InTheWay`],
    /// [`ShellError::SocketPathTooLong`], [`ShellError::File`].
    pub fn bind(dir: &StateDir, rules: &Rules) -> Result<Self, ShellError> {
        let path = dir.control_socket();
        let length = path.as_os_str().as_bytes().len();
        if length > PATH_BYTES {
            return Err(ShellError::SocketPathTooLong { path, length, limit: PATH_BYTES });
        }
        clear_the_way(dir, &path, rules.shell.replace_leftovers)?;
        let place = match rules.shell.socket_in_folder {
            true => path.clone(),
            false => elsewhere(&path)?,
        };
        let listener = UnixListener::bind(&place).map_err(|source| ShellError::file("listen on", &place, source))?;
        set_mode(&place, rules.shell.control_socket_mode)?;
        Ok(Self { listener, path })
    }

    /// Where it lies.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Accepts until told to end. The file is not removed here.
    pub async fn accept(self, rules: Arc<Rules>, context: ListenerContext) {
        let limit = ConnectionLimit::default();
        let mut last_connection = 0;
        loop {
            let accepted = tokio::select! {
                () = context.ending.cancelled() => return,
                accepted = self.listener.accept() => accepted,
            };
            let stream = match accepted {
                Ok((stream, _)) => stream,
                Err(error) => {
                    tracing::warn!(%error, "cannot accept a control connection");
                    tokio::select! {
                        () = context.ending.cancelled() => return,
                        () = limit.wait_after_failure(error.kind()) => continue,
                    }
                }
            };
            last_connection += 1;
            let connection = ConnectionId(last_connection);
            let (near, outgoing) = outbox();
            if context.events.send(Event::Control { connection, outbox: near }).await.is_err() {
                return;
            }
            let control = ControlConnection { connection, rules: Arc::clone(&rules), events: context.events.clone() };
            let (ending, permit) = (context.ending.clone(), limit.permit());
            context.tasks.spawn(async move {
                let abort = outgoing.shutdown.abort.clone();
                tokio::select! {
                    () = abort.cancelled() => {}
                    () = control.serve(stream, outgoing, ending) => {}
                }
                control.send(Input::RpcClosed { connection }).await;
                drop(permit);
            });
        }
    }
}

/// One control connection's own task.
struct ControlConnection {
    connection: ConnectionId,
    rules: Arc<Rules>,
    events: mpsc::Sender<Event>,
}

impl ControlConnection {
    async fn serve(&self, stream: UnixStream, mut outgoing: OutboxReceiver, ending: CancellationToken) {
        let connection = self.connection;
        let stop_reading = outgoing.shutdown.stop_reading.clone();
        let (mut read, mut write) = stream.into_split();
        let mut hearing = Box::pin(async {
            tokio::select! {
                () = stop_reading.cancelled() => {}
                () = self.read_messages(&mut read) => self.send(Input::RpcClosed { connection }).await,
            }
            read
        });
        let mut writing = Box::pin(async {
            let written = outgoing.write_to(&mut write).await;
            let shut = write.shutdown().await;
            written.and(shut)
        });
        // Either side may end first: the peer closes, or the engine ends the connection.
        let mut read = tokio::select! {
            read = &mut hearing => {
                let patience = Instant::now() + PATIENCE;
                tokio::select! {
                    _ = &mut writing => {}
                    () = sleep_until(patience) => return,
                }
                read
            }
            written = &mut writing => match written {
                Ok(()) if stop_reading.is_cancelled() => hearing.await,
                Ok(()) | Err(_) => return,
            },
        };
        // Ending with unread input would take the last answers away from the peer.
        let patience = Instant::now() + PATIENCE;
        tokio::select! {
            () = discard(&mut read) => {}
            () = ending.cancelled() => {}
            () = sleep_until(patience) => {}
        }
    }

    /// Reads lines until the end of the stream. After a line over the limit everything is discarded.
    async fn read_messages(&self, stream: &mut (impl AsyncRead + Unpin)) {
        let connection = self.connection;
        let limit = self.rules.contract.limits.rpc_line_bytes;
        let mut kept: Vec<u8> = Vec::new();
        let mut searched = 0;
        loop {
            while let Some(at) = kept[searched..].iter().position(|byte| *byte == b'\n') {
                let mut line: Vec<u8> = kept.drain(..=searched + at).collect();
                searched = 0;
                line.pop();
                if line.len() > limit {
                    return self.reject_long_line(stream).await;
                }
                self.send(Input::RpcLine { connection, line }).await;
            }
            searched = kept.len();
            if kept.len() > limit {
                return self.reject_long_line(stream).await;
            }
            kept.reserve(CHUNK_BYTES);
            match stream.read_buf(&mut kept).await {
                Ok(1..) => {}
                Ok(0) | Err(_) => return,
            }
        }
    }

    async fn reject_long_line(&self, stream: &mut (impl AsyncRead + Unpin)) {
        self.send(Input::RpcLineTooLong { connection: self.connection }).await;
        discard(stream).await;
    }

    async fn send(&self, input: Input) {
        // A send fails only when the engine has ended; the input is of no use then.
        let _ended = self.events.send(Event::Input(input)).await;
    }
}

/// Reads to the end, keeping nothing.
async fn discard(stream: &mut (impl AsyncRead + Unpin)) {
    let mut chunk = vec![0; CHUNK_BYTES];
    while let Ok(1..) = stream.read(&mut chunk).await {}
}

fn clear_the_way(dir: &StateDir, path: &Path, replaces: bool) -> Result<(), ShellError> {
    let file_type = match std::fs::symlink_metadata(path) {
        Ok(metadata) => metadata.file_type(),
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(source) => return Err(ShellError::file("inspect", path, source)),
    };
    if !file_type.is_socket() {
        return Err(ShellError::InTheWay { path: path.to_owned() });
    }
    if !replaces || std::os::unix::net::UnixStream::connect(path).is_ok() {
        return Err(ShellError::AlreadyRunning { path: dir.path().to_owned(), pid: pid_of(dir) });
    }
    std::fs::remove_file(path).map_err(|source| ShellError::file("replace", path, source))
}

/// Leaves a link to a socket outside the folder, and says where that is to be. Only a bent rule table wants that.
fn elsewhere(link: &Path) -> Result<PathBuf, ShellError> {
    let beside = link.parent().and_then(Path::parent).unwrap_or(Path::new("/"));
    let place = beside.join(format!("iolite-{}.sock", std::process::id()));
    std::os::unix::fs::symlink(&place, link).map_err(|source| ShellError::file("link", link, source))?;
    Ok(place)
}

/// Longest path of a Unix socket that every supported system takes, in bytes.
const PATH_BYTES: usize = 103;
const CHUNK_BYTES: usize = 16 * 1024;
