//! Standard input and output as the daemon uses them: one line `ready`, and under a manual clock `advance <ms>` lines
//! answered by `advanced`.

use super::stdio;
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;
use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader, Lines};

/// The daemon's standard input and output, or a test's stand-in.
pub struct Console {
    lines: Lines<BufReader<Box<dyn AsyncRead + Send + Unpin>>>,
    out: Box<dyn Write + Send>,
}

/// What the daemon is told on a line of its standard input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// `advance <ms>`: move the clock forward by this many milliseconds.
    Advance(u64),
}

/// A line that is no command. It is logged and has no effect.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("standard input: expected \"advance <milliseconds>\", got {0:?}")]
pub struct UnknownCommand(pub String);

impl Console {
    /// The process's own. Standard input is read only when `listen` is set.
    pub fn of_process(listen: bool) -> Self {
        let input = match listen {
            true => stdio::input(),
            false => Box::new(tokio::io::empty()),
        };
        Self::new(input, Box::new(std::io::stdout()))
    }

    /// Lines from `input`, output into `out`.
    pub fn new(input: Box<dyn AsyncRead + Send + Unpin>, out: Box<dyn Write + Send>) -> Self {
        Self { lines: BufReader::new(input).lines(), out }
    }

    /// The next line; `None` at the end of input, and when it is no text or cannot be read. Nothing is lost when the
    /// wait is given up.
    pub async fn line(&mut self) -> Option<String> {
        match self.lines.next_line().await {
            Ok(line) => line,
            Err(error) => {
                tracing::warn!(%error, "standard input cannot be read");
                None
            }
        }
    }

    /// Prints `ready`: every listener accepts.
    pub fn say_ready(&mut self, socket: &Path, wss_port: u16, state_dir: &Path) {
        self.say(&json!({
            "event": "ready",
            "socket_path": socket.to_string_lossy(),
            "wss_port": wss_port,
            "pid": std::process::id(),
            "state_dir": state_dir.to_string_lossy(),
        }));
    }

    /// Prints `advanced`: the clock was moved and everything due has happened.
    pub fn say_advanced(&mut self, ms: u64) {
        self.say(&json!({ "event": "advanced", "ms": ms }));
    }

    fn say(&mut self, event: &Value) {
        // In one write, so that a line is never half there.
        let line = format!("{event}\n");
        if let Err(error) = self.out.write_all(line.as_bytes()).and_then(|()| self.out.flush()) {
            tracing::warn!(%error, "nobody reads standard output");
        }
    }
}

impl Command {
    /// Reads a line. An empty one says nothing.
    ///
    /// # Errors
    /// [`UnknownCommand`] for anything else than a command.
    pub fn read(line: &str) -> Result<Option<Self>, UnknownCommand> {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            [] => Ok(None),
            ["advance", ms] => match ms.parse() {
                Ok(ms) => Ok(Some(Self::Advance(ms))),
                Err(_) => Err(UnknownCommand(line.to_owned())),
            },
            _ => Err(UnknownCommand(line.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read_strictly() {
        assert_eq!(Command::read(" advance  1500 "), Ok(Some(Command::Advance(1500))));
        assert_eq!(Command::read(""), Ok(None));
        for wrong in ["advance", "advance -1", "advance 1 2", "advance 1s", "stop"] {
            assert_eq!(Command::read(wrong), Err(UnknownCommand(wrong.to_owned())));
        }
    }
}
