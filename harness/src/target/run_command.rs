//! Commands that run once, to their end.

use super::command_line::CommandLine;
use super::process::{Exit, exit_of};
use rustix::process::{Pid, Signal, kill_process_group};
use std::process::Stdio;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

/// The most that is kept of either output of one command-line call.
const CLI_OUTPUT_MAX: u64 = 64 * 1024 * 1024;

/// What one call of the command line gave.
#[derive(Clone, Debug)]
pub struct CliOutput {
    /// How it ended.
    pub exit: Exit,
    /// Standard output.
    pub stdout: Vec<u8>,
    /// Standard error.
    pub stderr: Vec<u8>,
}

/// Runs a command to its end. Its whole process group is killed when the future is dropped.
pub(crate) async fn run(command: &CommandLine, stdin: &[u8]) -> std::io::Result<CliOutput> {
    let mut child = command.to_tokio().stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let _guard = GroupGuard(child.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?)));
    let (mut input, output, errors) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let feed = async {
        if let Some(mut input) = input.take() {
            // A program that does not read its input is free to close it.
            let _ = input.write_all(stdin).await;
        }
    };
    let (_, stdout, stderr, status) = tokio::join!(feed, collect(output), collect(errors), child.wait());
    Ok(CliOutput { exit: exit_of(status?), stdout: stdout?, stderr: stderr? })
}

struct GroupGuard(Option<Pid>);

impl Drop for GroupGuard {
    fn drop(&mut self) {
        if let Some(group) = self.0 {
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}

async fn collect(stream: Option<impl tokio::io::AsyncRead + Unpin>) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if let Some(mut stream) = stream {
        (&mut stream).take(CLI_OUTPUT_MAX).read_to_end(&mut bytes).await?;
        tokio::io::copy(&mut stream, &mut tokio::io::sink()).await?;
    }
    Ok(bytes)
}
