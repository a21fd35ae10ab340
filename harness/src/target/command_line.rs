//! A command with everything needed to start it.

use std::path::PathBuf;

/// A command, ready to be started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandLine {
    /// The program.
    pub program: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// Environment added to the harness's own.
    pub env: Vec<(String, String)>,
    /// Folder it runs in.
    pub cwd: PathBuf,
}

impl CommandLine {
    /// The command as a person would type it, for messages.
    pub fn shown(&self) -> String {
        std::iter::once(&self.program)
            .chain(&self.args)
            .map(|word| {
                if word.is_empty() || word.contains(|c: char| c.is_whitespace() || "'\"$\\".contains(c)) {
                    format!("'{}'", word.replace('\'', r"'\''"))
                } else {
                    word.clone()
                }
            })
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// The command for tokio, in a process group of its own so that nothing of it can be left behind.
    pub(crate) fn to_tokio(&self) -> tokio::process::Command {
        let mut command = tokio::process::Command::new(&self.program);
        command.args(&self.args).envs(self.env.iter().map(|(name, value)| (name, value))).current_dir(&self.cwd);
        command.process_group(0).kill_on_drop(true);
        command
    }
}
