//! Standard input and output of the process, read and written as they become ready.
//!
//! The runtime can only wait for the usual files of a terminal or a redirection on threads of their own: one for each
//! stream, and a message between threads for each line. A client that starts a server gives it pipes, and pipes can be
//! waited for like sockets.

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::unix::pipe;

/// Standard input.
///
/// A pipe is opened anew, so that only this reader of it no longer blocks: the one the process was given may be shared
/// with others. Anything else is read by a thread.
pub fn input() -> Box<dyn AsyncRead + Send + Unpin> {
    match pipe::OpenOptions::new().open_receiver("/dev/stdin") {
        Ok(receiver) if OPENS_ANEW => Box::new(receiver),
        _ => Box::new(tokio::io::stdin()),
    }
}

/// Standard output, likewise.
pub fn output() -> Box<dyn AsyncWrite + Send + Unpin> {
    match pipe::OpenOptions::new().open_sender("/dev/stdout") {
        Ok(sender) if OPENS_ANEW => Box::new(sender),
        _ => Box::new(tokio::io::stdout()),
    }
}

/// Whether opening `/dev/stdin` is more than another name for the stream that is open.
const OPENS_ANEW: bool = cfg!(target_os = "linux");
